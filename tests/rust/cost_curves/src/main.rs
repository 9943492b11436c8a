//! `agentwire-cost-curves <guest.wasm> [words of names]`: reads, compacts and converts streams of
//! sizes n and 4n, and compares the instructions. A curve passes if neither they nor the written
//! bytes grow faster than the stream.
//!
//! `SCALE=1` prints all curves. The instructions are those of an interpreter of wasm: the same
//! numbers on every machine.

mod curve;
mod curves;
mod floods;
mod guest;

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::curve::{Verdict, all};
use crate::guest::Guest;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(guest) = arguments.next() else {
        eprintln!(
            "agentwire-cost-curves <guest.wasm> [words of names]: `cargo xtask test cost-curves` builds the guest"
        );
        return ExitCode::FAILURE;
    };
    let words: Vec<String> = arguments.collect();
    let guest = Guest::new(&std::fs::read(guest).expect("the guest is readable"));
    let curves = all(&words);
    let prints_all = std::env::var_os("SCALE").is_some();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut verdicts = Vec::new();
        while let Some(curve) = curves.get(next.fetch_add(1, Ordering::Relaxed)) {
            let measured = curve.measure(&guest);
            for verdict in measured.iter().filter(|verdict| prints_all || !verdict.passes()) {
                println!("{verdict}");
            }
            verdicts.extend(measured);
        }
        verdicts
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let verdicts: Vec<Verdict> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no measuring panics")).collect()
    });
    let failed = verdicts.iter().filter(|verdict| !verdict.passes()).count();
    let (word, passed) = (if failed == 0 { "ok" } else { "FAILED" }, verdicts.len() - failed);
    println!("test result: {word}. {passed} passed; {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
