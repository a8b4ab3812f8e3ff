//! The games on graphs and the partizan games of the catalogue.

use super::GameInfo;

/// Games whose positions are no heaps: asked about with `query`, and vertex deletion over all graphs with `scan`.
pub const GRAPH_GAMES: &[GameInfo] = &[
    GameInfo {
        name: "wyg",
        source: "Mullen, Section 4.3",
        moves: "choose an edge and make a move of wynnie on its ends; it is played on until an end is gone",
        parameters: "GRAPH, --chips LIST|N|degree, --free (every move chooses its edge), --locked-on EDGE, --misere",
        example: "nimwave query wyg path 3 --chips 1,2,1",
    },
    GameInfo {
        name: "wygthoff",
        source: "Mullen, Chapter 6",
        moves: "wyg with the moves of wythoff on the chosen edge",
        parameters: "GRAPH, --chips LIST|N|degree, --free, --locked-on EDGE, --misere",
        example: "nimwave query wygthoff complete 3 --chips 2,3,4",
    },
    GameInfo {
        name: "mig",
        source: "Mullen, Chapter 6",
        moves: "take at most as many chips from a vertex as the smallest stack of its closed neighbourhood has",
        parameters: "GRAPH, --chips LIST|N|degree, --misere",
        example: "nimwave query mig cycle 4 --chips 2,1,2,3",
    },
    GameInfo {
        name: "nim-on-graph",
        source: "thesis on nim on graphs",
        moves: "lower the weight of an edge at the token and carry the token along it",
        parameters: "GRAPH with weights, loops and multiple edges as 0-1:2,1-1:3; --token VERTEX, --misere",
        example: "nimwave query nim-on-graph 0-1:2,1-2,2-3,3-0 --token 0",
    },
    GameInfo {
        name: "vertex-deletion",
        source: "Ottaway, Chapter 3",
        moves: "delete a vertex of even or of odd degree (in-degree)",
        parameters: "GRAPH, --oo or --ee (impartial), --eo (partizan: Left even, Right odd)",
        example: "nimwave query vertex-deletion broom 8 2 --eo",
    },
    GameInfo {
        name: "grand-left-right",
        source: "Ottaway, Chapter 4",
        moves: "shoot from a token along empty squares, turning where blocked, and place a token at the end (partizan)",
        parameters: "BOARD of '.', 'L' and 'R', rows separated by '/'",
        example: "nimwave query grand-left-right LLRL/L..L",
    },
];
