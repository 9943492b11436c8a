//! What an input looks like that is not the stream it was taken for.

use std::path::Path;

use agentwire::Report;
use agentwire::protocols::ProtocolKind;
use agentwire::read::ReadOptions;
use agentwire::read::detect::Detector;
use agentwire::sse::Framing;

use crate::source;

/// How much of the input is kept to see what it is, in bytes.
const BEGINNING: usize = 1 << 10;

/// How much of the input is searched for an event that shows its protocol, in bytes.
const SEARCHED: u64 = 1 << 20;

/// Looks at an input while it is read.
#[derive(Debug)]
pub struct Looks {
    beginning: Vec<u8>,
    detector: Detector,
    found: Option<ProtocolKind>,
    framing: Framing,
    bytes: u64,
}

impl Looks {
    /// Looks at an input from its first byte.
    pub fn new(options: &ReadOptions) -> Self {
        let detector = Detector::framed(&options.limits, options.framing);
        Looks { beginning: Vec::new(), detector, found: None, framing: options.framing, bytes: 0 }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        let missing = BEGINNING - self.beginning.len();
        self.beginning.extend_from_slice(bytes.get(..missing).unwrap_or(bytes));
        if self.found.is_none() && self.bytes < SEARCHED {
            self.found = self.detector.push(bytes);
            self.detector.take_held();
        }
        self.bytes += bytes.len() as u64;
    }

    /// Returns why the input is not the stream it was read as: it has no events, or those of another protocol. `read_as` is the
    /// protocol that it was read as, and `report` the result.
    pub fn complaint(&mut self, file: &Path, read_as: ProtocolKind, report: &Report) -> Option<String> {
        let name = source::name(file);
        if report.events == 0 {
            return Some(format!("{name}: {}", self.without_events(report)));
        }
        let found = self.found.or_else(|| self.detector.finish())?;
        let is_other = found != read_as
            && report
                .violations
                .iter()
                .any(|violation| violation.rule.severity == agentwire::Severity::Error);
        let remedy = match found.is_readable() {
            true => format!("use `--protocol {}`", found.as_str()),
            false => "that protocol is not supported".to_owned(),
        };
        is_other.then(|| format!("{name}: the events look like {}: {remedy}", found.title()))
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

/// Names what the beginning of an input looks like.
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
