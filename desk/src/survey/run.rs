//! Looks at the games of a family, several side by side, each on one thread and within its budget.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::state::State;
use super::{Family, Look, MOST_GAMES, Row, Shown, Status, Survey, columns, page, show};
use crate::base::{Control, Error, Result, files};

/// The stack of a thread that looks at games: proofs may recurse.
const STACK: usize = 16 << 20;

/// How a survey is made.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folder that keeps what is finished, and the survey as CSV, JSON and a page.
    pub out: Option<PathBuf>,
    /// The budget of each game.
    pub each: Duration,
    /// How many games are looked at side by side.
    pub workers: usize,
}

/// What is to be done about a game.
enum Plan {
    Look,
    Same(usize),
    Invalid(String),
}

/// Makes the survey. `finished` is told of every game, in their order, as soon as it and all before it are
/// finished. What is stopped from outside or by the deadline is not complete; an error of the files ends it.
pub fn run(
    family: &dyn Family,
    options: &Options,
    control: &Control<'_>,
    finished: &mut dyn FnMut(&Shown),
) -> Result<Survey> {
    let started = Instant::now();
    let plans = plans(family)?;
    let budget = options.each.as_secs_f64();
    let mut state = State::open(options.out.as_deref(), family)?;
    let mut collected = Collected::new(family, &plans);
    let mut todo = Vec::new();
    for (game, plan) in plans.iter().enumerate() {
        if let Plan::Look = plan {
            match state.known(&family.names(game), budget) {
                Some(row) => collected.rows[game] = Some(row.clone()),
                None => todo.push(game),
            }
        }
    }
    collected.show(finished);
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let (sender, receiver) = crossbeam_channel::unbounded::<(usize, Row)>();
    std::thread::scope(|scope| -> Result<()> {
        for _ in 0..options.workers.clamp(1, todo.len().max(1)) {
            let (sender, todo, next, failed) = (sender.clone(), &todo, &next, &failed);
            scope.spawn(move || {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build();
                while let Some(&game) = todo.get(next.fetch_add(1, Relaxed)) {
                    let looked = match &pool {
                        _ if control.stopped() => break,
                        Ok(pool) => pool.install(|| look(family, game, options, control)),
                        Err(_) => look(family, game, options, control),
                    };
                    let sent = match looked {
                        Ok(row) => row.is_none_or(|row| sender.send((game, row)).is_ok()),
                        Err(error) => {
                            failed.lock().unwrap_or_else(|lock| lock.into_inner()).get_or_insert(error);
                            false
                        }
                    };
                    if !sent {
                        next.store(todo.len(), Relaxed);
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (game, row) in receiver {
            state.keep(&row).inspect_err(|_| next.store(todo.len(), Relaxed))?;
            collected.rows[game] = Some(row);
            collected.show(finished);
        }
        Ok(())
    })?;
    if let Some(error) = failed.into_inner().unwrap_or_else(|lock| lock.into_inner()) {
        return Err(error);
    }
    collected.show_rest(finished);
    let survey = Survey {
        title: family.title(),
        definition: family.definition(),
        columns: columns(family),
        games: family.games(),
        rows: collected.shown,
        seconds: started.elapsed().as_secs_f64(),
    };
    if let Some(out) = &options.out {
        files::replace(&out.join("survey.csv"), show::csv(&survey).as_bytes())?;
        files::replace(&out.join("survey.json"), (show::json(&survey).to_string() + "\n").as_bytes())?;
        files::replace(&out.join("survey.html"), page::html(&survey).as_bytes())?;
    }
    Ok(survey)
}

fn plans(family: &dyn Family) -> Result<Vec<Plan>> {
    let games = family.games();
    if games > MOST_GAMES {
        return Err(Error::Usage(format!(
            "{games} games are too many for one survey, and the limit is {MOST_GAMES}; narrow a range"
        )));
    }
    let mut first = HashMap::new();
    let plan = |game| match family.sameness(game) {
        Err(why) => Plan::Invalid(why),
        Ok(text) => match *first.entry(text).or_insert(game) {
            earlier if earlier < game => Plan::Same(earlier),
            _ => Plan::Look,
        },
    };
    let plans: Vec<Plan> = (0..games).map(plan).collect();
    match plans.first() {
        Some(Plan::Invalid(why)) if plans.iter().all(|plan| matches!(plan, Plan::Invalid(_))) => {
            Err(Error::Usage(why.clone()))
        }
        _ => Ok(plans),
    }
}

/// What a game looks like; nothing where the survey was stopped meanwhile.
fn look(family: &dyn Family, game: usize, options: &Options, control: &Control<'_>) -> Result<Option<Row>> {
    let started = Instant::now();
    let share = control.memory.map(|memory| memory / options.workers.max(1) as u64);
    let own = Control { memory: share, ..control.with_time(Some(options.each)) };
    match family.look(game, &own) {
        Err(Error::Interrupted { .. }) => Ok(None),
        Err(error) => Err(error),
        // It was not its own budget that was too small.
        Ok(Look { status: Status::OutOfTime, .. }) if control.stopped() => Ok(None),
        Ok(Look { status, cells, alike }) => Ok(Some(Row {
            names: family.names(game),
            status,
            cells,
            alike,
            seconds: (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
            budget: options.each.as_secs_f64(),
        })),
    }
}

/// The rows so far, and those that were shown.
struct Collected<'a> {
    family: &'a dyn Family,
    plans: &'a [Plan],
    rows: Vec<Option<Row>>,
    /// How many rows need not be looked at any more.
    next: usize,
    shown: Vec<Shown>,
    /// The first game of each look.
    first: HashMap<String, String>,
}

impl<'a> Collected<'a> {
    fn new(family: &'a dyn Family, plans: &'a [Plan]) -> Self {
        let rows = vec![None; plans.len()];
        Self { family, plans, rows, next: 0, shown: Vec::new(), first: HashMap::new() }
    }

    /// The row of a game and the game that it looks like, if it is finished.
    fn row(&mut self, game: usize) -> Option<Shown> {
        let names = self.family.names(game);
        let row = |status, cells| Row { names, status, cells, alike: None, seconds: 0.0, budget: 0.0 };
        match &self.plans[game] {
            Plan::Invalid(why) => {
                let columns = self.family.result_columns();
                let mut cells = vec![Value::Null; columns.len()];
                // Where the words of a theorem stand.
                let words = columns.iter().rposition(|column| column.width > 0)?;
                // What is wrong and what would be right; the lines between them point at the text.
                let mut lines = why.lines().map(str::trim);
                let wrong = lines.next()?;
                cells[words] =
                    lines.next_back().map_or(wrong.into(), |right| format!("{wrong}; {right}")).into();
                Some((row(Status::Invalid, cells), None))
            }
            Plan::Same(earlier) => {
                let there = self.rows[*earlier].as_ref()?;
                Some((row(Status::Same, there.cells.clone()), Some(there.name())))
            }
            Plan::Look => {
                let row = self.rows[game].clone()?;
                let alike =
                    row.alike.clone().map(|alike| self.first.entry(alike).or_insert(row.name()).clone());
                let other = alike.filter(|other| *other != row.name());
                Some((row, other))
            }
        }
    }

    /// Shows the next games that are finished.
    fn show(&mut self, finished: &mut dyn FnMut(&Shown)) {
        while self.next < self.plans.len()
            && let Some(row) = self.row(self.next)
        {
            finished(&row);
            self.shown.push(row);
            self.next += 1;
        }
    }

    /// Shows what is finished behind games that are not.
    fn show_rest(&mut self, finished: &mut dyn FnMut(&Shown)) {
        while self.next < self.plans.len() {
            self.show(finished);
            self.next += 1;
        }
    }
}
