//! The `agentwire` command line: reads, checks, converts and writes streams of agent protocols.

mod check;
mod compact;
mod convert;
mod emit;
mod fold;
mod input;
mod json;
mod protocol;
mod source;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Read, judge, convert and make agent protocol streams.
///
/// A stream is read from a file or, as `-`, from standard input: `curl -N … | agentwire check -`.
/// Input that gzip has compressed is decompressed.
///
/// Exit codes: 0, done. 1, the input is not an event stream or is of another protocol, a stream has a violation of severity
/// error (`check`), or events were lost (`compact`); standard error has the reason. 2, an argument is wrong, or an input
/// cannot be read or the output cannot be written.
#[derive(Parser)]
#[command(name = "agentwire", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print the answer that a stream comes to, as JSON: the response object or the turn, and a report.
    Fold(fold::Arguments),
    /// Print the violations in streams. Exits with 1 if one is of severity error, and with 2 if a file cannot be read; the others
    /// are checked all the same.
    Check(check::Arguments),
    /// Print the stream in another protocol, and the losses on standard error.
    Convert(convert::Arguments),
    /// AG-UI: print the stream with fewer events, which come to the same answer.
    Compact(compact::Arguments),
    /// Print a legal sample run.
    Emit(emit::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Fold(arguments) => fold::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Compact(arguments) => compact::run(&arguments),
        Command::Emit(arguments) => emit::run(&arguments),
    };
    match result {
        Ok(code) => code,
        Err(input::Unreadable(problem)) => {
            eprintln!("agentwire: {problem}");
            ExitCode::from(2)
        }
    }
}
