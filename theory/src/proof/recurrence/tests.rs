//! Recurring states beside published periods, and vectors beside the definitions.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cover::{Cover, Unseen};
use super::run::{BLOCK, HISTORY, OPENING};
use super::stream::{SLACK, Stream};
use super::*;
use crate::analysis::PeriodSearch;
use crate::base::{Control, Error};
use crate::proof::octal_period::prove_regularity;

fn search(code: &str, isa: Isa) -> Recurrence {
    Recurrence { isa, ..Recurrence::new(code.parse().unwrap()) }
}

fn values(code: &str, terms: usize) -> Vec<u16> {
    let mut values = vec![0; terms];
    Engine::new(&code.parse().unwrap(), EngineOptions::default()).extend(&mut values, 0).unwrap();
    values
}

#[test]
fn the_stream_has_the_values_of_the_engine() {
    let terms = OPENING + (1 << 17) + 777;
    for code in ["0.106", "0.16"] {
        let expected = values(code, terms);
        for isa in Isa::available() {
            let machine = search(code, isa).machine(&Control::silent()).unwrap();
            let window = machine.opening[OPENING - HISTORY..].to_vec();
            let mut stream = Stream::new(&machine, isa, &window, OPENING as u64);
            let mut x = window.clone();
            x.resize(HISTORY + terms - OPENING + SLACK, 0);
            // Pieces of odd lengths: every boundary of a span and a step is met.
            let mut at = HISTORY;
            for piece in (1..).map(|k| 4099 * k % 30011) {
                let to = (at + piece).min(HISTORY + terms - OPENING);
                stream.fill(&mut x, at, to, (OPENING + at - HISTORY) as u64).unwrap();
                at = to;
                if at == HISTORY + terms - OPENING {
                    break;
                }
            }
            let wrong = (OPENING..terms).find(|&n| {
                machine.value(n as u64, x[HISTORY + n - OPENING].into(), true) != u32::from(expected[n])
            });
            assert_eq!(wrong, None, "{code} with {isa:?}");
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn rows_find_what_the_definition_of_the_cover_finds() {
    for code in ["0.106", "0.16"] {
        for isa in Isa::available() {
            let machine = search(code, isa).machine(&Control::silent()).unwrap();
            let cover = Cover::new(&machine);
            let mut x = machine.opening[OPENING - HISTORY..].to_vec();
            let mut stream = Stream::new(&machine, isa, &x, OPENING as u64);
            x.resize(HISTORY + (1 << 13) + SLACK, 0);
            let end = x.len() - SLACK;
            stream.fill(&mut x, HISTORY, end, OPENING as u64).unwrap();
            x.truncate(end);
            let first = (OPENING - HISTORY) as u64;
            let Some(mut rows) = rows::Rows::new(&machine, &cover, isa, &x, HISTORY, first) else {
                assert_eq!(isa, Isa::PORTABLE);
                continue;
            };
            let slow = |x: &[u8]| -> std::result::Result<(), Unseen> {
                (HISTORY..x.len()).try_for_each(|at| cover.check(x, at, ((first + at as u64) % 2) as usize))
            };
            assert_eq!(rows.check(&cover, &x, HISTORY, first), Ok(()), "{code}");
            assert_eq!(slow(&x), Ok(()), "{code}");
            // With the small heaps gone but a few, something is missing, and both say the same first heap.
            let mut less = Cover::new(&machine);
            less.shorten(40);
            let mut rows = rows::Rows::new(&machine, &less, isa, &x, HISTORY, first).unwrap();
            let slow = (HISTORY..x.len())
                .find_map(|at| less.check(&x, at, ((first + at as u64) % 2) as usize).err());
            assert_eq!(rows.check(&less, &x, HISTORY, first).err(), slow, "{code}");
            assert!(slow.is_some(), "{code}");
        }
    }
}

#[test]
fn recurring_states_prove_the_periods_of_guy_and_smith() {
    // 0.644 has indices of 16 and more, which go one by one.
    for code in ["0.77", "0.45", "0.156", "0.356", "0.644"] {
        let game: OctalGame = code.parse().unwrap();
        let search = PeriodSearch {
            game: game.clone(),
            most_terms: 1 << 14,
            most_time: None,
            engine: Default::default(),
        };
        let guy_smith = prove_regularity(&search, &Control::silent()).unwrap().1.unwrap().drift;
        let found = Recurrence::new(game).run(None, &Control::silent()).unwrap();
        let theirs = (guy_smith.preperiod as u64, guy_smith.period as u64);
        assert_eq!((found.preperiod.max(1), found.period), theirs, "{code}");
    }
}

#[test]
fn a_search_gives_up_where_it_is_told_to_and_stops_in_its_opening() {
    let refused = search("0.106", Isa::detect()).up_to(1 << 20).run(None, &Control::silent());
    assert!(matches!(&refused, Err(Error::Undecided(why)) if why.contains("no state recurs")), "{refused:?}");
    let stop = AtomicBool::new(true);
    let stopped = search("0.106", Isa::detect()).run(None, &Control::stopped_by(&stop));
    assert!(matches!(stopped, Err(Error::Interrupted { .. })));
    let small = search("0.106", Isa::detect()).run(None, &Control::silent().with_memory(1 << 20));
    assert!(matches!(small, Err(Error::Budget(_))));
}

#[test]
fn games_without_few_rare_heaps_are_refused() {
    let refused = search("0.3", Isa::detect()).run(None, &Control::silent());
    assert!(matches!(refused, Err(Error::Undecided(_))));
}

#[test]
fn a_stopped_run_resumes_to_the_same_period_and_refuses_damage() {
    struct StopAfter<'a>(&'a AtomicBool, u64);
    impl crate::base::Observer for StopAfter<'_> {
        fn wave(&self, _: u64, heaps: u64) {
            self.0.store(heaps >= self.1, Ordering::Relaxed);
        }
    }

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let search = Recurrence::new("0.16".parse().unwrap());
    let whole = search.run(None, &Control::silent()).unwrap();
    let stop = AtomicBool::new(false);
    let stopping = StopAfter(&stop, BLOCK as u64);
    let control = Control { stop: &stop, observer: &stopping, ..Control::silent() };
    let mut stops = 0;
    let resumed = loop {
        stop.store(false, Ordering::Relaxed);
        // Also the search for the preperiod is stopped, and would be for ever.
        let control = if stops < 3 { control } else { Control::silent() };
        match search.run(Some(&path), &control) {
            Err(Error::Interrupted { .. }) => stops += 1,
            done => break done.unwrap(),
        }
    };
    assert_eq!(stops, 3);
    assert_eq!((whole.preperiod, whole.period), (105_351, 149_459)); // Gangolli and Plambeck
    assert_eq!((resumed.preperiod, resumed.period), (105_351, 149_459));
    // A run that is complete says the same when it is asked again.
    let again = search.run(Some(&path), &Control::silent()).unwrap();
    assert_eq!((again.preperiod, again.period), (105_351, 149_459));
    let state = path.join("state");
    let good = fs::read(&state).unwrap();
    for place in [0, 30, 60, good.len() / 2, good.len() - 1] {
        let mut bad = good.clone();
        bad[place] ^= 4;
        fs::write(&state, bad).unwrap();
        let refused = search.run(Some(&path), &Control::silent());
        assert!(matches!(refused, Err(Error::Corrupt { .. })), "{place}");
    }
    fs::write(&state, &good[..good.len() - 9]).unwrap();
    assert!(matches!(search.run(Some(&path), &Control::silent()), Err(Error::Corrupt { .. })));
    fs::write(&state, &good).unwrap();
    let other = Recurrence::new("0.77".parse().unwrap());
    assert!(matches!(other.run(Some(&path), &Control::silent()), Err(Error::Mismatch { .. })));
    fs::write(path.join("thesis.tex"), "work").unwrap();
    assert!(matches!(search.run(Some(&path), &Control::silent()), Err(Error::Mismatch { .. })));
}
