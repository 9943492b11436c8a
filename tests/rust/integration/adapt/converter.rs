//! Converters at the edges of a stream.

use agentwire::ProtocolKind::{AgKit, AgUi, AgentApi, Responses};
use agentwire::ag_kit::Status;
use agentwire::convert::{ConversionSide, Converter, Source};
use agentwire::read::Mode;
use agentwire::{EndReason, Reader, ag_kit};

use super::facts::{convert, options, read, read_agent_api};

const TEXT: &[u8] = b"data: {\"type\":\"text\",\"content\":\"Hi\"}\n\n";

#[test]
fn the_source_is_detected_from_the_first_event() {
    let mut converter = Converter::new(Source::Auto, AgentApi, options()).unwrap();
    let mut out = String::new();
    converter.push(&TEXT[..10], &mut out);
    assert_eq!((converter.source(), out.as_str()), (None, ""));
    converter.push(&TEXT[10..], &mut out);
    assert_eq!(converter.source(), Some(ConversionSide::Protocol(AgKit)));
    assert!(out.contains("\"Hi\""));
    converter.finish(&mut out);
    assert_eq!(out, convert(AgKit, AgentApi, [TEXT], false).0);
    // Nothing more is emitted.
    let length = out.len();
    converter.finish(&mut out);
    converter.push(TEXT, &mut out);
    assert_eq!(out.len(), length);
}

/// A stream without `[DONE]` may have been truncated between two parts. Where `[DONE]` is optional,
/// the end of the stream is the end of the turn; the end of a connection never is.
#[test]
fn an_interrupted_source_becomes_an_incomplete_response() {
    for from in [None, Some(AgKit)] {
        let mut converter = Converter::new(from, AgentApi, options()).unwrap();
        let mut out = String::new();
        converter.push(TEXT, &mut out);
        converter.cut_off(&mut out);
        let length = out.len();
        converter.cut_off(&mut out);
        converter.finish(&mut out);
        assert_eq!(out.len(), length);
        assert_eq!(read_agent_api(out.as_bytes()).snapshot.response.status.as_str(), "incomplete");
    }
    for (done_is_optional, status) in [(false, "incomplete"), (true, "completed")] {
        let mut options = options();
        options.read.ag_kit.done_is_optional = done_is_optional;
        let mut converter = Converter::new(AgKit, AgentApi, options).unwrap();
        let mut out = String::new();
        converter.push(TEXT, &mut out);
        converter.finish(&mut out);
        assert_eq!(read_agent_api(out.as_bytes()).snapshot.response.status.as_str(), status);
    }
    // A turn that has ended stays completed.
    let mut converter = Converter::new(AgKit, AgentApi, options()).unwrap();
    let mut out = String::new();
    converter.push(TEXT, &mut out);
    converter.push(b"data: [DONE]\n\n", &mut out);
    converter.cut_off(&mut out);
    assert_eq!(read_agent_api(out.as_bytes()).snapshot.response.status.as_str(), "completed");
}

#[test]
fn an_empty_stream_ends_as_incomplete() {
    let mut converter = Converter::new(Source::Auto, AgentApi, options()).unwrap();
    let mut out = String::new();
    converter.finish(&mut out);
    let outcome = read_agent_api(out.as_bytes());
    assert_eq!((outcome.report.total(), outcome.report.end_reason), (0, EndReason::Terminal));
    assert_eq!(outcome.snapshot.response.status.as_str(), "incomplete");
}

#[test]
fn an_abort_becomes_a_canceled_run() {
    let (out, _) = convert(AgKit, AgentApi, [TEXT], true);
    assert_eq!(read_agent_api(out.as_bytes()).snapshot.response.status.as_str(), "canceled");
    let (out, losses) = convert(AgKit, AgKit, [TEXT], true);
    assert!(out.contains("The run was canceled.") && out.ends_with("data: [DONE]\n\n"));
    assert_eq!(losses.count("status"), 1);
}

#[test]
fn comments_and_heartbeats_keep_their_position() {
    let heartbeat = "data: {\"object\":\"message\",\"type\":\"heartbeat\",\"status\":\"completed\",\"id\":\"h\"}\n\n";
    let text = "data: {\"object\":\"content\",\"type\":\"text\",\"msg_id\":\"m\",\"index\":0,\"delta\":true,\"text\":\"x\"}\n\n";
    let stream = format!(": ping\n\n{text}{heartbeat}{text}: ping\n\n");
    let (out, _) = convert(AgentApi, AgKit, [stream.as_bytes()], false);
    let said: Vec<&str> = out.split_terminator("\n\n").collect();
    let text = "data: {\"type\":\"text\",\"content\":\"x\"}";
    assert_eq!(said[..5], [": heartbeat", text, ": heartbeat", text, ": heartbeat"]);
}

#[test]
fn nothing_is_written_after_the_end() {
    for (from, end) in [
        (AgKit, "data: [DONE]\n\n"),
        (AgentApi, "data: {\"object\":\"response\",\"status\":\"completed\"}\n\n"),
    ] {
        for to in [AgKit, AgentApi] {
            let (out, _) = convert(from, to, [[end, ": ping\n\n"].concat().as_bytes()], false);
            assert_eq!(out, convert(from, to, [end.as_bytes()], false).0);
        }
    }
}

#[test]
fn a_refused_source_becomes_a_failed_run() {
    let ag_ui = b"data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n";
    let mut converter = Converter::new(AgKit, AgentApi, options()).unwrap();
    let mut out = String::new();
    converter.push(ag_ui, &mut out);
    converter.finish(&mut out);
    assert!(out.contains("AG-UI") && out.contains("UPSTREAM_REFUSED"), "{out}");

    let mut strict = options();
    strict.read.options.mode = Mode::Strict;
    let mut converter = Converter::new(AgKit, AgKit, strict).unwrap();
    out.clear();
    converter.push(TEXT, &mut out);
    converter.push(b"data: nonsense\n\n", &mut out);
    converter.push(TEXT, &mut out);
    converter.finish(&mut out);
    let mut reader = Reader::new(ag_kit::AgKit::default());
    reader.push(out.as_bytes());
    let outcome = reader.finish();
    assert_eq!((outcome.snapshot.text().as_str(), outcome.snapshot.status), ("Hi", Status::Failed));
    assert_eq!(converter.report().unwrap().end_reason, EndReason::Refused);
}

#[test]
fn ids_are_kept_unless_options_set_them() {
    let stream =
        b"data: {\"object\":\"response\",\"status\":\"created\",\"id\":\"r\",\"session_id\":\"s\"}\n\n";
    let (out, _) = convert(AgentApi, AgentApi, [&stream[..]], false);
    let response = read_agent_api(out.as_bytes()).snapshot.response;
    assert_eq!((response.id.as_str(), response.session_id.as_deref()), ("r", Some("s")));
    let mut own = options();
    own.write = own.write.response_id("own").session_id("mine");
    let mut converter = Converter::new(AgentApi, AgentApi, own).unwrap();
    let mut out = String::new();
    converter.push(stream, &mut out);
    converter.finish(&mut out);
    let response = read_agent_api(out.as_bytes()).snapshot.response;
    assert_eq!((response.id.as_str(), response.session_id.as_deref()), ("own", Some("mine")));
}

#[test]
fn content_beyond_the_depth_limit_is_dropped_alone() {
    let deep = "[".repeat(124) + &"]".repeat(124);
    let message = |id: &str, kind: &str, data: &str| {
        format!(
            "data: {{\"object\":\"message\",\"status\":\"in_progress\",\"id\":\"{id}\",\"type\":\"{kind}\"}}\n\n\
             data: {{\"object\":\"content\",\"status\":\"completed\",\"msg_id\":\"{id}\",\"type\":\"data\",\"index\":0,\"data\":{data}}}\n\n"
        )
    };
    let call = format!(r#"{{"call_id":"c","name":"f","arguments":"{{}}","more":{deep}}}"#);
    let output = format!(r#"{{"call_id":"c","name":"f","output":"o","more":{deep}}}"#);
    let stream = message("m", "function_call", &call)
        + &message("n", "function_call_output", &output)
        + &message("o", "message", &format!(r#"{{"deep":{deep}}}"#));
    let (out, losses) = convert(AgentApi, AgentApi, [stream.as_bytes()], false);
    let outcome = read_agent_api(out.as_bytes());
    assert_eq!(outcome.report.total(), 0, "{:?}", outcome.report.violations);
    assert_eq!(outcome.snapshot.tool_calls[0].state.as_str(), "answered");
    assert_eq!(losses.counts(), [("call-members", 2), ("refused", 1)]);
}

/// Events that are like the one before them are neither read nor written the general way.
#[test]
fn deltas_are_the_same_with_and_without_replay() {
    let odd = [
        "a",
        "",
        r"\n",
        r#"\"q\""#,
        r"\/",
        "é",
        r"\u00e9",
        r"\ud83d",
        r"\ude00",
        "你好\u{2028}",
        "\u{85}b c",
    ];
    let agent_api = |piece: &dyn Fn(&str, &str) -> String| {
        let message = |id: &str, kind: &str| {
            format!(r#"{{"object":"message","status":"in_progress","id":"{id}","type":"{kind}"}}"#)
        };
        let content = |id: &str, kind: &str, member: &str| {
            format!(
                r#""object":"content","msg_id":"{id}","type":"{kind}","index":0,"delta":true,{member}"#
            )
        };
        let text = content("m", "text", r#""text":"#);
        let arguments = content("n", "data", r#""data":{"arguments":"#);
        let call = content("n", "data", r#""data":{"call_id":"c","name":"f"}"#);
        [
            frames([
                r#"{"object":"response","status":"created","id":"r"}"#.to_owned(),
                message("m", "message"),
            ]),
            piece(&text, "}"),
            frames([message("n", "function_call"), format!("{{{call}}}")]),
            piece(&arguments, "}}"),
        ]
        .concat()
    };
    let responses = |piece: &dyn Fn(&str, &str) -> String| {
        let added = |at: u32, item: &str| {
            format!(r#"{{"type":"response.output_item.added","output_index":{at},"item":{item}}}"#)
        };
        let delta = |of: &str, at: u32, id: &str| {
            format!(
                r#""type":"response.{of}.delta","item_id":"{id}","output_index":{at},"content_index":0,"delta":"#
            )
        };
        let part = r#"{"type":"response.content_part.added","item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}"#;
        [
            frames([
                r#"{"type":"response.created","response":{"id":"r","status":"in_progress","output":[]}}"#
                    .to_owned(),
                added(0, r#"{"id":"m","type":"message","role":"assistant","content":[]}"#),
                part.to_owned(),
            ]),
            piece(&delta("output_text", 0, "m"), "}"),
            frames([added(
                1,
                r#"{"id":"n","type":"function_call","call_id":"c","name":"f","arguments":""}"#,
            )]),
            piece(&delta("function_call_arguments", 1, "n"), "}"),
        ]
        .concat()
    };
    let stream_of = |spaces: [&'static str; 2]| {
        move |before: &str, after: &str| {
            let event = |(at, piece): (usize, &&str)| {
                format!("{{{}{before}\"{piece}\"{after}", spaces[at % 2])
            };
            let pieces = odd.iter().cycle().take(70);
            frames(pieces.enumerate().map(event))
        }
    };
    for (from, alike, apart) in [
        (AgentApi, agent_api(&stream_of(["", ""])), agent_api(&stream_of(["", " "]))),
        (Responses, responses(&stream_of(["", ""])), responses(&stream_of(["", " "]))),
    ] {
        for to in [AgentApi, Responses, AgKit] {
            let (expected, losses) = convert(from, to, [apart.as_bytes()], false);
            assert!(expected.matches("你好").count() >= 6, "{expected}");
            for size in [alike.len(), 500, 1] {
                let got = convert(from, to, alike.as_bytes().chunks(size), false);
                assert_eq!(got.0, expected, "{} to {} by {size}", from.as_str(), to.as_str());
                assert_eq!(got.1.counts(), losses.counts());
            }
        }
    }
}

/// A chunk's text ends in the event that starts another run.
#[test]
fn a_chunk_text_ended_by_the_next_run_is_complete() {
    let started = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    let chunk = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"abc"}"#;
    let stream = frames([started, chunk, started].map(str::to_owned));
    for to in crate::written() {
        let (out, _) = convert(AgUi, to, [stream.as_bytes()], false);
        assert_eq!(read(to, out.as_bytes()).0.text, "abc", "{out}");
    }
}

fn frames(events: impl IntoIterator<Item = String>) -> String {
    events.into_iter().map(|event| format!("data: {event}\n\n")).collect()
}
