//! `mutated <count> [seed]`: reads and converts so many mutated streams, whole and cut. Inputs that
//! fail are written to `target/fuzz/artifacts/mutated`; the last line has their number.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

use agentwire_fuzzing::mutated::{Inputs, check};
use agentwire_fuzzing::{Corpus, quiet};

/// The number of failures after which the search stops.
const MOST: usize = 100;

fn main() -> io::Result<ExitCode> {
    let mut arguments = env::args().skip(1).map(|word| word.parse::<u64>().expect("a number"));
    let (count, seed) = (arguments.next().unwrap_or(100_000), arguments.next().unwrap_or(1));
    let mut inputs = Inputs::new(&Corpus::read(), seed);
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target/fuzz/artifacts/mutated");
    let (mut done, mut bytes, mut failed) = (0, 0, 0);
    while done < count && failed < MOST {
        let input = inputs.input();
        (done, bytes) = (done + 1, bytes + input.bytes.len());
        if done % 10_000 == 0 {
            eprintln!("{done} of {count}, {failed} failed");
        }
        if let Err(said) = quiet::run(check, &input) {
            failed += 1;
            fs::create_dir_all(&folder)?;
            let path = folder.join(format!("{seed}-{done}"));
            fs::write(&path, &input.bytes)?;
            println!("{}: {}", path.display(), said.chars().take(1500).collect::<String>());
        }
    }
    println!("{done} streams of {bytes} bytes, seed {seed}: {failed} failed");
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
