//! Strict reading: the first error refuses the stream, and nothing after it is applied.

use agentwire::AnyReader;
use agentwire::EndReason;
use agentwire::Severity;
use agentwire::read::{AnyOutcome, Mode};
use agentwire_cases::{Case, cut};

use crate::reading::{options, protocol_of, read};

#[test]
fn strict_mode_refuses_every_stream_at_its_first_error() {
    let mut refused = 0;
    for case in agentwire_cases::reads() {
        let stream = case.stream();
        let Some(found) = first_error(&case, &stream) else { continue };
        refused += 1;
        let strict = |chunks: &[&[u8]]| {
            let mut options = options(&case);
            options.options.mode = Mode::Strict;
            read(protocol_of(&case), options, chunks.iter().copied())
        };
        let whole = strict(&[&stream]);
        assert_eq!(whole.report.end_reason, EndReason::Refused, "{case}");
        let errors = |outcome: &AnyOutcome| {
            let errors =
                outcome.report.violations.iter().filter(|it| it.rule.severity == Severity::Error);
            errors.cloned().collect::<Vec<_>>()
        };
        assert!(!errors(&whole).is_empty(), "{case}");
        if found < stream.len() {
            // The rest of the stream changes nothing.
            let until = strict(&[&stream[..found]]);
            assert_eq!(shown(&whole), shown(&until), "{case}");
            assert_eq!(errors(&whole), errors(&until), "{case}");
            assert_eq!(whole.report.events, until.report.events, "{case}");
        }
        let mut cuts = vec![("byte by byte", cut::single(&stream))];
        cuts.extend((0..4).map(|seed| ("at random cuts", cut::random(&stream, seed))));
        for (how, chunks) in cuts {
            let outcome = strict(&chunks);
            assert_eq!(shown(&outcome), shown(&whole), "{case}, {how}");
            assert_eq!(outcome.report.to_json(), whole.report.to_json(), "{case}, {how}");
        }
    }
    assert!(refused >= 80, "{refused} streams have an error");
}

/// Returns the number of bytes after which a lenient reader reports an error: all of them if the
/// end is one. `None` without an error.
fn first_error(case: &Case, stream: &[u8]) -> Option<usize> {
    let has_error = |worst: Option<Severity>| worst == Some(Severity::Error);
    let mut reader = AnyReader::with_options(protocol_of(case), options(case));
    for (at, byte) in stream.chunks(1).enumerate() {
        reader.push(byte);
        if has_error(reader.report().and_then(agentwire::Report::worst)) {
            return Some(at + 1);
        }
    }
    has_error(reader.finish().report.worst()).then_some(stream.len())
}

fn shown(outcome: &AnyOutcome) -> (String, Option<String>) {
    (outcome.snapshot.to_json(), outcome.snapshot.calls_to_json())
}
