use super::*;
use proptest::prelude::*;

fn options(threads: usize, isa: Isa, method: Method) -> EngineOptions {
    EngineOptions { threads, isa, method }
}

/// The sequence, computed in runs that end at `cuts`, by one engine or (`fresh`) by a new one for each run.
fn in_runs(game: &OctalGame, terms: usize, cuts: &[usize], fresh: bool, how: EngineOptions) -> Vec<u16> {
    let mut values = vec![0; terms];
    let mut engine = Engine::new(game, how);
    let mut known = 0;
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % terms).collect();
    cuts.sort_unstable();
    for cut in cuts.into_iter().chain([terms]) {
        if fresh {
            engine = Engine::new(game, how);
        }
        engine.extend(&mut values[..cut], known).unwrap();
        known = cut;
    }
    values
}

fn first_difference(a: &[u16], b: &[u16]) -> Option<usize> {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).position(|(a, b)| a != b)
}

#[test]
fn every_way_agrees_with_the_definition() {
    // With and without a good split, with a splitting d0, long codes, Grundy's game, many rare heaps.
    for code in ["0.6", "0.007", "4.7", "0.45", "0.3337", "grundy", "0.16", "4.0", "0.00000000000006", "0.64"]
    {
        let game: OctalGame = code.parse().unwrap();
        let terms = 15000;
        let expected = naive_sequence(&game, terms).unwrap();
        for method in [Method::Auto, Method::Rows, Method::Marks] {
            for isa in Isa::available() {
                let threads = 1 + usize::from(isa == Isa::detect());
                let got = in_runs(&game, terms, &[], false, options(threads, isa, method));
                assert_eq!(first_difference(&got, &expected), None, "{code} {method:?} {isa:?}");
            }
        }
    }
}

#[test]
fn cuts_and_fresh_engines_change_nothing() {
    for code in ["0.6", "0.007", "0.77"] {
        let game: OctalGame = code.parse().unwrap();
        let expected = naive_sequence(&game, 14000).unwrap();
        let cuts = [1, 5000, 8191, 8192, 8193, 8704, 9999, 10240, 12288];
        for (method, threads) in [(Method::Auto, 2), (Method::Rows, 1), (Method::Rows, 2), (Method::Marks, 2)]
        {
            for fresh in [false, true] {
                let how = options(threads, Isa::detect(), method);
                let got = in_runs(&game, 14000, &cuts, fresh, how);
                assert_eq!(first_difference(&got, &expected), None, "{code} {method:?} {threads} {fresh}");
            }
        }
    }
}

#[test]
fn values_that_the_caller_has_changed_do_no_harm() {
    // Beyond every table, small and large ones mixed, and only the ones that the next heaps read.
    let changes: [fn(usize, &mut u16); 3] = [
        |_, value| *value = u16::MAX,
        |n, value| *value = (n.wrapping_mul(0x9e37_79b9) >> 8) as u16,
        |n, value| *value |= if n % 97 == 0 { 0x8000 } else { 0 },
    ];
    for code in ["0.6", "0.007", "0.3337", "grundy", "0.33", "0.33333333333337"] {
        let game: OctalGame = code.parse().unwrap();
        // Every way begins with the same values.
        let mut known = vec![0; 12500];
        Engine::new(&game, EngineOptions::default()).extend(&mut known[..9000], 0).unwrap();
        let mut values = known.clone();
        for method in [Method::Auto, Method::Rows, Method::Marks, Method::Naive] {
            // Auto is one of the others, and the definition has one way only; two threads run the same loops.
            let ways: Vec<(Isa, usize)> = match method {
                Method::Auto | Method::Naive => vec![(Isa::detect(), 2)],
                Method::Rows | Method::Marks => {
                    let threads = |isa| 1 + usize::from(isa == Isa::detect());
                    Isa::available().into_iter().map(|isa| (isa, threads(isa))).collect()
                }
            };
            for (isa, threads) in ways {
                for change in changes {
                    // Changed between two calls, which the engine cannot see.
                    let mut engine = Engine::new(&game, options(threads, isa, method));
                    values.copy_from_slice(&known);
                    engine.extend(&mut values[..10000], 9000).unwrap();
                    values[..10000].iter_mut().enumerate().for_each(|(n, value)| change(n, value));
                    let _ = engine.extend(&mut values, 10000);
                    // Wrong from the start. Rows would want 2^15 of them, so this is for marks only.
                    if method == Method::Marks {
                        let mut engine = Engine::new(&game, options(threads, isa, method));
                        let _ = engine.extend(&mut values, 10000);
                    }
                }
            }
        }
    }
}

#[test]
fn what_cannot_be_known_is_refused() {
    let game: OctalGame = "0.6".parse().unwrap();
    let mut engine = Engine::new(&game, EngineOptions::default());
    assert!(engine.extend(&mut [0; 5], 6).is_err());
    assert!(engine.extend_bytes(&mut [0; 5], 0).is_err());
    let game: OctalGame = "0.33".parse().unwrap();
    assert!(Engine::new(&game, EngineOptions::default()).extend_bytes(&mut [0; 5], 6).is_err());
}

#[test]
fn the_split_of_officers_is_found() {
    let game: OctalGame = "0.6".parse().unwrap();
    let mut values = vec![0; 40000];
    let mut engine = Engine::new(&game, EngineOptions::default());
    engine.extend(&mut values, 0).unwrap();
    let split = engine.split().unwrap();
    // 1583 rare heaps besides the empty one, the last of them 20627 (Winning Ways; Grossman's run).
    assert_eq!((split.rare_count, split.last_rare), (1583, Some(20627)));
    assert_eq!(split.by_position, None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn random_codes_agree_with_the_definition(
        first in prop_oneof![Just(0u8), Just(4u8)],
        digits in proptest::collection::vec(0u8..8, 1..=6),
        method in prop_oneof![Just(Method::Auto), Just(Method::Rows), Just(Method::Marks)],
        threads in 1usize..3,
        cut in 1usize..11000,
        fresh in any::<bool>(),
    ) {
        let code: Vec<u8> = std::iter::once(first).chain(digits).collect();
        prop_assume!(code.iter().any(|&d| d != 0));
        let game = OctalGame::from_digits(&code).unwrap();
        let expected = naive_sequence(&game, 11000).unwrap();
        let got = in_runs(&game, 11000, &[cut], fresh, options(threads, Isa::detect(), method));
        prop_assert_eq!(first_difference(&got, &expected), None, "{}", game);
    }
}
