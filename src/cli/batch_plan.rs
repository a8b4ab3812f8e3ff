//! What a batch would do: `nimwave batch --dry-run`.

use serde_json::{Value, json};

use super::batch::{columns, for_people, parse};
use crate::base::Error;
use crate::base::machine::{self, human_bytes};
use crate::base::numbers::counted;
use crate::batch::{Budget, Job, JobFile};
use crate::sweep::Needs;

/// Refuses a job that may take more memory than all jobs together.
pub fn check_memory(file: &JobFile, budget: &Budget) -> Result<(), Error> {
    let too_much = |job: &&Job| job.memory.zip(budget.memory).is_some_and(|(wanted, all)| wanted > all);
    match file.jobs.iter().find(too_much) {
        None => Ok(()),
        Some(job) => Err(Error::Budget(format!(
            "{}:{}: job `{}` may take {} of memory and all jobs together {}; change one of them",
            file.path.display(),
            job.line,
            job.name,
            human_bytes(job.memory.unwrap_or(0)),
            human_bytes(budget.memory.unwrap_or(0)),
        ))),
    }
}

/// Jobs that ask for more threads than there are: they run with fewer.
pub fn too_many_threads(file: &JobFile, budget: &Budget) -> Vec<String> {
    let told = |job: &Job| {
        let wanted = job.threads.filter(|&wanted| wanted > budget.threads)?;
        Some(format!(
            "job `{}` asks for {} and gets {}",
            job.name,
            counted(wanted as u64, "thread"),
            budget.threads
        ))
    };
    file.jobs.iter().filter_map(told).collect()
}

/// What each job needs, as far as it can be said before. A job that would be refused at night is refused now.
pub fn plan(file: &JobFile, budget: &Budget) -> Result<Vec<Option<Needs>>, Error> {
    let needs = |job: &Job| -> Result<Option<Needs>, Error> {
        let cli = parse(&job.words).map_err(Error::Usage)?;
        cli.check_out(&file.output)?;
        let needs = cli.needs()?;
        if let Some((needs, limit)) = needs.zip(budget.memory_of(job)) {
            machine::check_memory(needs.memory, Some(limit), "give it more memory, or make it smaller")?;
        }
        Ok(needs)
    };
    let told = |job: &Job, error: Error| {
        Error::Usage(format!("{}:{}: job `{}`: {error}", file.path.display(), job.line, job.name))
    };
    file.jobs.iter().map(|job| needs(job).map_err(|error| told(job, error))).collect()
}

/// The plan as JSON.
pub fn plan_json(file: &JobFile, plan: &[Option<Needs>], warnings: &[String]) -> Value {
    let jobs: Vec<Value> = file
        .jobs
        .iter()
        .zip(plan)
        .map(|(job, needs)| {
            json!({
                "name": job.name,
                "command": job.words,
                "after": job.after,
                "memory": needs.map(|needs| needs.memory),
                "disk": needs.map(|needs| needs.disk),
                "seconds": needs.map(|needs| needs.seconds),
            })
        })
        .collect();
    json!({ "job_file": file.path, "output": file.output, "jobs": jobs, "warnings": warnings })
}

/// The plan for people.
pub fn describe_plan(file: &JobFile, plan: &[Option<Needs>], budget: &Budget) -> String {
    let bytes = |bytes: Option<u64>| bytes.map_or("?".into(), human_bytes);
    let time = |seconds: Option<f64>| seconds.map_or("?".into(), for_people);
    let mut rows = vec![["job", "memory", "disk", "time", "command"].map(String::from).to_vec()];
    for (job, needs) in file.jobs.iter().zip(plan) {
        let mut command = format!("nimwave {}", job.words.join(" "));
        if !job.after.is_empty() {
            command += &format!("   (after {})", job.after.join(", "));
        }
        let limit =
            job.time.map_or(String::new(), |time| format!(" (at most {})", for_people(time.as_secs_f64())));
        rows.push(vec![
            job.name.clone(),
            bytes(needs.map(|needs| needs.memory)),
            bytes(needs.map(|needs| needs.disk)),
            time(needs.map(|needs| needs.seconds)) + &limit,
            command,
        ]);
    }
    let mut text = format!(
        "{} into {}, {}\n\n",
        counted(plan.len() as u64, "job"),
        file.output.display(),
        counted(budget.threads as u64, "thread")
    );
    text += &columns(&rows);
    let disk = plan.iter().flatten().map(|needs| needs.disk).fold(0, u64::saturating_add);
    let memory = plan.iter().flatten().map(|needs| needs.memory).max().unwrap_or(0);
    let seconds: f64 = plan.iter().flatten().map(|needs| needs.seconds).sum();
    let free = machine::free_disk(&file.output);
    let available = budget.memory.or_else(machine::available_memory);
    text += &format!("\ndisk    {} of {} free\n", human_bytes(disk), bytes(free));
    text += &format!("memory  {} for the largest job, of {}\n", human_bytes(memory), bytes(available));
    let unknown = plan.iter().filter(|needs| needs.is_none()).count();
    text += &format!("time    {} one after the other", for_people(seconds));
    if unknown > 0 {
        text += &format!(", and {} whose time is not known before", counted(unknown as u64, "job"));
    }
    if let Some(limit) = budget.time {
        text += &format!("; this run ends after {}", for_people(limit.as_secs_f64()));
    }
    text.push('\n');
    if free.is_some_and(|free| disk > free) {
        text += "WARNING: the disk is too small for all of them; free some space or choose another output folder\n";
    }
    if available.is_some_and(|available| memory > available) {
        text += "WARNING: the largest job does not fit into memory\n";
    }
    text
}
