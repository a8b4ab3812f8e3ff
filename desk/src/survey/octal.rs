//! Octal games by patterns of their codes: periods that are proved, and sequences that are open.

use std::time::Duration;

use serde_json::{Value, json};

use super::growth::{Growth, Kept};
use super::{ALSO, Column, EXACT, Family, Look, MOST_GAMES, Status};
use crate::base::{Control, Error, Result};
use crate::game::theory::guy_smith::{Drift, observed_drift};
use crate::game::theory::octal_cousins::{Cousin, standard_form};
use crate::game::theory::regularity::{Regularity, Theorem};
use crate::proof::octal_period::last_exception;
use crate::proof::recurrence::Recurrence;
use crate::rules::OctalGame;
use crate::rules::notation::octal_codes;
use crate::sweep::kernel::octal::SplitReport;
use crate::sweep::maximum;

/// The terms of the first round; each round has twice as many as the one before.
const FIRST_GOAL: u64 = 1 << 10;

/// Recurring states are looked for in so many times the terms of a round: heaps that are not kept are much faster.
const RECURRING: u64 = 64;
/// From so many terms on, and where values are below 32 and few heaps rare: the streams of [`Recurrence`] are fast for
/// them alone.
const RECURRING_FROM: u64 = 1 << 18;
const RECURRING_VALUES: u16 = 32;
const RECURRING_RARE: usize = 64;

/// Octal games, each with its standard form.
pub struct OctalFamily {
    patterns: Vec<String>,
    codes: Vec<String>,
    games: Vec<Result<(OctalGame, Cousin), String>>,
    terms: u64,
    each: Duration,
    kept: Kept,
}

impl OctalFamily {
    /// The games of `patterns` (see [`octal_codes`]), each to so many terms and for the time `each`. Sequences of at most `kept_bytes` are kept
    /// from round to round.
    pub fn new(patterns: &[String], terms: u64, each: Duration, kept_bytes: u64) -> Result<Self> {
        let codes = octal_codes(patterns, MOST_GAMES)?;
        let game = |code: &String| {
            let game = OctalGame::read(code).map_err(|error| error.to_string())?;
            // The theorem of cousins is used for octal games only.
            let form = match game.is_octal() {
                true => standard_form(&game),
                false => Cousin { game: game.clone(), shift: 0 },
            };
            Ok((game, form))
        };
        let games = codes.iter().map(game).collect();
        Ok(Self { patterns: patterns.to_vec(), codes, games, terms, each, kept: Kept::new(kept_bytes) })
    }

    fn game(&self, game: usize) -> Result<&(OctalGame, Cousin)> {
        self.games[game].as_ref().map_err(|why| Error::Usage(why.clone()))
    }
}

/// What is known of a sequence, in the heaps of the standard form.
struct Known {
    status: Status,
    by: Option<&'static str>,
    /// Without the bound of the theorem: 0 if the sequence repeats from its beginning on.
    preperiod: Option<u64>,
    period: Option<u64>,
    saltus: Option<i64>,
    exceptions: Option<u64>,
    terms: u64,
    max: (u16, usize),
    split: Option<SplitReport>,
    words: String,
}

// The columns that depend on how far a game is shifted, and on which these depend.
const SHIFT: usize = 1;
const PREPERIOD: usize = 3;
const PERIOD: usize = 4;
const SALTUS: usize = 5;
const LAST_EXCEPTION: usize = 7;
const MAX_AT: usize = 9;
const LAST_RARE: usize = 13;

impl Known {
    fn cells(&self, form: &OctalGame, shift: usize, before: u64) -> Vec<Value> {
        let shift = shift as u64;
        let rare = self.split.filter(|split| split.mask != 0);
        let mask = |split: SplitReport| {
            format!("{:x}{}", split.mask, if split.by_position.is_some() { "+n" } else { "" })
        };
        let is_period = self.saltus == Some(0);
        let preperiod = self.preperiod.map(|preperiod| match is_period {
            true => shifted(preperiod, shift, before),
            false => preperiod + shift,
        });
        vec![
            form.to_string().into(),
            shift.into(),
            json!(self.by),
            // The theorem speaks of heaps from 1 on.
            json!(preperiod.map(|preperiod| preperiod.max(1))),
            json!(self.period),
            json!(self.saltus),
            json!(self.exceptions),
            json!(preperiod.filter(|_| is_period).and_then(|preperiod| preperiod.checked_sub(1))),
            self.max.0.into(),
            (self.max.1 as u64 + shift).into(),
            self.terms.into(),
            json!(rare.map(mask)),
            json!(rare.map(|split| split.rare_count)),
            json!(rare.and_then(|split| split.last_rare).map(|heap| heap as u64 + shift)),
            self.words.clone().into(),
        ]
    }
}

/// The preperiod of a sequence that has `shift` zeros before one with this preperiod. Where that one is periodic from
/// its beginning on, `before` is the number of zeros at the end of its period.
fn shifted(preperiod: u64, shift: u64, before: u64) -> u64 {
    if preperiod > 0 { preperiod + shift } else { shift.saturating_sub(before) }
}

/// The zeros at the end of the period of a sequence that is periodic from its beginning on.
fn zeros_before(values: &[u16], period: u64) -> u64 {
    let period = &values[..(period as usize).min(values.len())];
    let zeros = period.iter().rev().take_while(|&&value| value == 0).count();
    // A period of zeros alone goes back for ever.
    if zeros == period.len() { u64::MAX } else { zeros as u64 }
}

/// The heaps before the preperiod at which the period, continued back, fails.
fn exceptions(values: &[u16], Drift { preperiod, period, saltus }: Drift) -> u64 {
    let is_exception = |&n: &usize| {
        let periods = (preperiod - n).div_ceil(period);
        let later = i64::from(values[n + periods * period]);
        i64::from(values[n]) + saltus * periods as i64 != later
    };
    (0..preperiod).filter(is_exception).count() as u64
}

impl Family for OctalFamily {
    fn title(&self) -> String {
        format!("octal games {}", self.patterns.join(" "))
    }

    fn definition(&self) -> Value {
        json!({ "family": "octal games" })
    }

    fn name_columns(&self) -> Vec<Column> {
        vec![Column::text("game", 6)]
    }

    fn result_columns(&self) -> Vec<Column> {
        vec![
            Column::text("standard", 8),
            Column::number("shift", 5),
            Column::text("by", 15),
            Column::number("preperiod", 9),
            Column::number("period", 8),
            Column::number("saltus", 0),
            Column::number("exceptions", 0),
            Column::number("last_exception", 0),
            Column::number("max", 4),
            Column::number("max_at", 9),
            Column::number("terms", 9),
            Column::text("mask", 6),
            Column::number("rare", 6),
            Column::number("last_rare", 9),
            Column::long("words", 1),
        ]
    }

    fn games(&self) -> usize {
        self.games.len()
    }

    fn names(&self, game: usize) -> Vec<Value> {
        let name = match &self.games[game] {
            Ok((game, _)) => game.to_string(),
            Err(_) => self.codes[game].clone(),
        };
        vec![name.into()]
    }

    /// Games of one standard form have one sequence, by theorem.
    fn sameness(&self, game: usize) -> Result<String, String> {
        self.games[game].as_ref().map(|(_, cousin)| cousin.game.to_string()).map_err(Clone::clone)
    }

    fn cells_of_same(&self, game: usize, _earlier: usize, cells: &[Value]) -> Vec<Value> {
        let mut cells = cells.to_vec();
        let (Ok((_, cousin)), Some(there)) = (self.game(game), cells[SHIFT].as_u64()) else { return cells };
        let here = cousin.shift as u64;
        let moved = |cell: &Value| json!(cell.as_u64().map(|heap| heap.saturating_sub(there) + here));
        cells[SHIFT] = here.into();
        cells[MAX_AT] = moved(&cells[MAX_AT]);
        cells[LAST_RARE] = moved(&cells[LAST_RARE]);
        let Some(preperiod) = cells[PREPERIOD].as_u64() else { return cells };
        let is_period = cells[SALTUS].as_i64() == Some(0);
        let preperiod = if preperiod > there + 1 || !is_period {
            preperiod.saturating_sub(there) + here
        } else {
            // Periodic from heap 0 or 1 of the standard form on: its first period tells.
            let mut growth = Growth::new(&cousin.game);
            let period = cells[PERIOD].as_u64().unwrap_or(1);
            match growth.to(period as usize + 1, &Control::silent()) {
                Ok(true) if growth.values[period as usize] == 0 => {
                    shifted(0, here, zeros_before(&growth.values, period))
                }
                _ => 1 + here,
            }
        };
        cells[PREPERIOD] = preperiod.max(1).into();
        if is_period {
            cells[LAST_EXCEPTION] = json!(preperiod.checked_sub(1));
        }
        cells
    }

    fn goals(&self) -> Vec<u64> {
        let doubled = std::iter::successors(Some(FIRST_GOAL), |goal| goal.checked_mul(2));
        doubled.take_while(|&goal| goal < self.terms).chain([self.terms]).collect()
    }

    fn look(&self, game: usize, goal: u64, control: &Control<'_>) -> Result<Look> {
        let (_, Cousin { game: form, shift }) = self.game(game)?;
        let mut growth = self.kept.take(game).unwrap_or_else(|| Growth::new(form));
        // The time for a game is that of all its rounds.
        let left = self.each.saturating_sub(Duration::from_secs_f64(growth.seconds));
        let own = control.with_time(Some(left));
        let reached = growth.to(goal as usize, &own)?;
        let known = self.known(form, &growth, reached, goal, &own)?;
        let before = zeros_before(&growth.values, known.period.unwrap_or(0));
        let look = Look {
            status: known.status,
            reached: known.terms,
            alike: Some(alike(&known, &growth.values)),
            cells: known.cells(form, *shift, before),
        };
        if known.status == Status::Open && goal < self.terms {
            self.kept.put(game, growth);
        }
        Ok(look)
    }
}

/// Whether a recurring state is looked for faster than terms are made.
fn is_fast(known: &Known) -> bool {
    known.max.0 < RECURRING_VALUES && known.split.is_some_and(|split| split.rare_count <= RECURRING_RARE)
}

impl OctalFamily {
    fn known(
        &self,
        form: &OctalGame,
        growth: &Growth,
        reached: bool,
        goal: u64,
        control: &Control<'_>,
    ) -> Result<Known> {
        let values = &growth.values;
        let mut known = Known {
            status: if reached { Status::Open } else { Status::OutOfTime },
            by: None,
            preperiod: None,
            period: None,
            saltus: None,
            exceptions: None,
            terms: values.len() as u64,
            max: maximum(values),
            split: growth.engine.split(),
            words: String::new(),
        };
        if let Some(Regularity { drift, theorem }) = Regularity::proved(form, values) {
            known.status = Status::Proved;
            known.by = Some(match theorem {
                Theorem::GuySmith => "Guy-Smith",
                Theorem::Arithmetic | Theorem::Endless => "arithmetic period",
            });
            known.preperiod = Some(last_exception(drift, values).map_or(0, |_| drift.preperiod as u64));
            known.exceptions = Some(exceptions(values, drift));
            (known.period, known.saltus) = (Some(drift.period as u64), Some(drift.saltus));
            if drift.saltus != 0 {
                known.words = drift.equation();
            }
        } else if let Some(drift) = observed_drift(values) {
            (known.preperiod, known.period) = (Some(drift.preperiod as u64), Some(drift.period as u64));
            known.saltus = Some(drift.saltus);
            known.words = format!("seen, not proved: {}", drift.equation());
        } else if reached && goal >= RECURRING_FROM && is_fast(&known) {
            match Recurrence::new(form.clone()).up_to(goal.saturating_mul(RECURRING)).run(None, control) {
                Ok(found) => {
                    known.status = Status::Proved;
                    known.by = Some("recurring state");
                    known.preperiod = Some(found.preperiod);
                    (known.period, known.saltus) = (Some(found.period), Some(0));
                    known.words = format!("a state recurs within {} heaps", found.checked);
                }
                Err(Error::Undecided(_) | Error::Budget(_)) => {}
                Err(Error::Interrupted { .. }) => known.status = Status::OutOfTime,
                Err(error) => return Err(error),
            }
        }
        if known.status == Status::OutOfTime {
            known.words = "more time may tell more".into();
        }
        Ok(known)
    }
}

/// What is equal for games of one sequence: all of it if it is proved, otherwise the terms of the last round; and those of the
/// rounds before for games that are not so far.
fn alike(known: &Known, values: &[u16]) -> String {
    let mut hash = blake3::Hasher::new();
    let mut add = |values: &[u16]| {
        for chunk in values.chunks(1 << 12) {
            hash.update(&chunk.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>());
        }
        hash.finalize().to_hex()[..24].to_string()
    };
    match (known.by, known.preperiod, known.period) {
        (Some(_), Some(preperiod), Some(period)) if preperiod + period <= values.len() as u64 => {
            let moved = known.saltus.filter(|&saltus| saltus != 0).map(|saltus| format!(",{saltus}"));
            let hash = add(&values[..(preperiod + period) as usize]);
            format!("{EXACT}{preperiod},{period}{} {hash}", moved.unwrap_or_default())
        }
        _ => {
            let whole = values.len();
            let last = if whole.is_power_of_two() { whole } else { whole.next_power_of_two() / 2 };
            let mut seen = Vec::new();
            let (mut from, mut to) = (0, last.min(FIRST_GOAL as usize));
            loop {
                seen.push(format!("{to} {}", add(&values[from..to])));
                if to == last {
                    break;
                }
                (from, to) = (to, 2 * to);
            }
            seen.reverse();
            seen.join(&ALSO.to_string())
        }
    }
}
