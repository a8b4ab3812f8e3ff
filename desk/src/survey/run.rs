//! Looks at the games of a family, several side by side, each on one thread and within its budget.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::state::{JSON_FILE, State};
use super::{ALSO, Family, Look, MOST_GAMES, Row, Shown, Status, Survey, columns, page, show};
use crate::base::live::{SURVEY, Subject, reporting};
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
    let goals = Goals { all: family.goals(), budget: options.each.as_secs_f64() };
    let step = if goals.all.len() > 1 { "look" } else { "game" };
    reporting(options.out.as_deref(), Subject::new(SURVEY, family.title(), step), control, |control| {
        look_further(family, &goals, options, &mut state, &mut collected, control, finished)
    })?;
    let unfinished = collected.unfinished(&goals);
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

/// Brings all games to the last goal, as far as there is time. Every game that comes to a goal is a step of the survey.
fn look_further(
    family: &dyn Family,
    goals: &Goals,
    options: &Options,
    state: &mut State,
    collected: &mut Collected<'_>,
    control: &Control<'_>,
    finished: &mut dyn FnMut(&Shown),
) -> Result<()> {
    let mut queue = Queue::default();
    let (mut total, mut done) = (0, 0);
    for game in (0..collected.plans.len()).filter(|&game| matches!(collected.plans[game], Plan::Look)) {
        let row = collected.rows[game].as_ref();
        total += goals.all.len() as u64;
        done += goals.reached(row);
        if let Some(goal) = goals.next(row) {
            queue.push(collected.seconds(game), game, goal);
            collected.waiting[game] = true;
        }
    }
    let before = done;
    control.observer.begin(total, 0, done);
    collected.show(finished);
    look_at_all(queue, family, options, control, &mut |game, mut row| {
        row.seconds = ((row.seconds + collected.seconds(game)) * 1000.0).round() / 1000.0;
        state.keep(&row)?;
        done += goals.reached(Some(&row)).saturating_sub(goals.reached(collected.rows[game].as_ref()));
        control.observer.wave(done, done - before);
        control.observer.checkpoint(done);
        let next = goals.next(Some(&row)).map(|goal| (row.seconds, goal));
        collected.rows[game] = Some(row);
        collected.waiting[game] = next.is_some();
        collected.show(finished);
        Ok(next)
    })
}

/// How far the games are looked at, step by step.
struct Goals {
    all: Vec<u64>,
    budget: f64,
}

impl Goals {
    /// How many of them a game of which this is known has behind it.
    fn reached(&self, known: Option<&Row>) -> u64 {
        let next = self.next(known);
        self.all.iter().position(|&goal| Some(goal) == next).unwrap_or(self.all.len()) as u64
    }

    /// How far a game of which this is known is to be looked at next.
    fn next(&self, known: Option<&Row>) -> Option<u64> {
        let last = self.all.last().copied();
        let asks = |goal: u64| match known {
            None => true,
            Some(row) if row.status == Status::Proved => false,
            // More time may tell more.
            Some(row) if row.status == Status::OutOfTime => {
                row.budget < self.budget && (row.reached < goal || Some(goal) == last)
            }
            Some(row) => row.reached < goal,
        };
        self.all.iter().copied().find(|&goal| asks(goal))
    }
}

/// The games that are to be looked at. One that has had less time comes first, up to a factor of two, so that all have
/// had about the same time whenever the survey ends: of equally many terms the slow games would take nearly all of it.
/// Of equal times the one that is less far comes first.
#[derive(Default)]
struct Queue(BinaryHeap<Reverse<(u32, u64, usize)>>);

impl Queue {
    fn push(&mut self, seconds: f64, game: usize, goal: u64) {
        let doublings = seconds.max(1.0).log2() as u32;
        self.0.push(Reverse((doublings, goal, game)));
    }

    fn pop(&mut self) -> Option<(usize, u64)> {
        self.0.pop().map(|Reverse((_, goal, game))| (game, goal))
    }
}

/// Looks at games side by side until all are done or it is time to stop. `keep` keeps what was found of a game, and
/// says how far it is to be looked at next, with the seconds that it has had.
fn look_at_all(
    mut queue: Queue,
    family: &dyn Family,
    options: &Options,
    control: &Control<'_>,
    keep: &mut dyn FnMut(usize, Row) -> Result<Option<(f64, u64)>>,
) -> Result<()> {
    let workers = options.workers.clamp(1, queue.0.len().max(1));
    let (tasks, todo) = crossbeam_channel::unbounded::<(usize, u64)>();
    let (sender, looked) = crossbeam_channel::unbounded();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, todo) = (sender.clone(), todo.clone());
            scope.spawn(move || {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build();
                for (game, goal) in todo {
                    let look = || look(family, game, goal, options, control);
                    // The thread that waits for the result must hear of a panic.
                    let found = catch_unwind(AssertUnwindSafe(|| match &pool {
                        Ok(pool) => pool.install(look),
                        Err(_) => look(),
                    }));
                    if sender.send((game, found)).is_err() {
                        break;
                    }
                }
            });
        }
        // Dropped at the end, which ends the threads.
        let tasks = tasks;
        let mut under_way = 0;
        let mut failed = None;
        loop {
            while under_way < workers
                && failed.is_none()
                && !control.stopped()
                && let Some(task) = queue.pop()
            {
                under_way += usize::from(tasks.send(task).is_ok());
            }
            let Some((game, found)) = (under_way > 0).then(|| looked.recv().ok()).flatten() else { break };
            under_way -= 1;
            let kept = match found {
                Err(panic) => resume_unwind(panic),
                Ok(Ok(Some(row))) => keep(game, row),
                Ok(Ok(None)) => Ok(None),
                Ok(Err(error)) => Err(error),
            };
            match kept {
                Ok(Some((seconds, goal))) => queue.push(seconds, game, goal),
                Ok(None) => {}
                Err(error) => _ = failed.get_or_insert(error),
            }
        }
        failed.map_or(Ok(()), Err)
    })
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
    fn unfinished(&self, goals: &Goals) -> usize {
        let row = |game: usize| match &self.plans[game] {
            Plan::Look => self.rows[game].as_ref(),
            Plan::Same(earlier) => self.rows[*earlier].as_ref(),
            Plan::Invalid(_) => None,
        };
        (0..self.plans.len()).filter_map(row).filter(|row| goals.next(Some(row)).is_some()).count()
    }

    /// The seconds that a game has had.
    fn seconds(&self, game: usize) -> f64 {
        self.rows[game].as_ref().map_or(0.0, |row| row.seconds)
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

#[cfg(test)]
mod tests {
    use super::Queue;

    #[test]
    fn a_slow_game_waits_until_the_others_have_had_about_its_time() {
        let mut queue = Queue::default();
        for (seconds, game, goal) in
            [(100.0, 0, 8), (0.1, 1, 64), (0.9, 2, 16), (40.0, 3, 1024), (0.2, 4, 16)]
        {
            queue.push(seconds, game, goal);
        }
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [(2, 16), (4, 16), (1, 64), (3, 1024), (0, 8)]);
    }
}
