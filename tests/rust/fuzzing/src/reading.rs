//! Readers: any bytes yield a snapshot and a report.

use agentwire::internals::patch::PatchBuffer;
use agentwire::read::AnyStream;
use agentwire::read::{AnyOutcome, Mode};
use agentwire::sse::Framing;
use agentwire_cases::cut;

use crate::answers::read;
use crate::bounds;
use crate::corpus::Corpus;
use crate::memory;
use crate::setting::{self, Setting};
use crate::starts;

/// The maximum number of bytes per input byte: of a snapshot, of a report, of a patch.
const GROWTH: usize = 64;

/// The base for any input: the members of an empty snapshot, the first ops of a patch, and the
/// amount that the limit `growth` allows before any input.
const BASE: usize = 4096 + (64 << 10);

/// The size of a kept violation: its rule's sentences and a shortened excerpt.
const VIOLATION: usize = 2048;

/// - The snapshot, tool calls and report do not depend on chunk boundaries (a state that is lost
///   with the chunk).
/// - Nor on line ends, except for the offsets (a line end that is mistaken for data).
/// - Validation does not change the snapshot (a recovery that only happens where it is reported).
/// - The snapshot and the report have at most 64 times the size of the input, and keep to the
///   limits (an id that is
///   repeated for each part, an excerpt that is not shortened, a bound that is forgotten).
/// - Reading allocates at most 64 times the size of the input (padding, a log of undone changes).
/// - A push writes a patch of at most 64 times the bytes it completes (a list that is sent whole
///   each time), and the
///   reader that writes patches reports the same as the one that keeps the snapshot.
pub fn check(input: &[u8]) {
    let (setting, stream) = setting::split(input);
    let (whole, held) = memory::held(|| read(&setting, &[stream]));
    let violations = VIOLATION * whole.report.violations.len();
    let most = memory::BASE + GROWTH * stream.len() + violations;
    assert!(held <= most, "{held} bytes are held of {}", stream.len());
    let said = results(&whole);
    assert_eq!(
        results(&read(&setting, &cut::random(stream, setting.cut))),
        said,
        "at a random cut"
    );
    assert_eq!(results(&read(&setting, &cut::single(stream))), said, "byte by byte");

    let framing = setting.choices.options.framing;
    if !stream.contains(&b'\r') && !setting.small {
        // Between lines of JSON, a CR alone is white space.
        let end: &[u8] =
            if framing == Framing::Sse && setting.cut % 2 == 0 { b"\r" } else { b"\r\n" };
        let other = read(&setting, &[&cut::with_line_ends(stream, end)]);
        assert_eq!(other.snapshot.to_json(), whole.snapshot.to_json(), "with other line ends");
        assert_eq!(other.report.counts, whole.report.counts, "with other line ends");
    }
    if setting.choices.options.mode != Mode::Strict {
        let mut other = setting.clone();
        other.choices.options.mode = Mode::Raw;
        assert_eq!(
            read(&other, &[stream]).snapshot.to_json(),
            whole.snapshot.to_json(),
            "unjudged"
        );
    }

    let limits = &setting.choices.options.limits;
    let bound = BASE + GROWTH * stream.len();
    let held = bounds::held(&whole);
    assert!(held <= bound, "{} bytes became {held}", stream.len());
    let report = said[2].len();
    assert!(report <= bound + violations, "a report of {report} bytes for {} bytes", stream.len());
    bounds::hold(limits, &whole);
    patches(&setting, stream, &said[2]);
}

/// Every stream, read as its protocol and as the protocol of its first event.
pub fn seeds(corpus: &Corpus) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (protocol, streams) in &corpus.protocols {
        let protocol = setting::number_of(protocol);
        for (at, stream) in streams.iter().enumerate() {
            seeds.push([&setting::prefix(protocol, at as u8, at), stream.as_slice()].concat());
            if at % 5 == 0 {
                seeds.push(setting::ndjson(protocol, stream, at));
            }
            if at % 3 == 0 {
                seeds.push(
                    [&setting::prefix(setting::AUTO, at as u8, at), stream.as_slice()].concat(),
                );
            }
        }
    }
    seeds
}

/// Returns the whole result of reading.
pub(crate) fn results(outcome: &AnyOutcome) -> [String; 3] {
    [
        outcome.snapshot.to_json(),
        outcome.snapshot.calls_to_json().unwrap_or_default(),
        outcome.report.to_json(),
    ]
}

/// Reads the stream again, into patches.
fn patches(setting: &Setting, stream: &[u8], report: &str) {
    let starts = match setting.choices.options.framing {
        Framing::Ndjson => starts::of_lines(stream),
        _ => starts::of_blocks(stream),
    };
    let mut patch = PatchBuffer::default();
    let mut reading = AnyStream::new(setting.protocol, setting.choices.clone(), &mut patch);
    let mut at = 0;
    for chunk in cut::random(stream, setting.cut) {
        let begun = starts[starts.partition_point(|&start| start <= at) - 1];
        let was_open = reading.protocol().is_some() && !reading.has_ended();
        reading.push(chunk, &mut patch);
        at += chunk.len();
        // The first event that shows the protocol releases everything before it; the last one sums
        // up.
        let completed = if was_open && !reading.has_ended() { at - begun } else { at };
        let size = size(&patch);
        assert!(size <= BASE + GROWTH * completed, "a patch of {size} bytes for {completed} bytes");
        patch.clear();
    }
    reading.finish(&mut patch);
    let size = size(&patch);
    assert!(size <= BASE + GROWTH * stream.len(), "a patch of {size} bytes at the end");
    assert_eq!(reading.report().to_json(), report, "of the reader that writes patches");
}

fn size(patch: &PatchBuffer) -> usize {
    4 * patch.ops().len() + patch.text().len() + patch.long().len()
}
