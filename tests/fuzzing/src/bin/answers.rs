//! The native side of `differential.mjs`: inputs of the target `reading` on standard input, each after its length (four
//! bytes, little-endian), and a line of JSON for each on standard output.

use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};

use agentwire_fuzzing::answers;

fn main() -> io::Result<()> {
    let mut inputs = BufReader::new(io::stdin().lock());
    let mut lines = BufWriter::new(io::stdout().lock());
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
