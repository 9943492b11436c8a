//! The command line: the measurement, and its effort.

use std::path::PathBuf;

/// `cells <rounds> <warm> <corpora's folder>`, `scaling <rounds> <warm>`,
/// `emission <rounds> <warm>`, or, for callgrind,
/// `count <corpora's folder> <corpus> <chunking> <contestant> <passes>`, `count-conversion
/// <corpora's folder> <corpus> <from> <to> <passes>` and `count-emission <workload> <contestant>
/// <passes>`.
pub struct Arguments {
    pub job: Job,
    pub effort: Effort,
    pub folder: PathBuf,
}

pub enum Job {
    Cells,
    Scaling,
    Emission,
    CountConversion { corpus: String, from: String, to: String, passes: usize },
    CountEmission { workload: String, contestant: String, passes: usize },
    Count { corpus: String, chunking: String, contestant: String, passes: usize },
}

/// The numbers of rounds and passes.
#[derive(Clone, Copy)]
pub struct Effort {
    pub rounds: usize,
    /// Passes before the first round.
    pub warm: usize,
}

impl Arguments {
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut next = |name: &str| words.next().ok_or_else(|| format!("{name} is missing"));
        let job = next("what to do")?;
        if job == "count" {
            let folder = next("the corpora's folder")?.into();
            let job = Job::Count {
                corpus: next("the corpus")?,
                chunking: next("the chunking")?,
                contestant: next("the contestant")?,
                passes: number(&next("how many passes")?)?,
            };
            return Ok(Arguments { job, effort: Effort { rounds: 0, warm: 0 }, folder });
        }
        if job == "count-conversion" {
            let folder = next("the corpora's folder")?.into();
            let job = Job::CountConversion {
                corpus: next("the corpus")?,
                from: next("the source's protocol")?,
                to: next("the target's protocol")?,
                passes: number(&next("how many passes")?)?,
            };
            return Ok(Arguments { job, effort: Effort { rounds: 0, warm: 0 }, folder });
        }
        if job == "count-emission" {
            let job = Job::CountEmission {
                workload: next("the workload")?,
                contestant: next("the contestant")?,
                passes: number(&next("how many passes")?)?,
            };
            return Ok(Arguments {
                job,
                effort: Effort { rounds: 0, warm: 0 },
                folder: PathBuf::new(),
            });
        }
        let effort =
            Effort { rounds: number(&next("rounds")?)?, warm: number(&next("warm passes")?)? };
        let (job, folder) = match job.as_str() {
            "cells" => (Job::Cells, next("the corpora's folder")?.into()),
            "scaling" => (Job::Scaling, PathBuf::new()),
            "emission" => (Job::Emission, PathBuf::new()),
            other => return Err(format!("`{other}` is not cells, scaling, emission or count")),
        };
        Ok(Arguments { job, effort, folder })
    }
}

fn number(word: &str) -> Result<usize, String> {
    word.parse().map_err(|_| format!("`{word}` is no number"))
}
