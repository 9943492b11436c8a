//! Any protocol read as another: every recorded stream in the shape of every protocol.

use agentwire::ProtocolKind;
use agentwire::a2a::A2a;
use agentwire::ag_kit::AgKit;
use agentwire::ag_ui::AgUi;
use agentwire::agent_api::AgentApi;
use agentwire::convert::{ConvertingReader, SnapshotShape, Source};
use agentwire::hub::Losses;
use agentwire::{EndReason, Reader, Report};

use super::corpus::{as_json_values, asked, calls_of, exception, sorted, without_added_text};
use super::facts::{Facts, of_a2a, of_ag_kit, of_ag_ui, of_agent_api, options, read};
use crate::reading::protocol_of;
use agentwire_cases::{cut, reads};

fn shown<P: SnapshotShape>(
    from: Option<ProtocolKind>,
    bytes: &[u8],
    facts: fn(&P::Snapshot, &Report) -> Facts,
) -> (Facts, Report, Losses) {
    let whole = {
        let mut reader = ConvertingReader::<P>::new(from, options()).expect("a readable source");
        reader.push(bytes);
        reader.finish()
    };
    for seed in 0..2 {
        let mut reader = ConvertingReader::<P>::new(from, options()).expect("a readable source");
        cut::random(bytes, seed).into_iter().for_each(|chunk| reader.push(chunk));
        let cut = reader.finish();
        assert_eq!(
            facts(&cut.snapshot, &ended()),
            facts(&whole.snapshot, &ended()),
            "the cut does not matter"
        );
        assert_eq!(cut.report.counts, whole.report.counts);
        assert_eq!(cut.losses.to_json(), whole.losses.to_json());
    }
    (facts(&whole.snapshot, &ended()), whole.report, whole.losses)
}

/// Returns the report of a shown stream, which always ends with the terminal event of its protocol.
fn ended() -> Report {
    let mut reader = Reader::new(AgKit::default());
    reader.push(b"data: [DONE]\n\n");
    let report = reader.finish().report;
    assert_eq!(report.end_reason, EndReason::Terminal);
    report
}

#[test]
fn every_recording_is_read_in_every_form() {
    for case in reads() {
        let (name, bytes, from) = (case.name.as_str(), case.stream(), protocol_of(&case));
        let (_, report) = read(from, &bytes);
        let as_agent_api = shown::<AgentApi>(Some(from), &bytes, of_agent_api);
        let as_ag_kit = shown::<AgKit>(Some(from), &bytes, of_ag_kit);
        let as_ag_ui = shown::<AgUi>(Some(from), &bytes, |snapshot, _| of_ag_ui(snapshot));
        let as_a2a = shown::<A2a>(Some(from), &bytes, |snapshot, _| of_a2a(snapshot));
        let shapes = [
            (ProtocolKind::AgentApi, as_agent_api),
            (ProtocolKind::AgKit, as_ag_kit),
            (ProtocolKind::AgUi, as_ag_ui),
            (ProtocolKind::A2a, as_a2a),
        ];
        for (to, (heard, judged, losses)) in shapes {
            assert_eq!(
                judged.counts, report.counts,
                "{name}: the source is judged, not what is shown"
            );
            assert_eq!(
                (judged.end_reason, judged.bytes),
                (report.end_reason, report.bytes),
                "{name}"
            );
            let hidden = losses.count("interrupt-hidden");
            let mut said = calls_of(asked(read(from, &bytes).0, to, hidden, name), to);
            let mut heard = calls_of(heard, to);
            without_added_text(&said, &mut heard, to);
            if from == ProtocolKind::AiSdk {
                [&mut said, &mut heard].into_iter().for_each(as_json_values);
            }
            match exception(from, name) {
                Some((_, "another order")) => assert_eq!(sorted(said), sorted(heard), "{name}"),
                Some((_, "grown")) => assert!(said.text.ends_with(&heard.text), "{name}"),
                Some((_, "said first")) => assert!(heard.text.starts_with(&said.text), "{name}"),
                Some((_, "said more")) => assert!(heard.text.ends_with(&said.text), "{name}"),
                Some(_)
                    if (to == from
                        || to == ProtocolKind::A2a
                        || matches!(
                            from,
                            ProtocolKind::Responses
                                | ProtocolKind::AiSdk
                                | ProtocolKind::AgentScope
                        ))
                        && said == heard => {}
                // In the form of the Agent API a messages snapshot is a separate message.
                Some((_, "messages")) if to == ProtocolKind::AgentApi => {}
                Some(_) => assert!(losses.iter().next().is_some(), "{name}"),
                None => assert_eq!(said, heard, "{name}"),
            }
        }
    }
}

/// The same code for any source: the snapshot grows as the stream arrives.
#[test]
fn the_snapshot_grows_in_the_requested_form() {
    let mut reader =
        ConvertingReader::<AgentApi>::new(Source::Auto, options()).expect("a readable source");
    assert_eq!(
        (reader.source(), reader.report().is_none(), reader.losses().is_none()),
        (None, true, true)
    );
    let mut texts = Vec::new();
    for event in ["text\",\"content\":\"Hel", "text\",\"content\":\"lo", "new\",\"n\":\""] {
        reader.push(format!("data: {{\"type\":\"{event}\"}}\n\n").as_bytes());
        texts.push(reader.snapshot().response.output[0].text());
    }
    assert_eq!(texts, ["Hel", "Hello", "Hello"]);
    assert_eq!(reader.source(), Some(ProtocolKind::AgKit));
    let shown = reader.cut_off();
    assert_eq!(shown.snapshot.response.status.as_str(), "incomplete");
    let lost: Vec<_> = shown.losses.iter().map(|loss| (loss.kind, loss.event)).collect();
    assert_eq!(lost, [("unknown-event", 2)]);
    assert_eq!(shown.report.unknown, [("new".to_owned(), 1)]);
}

#[test]
fn an_aborted_snapshot_is_canceled() {
    let mut reader = ConvertingReader::<AgentApi>::new(ProtocolKind::AgKit, options())
        .expect("a readable source");
    reader.push(b"data: {\"type\":\"text\",\"content\":\"Hel\"}\n\n");
    assert_eq!(reader.abort().snapshot.response.status.as_str(), "canceled");
}
