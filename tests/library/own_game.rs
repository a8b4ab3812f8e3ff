//! A heap game that is defined here only: its rules and its entry are all that it takes to have tables, verification, answers,
//! exports and proofs. docs/ARCHITECTURE.md shows the same as a change of two files.

use nimwave::game::{self, Entry, EntryKind, Game, HeapGame, Parameter, Parameters, Values};
use nimwave::proof::{Proof, prove};
use nimwave::rules::Rules;
use nimwave::{Choice, Control, HeapJob, Mode, Quantity, Reader, Window, ask, dataset, verify};

/// A move takes from one heap at least one counter and at most `most`.
struct TakeAtMost {
    most: u32,
}

impl Rules for TakeAtMost {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let mut option = heaps.to_vec();
        for i in 0..heaps.len() {
            for taken in 1..=self.most.min(heaps[i]) {
                option[i] = heaps[i] - taken;
                visit(&option);
            }
            option[i] = heaps[i];
        }
    }
}

static TAKE_AT_MOST: Entry = Entry {
    name: "take-at-most",
    source: "folklore",
    moves: "take at most --most counters from one heap",
    parameters: &[Parameter {
        name: "most",
        values: Values::Number("N", 3),
        help: "how many counters a move may take",
    }],
    example: ("--most 3", "5 8"),
    kind: EntryKind::Heaps(|parameters| {
        let most = parameters["most"].as_u64().and_then(|most| u32::try_from(most).ok()).unwrap_or(u32::MAX);
        Ok(HeapGame::new(TakeAtMost { most }))
    }),
};

#[test]
fn a_game_that_is_defined_in_a_program_has_everything() {
    game::register(&TAKE_AT_MOST).unwrap();
    assert!(game::register(&TAKE_AT_MOST).is_err(), "a name is taken once");
    assert!(Game::named("take-at-mots").unwrap_err().to_string().contains("'take-at-most'"));
    let parameters = Parameters::from([("most".into(), 2.into())]);
    for misere in [false, true] {
        let mut parameters = parameters.clone();
        parameters.insert("misere".into(), misere.into());
        let game = Game::new("take-at-most", &parameters).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("table");

        // Solved, and complete when it is solved again.
        let job = HeapJob::new(&game, 2, 20, Quantity::Values).unwrap();
        job.solve(Some(&out), &Control::silent()).unwrap();
        assert!(job.solve(Some(&out), &Control::silent()).unwrap().is_complete());

        // Read back from the manifest alone, and verified.
        let reader = Reader::open(&out).unwrap();
        let (stored, space) = reader.heap_table().unwrap();
        assert_eq!((stored.name(), stored.parameters()), (game.name(), game.parameters()));
        assert_eq!(space.max(), 20);
        let verdict = verify(&reader, Mode::Full, &Control::silent()).unwrap();
        assert_eq!(verdict.verdict, "passed");

        // In normal play a heap is worth its remainder by 3.
        let from_table = ask(&game, &[7, 11], Some(&reader), &Control::silent()).unwrap();
        let solved = ask(&game, &[7, 11], None, &Control::silent()).unwrap();
        assert_eq!((from_table.outcome, &from_table.winning_moves), (solved.outcome, &solved.winning_moves));
        if !misere {
            assert_eq!(from_table.value, Some((7 % 3) ^ (11 % 3)));
            assert_eq!(from_table.winning_moves, [vec![5, 11], vec![7, 10]]);
        }

        // Exported.
        let mut rows = 0;
        let p_positions = dataset(&reader, Choice::PPositions, Window::default()).unwrap();
        let mut count = |_: &[u64]| {
            rows += 1;
            Ok(())
        };
        p_positions.for_each_row(&mut count).unwrap();
        assert_eq!(Some(rows), reader.manifest().results["p_positions"].as_u64());
    }
    // No lemma speaks of its moves, and prove says so instead of guessing.
    let game = Game::new("take-at-most", &parameters).unwrap();
    let Proof::Quotient(verdict) = prove(&game, None, &Control::silent()).unwrap() else {
        panic!("a search for a quotient")
    };
    assert!(verdict.theorem.is_none() && !verdict.attempts.is_empty());
}
