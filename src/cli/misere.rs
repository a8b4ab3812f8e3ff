//! `nimwave misere`: the misère quotients of octal games.

use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;
use serde_json::{Value, json};

use super::{Context, numbers};
use crate::base::{Exit, files};
use crate::proof::misere::{
    End, Extent, HeapGenus, Period, Presentation, Solution, generator_name, genus_sequence,
    solve_until_stopped,
};
use crate::rules::OctalGame;

/// The largest heap that can be asked for.
const MOST_HEAPS: usize = 100_000;

/// The share of the time for genera; the rest is for quotients.
const SHARE_OF_GENERA: f64 = 0.1;

/// Quotients of more elements are shown by their numbers alone; `--json` has all of them.
const MOST_SHOWN: usize = 64;

/// Arguments of `misere`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    game: GameArgs,
}

#[derive(Debug, Subcommand)]
enum GameArgs {
    /// An octal game: its partial quotients heap by heap, until the quotient of all heaps is proved.
    #[command(after_help = "Examples:
  nimwave misere octal 0.77 --certificate kayles.json && python3 scripts/check_misere.py kayles.json
  nimwave misere octal 0.07 --heaps-up-to 27
  nimwave misere octal 4.7 --time 10s --json

The elements of a quotient are products of the generators a, b, c, ..., which are heaps; every relation
rewrites its left side. P-positions are those whose product is in P. Genera are written as in Winning Ways: n
for a nim-heap, n^n for another tame game.")]
    Octal(OctalArgs),
}

#[derive(Debug, clap::Args)]
struct OctalArgs {
    /// The code, such as 0.77, or a name such as kayles.
    #[arg(value_name = "CODE", required = true, num_args = 1..=2)]
    code: Vec<String>,
    /// The quotient of the heaps up to this one; by default until it is proved, or up to 1000.
    #[arg(long, value_name = "N", value_parser = heaps)]
    heaps_up_to: Option<usize>,
    /// Genera of the heaps up to this one.
    #[arg(long, value_name = "N", value_parser = numbers::whole::<usize>, default_value = "20")]
    genus: usize,
    /// Stop after this time with what is reached, such as 10m.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, default_value = "60s")]
    time: Duration,
    /// Write a certificate of the proved quotient, to be checked with scripts/check_misere.py.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
}

fn heaps(text: &str) -> Result<usize, String> {
    match numbers::whole(text)? {
        heaps @ 1..=MOST_HEAPS => Ok(heaps),
        _ => Err(format!("the largest heap must be from 1 to {MOST_HEAPS}")),
    }
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let GameArgs::Octal(args) = args.game;
    let game: OctalGame = args.code.join(" ").parse()?;
    if let Some(path) = &args.certificate {
        files::check_output(path)?;
    }
    let progress = context.progress(&format!("misere {game}")).of_steps();
    let control = context.control(&progress);
    let extent = Extent { heaps: args.heaps_up_to.unwrap_or(Extent::default().heaps), sums: usize::MAX };
    let genera_time = args.time.mul_f64(SHARE_OF_GENERA);
    let genera = genus_sequence(&game, args.genus, &control.with_time(Some(genera_time)))?;
    let solution = solve_until_stopped(&game, extent, &control.with_time(Some(args.time)))?;
    progress.finish();
    let certificate = args.certificate.as_deref().filter(|_| solution.period().is_some());
    if let Some(path) = certificate {
        solution.write_certificate(path)?;
        if !files::is_standard_output(path) {
            context.note(format!("Wrote {}; check it with scripts/check_misere.py.", path.display()));
        }
    }
    context.print_beside(
        certificate,
        || as_json(&solution, &genera),
        || describe(&solution, &genera, args.genus),
    );
    if args.certificate.is_some() && certificate.is_none() {
        context.note("The quotient of all heaps is not proved, so no certificate was written.");
    }
    Ok(match solution.end {
        End::Proved(_) => Exit::Done,
        End::Asked if args.heaps_up_to.is_some() => Exit::Done,
        _ if context.stopped() => Exit::Interrupted,
        End::Asked | End::Limit(_) => Exit::Undecided,
    })
}

fn presentation_json(presentation: &Presentation) -> (Vec<Value>, Vec<String>) {
    let generators = presentation.generators.iter().enumerate();
    (
        generators.map(|(i, heap)| json!({ "name": generator_name(i), "heap": heap })).collect(),
        presentation.relation_names(),
    )
}

fn as_json(solution: &Solution, genera: &[HeapGenus]) -> Value {
    let (generators, relations) = presentation_json(&solution.presentation);
    let name = |&x: &u16| solution.presentation.name(x);
    let steps = solution.steps.iter().map(|step| {
        let (generators, relations) = presentation_json(&step.presentation);
        json!({
            "heap": step.heap,
            "order": step.order,
            "p_portion": step.p_portion,
            "tame": step.tame,
            "generators": generators,
            "relations": relations,
            "pretending": step.pretending,
        })
    });
    json!({
        "code": solution.game.to_string(),
        "misere": true,
        "proved": solution.period().is_some(),
        "preperiod": solution.period().map(|period| period.preperiod),
        "period": solution.period().map(|period| period.period),
        "heaps": solution.heap,
        "order": solution.monoid.order(),
        "p_portion": solution.monoid.p_portion().iter().map(name).collect::<Vec<_>>(),
        "tame": solution.first_wild().is_none(),
        "first_wild": solution.first_wild(),
        "generators": generators,
        "relations": relations,
        "pretending": solution.elements.iter().map(name).collect::<Vec<_>>(),
        "states": solution.states,
        "partial": steps.collect::<Vec<_>>(),
        "genus": genera.iter().map(|genus| json!({
            "symbol": genus.symbol,
            "normal": genus.genus.normal,
            "misere": genus.genus.misere,
            "tame": genus.tame,
        })).collect::<Vec<_>>(),
        "problem": match &solution.end {
            End::Limit(why) => Some(why),
            _ => None,
        },
    })
}

fn describe(solution: &Solution, genera: &[HeapGenus], asked_genera: usize) -> String {
    let (game, order) = (&solution.game, solution.monoid.order());
    let p = solution.monoid.p_portion();
    let mut text = match &solution.end {
        End::Proved(Period { preperiod, period }) => format!(
            "THEOREM. The misère quotient of {game} has order {order}, with {} of its elements in P.\n\
             Heaps of {preperiod} or more repeat with period {period}.\n",
            p.len()
        ),
        end => format!(
            "The heaps of {game} up to {} have a misère quotient of order {order}, with {} of its elements in P.\n{}\n",
            solution.heap,
            p.len(),
            match end {
                End::Limit(why) => format!("NOT PROVED for larger heaps: {why}."),
                _ => "That says nothing about larger heaps.".into(),
            }
        ),
    };
    text += &format!(
        "Proved by a finite check of {} states; docs/PROOFS.md has the argument.\n",
        numbers::grouped(solution.states as u64)
    );
    text += &match solution.first_wild() {
        None => "Tame: the quotient is that of nim.\n".to_string(),
        Some(heap) => format!("Wild from heap {heap} on.\n"),
    };
    text += "\n  heap  order      P  the quotient from this heap on\n";
    for step in &solution.steps {
        let shown = match step.order {
            order if order > MOST_SHOWN => {
                format!(
                    "{} generators, {} relations",
                    step.presentation.generators.len(),
                    step.presentation.relations.len()
                )
            }
            _ => presented(&step.presentation),
        };
        text += &format!("{:>6}{:>7}{:>7}  {shown}\n", step.heap, step.order, step.p_portion.len());
    }
    let generators = solution.presentation.generators.iter().enumerate();
    let generators = generators.map(|(i, heap)| format!("{} = heap {heap}", generator_name(i)));
    text += &format!("\nGenerators: {}\n", generators.collect::<Vec<_>>().join(", "));
    if order <= MOST_SHOWN {
        let p: Vec<String> = p.iter().map(|&x| solution.presentation.name(x)).collect();
        text += &format!("P = {{{}}}\n", p.join(", "));
    }
    text += "\nElements of the heaps:\n";
    // One period beyond the preperiod is all there is to see.
    let last = solution.period().map_or(solution.heap, |period| period.preperiod + period.period - 1);
    let names: Vec<String> = solution.elements.iter().map(|&x| solution.presentation.name(x)).collect();
    text += &rows(&names[..=last]);
    text += "\nGenera of the heaps:\n";
    text += &rows(&genera.iter().map(|genus| genus.symbol.clone()).collect::<Vec<_>>());
    if genera.len() <= asked_genera {
        text +=
            &format!("Larger heaps than {} were too much for the limits.\n", genera.len().saturating_sub(1));
    }
    text
}

/// "<a, b | a^2=1, b^3=b>".
fn presented(presentation: &Presentation) -> String {
    let names: Vec<String> = (0..presentation.generators.len()).map(generator_name).collect();
    format!("<{} | {}>", names.join(", "), presentation.relation_names().join(", "))
}

/// Ten cells in a row, with the number of the first.
fn rows(cells: &[String]) -> String {
    let width = cells.iter().map(String::len).max().unwrap_or(0).max(2);
    let row = |(i, row): (usize, &[String])| {
        let cells: Vec<String> = row.iter().map(|cell| format!("{cell:<width$}")).collect();
        format!("{:>6}+  {}\n", i * 10, cells.join("  ").trim_end())
    };
    cells.chunks(10).enumerate().map(row).collect()
}
