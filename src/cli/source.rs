//! Where the bytes of a stream are read from: a file or the standard input, compressed by gzip or not.

use std::fs::File;
use std::io::{self, Cursor, IsTerminal, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

/// The first bytes of gzip data.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Opens a file, or the standard input for `-`. Decompresses gzip data.
pub fn open(file: &Path, quiet: bool) -> io::Result<Box<dyn Read>> {
    if file.as_os_str() != "-" {
        return decompressed(File::open(file)?);
    }
    let stdin = io::stdin();
    if stdin.is_terminal() && !quiet {
        eprintln!("agentwire: reading from this terminal; `agentwire help` shows how to name a file");
    }
    decompressed(stdin.lock())
}

/// Returns the name of a file in messages.
pub fn name(file: &Path) -> String {
    if file.as_os_str() == "-" { "standard input".to_owned() } else { file.display().to_string() }
}

fn decompressed(mut source: impl Read + 'static) -> io::Result<Box<dyn Read>> {
    let mut start = Vec::new();
    source.by_ref().take(GZIP.len() as u64).read_to_end(&mut start)?;
    let is_gzip = start == GZIP;
    let source = Cursor::new(start).chain(source);
    Ok(if is_gzip { Box::new(MultiGzDecoder::new(source)) } else { Box::new(source) })
}
