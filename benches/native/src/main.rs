//! The native rows of the benchmark. `node benches/run.mjs` writes the corpora, builds and starts
//! this program, and prints its result: one JSON document on standard output.

mod arguments;
mod cells;
mod contestants;
mod conversion;
mod corpus;
mod emission;
mod rounds;
mod scaling;
mod streams;

use std::process::ExitCode;

use arguments::{Arguments, Job};

fn main() -> ExitCode {
    let result = Arguments::parse(std::env::args().skip(1)).and_then(run);
    if let Err(sentence) = result {
        eprintln!("agentwire-bench: {sentence}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn run(arguments: Arguments) -> Result<(), String> {
    let said = match arguments.job {
        Job::Count { corpus, chunking, contestant, passes } => {
            return cells::repeat(&arguments.folder, (&corpus, &chunking), &contestant, passes);
        }
        Job::CountConversion { corpus, from, to, passes } => {
            return conversion::repeat(&arguments.folder, &corpus, (&from, &to), passes);
        }
        Job::CountEmission { workload, contestant, passes } => {
            return emission::repeat(&workload, &contestant, passes);
        }
        Job::Cells => json(&cells::all(&arguments.folder, arguments.effort)?),
        Job::Scaling => json(&scaling::all(arguments.effort)?),
        Job::Emission => json(&emission::all(arguments.effort)?),
    };
    println!("{}", said?);
    Ok(())
}

fn json(result: &impl serde::Serialize) -> Result<String, String> {
    serde_json::to_string(result).map_err(|error| error.to_string())
}
