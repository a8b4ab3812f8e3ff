//! Looks at the games of a family, several side by side, each on one thread and within its budget.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::state::{JSON_FILE, State};
use super::{ALSO, Family, Look, MOST_GAMES, Row, Shown, Status, Survey, columns, page, show};
use crate::base::live::{Subject, reporting};
use crate::base::{Control, Error, Result, Silent, files};

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
    let mut state = State::open(options.out.as_deref(), family)?;
    let mut collected = Collected::new(family, &plans);
    for (game, plan) in plans.iter().enumerate() {
        if let Plan::Look = plan {
            collected.rows[game] = state.known(&family.names(game)).cloned();
        }
    }
    let goals = family.goals();
    let step = if goals.len() > 1 { "look" } else { "game" };
    reporting(options.out.as_deref(), Subject::new("survey", family.title(), step), control, |control| {
        look_further(family, &plans, &goals, options, &mut state, &mut collected, control, finished)
    })?;
    let unfinished = collected.unfinished(&goals, options.each.as_secs_f64());
    collected.show_rest(finished);
    let survey = Survey {
        title: family.title(),
        definition: family.definition(),
        columns: columns(family),
        games: family.games(),
        rows: collected.shown,
        unfinished,
        seconds: started.elapsed().as_secs_f64(),
    };
    if let Some(out) = &options.out {
        files::replace(&out.join("survey.csv"), show::csv(&survey).as_bytes())?;
        files::replace(&out.join("survey.tsv"), show::tsv(&survey).as_bytes())?;
        files::replace(&out.join("survey.tex"), show::latex(&survey).as_bytes())?;
        files::replace(&out.join(JSON_FILE), (show::json(&survey).to_string() + "\n").as_bytes())?;
        files::replace(&out.join("survey.html"), page::html(&survey).as_bytes())?;
    }
    Ok(survey)
}

/// Brings all games to each goal in turn. Every game that comes to a goal is a step of the survey.
#[expect(clippy::too_many_arguments, reason = "what a survey is made of")]
fn look_further(
    family: &dyn Family,
    plans: &[Plan],
    goals: &[u64],
    options: &Options,
    state: &mut State,
    collected: &mut Collected<'_>,
    control: &Control<'_>,
    finished: &mut dyn FnMut(&Shown),
) -> Result<()> {
    let round =
        |goal: u64| Round { goal, last: Some(&goal) == goals.last(), budget: options.each.as_secs_f64() };
    let steps = |row: Option<&Row>| goals.iter().filter(|&&goal| !round(goal).asks(row)).count() as u64;
    let is_look = |game: &usize| matches!(plans[*game], Plan::Look);
    let total = (0..plans.len()).filter(is_look).count() * goals.len();
    let mut done = (0..plans.len()).filter(is_look).map(|game| steps(collected.rows[game].as_ref())).sum();
    let before: u64 = done;
    control.observer.begin(total as u64, 0, done);
    for &goal in goals {
        let round = round(goal);
        let is_todo = |game: &usize| is_look(game) && round.asks(collected.rows[*game].as_ref());
        let mut todo: Vec<usize> = (0..plans.len()).filter(is_todo).collect();
        // What took longest before comes first, so that no thread is left alone with it at the end.
        let seconds = |game: &usize| collected.rows[*game].as_ref().map_or(0.0, |row| row.seconds);
        todo.sort_by(|a, b| seconds(b).total_cmp(&seconds(a)));
        if round.last {
            todo.iter().for_each(|&game| collected.waiting[game] = true);
            collected.show(finished);
        }
        look_at_all(&todo, family, goal, options, control, &mut |game, mut row| {
            row.seconds += collected.rows[game].as_ref().map_or(0.0, |before| before.seconds);
            row.seconds = (row.seconds * 1000.0).round() / 1000.0;
            state.keep(&row)?;
            done += steps(Some(&row)).saturating_sub(steps(collected.rows[game].as_ref()));
            control.observer.wave(done, done - before);
            control.observer.checkpoint(done);
            collected.rows[game] = Some(row);
            collected.waiting[game] = false;
            if round.last {
                collected.show(finished);
            }
            Ok(())
        })?;
        if control.stopped() {
            break;
        }
    }
    Ok(())
}

/// One goal of all games.
struct Round {
    goal: u64,
    last: bool,
    budget: f64,
}

impl Round {
    /// Whether a game of which this is known is to be looked at.
    fn asks(&self, known: Option<&Row>) -> bool {
        match known {
            None => true,
            Some(row) if row.status == Status::Proved => false,
            // More time may tell more.
            Some(row) if row.status == Status::OutOfTime => {
                row.budget < self.budget && (row.reached < self.goal || self.last)
            }
            Some(row) => row.reached < self.goal,
        }
    }
}

/// Looks at games side by side and keeps what was found, until all are done or it is time to stop.
fn look_at_all(
    todo: &[usize],
    family: &dyn Family,
    goal: u64,
    options: &Options,
    control: &Control<'_>,
    keep: &mut dyn FnMut(usize, Row) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let (sender, receiver) = crossbeam_channel::unbounded::<(usize, Row)>();
    std::thread::scope(|scope| -> Result<()> {
        for _ in 0..options.workers.clamp(1, todo.len().max(1)) {
            let (sender, next, failed) = (sender.clone(), &next, &failed);
            scope.spawn(move || {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build();
                while let Some(&game) = todo.get(next.fetch_add(1, Relaxed)) {
                    let looked = match &pool {
                        _ if control.stopped() => break,
                        Ok(pool) => pool.install(|| look(family, game, goal, options, control)),
                        Err(_) => look(family, game, goal, options, control),
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
            keep(game, row).inspect_err(|_| next.store(todo.len(), Relaxed))?;
        }
        Ok(())
    })?;
    match failed.into_inner().unwrap_or_else(|lock| lock.into_inner()) {
        Some(error) => Err(error),
        None => Ok(()),
    }
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
fn look(
    family: &dyn Family,
    game: usize,
    goal: u64,
    options: &Options,
    control: &Control<'_>,
) -> Result<Option<Row>> {
    let started = Instant::now();
    let share = control.memory.map(|memory| memory / options.workers.max(1) as u64);
    // The steps of a game are not those of the survey.
    let own = Control { memory: share, observer: &Silent, ..control.with_time(Some(options.each)) };
    match family.look(game, goal, &own) {
        Err(Error::Interrupted { .. }) => Ok(None),
        Err(error) => Err(error),
        // It was not its own budget that was too small.
        Ok(Look { status: Status::OutOfTime, .. }) if control.stopped() => Ok(None),
        Ok(Look { status, reached, cells, alike }) => Ok(Some(Row {
            names: family.names(game),
            status,
            cells,
            reached,
            alike,
            seconds: started.elapsed().as_secs_f64(),
            budget: options.each.as_secs_f64(),
        })),
    }
}

/// The rows so far, and those that were shown.
struct Collected<'a> {
    family: &'a dyn Family,
    plans: &'a [Plan],
    rows: Vec<Option<Row>>,
    /// Games that are looked at further.
    waiting: Vec<bool>,
    /// How many rows need not be looked at any more.
    next: usize,
    shown: Vec<Shown>,
    /// The first game of each look, and whether that is all that was seen of it.
    first: HashMap<String, (String, bool)>,
}

impl<'a> Collected<'a> {
    fn new(family: &'a dyn Family, plans: &'a [Plan]) -> Self {
        let rows = vec![None; plans.len()];
        let waiting = vec![false; plans.len()];
        Self { family, plans, rows, waiting, next: 0, shown: Vec::new(), first: HashMap::new() }
    }

    /// The row of a game and the game that it looks like, if it is finished.
    fn row(&mut self, game: usize) -> Option<Shown> {
        let names = self.family.names(game);
        let row =
            |status, cells| Row { names, status, cells, reached: 0, alike: None, seconds: 0.0, budget: 0.0 };
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
                let cells = self.family.cells_of_same(game, *earlier, &there.cells);
                Some((row(Status::Same, cells), Some(there.name())))
            }
            Plan::Look => {
                let row = self.rows[game].clone()?;
                let other = self.first_alike(&row);
                Some((row, other))
            }
        }
    }

    /// The first game that looks like this one as far as both were looked at.
    fn first_alike(&mut self, row: &Row) -> Option<String> {
        let keys: Vec<&str> = row.alike.as_ref()?.split(ALSO).collect();
        let known = |(i, key): (usize, &&str)| {
            let (first, is_all) = self.first.get(*key)?;
            (i == 0 || *is_all).then(|| first.clone())
        };
        let found = keys.iter().enumerate().find_map(known);
        for (i, key) in keys.into_iter().enumerate() {
            self.first.entry(key.into()).or_insert_with(|| (row.name(), i == 0));
        }
        found.filter(|first| *first != row.name())
    }

    /// How many games could be looked at further than they were.
    fn unfinished(&self, goals: &[u64], budget: f64) -> usize {
        let round = Round { goal: goals.last().copied().unwrap_or(0), last: true, budget };
        let row = |game: usize| match &self.plans[game] {
            Plan::Look => self.rows[game].as_ref(),
            Plan::Same(earlier) => self.rows[*earlier].as_ref(),
            Plan::Invalid(_) => None,
        };
        (0..self.plans.len()).filter_map(row).filter(|row| round.asks(Some(row))).count()
    }

    /// Whether a game is still looked at, or the one that it is the same as.
    fn is_waiting(&self, game: usize) -> bool {
        match &self.plans[game] {
            Plan::Same(earlier) => self.waiting[*earlier],
            _ => self.waiting[game],
        }
    }

    /// Shows the next games that are finished.
    fn show(&mut self, finished: &mut dyn FnMut(&Shown)) {
        while self.next < self.plans.len()
            && !self.is_waiting(self.next)
            && let Some(row) = self.row(self.next)
        {
            finished(&row);
            self.shown.push(row);
            self.next += 1;
        }
    }

    /// Shows what is finished behind games that are not, and what is known of these.
    fn show_rest(&mut self, finished: &mut dyn FnMut(&Shown)) {
        self.waiting.fill(false);
        while self.next < self.plans.len() {
            self.show(finished);
            self.next += 1;
        }
    }
}
