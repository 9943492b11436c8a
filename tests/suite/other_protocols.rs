//! Streams of protocols that are recognised and not read, and streams read as another protocol than theirs.

use std::fs;

use agentwire::AnyReader;
use agentwire::ProtocolKind;
use agentwire::builder::Counter;
use agentwire::convert::{ConvertOptions, Converter, Source};
use agentwire::read::AnyOptions;
use agentwire::read::{AnyOutcome, Mode};
use agentwire::{EndReason, Severity, agent_api::builder};

/// The name of the protocol and the bytes of each stream in `tests/others`.
fn streams() -> Vec<(String, Vec<u8>)> {
    let folders = fs::read_dir("tests/others").unwrap().map(Result::unwrap);
    let mut streams = Vec::new();
    for folder in folders.filter(|folder| folder.path().is_dir()) {
        let name = folder.file_name().into_string().unwrap();
        for file in fs::read_dir(folder.path()).unwrap() {
            streams.push((name.clone(), fs::read(file.unwrap().path()).unwrap()));
        }
    }
    assert!(streams.len() > 1);
    streams
}

fn read(protocol: Option<ProtocolKind>, stream: &[u8], size: usize) -> AnyOutcome {
    let mut reader = AnyReader::with_options(protocol, AnyOptions::default());
    stream.chunks(size).for_each(|chunk| {
        reader.push(chunk);
    });
    reader.finish()
}

#[test]
fn a_stream_of_another_protocol_is_named_and_not_read() {
    for (name, stream) in streams() {
        for size in [1, 7, stream.len()] {
            let AnyOutcome { report, .. } = read(None, &stream, size);
            let [violation] = &report.violations[..] else { panic!("{name}: {:?}", report.violations) };
            assert_eq!(
                (violation.rule.id, report.end_reason),
                ("unknown-protocol", EndReason::Refused),
                "{name}"
            );
            assert!(violation.got.ends_with(", which is not read"), "{name}: {}", violation.got);
        }
    }
}

#[test]
fn each_recognised_protocol_has_its_name() {
    let title = |name: &str| match name {
        "gemini" => "Gemini",
        other => panic!("{other}"),
    };
    for (name, stream) in streams() {
        let AnyOutcome { report, .. } = read(None, &stream, stream.len());
        assert!(report.violations[0].got.contains(title(&name)), "{name}: {}", report.violations[0].got);
    }
}

#[test]
fn a_stream_of_another_protocol_is_legal_in_none() {
    for (name, stream) in streams() {
        for protocol in crate::spoken() {
            let AnyOutcome { report, .. } = read(Some(protocol), &stream, stream.len());
            assert_eq!(report.worst(), Some(Severity::Error), "{name}, read as {}", protocol.as_str());
            let named = report.violations.iter().any(|found| found.rule.id == "unknown-protocol");
            assert!(named, "{name}, read as {}", protocol.as_str());
        }
    }
}

#[test]
fn a_wrong_protocol_is_answered_with_the_right_one() {
    for case in agentwire_cases::reads() {
        // The first event has to show the protocol; errors do not.
        if !["01_text_framework", "k01_basic_text", "text_stream", "text"].contains(&case.name.as_str()) {
            continue;
        }
        let own = ProtocolKind::READABLE.iter().find(|kind| kind.as_str() == case.protocol).unwrap();
        for protocol in crate::spoken().filter(|protocol| protocol != own) {
            let AnyOutcome { report, .. } = read(Some(protocol), &case.stream(), usize::MAX);
            let found = report.violations.iter().find(|found| found.rule.id == "unknown-protocol");
            let got = found.map(|found| found.got.as_str()).unwrap_or_default();
            let hint = format!("what looks like {}: use protocol `{}`", own.title(), own.as_str());
            let refused = protocol == ProtocolKind::AgKit && *own == ProtocolKind::AgUi;
            assert!(got == hint || refused, "{case}, read as {}: {got}", protocol.as_str());
        }
    }
}

#[test]
fn events_of_no_known_protocol_are_no_answer() {
    for stream in ["data: [DONE]\n\n", "data: {}\n\ndata: [DONE]\n\n", "data: {\"kind\":5}\n\n"] {
        let AnyOutcome { report, .. } = read(None, stream.as_bytes(), 5);
        assert_eq!(report.violations[0].rule.id, "unknown-protocol", "{stream}");
        assert_eq!(report.violations[0].got, "no event of a protocol that is known");
    }
    for stream in ["", ": ping\n\n"] {
        assert_eq!(read(None, stream.as_bytes(), 5).report.count("unknown-protocol"), 0, "{stream}");
    }
}

#[test]
fn a_strict_reader_refuses_the_first_event_of_another_protocol() {
    let mut choices = AnyOptions::default();
    choices.options.mode = Mode::Strict;
    let mut reader = AnyReader::with_options(ProtocolKind::AgentApi, choices);
    reader.push(b"data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n");
    let report = reader.finish().report;
    let [violation] = &report.violations[..] else { panic!("{:?}", report.violations) };
    assert_eq!((violation.rule.id, report.end_reason), ("unknown-protocol", EndReason::Refused));
    assert_eq!(violation.got, "what looks like AG-UI: use protocol `ag-ui`");
}

#[test]
fn what_is_converted_of_another_protocol_is_no_success() {
    for (name, stream) in streams() {
        for to in crate::written() {
            let write = builder::BuilderOptions::new(Counter::default(), || 0);
            let mut converter = Converter::new(Source::Auto, to, ConvertOptions::new(write)).unwrap();
            let mut out = String::new();
            converter.push(&stream, &mut out);
            converter.finish(&mut out);
            assert_eq!(converter.report().unwrap().count("unknown-protocol"), 1, "{name} to {}", to.as_str());
            for success in
                ["response.completed", "TASK_STATE_COMPLETED", "\"status\":\"completed\"", "RUN_FINISHED"]
            {
                assert!(!out.contains(success), "{name} to {}:\n{out}", to.as_str());
            }
        }
    }
}
