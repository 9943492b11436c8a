//! Messages about an input that is not the expected stream.

use std::path::Path;

use agentwire::Report;
use agentwire::read::ReadOptions;
use agentwire::report::UNKNOWN_PROTOCOL;
use agentwire::sse::Framing;

use crate::source;

/// The number of bytes at the beginning of the input that are kept to determine its kind.
const BEGINNING: usize = 1 << 10;

/// Collects the beginning and the size of an input while it is read.
#[derive(Debug)]
pub struct Looks {
    beginning: Vec<u8>,
    framing: Framing,
    bytes: u64,
}

impl Looks {
    /// Creates the collector at the first byte of an input.
    pub fn new(options: &ReadOptions) -> Self {
        Looks { beginning: Vec::new(), framing: options.framing, bytes: 0 }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        let missing = BEGINNING - self.beginning.len();
        self.beginning.extend_from_slice(bytes.get(..missing).unwrap_or(bytes));
        self.bytes += bytes.len() as u64;
    }

    /// Returns the reason why the input is not the stream that it was read as: it has events of another protocol, or no
    /// events. `report` is the result of reading it.
    pub fn complaint(&self, file: &Path, report: &Report) -> Option<String> {
        let name = source::name(file);
        let other = report.violations.iter().find(|violation| violation.rule.id == UNKNOWN_PROTOCOL.id);
        if let Some(other) = other {
            return Some(format!("{name}: expected {}, got {}", other.rule.expected, other.got));
        }
        (report.events == 0).then(|| format!("{name}: {}", self.without_events(report)))
    }

    fn without_events(&self, report: &Report) -> String {
        if self.bytes == 0 {
            return "the input is empty".to_owned();
        }
        let kind = kind(&self.beginning);
        let remedy = match kind {
            "JSON" if report.count("ndjson") > 0 && self.framing == Framing::Sse => {
                ": `--framing ndjson` reads JSON lines"
            }
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
    let is_text = std::str::from_utf8(beginning).map_or_else(|error| error.error_len().is_none(), |_| true);
    if !is_text || beginning.contains(&0) {
        return "binary data";
    }
    let text = String::from_utf8_lossy(beginning).trim_start_matches('\u{feff}').trim_start().to_lowercase();
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
