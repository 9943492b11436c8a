//! The native side of `differential.mjs`: inputs of the target `reading` on standard input, each
//! after its length (four bytes, little-endian), and a line of JSON for each on standard output.
//!
//! With `<count> <seed>` the inputs are that number of mutated streams of the corpus, and each line
//! also contains its input.

use std::env;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};

use agentwire_fuzzing::mutated::Inputs;
use agentwire_fuzzing::{Corpus, answers};

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1).map(|word| word.parse::<u64>().expect("a number"));
    let mut lines = BufWriter::new(io::stdout().lock());
    if let Some(count) = arguments.next() {
        let mut inputs = Inputs::new(&Corpus::read(), arguments.next().unwrap_or(1));
        for _ in 0..count {
            let input = inputs.input().bytes;
            let hex: String = input.iter().map(|byte| format!("{byte:02x}")).collect();
            writeln!(lines, "{hex} {}", answers::line(&input))?;
        }
        return lines.flush();
    }
    let mut inputs = BufReader::new(io::stdin().lock());
    let mut length = [0; 4];
    loop {
        match inputs.read_exact(&mut length) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return lines.flush(),
            other => other?,
        }
        let mut input = vec![0; u32::from_le_bytes(length) as usize];
        inputs.read_exact(&mut input)?;
        writeln!(lines, "{}", answers::line(&input))?;
        if inputs.buffer().is_empty() {
            lines.flush()?;
        }
    }
}
