//! What a survey does, whatever it is about.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use serde_json::{Value, json};

use super::*;

/// Games that are looked at to 1, 2, 4, 8 and 16, and the order in which they are.
struct Growing<'a> {
    games: usize,
    /// Each is proved when it comes to this.
    proved_at: u64,
    stop_at: Option<(usize, u64)>,
    stop: &'a AtomicBool,
    looks: Mutex<Vec<(usize, u64)>>,
}

impl Family for Growing<'_> {
    fn title(&self) -> String {
        "growing".into()
    }
    fn definition(&self) -> Value {
        json!({ "family": "growing" })
    }
    fn name_columns(&self) -> Vec<Column> {
        vec![Column::text("game", 4)]
    }
    fn result_columns(&self) -> Vec<Column> {
        vec![Column::number("reached", 4), Column::long("words", 1)]
    }
    fn games(&self) -> usize {
        self.games
    }
    fn names(&self, game: usize) -> Vec<Value> {
        vec![format!("g{game}").into()]
    }
    fn sameness(&self, game: usize) -> Result<String, String> {
        Ok(game.to_string())
    }
    fn goals(&self) -> Vec<u64> {
        vec![1, 2, 4, 8, 16]
    }
    fn look(&self, game: usize, goal: u64, _: &Control<'_>) -> Result<Look> {
        self.looks.lock().unwrap().push((game, goal));
        if self.stop_at == Some((game, goal)) {
            self.stop.store(true, Relaxed);
        }
        let status = if goal * game as u64 >= self.proved_at { Status::Proved } else { Status::Open };
        Ok(Look { status, reached: goal, cells: vec![goal.into(), "50% & a_b".into()], alike: None })
    }
}

fn growing(stop: &AtomicBool, stop_at: Option<(usize, u64)>) -> Growing<'_> {
    Growing { games: 7, proved_at: 24, stop_at, stop, looks: Mutex::default() }
}

fn options(out: Option<&std::path::Path>, workers: usize) -> Options {
    Options { out: out.map(Into::into), each: Duration::from_secs(5), workers }
}

fn reached(survey: &Survey) -> Vec<u64> {
    survey.rows.iter().map(|(row, _)| row.reached).collect()
}

#[test]
fn games_that_take_no_time_grow_by_equally_many_terms() {
    for workers in [1, 3] {
        let stop = AtomicBool::new(false);
        let family = growing(&stop, None);
        let mut shown = 0;
        let control = Control::stopped_by(&stop);
        let survey = run(&family, &options(None, workers), &control, &mut |_| shown += 1).unwrap();
        assert!(survey.is_complete() && shown == 7);
        let looks = family.looks.into_inner().unwrap();
        // Side by side, one may be a step ahead of another that is still looked at.
        assert!(workers > 1 || looks.iter().map(|look| look.1).is_sorted(), "{looks:?}");
        // Games 2 to 6 are proved at 16, 8, 8, 8 and 4, and not looked at any more.
        assert_eq!(reached(&survey), [16, 16, 16, 8, 8, 8, 4]);
        assert_eq!((survey.count(Status::Open), survey.count(Status::Proved)), (2, 5));
        assert_eq!(looks.iter().filter(|look| look.1 == 16).count(), 3);
    }
}

#[test]
fn a_stopped_survey_has_looked_at_all_games_about_as_far_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("survey");
    let stop = AtomicBool::new(false);
    let family = growing(&stop, Some((3, 4)));
    let control = Control::stopped_by(&stop);
    let survey = run(&family, &options(Some(&out), 1), &control, &mut |_| {}).unwrap();
    assert!(!survey.is_complete() && survey.rows.len() == 7 && survey.unfinished >= 6, "{survey:?}");
    assert!(reached(&survey).iter().all(|reached| [2, 4].contains(reached)), "{survey:?}");
    assert!(survey.summary().contains("of them not to the end"), "{}", survey.summary());
    let stop = AtomicBool::new(false);
    let family = growing(&stop, None);
    let control = Control::stopped_by(&stop);
    let resumed = run(&family, &options(Some(&out), 1), &control, &mut |_| {}).unwrap();
    assert_eq!(reached(&resumed), [16, 16, 16, 8, 8, 8, 4]);
    assert!(resumed.is_complete());
    assert!(family.looks.into_inner().unwrap().iter().all(|look| look.1 >= 4), "nothing is done twice");
}

#[test]
fn tables_for_other_programs_have_all_rows_and_no_stray_characters() {
    let stop = AtomicBool::new(false);
    let survey =
        run(&growing(&stop, None), &options(None, 1), &Control::stopped_by(&stop), &mut |_| {}).unwrap();
    let tsv = survey.tsv();
    assert_eq!(tsv.lines().next(), Some("game\tstatus\treached\twords\tas\tseconds"));
    assert!(tsv.lines().count() == 8 && tsv.lines().all(|line| line.split('\t').count() == 6));
    let latex = survey.latex();
    assert!(latex.contains("\\begin{longtable}{llrp{0.3\\textwidth}}"), "{latex}");
    assert!(latex.contains("g6 & proved & 4 & 50\\% \\& a\\_b \\\\"), "{latex}");
    assert_eq!(latex.lines().filter(|line| line.ends_with("\\\\")).count(), 8);
}
