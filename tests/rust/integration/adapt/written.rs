//! The output of conversions: independent of chunk boundaries, valid, and with a terminal event,
//! also if a member cannot be written.

use agentwire::ProtocolKind;
use agentwire::a2a::A2a;
use agentwire::ag_kit::AgKit;
use agentwire::ag_ui::AgUi;
use agentwire::agent_api::AgentApi;
use agentwire::agent_api::builder::BuilderOptions;
use agentwire::builder::Counter;
use agentwire::convert::{ConversionSide, ConvertOptions, Converter};
use agentwire::protocol::Protocol;
use agentwire::read::{Mode, ReadOptions};
use agentwire::responses::Responses;
use agentwire::{EndReason, Reader, Report};

const TARGETS: [ProtocolKind; 5] = [
    ProtocolKind::AgentApi,
    ProtocolKind::AgKit,
    ProtocolKind::AgUi,
    ProtocolKind::Responses,
    ProtocolKind::A2a,
];

/// Returns the output of a stream in chunks of that size, and the losses.
fn converted(
    from: ConversionSide,
    to: ProtocolKind,
    stream: &str,
    size: usize,
) -> (String, String) {
    let write = BuilderOptions::new(Counter::default(), || 1_700_000_000);
    let mut converter =
        Converter::new(from, ConversionSide::Protocol(to), ConvertOptions::new(write)).unwrap();
    let mut out = String::new();
    stream.as_bytes().chunks(size).for_each(|chunk| converter.push(chunk, &mut out));
    converter.finish(&mut out);
    (out, converter.losses().unwrap().to_json())
}

/// Returns the report of a strict reader of the output.
fn strict_report(protocol: ProtocolKind, written: &str) -> Report {
    fn report<P: Protocol>(protocol: P, written: &str) -> Report {
        let mut options = ReadOptions::default();
        options.mode = Mode::Strict;
        let mut reader = Reader::with_options(protocol, options);
        reader.push(written.as_bytes());
        reader.finish().report
    }
    match protocol {
        ProtocolKind::AgKit => report(AgKit::default(), written),
        ProtocolKind::AgUi => report(AgUi::default(), written),
        ProtocolKind::Responses => report(Responses::default(), written),
        ProtocolKind::A2a => report(A2a::default(), written),
        _ => report(AgentApi::default(), written),
    }
}

/// Converts a stream to every protocol: each result is legal and ends.
fn assert_written(from: ConversionSide, stream: &str) {
    for to in TARGETS {
        let (written, losses) = converted(from, to, stream, stream.len());
        let report = strict_report(to, &written);
        assert!(report.violations.is_empty(), "{to:?}: {:?}\n{written}", report.violations);
        assert_eq!(report.end_reason, EndReason::Terminal, "{to:?}: {losses}\n{written}");
    }
}

fn events<'e>(events: impl IntoIterator<Item = &'e str>) -> String {
    events.into_iter().map(|event| format!("data: {event}\n\n")).collect()
}

const RESPONSES: ConversionSide = ConversionSide::Protocol(ProtocolKind::Responses);

#[test]
fn deltas_with_split_surrogates_do_not_depend_on_chunk_boundaries() {
    let halves = [r"\ud83d", r"\ude00", "b", "c", "d", "e", "é", "👩", "\u{200d}", "💻", "", r"\n"];
    let begin = [
        r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#,
        r#"{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"m","type":"message","status":"in_progress","role":"assistant","content":[]}}"#,
        r#"{"type":"response.content_part.added","sequence_number":2,"item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text","annotations":[],"text":""}}"#,
    ];
    for seed in 0..400_usize {
        let pieces = (0..9).map(|at| match at {
            0 => "A",
            _ => halves[((seed * 7919) >> at) % halves.len()],
        });
        let delta = |(at, piece): (usize, &str)| {
            let number = at + 3;
            format!(
                r#"{{"type":"response.output_text.delta","sequence_number":{number},"item_id":"m","output_index":0,"content_index":0,"delta":"{piece}","logprobs":[]}}"#
            )
        };
        let deltas: Vec<String> = pieces.enumerate().map(delta).collect();
        let stream = events(begin.into_iter().chain(deltas.iter().map(String::as_str)));
        for to in TARGETS {
            let whole = converted(RESPONSES, to, &stream, stream.len());
            for size in [1, 50, 333, 800] {
                assert_eq!(
                    converted(RESPONSES, to, &stream, size),
                    whole,
                    "{to:?}, {size}, {deltas:?}"
                );
            }
        }
    }
}

#[test]
fn an_invalid_result_does_not_prevent_the_end() {
    let item = |status: &str, results: &str| {
        format!(
            r#"{{"id":"fs","type":"file_search_call","status":"{status}","queries":["q"],"results":{results}}}"#
        )
    };
    let response = |status: &str, output: &str| {
        format!(
            r#"{{"id":"r","object":"response","created_at":1,"status":"{status}","model":"m","output":[{output}]}}"#
        )
    };
    let stream = events([
        &*format!(
            r#"{{"type":"response.created","sequence_number":0,"response":{}}}"#,
            response("in_progress", "")
        ),
        &*format!(
            r#"{{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{}}}"#,
            item("in_progress", "null")
        ),
        &*format!(
            r#"{{"type":"response.output_item.done","sequence_number":2,"output_index":0,"item":{}}}"#,
            item("completed", r#""[DONE]""#)
        ),
        &*format!(
            r#"{{"type":"response.completed","sequence_number":3,"response":{}}}"#,
            response("completed", &item("completed", "[{\"text\":\"t\"}]"))
        ),
    ]);
    assert_written(RESPONSES, &stream);
}

#[test]
fn a_member_of_a_wrong_type_is_omitted() {
    let message = |status: &str| {
        format!(
            r#"{{"object":"message","status":"{status}","id":"m","type":"mcp_call","role":"assistant"}}"#
        )
    };
    for label in ["[]", "{}", "7", "true", "null"] {
        let content = format!(
            r#"{{"object":"content","status":"completed","type":"data","index":0,"delta":false,"msg_id":"m","data":{{"call_id":"c","name":"maps","server_label":{label},"arguments":"{{}}"}}}}"#
        );
        let stream = events([
            r#"{"object":"response","status":"created","id":"r"}"#,
            r#"{"object":"response","status":"in_progress","id":"r"}"#,
            &*message("in_progress"),
            &*content,
            &*message("completed"),
            r#"{"object":"response","status":"completed","id":"r","completed_at":1,"output":[]}"#,
        ]);
        assert_written(ConversionSide::Protocol(ProtocolKind::AgentApi), &stream);
    }
}

#[test]
fn a_null_annotation_is_omitted() {
    let part = |text: &str, annotations: &str| {
        format!(
            r#"{{"type":"output_text","annotations":[{annotations}],"logprobs":[],"text":"{text}"}}"#
        )
    };
    let item = |status: &str, part: &str| {
        format!(
            r#"{{"id":"m","type":"message","status":"{status}","role":"assistant","content":[{part}]}}"#
        )
    };
    let place = r#""item_id":"m","output_index":0,"content_index":0"#;
    let whole = item("completed", &part("See.", "null"));
    let stream = events([
        r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#,
        &*format!(
            r#"{{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{}}}"#,
            item("in_progress", "")
        ),
        &*format!(
            r#"{{"type":"response.content_part.added","sequence_number":2,{place},"part":{}}}"#,
            part("", "")
        ),
        &*format!(
            r#"{{"type":"response.output_text.delta","sequence_number":3,{place},"delta":"See.","logprobs":[]}}"#
        ),
        &*format!(
            r#"{{"type":"response.content_part.done","sequence_number":4,{place},"part":{}}}"#,
            part("See.", "null")
        ),
        &*format!(
            r#"{{"type":"response.output_item.done","sequence_number":5,"output_index":0,"item":{whole}}}"#
        ),
        &*format!(
            r#"{{"type":"response.completed","sequence_number":6,"response":{{"id":"r","object":"response","status":"completed","output":[{whole}]}}}}"#
        ),
    ]);
    assert_written(RESPONSES, &stream);
}

/// Readers of some targets refuse JSON that nests as deep as this; the source may.
#[test]
fn an_end_beyond_the_depth_limit_is_still_written() {
    let deep = "[".repeat(110) + &"]".repeat(110);
    for (status, more) in [
        ("completed", format!(r#""result":{deep}"#)),
        ("completed", format!(r#""usage":{{"input_tokens":1,"details":{deep}}}"#)),
        ("incomplete", format!(r#""reason":"later","result":{deep}"#)),
        ("failed", format!(r#""error":{{"message":"no"}},"usage":{{"x":{deep}}}"#)),
        ("canceled", format!(r#""result":{deep},"usage":{{"x":{deep}}}"#)),
    ] {
        let lines = [
            r#"{"type":"start","id":"r"}"#.to_owned(),
            format!(r#"{{"type":"metadata","value":{{"deep":{deep},"kept":1}}}}"#),
            r#"{"type":"open","message":1,"messageType":"interrupt","role":"assistant"}"#
                .to_owned(),
            format!(r#"{{"type":"interrupt","message":1,"part":0,"id":"q","payload":{deep}}}"#),
            r#"{"type":"close","message":1,"status":"completed"}"#.to_owned(),
            format!(r#"{{"type":"end","status":"{status}",{more}}}"#),
        ];
        assert_written(ConversionSide::Steps, &(lines.join("\n") + "\n"));
    }
}
