//! `dump [--show <part of a name>] [count]`: one line per item with a hash: patches, snapshots,
//! changes, reports, events and conversions of the corpus and of mutated streams, and the results
//! of random builder programs.
//!
//! A change that must not change behaviour is checked by the output of two commits: `diff` shows
//! the items that differ, and `--show` prints their contents.

use std::env;
use std::io::{self, BufWriter};

use agentwire_fuzzing::{Corpus, dump::Dump};

fn main() {
    let mut arguments = env::args().skip(1).peekable();
    let show = arguments.next_if(|word| word == "--show").and_then(|_| arguments.next());
    let count =
        arguments.next().map_or(4000, |word| word.parse().expect("a number of random inputs"));
    let corpus = Corpus::read();
    let mut out = BufWriter::new(io::stdout().lock());
    let mut dump = Dump { show, out: &mut out };
    dump.corpus(&corpus);
    dump.mutated(&corpus, count);
    dump.programs(count);
}
