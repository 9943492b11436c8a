//! The `agentwire` command line: reads, checks, converts and writes streams of agent protocols.

mod check;
mod compact;
mod convert;
mod emit;
mod fold;
mod input;
mod output;
#[cfg(feature = "probe")]
mod probe;
mod protocol;
#[cfg(feature = "gateway")]
mod serve;
mod source;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Returns freed memory to the system. The allocator of the GNU C library keeps the memory of a
/// large request if a smaller allocation that stays is above it.
#[cfg(feature = "gateway")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Read, validate, convert and write agent protocol streams.
///
/// A stream is read from a file or, as `-`, from standard input: `curl -N … | agentwire check -`.
/// Gzip is decompressed.
///
/// Exit status: 0, success. 1, the input is not an event stream or has another protocol, a stream
/// has a violation of severity error (`check`), or events were lost (`compact`). 2, a wrong
/// argument, an unreadable input, or an unwritable output. Standard error has the reason.
#[derive(Parser)]
#[command(name = "agentwire", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print the final snapshot of a stream and its report as JSON.
    Fold(fold::Arguments),
    /// Print the violations of streams. Exits with 1 if one has severity error, and with 2 if a
    /// file cannot be read; the other files are still checked.
    Check(check::Arguments),
    /// Print the stream in another protocol, and the losses on standard error.
    Convert(convert::Arguments),
    /// AG-UI: print an equivalent stream with fewer events.
    Compact(compact::Arguments),
    /// Print a valid sample stream.
    Emit(emit::Arguments),
    /// Ask a server of a protocol, and judge its answers. Exits with 1 if a check of the level
    /// `must` fails, and with 2 if the server cannot be reached.
    #[cfg(feature = "probe")]
    Probe(probe::Arguments),
    /// Serve a model or an agent in every protocol.
    #[cfg(feature = "gateway")]
    Serve(serve::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Fold(arguments) => fold::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Compact(arguments) => compact::run(&arguments),
        Command::Emit(arguments) => emit::run(&arguments),
        #[cfg(feature = "probe")]
        Command::Probe(arguments) => probe::run(&arguments),
        #[cfg(feature = "gateway")]
        Command::Serve(arguments) => serve::run(&arguments),
    };
    match result {
        Ok(code) => code,
        Err(input::Unreadable(problem)) => {
            eprintln!("agentwire: {problem}");
            ExitCode::from(2)
        }
    }
}
