//! What is written for a request: chunks or a whole completion, calls of the client's tools at once,
//! finish reasons, and the state that clients send back.

use agentwire::ProtocolKind::{self, Chat as Completions};
use agentwire::builder::Counter;
use agentwire::chat::request::{ChatRequest, Tool};
use agentwire::chat::{Chat, Snapshot};
use agentwire::convert::{
    ConversionSide, ConvertOptions, Converter, RequestOptions, convert_request,
};
use agentwire::hub::Losses;
use agentwire::json::Value;
use agentwire::{Reader, agent_api::builder::BuilderOptions};
use agentwire_cases::reads;

use crate::reading::protocol_of;

const STEPS: ConversionSide = ConversionSide::Steps;

/// Converts a stream to the answer to a request, if there is one.
fn answer(from: ConversionSide, stream: &[u8], request: Option<&ChatRequest>) -> (String, Losses) {
    let mut write = BuilderOptions::new(Counter::default(), || 1_700_000_000);
    if let Some(request) = request {
        write = write.echo(request.echo());
    }
    let mut converter = Converter::new(from, Completions, ConvertOptions::new(write)).unwrap();
    let mut out = String::new();
    converter.push(stream, &mut out);
    converter.finish(&mut out);
    (out, converter.losses().cloned().unwrap_or_default())
}

fn chunks(stream: &str) -> Vec<Value> {
    let data = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter(|data| *data != "[DONE]").map(|data| Value::parse(data, 128).unwrap()).collect()
}

fn read(stream: &str) -> Snapshot {
    let mut reader = Reader::new(Chat::default());
    reader.push(stream.as_bytes());
    reader.finish().snapshot
}

fn streamed() -> ChatRequest {
    ChatRequest::user("m", "hi")
}

fn whole() -> ChatRequest {
    let mut request = streamed();
    request.stream = None;
    request
}

#[test]
fn a_whole_completion_has_the_content_of_the_stream() {
    for case in reads() {
        let (from, stream) = (ConversionSide::Protocol(protocol_of(&case)), case.stream());
        let (stream_of_chunks, _) = answer(from, &stream, Some(&streamed()));
        let (object, _) = answer(from, &stream, Some(&whole()));
        assert_eq!(chunks(&object).len(), 1, "{}: {object}", case.name);
        let (one, other) = (read(&stream_of_chunks), read(&object));
        assert_eq!(one.status, other.status, "{}", case.name);
        if one.error.is_some() {
            assert_eq!(one.error, other.error, "{}", case.name);
            continue;
        }
        let [one_choice, other_choice] = [&one, &other].map(|snapshot| &snapshot.choices[0]);
        assert_eq!(one_choice.finish_reason, other_choice.finish_reason, "{}", case.name);
        let (mut one_message, mut other_message) =
            (one_choice.message.clone(), other_choice.message.clone());
        // An empty content is null in some of them.
        [&mut one_message, &mut other_message].into_iter().for_each(|message| {
            message.content = message.content.take().filter(|content| !content.is_empty());
        });
        assert_eq!(one_message, other_message, "{}", case.name);
        assert_eq!(one.usage, other.usage, "{}", case.name);
    }
}

fn lines(lines: &[&str]) -> String {
    lines.join("\n")
}

const CALL: [&str; 4] = [
    r#"{"type":"open","message":1,"messageType":"function_call","role":"assistant"}"#,
    r#"{"type":"call","message":1,"part":0,"id":"c","name":"f"}"#,
    r#"{"type":"arguments","message":1,"part":0,"piece":"{}"}"#,
    r#"{"type":"close","message":1,"status":"completed"}"#,
];

const TEXT: &str = r#"{"type":"text","message":2,"part":0,"piece":"Done."}"#;
const RESULT: &str = r#"{"type":"result","message":3,"part":0,"id":"c","output":"21"}"#;
const END: &str = r#"{"type":"end","status":"completed"}"#;

/// Returns the places of a text and of a call among the chunks.
fn places(stream: &str) -> (Option<usize>, Option<usize>) {
    let place = |member: &str| {
        chunks(stream).iter().position(|chunk| {
            let Some(Value::Array(choices)) = chunk.get("choices") else { return false };
            let delta = choices.first().and_then(|choice| choice.get("delta"));
            delta
                .and_then(|delta| delta.get(member))
                .is_some_and(|value| !value.is_null() && value.as_str() != Some(""))
        })
    };
    (place("content"), place("tool_calls"))
}

#[test]
fn a_call_is_written_at_once_if_the_request_has_its_tool() {
    let steps = lines(&[&CALL[..], &[TEXT, END]].concat());
    let mut request = streamed();
    let (late, losses) = answer(STEPS, steps.as_bytes(), Some(&request));
    let (text, call) = places(&late);
    assert!(text.unwrap() < call.unwrap(), "{late}");
    assert!(losses.is_empty(), "{}", losses.to_json());
    request.tools.push(Tool::function("f", "", Value::Null));
    let (early, _) = answer(STEPS, steps.as_bytes(), Some(&request));
    let (text, call) = places(&early);
    assert!(call.unwrap() < text.unwrap(), "{early}");
    for stream in [late, early] {
        assert_eq!(read(&stream).choices[0].finish_reason.as_deref(), Some("tool_calls"));
    }
}

#[test]
fn a_call_with_a_result_is_state() {
    let steps = lines(&[&CALL[..], &[RESULT, TEXT, END]].concat());
    let (stream, losses) = answer(STEPS, steps.as_bytes(), Some(&streamed()));
    assert_eq!(places(&stream).1, None, "{stream}");
    assert_eq!(losses.count("executed-call"), 1);
    assert_eq!(read(&stream).choices[0].finish_reason.as_deref(), Some("stop"));
    // The way back has the call and its result.
    let back = convert_back(&stream);
    assert!(back.contains(r#""type":"call","message":1,"part":0,"id":"c","name":"f""#), "{back}");
    assert!(back.contains(r#""id":"c","output":"21""#), "{back}");
}

/// Converts a stream to lines of steps.
fn convert_back(stream: &str) -> String {
    let write = BuilderOptions::new(Counter::default(), || 0);
    let mut converter = Converter::new(Completions, STEPS, ConvertOptions::new(write)).unwrap();
    let mut out = String::new();
    converter.push(stream.as_bytes(), &mut out);
    converter.finish(&mut out);
    out
}

/// Returns the request of the next turn to a model, after a message of the answer.
fn next_request(message: &Value, to: ProtocolKind, model: &str) -> Value {
    let user = |text: &str| Value::from([("role", "user".into()), ("content", text.into())]);
    let messages = Value::Array([user("hi"), message.clone(), user("And?")].into());
    let request = Value::from([("model", model.into()), ("messages", messages)]);
    let (options, mut losses) = (RequestOptions::default(), Losses::default());
    let ids = &mut Counter::default();
    let sent =
        convert_request(Completions, &request.to_json(), to, &options, ids, &mut losses).unwrap();
    Value::parse(&sent.json, 128).unwrap()
}

/// Returns the message of a whole completion.
fn message_of(steps: &[&str]) -> Value {
    let (object, _) = answer(STEPS, lines(steps).as_bytes(), Some(&whole()));
    let object = chunks(&object).remove(0);
    let Some(Value::Array(choices)) = object.get("choices") else { panic!("{object:?}") };
    choices[0].get("message").unwrap().clone()
}

#[test]
fn the_next_request_has_the_calls_that_the_agent_has_run() {
    let thought = r#"{"type":"reasoning","message":10,"part":0,"piece":"Look."}"#;
    let before = r#"{"type":"text","message":11,"part":0,"piece":"One moment. "}"#;
    let after = r#"{"type":"reasoning","message":12,"part":0,"piece":"Good."}"#;
    let steps = [&[thought, before][..], &CALL, &[RESULT, after, TEXT, END]].concat();
    let request = next_request(&message_of(&steps), Completions, "deepseek-reasoner");
    let expected = concat!(
        r#"[{"role":"user","content":"hi"},"#,
        r#"{"role":"assistant","content":"One moment. ","reasoning_content":"Look.","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},"#,
        r#"{"role":"tool","tool_call_id":"c","content":"21"},"#,
        r#"{"role":"assistant","content":"Done.","reasoning_content":"Good."},"#,
        r#"{"role":"user","content":"And?"}]"#,
    );
    assert_eq!(request.get("messages").unwrap().to_json(), expected);
}

#[test]
fn the_state_of_a_model_comes_back_to_it() {
    let opaque = |message: u32, members: &str, more: &str| {
        format!(
            r#"{{"type":"opaque","format":"anthropic","message":{message},"part":0,"members":{members}{more}}}"#
        )
    };
    let thought = |message: u32, text: &str| {
        format!(r#"{{"type":"reasoning","message":{message},"part":0,"piece":"{text}"}}"#)
    };
    let (first, second) = (thought(10, "One."), thought(11, "Two."));
    let (signed, again) =
        (opaque(10, r#"{"signature":"s1"}"#, ""), opaque(11, r#"{"signature":"s2"}"#, ""));
    let steps = [&[&*first, &*signed, &*second, &*again][..], &CALL, &[TEXT, END]].concat();
    let message = message_of(&steps);
    assert_eq!(message.get("reasoning_content").and_then(Value::as_str), Some("One.Two."));
    let result = |mut request: Value| {
        let messages = request.get("messages").cloned().unwrap_or_default();
        request.insert("messages", messages.clone());
        messages.to_json()
    };
    // A client that keeps everything, and one that keeps only text and calls with their members.
    let mut poor = message.clone();
    poor.insert("reasoning_details", Value::Null);
    for message in [message, poor] {
        let sent = result(next_request(&message, ProtocolKind::Anthropic, "claude-opus-4-5"));
        for block in [
            r#"{"type":"thinking","thinking":"One.","signature":"s1"}"#,
            r#"{"type":"thinking","thinking":"Two.","signature":"s2"}"#,
        ] {
            assert!(sent.contains(block), "{sent}");
        }
        assert!(!sent.contains("aw1."), "{sent}");
    }
}

#[test]
fn the_state_of_a_server_is_for_no_other_server_of_the_protocol() {
    let own = concat!(
        r#"{"type":"opaque","format":"chat","scope":"0a1b2c3d","message":10,"part":0,"#,
        r#""members":{"reasoning_details":[{"type":"reasoning.encrypted","data":"e"}]}}"#
    );
    let thought = r#"{"type":"reasoning","message":10,"part":0,"piece":"One."}"#;
    let message = message_of(&[thought, own, TEXT, END]);
    for (scope, is_sent) in [("0a1b2c3d", true), ("4d3c2b1a", false)] {
        let request = Value::from([("messages", Value::Array([message.clone()].into()))]);
        let (mut options, mut losses) = (RequestOptions::default(), Losses::default());
        options.scope = Some(scope.into());
        let ids = &mut Counter::default();
        let sent = convert_request(
            Completions,
            &request.to_json(),
            Completions,
            &options,
            ids,
            &mut losses,
        )
        .unwrap();
        let has_own = sent
            .json
            .contains(r#""reasoning_details":[{"type":"reasoning.encrypted","data":"e"}]"#);
        assert_eq!(has_own, is_sent, "{}", sent.json);
        assert!(!sent.json.contains("aw1."), "{}", sent.json);
    }
}

/// Reasons and statuses of runs, with the finish reason or the code of the error.
const ENDS: &[(&str, Result<&str, &str>)] = &[
    (r#""status":"completed""#, Ok("stop")),
    (r#""status":"incomplete","reason":"max_tokens""#, Ok("length")),
    (r#""status":"incomplete","reason":"max_output_tokens""#, Ok("length")),
    (r#""status":"incomplete","reason":"content_filter""#, Ok("content_filter")),
    (r#""status":"incomplete","reason":"SAFETY""#, Ok("content_filter")),
    (r#""status":"incomplete","reason":"max_rounds""#, Ok("length")),
    (r#""status":"incomplete""#, Err("incomplete")),
    (r#""status":"incomplete","reason":"eof""#, Err("incomplete")),
    (r#""status":"canceled""#, Err("canceled")),
    (r#""status":"rejected""#, Err("rejected")),
    (r#""status":"failed","error":{"code":"E","message":"why"}"#, Err("E")),
];

#[test]
fn only_an_answer_that_ends_by_itself_stops() {
    for (end, expected) in ENDS {
        for request in [streamed(), whole()] {
            let end = format!(r#"{{"type":"end",{end}}}"#);
            let (out, losses) = answer(STEPS, lines(&[TEXT, &end]).as_bytes(), Some(&request));
            let snapshot = read(&out);
            let finish =
                snapshot.choices.first().and_then(|choice| choice.finish_reason.as_deref());
            let code = snapshot.error.as_ref().and_then(|error| error.get("code")?.as_str());
            match expected {
                Ok(reason) => assert_eq!((finish, code), (Some(*reason), None), "{out}"),
                Err(expected) => assert_eq!((finish, code), (None, Some(*expected)), "{out}"),
            }
            let is_exact = matches!(expected, Ok("stop" | "content_filter") | Err("E"))
                || end.contains("tokens");
            assert_eq!(losses.count("status") == 0, is_exact, "{end}: {}", losses.to_json());
            assert_eq!(out.ends_with("data: [DONE]\n\n"), request.stream == Some(true));
        }
    }
    // A call that was cut off is not whole, whatever the end says.
    let cut =
        lines(&[CALL[0], CALL[1], r#"{"type":"arguments","message":1,"part":0,"piece":"{"}"#, END]);
    let (out, losses) = answer(STEPS, cut.as_bytes(), Some(&streamed()));
    assert!(
        out.contains(r#""code":"call_cut_off""#)
            && !out.contains(r#""finish_reason":"tool_calls""#)
    );
    assert!(losses.count("call-cut-off") > 0);
}

#[test]
fn the_usage_is_written_if_the_request_asks_for_it() {
    let end = r#"{"type":"end","status":"completed","usage":{"input_tokens":3,"output_tokens":4,"cached_input_tokens":1}}"#;
    let steps = lines(&[TEXT, end]);
    let usage = r#""choices":[],"usage":{"prompt_tokens":3,"prompt_tokens_details":{"cached_tokens":1},"completion_tokens":4,"completion_tokens_details":{"reasoning_tokens":0},"total_tokens":7}}"#;
    let (mut without, mut several) = (streamed(), streamed());
    without.stream_options = None;
    several.n = Some(2);
    for (request, expected) in [(None, true), (Some(streamed()), true), (Some(without), false)] {
        let (out, losses) = answer(STEPS, steps.as_bytes(), request.as_ref());
        assert_eq!(out.contains(usage), expected, "{out}");
        assert_eq!(out.matches(r#""usage":null"#).count(), if expected { 3 } else { 0 }, "{out}");
        assert!(losses.is_empty());
    }
    assert_eq!(answer(STEPS, steps.as_bytes(), Some(&several)).1.count("parameter"), 1);
}
