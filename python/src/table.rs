//! Tables: solved, opened, asked and verified.

use std::path::PathBuf;
use std::sync::Arc;

use nimwave::answer::Many;
use nimwave::sweep::check_budget;
use nimwave::table::{Verification, Verifying};
use nimwave::{Error, HeapJob, Job, Mode, OctalJob, Quantity, Reader, Result};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

use crate::errors::raised;
use crate::game::Game;
use crate::questions::answer_json;
use crate::watch::Limits;

/// A finished table in a folder.
#[pyclass(frozen, module = "nimwave._core")]
pub struct Table {
    reader: Arc<Reader>,
    game: nimwave::Game,
    /// Absent for boards, whose positions are not heaps.
    many: Option<Many<Arc<Reader>>>,
}

impl Table {
    fn many(&self) -> PyResult<&Many<Arc<Reader>>> {
        self.many.as_ref().ok_or_else(|| raised(self.game.entry().not_on_heaps()))
    }
}

#[pymethods]
impl Table {
    /// Opens the finished table in a folder.
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let open = || -> Result<Self> {
            let reader = Arc::new(Reader::open(&path)?);
            let game = reader.contents()?.0;
            let on_heaps = !matches!(game.kind(), nimwave::game::Kind::Cookie(_));
            let many = on_heaps.then(|| Many::new(&game, Arc::clone(&reader))).transpose()?;
            Ok(Self { reader, game, many })
        };
        open().map_err(raised)
    }

    /// The game.
    fn game(&self) -> Game {
        Game(self.game.clone())
    }

    /// The manifest as JSON, as it is in the folder now.
    fn manifest(&self) -> PyResult<String> {
        let (manifest, _) = nimwave::table::progress(self.reader.folder()).map_err(raised)?;
        Ok(json!(manifest).to_string())
    }

    /// The file of the entries, or nothing where the table is in shards.
    fn data_file(&self) -> Option<PathBuf> {
        let manifest = self.reader.manifest();
        manifest.shards.is_none().then(|| self.reader.folder().join(&manifest.data_file))
    }

    /// A copy of the entries without a header.
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let data = py.detach(|| self.reader.data()).map_err(raised)?;
        Ok(PyBytes::new(py, data))
    }

    /// `bit`, `u8` or `u16`.
    fn width(&self) -> &str {
        self.reader.manifest().width.name()
    }

    fn __len__(&self) -> usize {
        self.reader.len() as usize
    }

    /// The index of a position.
    fn rank(&self, position: &str) -> PyResult<u64> {
        self.many()?.rank(position).map_err(raised)
    }

    /// The position of an index.
    fn unrank(&self, index: u64) -> PyResult<Vec<u64>> {
        self.many()?.unrank(index).map_err(raised)
    }

    /// The outcome of a position, and its value where the table has values.
    fn brief(&self, position: &str) -> PyResult<(char, Option<u64>)> {
        let brief = self.many()?.answer(position).map_err(raised)?;
        Ok((brief.outcome.letter(), brief.value))
    }

    /// Everything that the table says about a position, as JSON.
    fn answer(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        let ask = || {
            let heaps = nimwave::answer::read_position(&self.game, position)?;
            nimwave::ask(&self.game, &heaps, Some(&self.reader), &nimwave::Control::silent())
        };
        py.detach(ask).map(|answer| answer_json(json!(answer), answer.source)).map_err(raised)
    }

    /// Checks every entry, or a sample, and records the verdict: it, as JSON, and why it could not be recorded, if so.
    fn verify(
        &self,
        py: Python<'_>,
        sample: Option<u64>,
        limits: Limits,
    ) -> PyResult<(String, Option<String>)> {
        let mode = match sample {
            Some(0) => {
                let problem = "a sample of 0 entries checks nothing; give 1 or more";
                return Err(raised(Error::Usage(problem.into())));
            }
            Some(count) => Mode::Sample(count),
            None => Mode::Full,
        };
        let folder = self.reader.folder().to_path_buf();
        let (verdict, unwritten) = limits.watch(py, false, move |control| {
            let verifying = Verifying::begin(&folder)?;
            let checked = Reader::open(&folder).and_then(|reader| {
                control.observer.begin(0, mode.entries(reader.len()), 0);
                nimwave::verify(&reader, mode, control)
            });
            verifying.conclude(match checked {
                Err(Error::Corrupt { path, problem, remedy }) => {
                    Verification::damaged(format!("{}: {problem}; {remedy}", path.display()))
                }
                checked => checked?,
            })
        })?;
        Ok((json!(verdict).to_string(), unwritten.map(|error| error.to_string())))
    }
}

/// What a table may be given besides the game.
#[derive(FromPyObject)]
pub struct Bounds {
    heaps: Option<usize>,
    max: Option<u32>,
    smallest: Option<u32>,
    terms: Option<u64>,
    values: bool,
}

impl Bounds {
    /// The job of the table of `game`.
    fn job(&self, game: &nimwave::Game, memory: Option<u64>) -> Result<Box<dyn Job>> {
        let refuse = |problem: String| Err(Error::Usage(problem));
        match game.kind() {
            nimwave::game::Kind::Heaps(_) => {
                let (Some(heaps), Some(max), None) = (self.heaps, self.max, self.terms) else {
                    return refuse(format!("a table of {} needs heaps= and max=, and nothing else", game.name()));
                };
                let quantity = if self.values { Quantity::Values } else { Quantity::Outcomes };
                let job = HeapJob::asked(game, heaps, max, quantity, self.smallest)?;
                Ok(Box::new(job.kept_within(memory, true)?))
            }
            nimwave::game::Kind::Octal(octal) => {
                let (None, None, None, Some(terms)) = (self.heaps, self.max, self.smallest, self.terms)
                else {
                    return refuse(format!("a sequence of {octal} needs terms=, and nothing else"));
                };
                if game.play() == nimwave::Play::Misere {
                    return refuse("the sequences of octal games are those of normal play".into());
                }
                Ok(Box::new(OctalJob::new(octal.clone(), terms)))
            }
            nimwave::game::Kind::Cookie(_) => refuse(
                "tables of boards are made by the program: nimwave solve cookie --dense; nimwave.open reads them"
                    .into(),
            ),
        }
    }
}

/// Solves the table of a game in the folder `out`, or resumes it there; what is finished of it when it is stopped is
/// `kept` or not.
#[pyfunction]
pub fn solve(
    py: Python<'_>,
    game: &Game,
    bounds: Bounds,
    out: PathBuf,
    kept: bool,
    limits: Limits,
) -> PyResult<()> {
    let (game, memory) = (game.0.clone(), limits.memory());
    limits.watch(py, kept, move |control| {
        let job = bounds.job(&game, memory)?;
        check_budget(&*job, Some(&out), memory)?;
        nimwave::solve(&*job, Some(&out), control).map(drop)
    })
}
