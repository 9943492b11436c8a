//! Writes the seeds of a fuzzer into a folder: `<folder>/<target>/seed-…`, one file per seed, and
//! `<folder>/words`.

use std::path::PathBuf;
use std::{env, fs, io};

use agentwire_fuzzing::{Corpus, TARGETS, words};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).expect("the folder as the only argument"));
    let corpus = Corpus::read();
    for target in TARGETS {
        let own = folder.join(target.name);
        fs::create_dir_all(&own)?;
        for (at, seed) in (target.seeds)(&corpus).iter().enumerate() {
            fs::write(own.join(format!("seed-{at:03}")), seed)?;
        }
    }
    fs::write(folder.join("words"), words::dictionary())
}
