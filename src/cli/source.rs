//! Where the bytes of a stream are read from: a file or the standard input, compressed by gzip or
//! not.

use std::fs::File;
use std::io::{self, Cursor, IsTerminal, Read};
use std::path::Path;

use agentwire::Report;
use agentwire::report::UNKNOWN_PROTOCOL;
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
        eprintln!(
            "agentwire: reading from this terminal; `agentwire help` shows how to name a file"
        );
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

// Messages about an input that is not the expected stream.

/// The number of bytes at the beginning of the input that are kept to determine its kind.
const BEGINNING: usize = 1 << 10;

/// Collects the beginning and the size of an input while it is read.
#[derive(Debug, Default)]
pub struct InputProbe {
    beginning: Vec<u8>,
    bytes: u64,
}

impl InputProbe {
    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        let missing = BEGINNING - self.beginning.len();
        self.beginning.extend_from_slice(bytes.get(..missing).unwrap_or(bytes));
        self.bytes += bytes.len() as u64;
    }

    /// Returns the reason why the input is not the stream that it was read as: it has events of
    /// another protocol, or no events. `report` is the result of reading it.
    pub fn complaint(&self, file: &Path, report: &Report) -> Option<String> {
        let name = name(file);
        let other =
            report.violations.iter().find(|violation| violation.rule.id == UNKNOWN_PROTOCOL.id);
        // JSON outside of events is read, too: it may be anything.
        let is_json = self.beginning.trim_ascii_start().starts_with(b"{");
        if let Some(other) = other.filter(|other| !(is_json && other.got.starts_with("no event"))) {
            return Some(format!("{name}: expected {}, got {}", other.rule.expected, other.got));
        }
        (report.events == 0 || other.is_some()).then(|| self.refusal(file))
    }

    /// Returns what the input looks like, for one without events.
    pub fn refusal(&self, file: &Path) -> String {
        format!("{}: {}", name(file), self.without_events())
    }

    fn without_events(&self) -> String {
        if self.bytes == 0 {
            return "the input is empty".to_owned();
        }
        let kind = kind(&self.beginning);
        let remedy = match kind {
            "an HTTP response with its headers" => ": leave out `-i` of curl",
            _ => "",
        };
        format!("no event in {} bytes, which look like {kind}{remedy}", self.bytes)
    }
}

/// Returns the kind of an input by its beginning.
fn kind(beginning: &[u8]) -> &'static str {
    const MAGIC: [(&[u8], &str); 6] = [
        (&[0x1f, 0x8b], "gzip data inside of gzip data"),
        (&[0x28, 0xb5, 0x2f, 0xfd], "zstd data: decompress it first"),
        (b"PK\x03\x04", "a zip file"),
        (&[0xff, 0xfe], "UTF-16 text: convert it to UTF-8"),
        (&[0xfe, 0xff], "UTF-16 text: convert it to UTF-8"),
        (b"HTTP/", "an HTTP response with its headers"),
    ];
    if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| beginning.starts_with(magic)) {
        return kind;
    }
    // The beginning may end inside of a character.
    let is_text =
        std::str::from_utf8(beginning).map_or_else(|error| error.error_len().is_none(), |_| true);
    if !is_text || beginning.contains(&0) {
        return "binary data";
    }
    let text = String::from_utf8_lossy(beginning)
        .trim_start_matches('\u{feff}')
        .trim_start()
        .to_lowercase();
    match text.as_str() {
        html if html.starts_with("<!doctype html") || html.starts_with("<html") => "an HTML page",
        xml if xml.starts_with('<') => "XML or HTML",
        har if har.starts_with('{') && har.contains("\"log\"") && har.contains("\"creator\"") => {
            "a HAR file: save the body of the response"
        }
        json if json.starts_with(['{', '[']) => "JSON",
        _ => "plain text",
    }
}
