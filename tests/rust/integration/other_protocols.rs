//! Streams of unknown protocols, and streams read as another protocol than theirs.

use agentwire::AnyReader;
use agentwire::ProtocolKind;
use agentwire::builder::Counter;
use agentwire::convert::{ConvertOptions, Converter, Source};
use agentwire::read::AnyOptions;
use agentwire::read::{AnyOutcome, Mode};
use agentwire::{EndReason, agent_api::builder};

fn read(protocol: Option<ProtocolKind>, stream: &[u8], size: usize) -> AnyOutcome {
    let mut reader = AnyReader::with_options(protocol, AnyOptions::default());
    stream.chunks(size).for_each(|chunk| {
        reader.push(chunk);
    });
    reader.finish()
}

#[test]
fn the_violation_for_a_wrong_protocol_names_the_right_one() {
    for case in agentwire_cases::reads() {
        // The first event has to show the protocol; errors do not.
        if !["01_text_framework", "k01_basic_text", "text_stream", "text"]
            .contains(&case.name.as_str())
        {
            continue;
        }
        let own =
            ProtocolKind::READABLE.iter().find(|kind| kind.as_str() == case.protocol).unwrap();
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
fn events_of_unknown_protocols_are_reported() {
    for stream in ["data: [DONE]\n\n", "data: {}\n\ndata: [DONE]\n\n", "data: {\"kind\":5}\n\n"] {
        let AnyOutcome { report, .. } = read(None, stream.as_bytes(), 5);
        assert_eq!(report.violations[0].rule.id, "unknown-protocol", "{stream}");
        assert_eq!(report.violations[0].got, "no event of a protocol that is known");
    }
    for stream in ["", ": ping\n\n"] {
        assert_eq!(
            read(None, stream.as_bytes(), 5).report.count("unknown-protocol"),
            0,
            "{stream}"
        );
    }
}

#[test]
fn strict_mode_refuses_the_first_event_of_another_protocol() {
    let mut choices = AnyOptions::default();
    choices.options.mode = Mode::Strict;
    let mut reader = AnyReader::with_options(ProtocolKind::AgentApi, choices);
    reader.push(b"data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n");
    let report = reader.finish().report;
    let [violation] = &report.violations[..] else { panic!("{:?}", report.violations) };
    assert_eq!((violation.rule.id, report.end_reason), ("unknown-protocol", EndReason::Refused));
    assert_eq!(violation.got, "what looks like AG-UI: use protocol `ag-ui`");
}

/// Chatflow events of Dify, which no reader supports.
const UNKNOWN: &[u8] =
    b"data: {\"event\":\"message\",\"answer\":\"Hi\"}\n\ndata: {\"event\":\"message_end\"}\n\n";

#[test]
fn a_converted_stream_of_an_unknown_protocol_is_not_completed() {
    for to in crate::written() {
        let write = builder::BuilderOptions::new(Counter::default(), || 0);
        let mut converter = Converter::new(Source::Auto, to, ConvertOptions::new(write)).unwrap();
        let mut out = String::new();
        converter.push(UNKNOWN, &mut out);
        converter.finish(&mut out);
        assert_eq!(converter.report().unwrap().count("unknown-protocol"), 1, "{}", to.as_str());
        for success in [
            "response.completed",
            "TASK_STATE_COMPLETED",
            "\"status\":\"completed\"",
            "RUN_FINISHED",
            "\"finish\"",
            "\"finishReason\":\"stop\"",
        ] {
            // The last chunk of the AI SDK is `finish` for any outcome: its reason tells them
            // apart.
            if (to, success) == (ProtocolKind::AiSdk, "\"finish\"") {
                continue;
            }
            assert!(!out.contains(success), "{}:\n{out}", to.as_str());
        }
    }
}
