//! The noun in the middle: a game is an entry of the catalogue with its play and its parameters.
//!
//! Every verb takes a [`Game`] and asks it for what differs: the rules, how positions are read and shown,
//! which tables it can have, which kernels and which proofs apply. Outside of the catalogue no name of a game
//! is compared with anything.

mod catalogue;
mod entry;
mod heaps;
mod lines;
mod parameters;
pub mod rule_file;
pub mod theory;

pub use entry::{Entry, EntryKind, Parameter, Values};
pub use heaps::{Family, Gaps, HeapGame, HeapSum, Notation, Proofs, RulesFor, Slabs};
pub use lines::{Lines, Most, Sets};
pub use parameters::Parameters;

use std::sync::RwLock;

pub use crate::base::suggestion;

use crate::base::shell::quoted;
use crate::base::{Error, Result};
use crate::rules::{Cookie, Cutter, OctalGame, Play};

/// A game with its play and its parameters.
#[derive(Debug, Clone)]
pub struct Game {
    entry: &'static Entry,
    play: Play,
    parameters: Parameters,
    kind: Kind,
}

/// What a game's positions are made of, with the rules.
#[derive(Debug, Clone)]
pub enum Kind {
    /// Heaps of counters.
    Heaps(HeapGame),
    /// Heaps that do not interact: a nim-sequence says everything.
    Octal(OctalGame),
    /// Squares of a grid under a cutter.
    Cookie(Cookie),
}

impl Game {
    /// The game `name` with these parameters: `misere`, those of the game, and, in a manifest, the size of
    /// the table.
    pub fn new(name: &str, parameters: &Parameters) -> Result<Self> {
        Self::of(find(name)?, parameters)
    }

    /// The game of an entry, which need not be in the catalogue.
    pub fn of(entry: &'static Entry, parameters: &Parameters) -> Result<Self> {
        match entry.kind {
            EntryKind::Heaps(_) => {
                let parameters = parameters::checked(entry, parameters)?;
                let kind = Kind::Heaps(entry.heap_game(&parameters)?);
                Ok(Self { entry, play: parameters::play(&parameters)?, parameters, kind })
            }
            EntryKind::Written(text) => Self::written(text, parameters),
            EntryKind::Octal => match parameters.get("code").and_then(|code| code.as_str()) {
                Some(code) => Ok(Self::octal(OctalGame::read(code)?)),
                None => Err(Error::Usage(format!("{} needs a code, such as {0} 0.77", entry.name))),
            },
            EntryKind::Cookie => match parameters.get("cutter").and_then(|cutter| cutter.as_str()) {
                Some(cutter) => Ok(Self::cookie(cutter.parse()?)),
                None => Err(Error::Usage(format!("{} needs a cutter, such as --cutter 2", entry.name))),
            },
            EntryKind::Searched(_) | EntryKind::Sum => Err(entry.not_on_heaps()),
        }
    }

    /// The game `name` in normal play with its default parameters.
    pub fn named(name: &str) -> Result<Self> {
        Self::new(name, &Parameters::new())
    }

    /// The game whose rule is `text`, with the play (and in a manifest the size) among `parameters`.
    pub fn written(text: &str, parameters: &Parameters) -> Result<Self> {
        let mut parameters = parameters.clone();
        parameters.insert("rule".into(), text.into());
        Self::new("rule", &parameters)
    }

    /// An octal game, in normal play.
    pub fn octal(game: OctalGame) -> Self {
        let parameters = Parameters::from([("code".into(), game.to_string().into())]);
        Self {
            entry: entry_of(|kind| matches!(kind, EntryKind::Octal)),
            play: Play::Normal,
            parameters,
            kind: Kind::Octal(game),
        }
    }

    /// Cookie cutter with this cutter, in normal play.
    pub fn cookie(cutter: Cutter) -> Self {
        let parameters = Parameters::from([("cutter".into(), cutter.to_string().into())]);
        let kind = Kind::Cookie(Cookie { cutter });
        Self {
            entry: entry_of(|kind| matches!(kind, EntryKind::Cookie)),
            play: Play::Normal,
            parameters,
            kind,
        }
    }

    /// The same game in this play.
    pub fn in_play(mut self, play: Play) -> Self {
        self.play = play;
        self.parameters.insert("misere".into(), (play == Play::Misere).into());
        self
    }

    /// What the catalogue says about it.
    pub fn entry(&self) -> &'static Entry {
        self.entry
    }

    /// The name in the catalogue.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// Normal or misère play.
    pub fn play(&self) -> Play {
        self.play
    }

    /// The parameters, all of them, as manifests keep them.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// What its positions are made of.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The game on heaps, or an error that says how to ask for the other ones.
    pub fn on_heaps(&self) -> Result<&HeapGame> {
        match &self.kind {
            Kind::Heaps(heaps) => Ok(heaps),
            _ => Err(self.entry.not_on_heaps()),
        }
    }

    /// What a move is: the text of the rule, where the game is one that somebody has written.
    pub fn moves(&self) -> &str {
        match self.parameters.get("rule").and_then(|rule| rule.as_str()) {
            Some(text) if matches!(&self.kind, Kind::Heaps(heaps) if heaps.written.is_some()) => text,
            _ => self.entry.moves,
        }
    }

    /// The name, with what makes it a game where that is all there is to say: "minnie", "0.6", the text of a
    /// rule.
    fn short(&self) -> String {
        match &self.kind {
            Kind::Octal(game) => game.to_string(),
            Kind::Heaps(heaps) if heaps.written.is_some() => self.moves().into(),
            _ => self.name().into(),
        }
    }

    /// "minnie, misère play", "0.6": for pictures.
    pub fn caption(&self) -> String {
        match (&self.kind, self.play) {
            (Kind::Octal(_), _) | (_, Play::Normal) => self.short(),
            (_, Play::Misere) => format!("{}, misère play", self.short()),
        }
    }

    /// The game as a command line names it, without its play: "wynnie --together all", "octal 0.6".
    pub fn words(&self) -> String {
        match &self.kind {
            Kind::Octal(game) => format!("{} {game}", self.name()),
            _ => self.name().to_string() + &parameters::words(self.entry, &self.parameters, str::to_string),
        }
    }

    /// The same, for a shell.
    pub fn shell_words(&self) -> String {
        match &self.kind {
            Kind::Octal(game) => format!("{} {}", self.name(), quoted(&game.to_string())),
            _ => self.name().to_string() + &parameters::words(self.entry, &self.parameters, quoted),
        }
    }

    /// "misère minnie", "octal 0.6".
    pub fn title(&self) -> String {
        let play = if self.play == Play::Misere { "misère " } else { "" };
        match &self.kind {
            Kind::Octal(game) => format!("{play}{} {game}", self.name()),
            Kind::Heaps(heaps) if heaps.written.is_some() => format!("{play}{}", self.words()),
            _ => format!("{play}{}", self.name()),
        }
    }
}

/// Games that a program has added to the catalogue.
static REGISTERED: RwLock<Vec<&'static Entry>> = RwLock::new(Vec::new());

/// Adds a game to the catalogue of this process: tables of it can then be solved, verified and asked about
/// like those of any other.
pub fn register(entry: &'static Entry) -> Result<()> {
    let mut registered = REGISTERED.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    let taken =
        catalogue::CATALOGUE.iter().chain(registered.iter().copied()).any(|known| known.name == entry.name);
    if taken {
        return Err(Error::Usage(format!(
            "there is a game called '{}' already; choose another name",
            entry.name
        )));
    }
    registered.push(entry);
    Ok(())
}

/// Every game of the catalogue.
pub fn all() -> Vec<&'static Entry> {
    let registered = REGISTERED.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    catalogue::CATALOGUE.iter().chain(registered.iter().copied()).collect()
}

/// The game called `name`, or an error that names the nearest one.
pub fn find(name: &str) -> Result<&'static Entry> {
    all().into_iter().find(|entry| entry.name == name).ok_or_else(|| {
        let near = suggestion(name, all().into_iter().map(|entry| entry.name));
        Error::Usage(format!("no game is called '{name}'; {near}`nimwave games` lists them all"))
    })
}

fn entry_of(is: impl Fn(&EntryKind) -> bool) -> &'static Entry {
    catalogue::CATALOGUE.iter().find(|entry| is(&entry.kind)).expect("the catalogue has a game of every kind")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str, parameters: &[(&str, serde_json::Value)]) -> Result<Game> {
        let given = parameters.iter().map(|(name, value)| (name.to_string(), value.clone()));
        Game::new(name, &given.collect())
    }

    fn options(name: &str, parameters: &[(&str, serde_json::Value)], heaps: &[u32]) -> usize {
        let mut count = 0;
        let game = game(name, parameters).unwrap();
        game.on_heaps().unwrap().rules(9).unwrap().options(heaps, &mut |_| count += 1);
        count
    }

    #[test]
    fn every_heap_game_of_the_catalogue_can_be_made_in_both_plays() {
        for entry in all().into_iter().filter(|entry| entry.is_on_heaps()) {
            for misere in [false, true] {
                let graph = entry.parameters.iter().any(|parameter| parameter.name == "graph");
                let mut parameters = Parameters::from([("misere".into(), misere.into())]);
                if graph {
                    parameters.insert("graph".into(), "a>b".into());
                }
                if entry.parameters.iter().any(|parameter| parameter.name == "rule") && entry.name == "rule" {
                    parameters.insert("rule".into(), "take s from one heap where s <= min".into());
                }
                let game = Game::of(entry, &parameters).unwrap();
                assert_eq!(game.play(), Play::from_misere(misere));
                assert!(game.on_heaps().unwrap().rules(9).is_ok(), "{}", entry.name);
                // What a manifest keeps makes the same game again.
                assert_eq!(Game::new(entry.name, game.parameters()).unwrap().parameters(), game.parameters());
            }
        }
    }

    #[test]
    fn an_unknown_game_is_refused_with_the_nearest_name() {
        let error = |name: &str| Game::named(name).unwrap_err().to_string();
        assert!(error("winnie").contains("did you mean 'minnie'?") || error("winnie").contains("'wynnie'"));
        assert!(error("jenifer").contains("'jennifer'"));
        assert!(!error("backgammon").contains("did you mean"));
        assert!(error("wyg").contains("not played on heaps"));
    }

    #[test]
    fn parameters_choose_the_variant_and_what_is_not_one_is_refused() {
        assert_eq!(options("wynnie", &[("together", "all".into())], &[1, 1, 1]), 4);
        assert_eq!(options("wynnie", &[("together", "any".into())], &[1, 1, 1]), 7);
        assert_eq!(options("euclid", &[("to-zero", true.into())], &[2, 4]), 2);
        for (name, key, value) in [
            ("wynnie", "together", "three".into()),
            ("wynnie", "rule", "half".into()),
            ("minnie", "misere", "yes".into()),
            ("maximum-nim", "rule", "n+".into()),
            ("poker-nim", "add", "0".into()),
            ("poker-nim", "additions", 65536.into()),
        ] {
            assert!(game(name, &[(key, value)]).is_err(), "{name} {key}");
        }
        assert!(game("counters", &[]).unwrap_err().to_string().contains("needs --graph ARROWS"));
        let too_much = game("maximum-nim", &[("rule", "n+1".into())])
            .and_then(|game| game.on_heaps().and_then(|heaps| heaps.rules(5).map(|_| ())));
        assert!(too_much.is_err());
    }

    #[test]
    fn what_is_not_a_position_is_refused() {
        let check = |name: &str, parameters: &[(&str, serde_json::Value)], heaps: &[u32]| {
            let game = game(name, parameters).unwrap();
            game.on_heaps().unwrap().check(name, heaps)
        };
        assert!(check("mine", &[], &[3, 3]).is_err());
        assert!(check("mine", &[], &[0, 0, 3]).is_ok());
        assert!(check("rook", &[], &[1, 2, 3]).is_err());
        assert!(check("counters", &[("graph", "a>b".into())], &[3]).is_err());
    }

    #[test]
    fn a_name_is_registered_once() {
        static NAMESAKE: Entry = Entry {
            name: "minnie",
            source: "",
            moves: "",
            parameters: &[],
            example: ("", ""),
            kind: EntryKind::Sum,
        };
        assert!(register(&NAMESAKE).is_err());
    }
}
