//! What is written for a request: events or a whole message, one block after the other, calls of the
//! client and of the agent, stop reasons and errors, and the state that clients send back.

use agentwire::ProtocolKind::{self, Anthropic as Messages};
use agentwire::anthropic::request::{MessagesRequest, Tool};
use agentwire::anthropic::{Anthropic, Snapshot, error_response, error_status};
use agentwire::builder::Counter;
use agentwire::convert::{
    ConversionSide, ConvertOptions, Converter, RequestOptions, convert_request,
};
use agentwire::hub::Losses;
use agentwire::json::{Member, Value};
use agentwire::{Reader, agent_api::builder::BuilderOptions};
use agentwire_cases::reads;

use crate::reading::protocol_of;

const STEPS: ConversionSide = ConversionSide::Steps;

/// Converts a stream to the answer to a request, if there is one.
fn answer(
    from: ConversionSide,
    stream: &[u8],
    request: Option<&MessagesRequest>,
) -> (String, Losses) {
    let mut write = BuilderOptions::new(Counter::default(), || 1_700_000_000);
    if let Some(request) = request {
        write = write.echo(request.echo());
    }
    let mut converter = Converter::new(from, Messages, ConvertOptions::new(write)).unwrap();
    let mut out = String::new();
    converter.push(stream, &mut out);
    converter.finish(&mut out);
    (out, converter.losses().cloned().unwrap_or_default())
}

fn events(stream: &str) -> Vec<Value> {
    let data = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| Value::parse(data, 128).unwrap()).collect()
}

fn read(stream: &str) -> Snapshot {
    let mut reader = Reader::new(Anthropic::default());
    reader.push(stream.as_bytes());
    let outcome = reader.finish();
    assert!(outcome.report.violations.is_empty(), "{stream}\n{:#?}", outcome.report.violations);
    outcome.snapshot
}

fn asked(tools: &[&str]) -> MessagesRequest {
    let mut request = MessagesRequest::user("m", "hi");
    let tool = |name: &&str| Tool::function(*name, "", Value::from([("type", "object".into())]));
    request.tools = tools.iter().map(tool).collect();
    request
}

fn lines(lines: &[&str]) -> Vec<u8> {
    let mut all = lines.join("\n").into_bytes();
    all.push(b'\n');
    all
}

/// The blocks of an answer as short texts, and its stop reason or the type of its error.
fn blocks(stream: &str) -> Vec<String> {
    let snapshot = read(stream);
    let error = snapshot.error.as_ref().and_then(|error| error.get("type")?.as_str());
    let end = error.or(snapshot.stop_reason.as_deref()).unwrap_or("none").to_owned();
    let block = |block: &agentwire::anthropic::Block| {
        let value = Value::parse(&json_of(block), 128).unwrap();
        let text =
            |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        match &*text("type") {
            "text" => text("text"),
            "thinking" => format!("({})", text("thinking")),
            kind @ ("tool_use" | "mcp_tool_use" | "server_tool_use") => {
                format!("{kind} {}", value.get("input").unwrap().to_json())
            }
            kind => kind.to_owned(),
        }
    };
    snapshot.content.iter().map(block).chain([end]).collect()
}

/// Sorts the members of the usage: those that a stream has at its beginning precede the others.
fn sorted(usage: Option<&Value>) -> Vec<Member> {
    let Some(Value::Object(members)) = usage else { return Vec::new() };
    let mut members = members.clone();
    members.sort_by(|one, other| one.key.cmp(&other.key));
    members
}

fn json_of(block: &agentwire::anthropic::Block) -> String {
    serde_json::to_string(block).unwrap()
}

#[test]
fn a_whole_message_has_the_content_of_the_stream() {
    let mut whole = asked(&[]);
    whole.stream = Some(false);
    for case in reads() {
        let (from, stream) = (ConversionSide::Protocol(protocol_of(&case)), case.stream());
        let (of_events, _) = answer(from, &stream, Some(&asked(&[])));
        let (object, _) = answer(from, &stream, Some(&whole));
        let [message] = &events(&object)[..] else { panic!("{}: {object}", case.name) };
        let mut reader = Reader::new(Anthropic::default());
        reader.push(of_events.as_bytes());
        let streamed = reader.finish().snapshot;
        if let Some(error) = streamed.error.as_ref() {
            assert!(error_status(&message.to_json()).is_some());
            assert_eq!(message.get("error"), Some(error), "{}", case.name);
            continue;
        }
        let mut reader = Reader::new(Anthropic::default());
        reader.push(object.as_bytes());
        let read_whole = reader.finish().snapshot;
        assert_eq!(streamed.stop_reason, read_whole.stop_reason, "{}", case.name);
        assert_eq!(
            sorted(streamed.usage.as_ref()),
            sorted(read_whole.usage.as_ref()),
            "{}",
            case.name
        );
        assert_eq!(streamed.text(), read_whole.text(), "{}", case.name);
        let types = |snapshot: &Snapshot| {
            let types = snapshot.content.iter().map(|block| {
                let block = Value::parse(&json_of(block), 128).unwrap();
                block.get("type").and_then(Value::as_str).unwrap_or_default().to_owned()
            });
            types.collect::<Vec<_>>()
        };
        assert_eq!(types(&streamed), types(&read_whole), "{}", case.name);
    }
}

#[test]
fn what_belongs_to_a_later_block_waits() {
    let stream = lines(&[
        r#"{"type":"text","message":1,"part":0,"piece":"a"}"#,
        r#"{"type":"text","message":2,"part":0,"piece":"x"}"#,
        r#"{"type":"call","message":3,"part":0,"id":"c","name":"f"}"#,
        r#"{"type":"arguments","message":3,"part":0,"piece":"{\"n\":"}"#,
        r#"{"type":"text","message":1,"part":0,"piece":"b"}"#,
        r#"{"type":"call","message":4,"part":0,"id":"d","name":"f"}"#,
        r#"{"type":"arguments","message":4,"part":0,"piece":"{}"}"#,
        r#"{"type":"arguments","message":3,"part":0,"piece":"1}"}"#,
        r#"{"type":"close","message":1,"status":"completed"}"#,
        r#"{"type":"text","message":2,"part":0,"piece":"y"}"#,
        r#"{"type":"close","message":2,"status":"completed"}"#,
        r#"{"type":"reasoning","message":5,"part":0,"piece":"Hm."}"#,
        r#"{"type":"close","message":3,"status":"completed"}"#,
        r#"{"type":"close","message":4,"status":"completed"}"#,
        r#"{"type":"end","status":"completed"}"#,
    ]);
    let (out, losses) = answer(STEPS, &stream, Some(&asked(&["f"])));
    assert_eq!(
        blocks(&out),
        ["ab", "xy", r#"tool_use {"n":1}"#, "tool_use {}", "(Hm.)", "tool_use"],
        "{out}"
    );
    assert!(losses.is_empty(), "{}", losses.to_json());
    // The arguments of the call that is written are streamed.
    let pieces = out.matches("input_json_delta").count();
    assert!(pieces >= 2, "{out}");
}

#[test]
fn calls_of_the_agent_are_those_of_a_server_and_precede_their_results() {
    let stream = lines(&[
        r#"{"type":"call","message":1,"part":0,"id":"a","name":"own"}"#,
        r#"{"type":"end-part","message":1,"part":0,"whole":true}"#,
        r#"{"type":"call","message":2,"part":0,"id":"b","name":"own"}"#,
        r#"{"type":"arguments","message":2,"part":0,"piece":"{\"n\":2}"}"#,
        r#"{"type":"end-part","message":2,"part":0,"whole":true}"#,
        r#"{"type":"result","message":3,"part":0,"id":"b","output":"two"}"#,
        r#"{"type":"result","message":4,"part":0,"id":"a","output":"one"}"#,
        r#"{"type":"call","message":5,"part":0,"id":"c","name":"f"}"#,
        r#"{"type":"end-part","message":5,"part":0,"whole":true}"#,
        r#"{"type":"end","status":"completed"}"#,
    ]);
    let (out, _) = answer(STEPS, &stream, Some(&asked(&["f"])));
    let own = ["mcp_tool_use {}", r#"mcp_tool_use {"n":2}"#, "mcp_tool_result", "mcp_tool_result"];
    assert_eq!(blocks(&out), [&own[..], &["tool_use {}", "tool_use"]].concat(), "{out}");
    // Without a request, only the result shows that the agent has run the tool.
    let (out, losses) = answer(STEPS, &stream, None);
    let own = [r#"mcp_tool_use {"n":2}"#, "mcp_tool_result", "mcp_tool_use {}", "mcp_tool_result"];
    assert_eq!(blocks(&out), [&own[..], &["tool_use {}", "tool_use"]].concat(), "{out}");
    assert_eq!(losses.count("call-order"), 1);
}

#[test]
fn inputs_are_objects() {
    for (arguments, input, end) in [
        ("", "tool_use {}", "tool_use"),
        (" ", "tool_use {}", "tool_use"),
        ("null", "tool_use {}", "tool_use"),
        ("[1]", r#"tool_use {"input":"[1]"}"#, "tool_use"),
        ("echo hi", r#"tool_use {"input":"echo hi"}"#, "tool_use"),
        (r#"{"a":1}"#, r#"tool_use {"a":1}"#, "tool_use"),
    ] {
        let piece = Value::from(arguments).to_json();
        let stream = lines(&[
            r#"{"type":"call","message":1,"part":0,"id":"a","name":"f"}"#,
            &format!(r#"{{"type":"arguments","message":1,"part":0,"piece":{piece}}}"#),
            r#"{"type":"end-part","message":1,"part":0,"whole":true}"#,
            r#"{"type":"end","status":"completed"}"#,
        ]);
        for request in [Some(&asked(&["f"])), None] {
            let (out, _) = answer(STEPS, &stream, request);
            assert_eq!(blocks(&out), [input, end], "{arguments}: {out}");
        }
    }
}

#[test]
fn arguments_that_turn_out_not_to_be_json_end_the_stream() {
    let stream = lines(&[
        r#"{"type":"call","message":1,"part":0,"id":"a","name":"f"}"#,
        r#"{"type":"arguments","message":1,"part":0,"piece":"{\"a\": oops"}"#,
        r#"{"type":"end-part","message":1,"part":0,"whole":true}"#,
        r#"{"type":"text","message":2,"part":0,"piece":"late"}"#,
        r#"{"type":"end","status":"completed"}"#,
    ]);
    let (out, _) = answer(STEPS, &stream, Some(&asked(&["f"])));
    assert!(out.contains("event: error"), "{out}");
    assert!(!out.contains("late") && !out.contains("message_stop"), "{out}");
}

#[test]
fn nothing_follows_a_call_that_was_cut_off() {
    let stream = lines(&[
        r#"{"type":"call","message":1,"part":0,"id":"a","name":"f"}"#,
        r#"{"type":"arguments","message":1,"part":0,"piece":"{\"a\": 1"}"#,
        r#"{"type":"text","message":2,"part":0,"piece":"text"}"#,
        r#"{"type":"close","message":2,"status":"completed"}"#,
        r#"{"type":"end","status":"failed","error":{"message":"x"}}"#,
    ]);
    // The call of the client has begun; without a request, the text comes first.
    for (request, expected) in [
        (Some(&asked(&["f"])), vec!["tool_use {}", "api_error"]),
        (None, vec!["text", "tool_use {}", "api_error"]),
    ] {
        let (out, _) = answer(STEPS, &stream, request);
        assert_eq!(blocks(&out), expected, "{out}");
        assert!(out.contains(r#"{\"a\": 1"#), "{out}");
    }
    // A limit stops the message after the arguments so far.
    let mut limited = lines(&[r#"{"type":"end","status":"incomplete","reason":"length"}"#]);
    let before = stream.split_inclusive(|byte| *byte == b'\n').take(2).collect::<Vec<_>>().concat();
    limited.splice(0..0, before);
    let (out, _) = answer(STEPS, &limited, Some(&asked(&["f"])));
    assert!(out.contains(r#""stop_reason":"max_tokens""#) && out.contains("message_stop"), "{out}");
}

#[test]
fn a_stop_reason_is_never_a_false_one() {
    let of = |end: &str| {
        let stream = lines(&[r#"{"type":"text","message":1,"part":0,"piece":"a"}"#, end]);
        blocks(&answer(STEPS, &stream, None).0).pop().unwrap()
    };
    for (end, expected) in [
        (r#""status":"completed""#, "end_turn"),
        (r#""status":"incomplete","reason":"length""#, "max_tokens"),
        (r#""status":"incomplete","reason":"max_output_tokens""#, "max_tokens"),
        (r#""status":"incomplete","reason":"content_filter""#, "refusal"),
        (r#""status":"incomplete","reason":"eof""#, "api_error"),
        (r#""status":"incomplete""#, "api_error"),
        (r#""status":"incomplete","reason":"steered""#, "api_error"),
        (r#""status":"canceled""#, "api_error"),
        (r#""status":"rejected""#, "api_error"),
        (r#""status":"failed","error":{"message":"x"}"#, "api_error"),
        (
            r#""status":"failed","error":{"code":"rate_limit_exceeded","message":"x"}"#,
            "rate_limit_error",
        ),
        (
            r#""status":"failed","error":{"code":"overloaded_error","message":"x"}"#,
            "overloaded_error",
        ),
        (
            r#""status":"failed","error":{"code":"server_is_overloaded","message":"x"}"#,
            "overloaded_error",
        ),
    ] {
        assert_eq!(of(&format!(r#"{{"type":"end",{end}}}"#)), expected, "{end}");
    }
}

#[test]
fn state_of_other_servers_comes_back_with_the_next_request() {
    for (from, name) in [
        (ProtocolKind::Gemini, "gemini"),
        (ProtocolKind::Interactions, "interactions"),
        (ProtocolKind::Responses, "responses"),
        (ProtocolKind::Chat, "chat"),
        (ProtocolKind::Anthropic, "anthropic"),
    ] {
        let mut carried = 0;
        for case in reads().into_iter().filter(|case| protocol_of(case) == from) {
            let (out, _) = answer(from.into(), &case.stream(), None);
            let snapshot = {
                let mut reader = Reader::new(Anthropic::default());
                reader.push(out.as_bytes());
                reader.finish().snapshot
            };
            let content: Vec<String> = snapshot.content.iter().map(json_of).collect();
            let content = content.join(",");
            if !content.contains("aw1.") {
                continue;
            }
            let body = format!(
                r#"{{"model":"m","messages":[{{"role":"user","content":"hi"}},{{"role":"assistant","content":[{content}]}},{{"role":"user","content":"go on"}}]}}"#
            );
            let mut losses = Losses::default();
            for to in [Messages, from] {
                let options = RequestOptions::default();
                let sent = convert_request(
                    Messages,
                    &body,
                    to,
                    &options,
                    &mut Counter::default(),
                    &mut losses,
                );
                let sent = sent.expect("a request").json;
                assert!(!sent.contains("aw1."), "{name} {} to {to:?}: {sent}", case.name);
            }
            carried += 1;
        }
        assert!(carried > 0 || from == Messages, "{name}");
    }
}

#[test]
fn errors_have_the_type_of_their_status() {
    for (status, kind) in [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (403, "permission_error"),
        (404, "not_found_error"),
        (413, "request_too_large"),
        (422, "invalid_request_error"),
        (429, "rate_limit_error"),
        (500, "api_error"),
        (502, "api_error"),
        (503, "overloaded_error"),
        (529, "overloaded_error"),
    ] {
        let (same, body) = error_response(status, "no", None);
        assert_eq!(same, status);
        assert!(body.contains(&format!(r#""type":"{kind}""#)), "{body}");
    }
    for message in ["prompt is too long: 2 tokens > 1 maximum", "maximum context length is 8"] {
        let (status, body) = error_response(400, message, None);
        assert_eq!(status, 413);
        assert!(
            body.contains("request_too_large") && body.contains("prompt is too long"),
            "{body}"
        );
    }
    // A limit of tokens in a minute is not a long conversation.
    assert_eq!(error_response(429, "maximum context length", None).0, 429);
}

#[test]
fn a_request_that_continues_a_thread_is_refused() {
    let body = r#"{"model":"m","messages":[{"role":"user","content":"hi"}],"thread":{"type":"continue","previous_message_id":"x"}}"#;
    let (status, body) = MessagesRequest::parse_as_server(body).unwrap_err().response();
    assert_eq!(status, 404);
    assert!(body.contains(r#""details":{"error_code":"thread_not_found"}"#), "{body}");
    let first =
        r#"{"model":"m","messages":[{"role":"user","content":"hi"}],"thread":{"type":"create"}}"#;
    assert!(MessagesRequest::parse_as_server(first).is_ok());
}

#[test]
fn a_request_without_messages_is_refused() {
    let refused = MessagesRequest::parse_as_server(r#"{"model":"m","messages":[]}"#).unwrap_err();
    let (status, body) = refused.response();
    assert_eq!(status, 400);
    assert!(body.contains("invalid_request_error") && body.contains("messages"), "{body}");
}
