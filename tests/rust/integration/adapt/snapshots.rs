//! AG-UI's lists of all messages: a text or call that continues after one is the same at the target
//! as in a reader of AG-UI.

use agentwire::ProtocolKind::{self, A2a, AgKit, AgUi, AgentApi, Responses};

use super::facts::{Facts, convert, read};

const CALL: &str =
    r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"m"}"#;
const TEXT: &str = r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#;

/// A run of these events.
fn stream(events: &[String]) -> Vec<u8> {
    let start = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    let end = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
    let all = [start].into_iter().chain(events.iter().map(String::as_str)).chain([end]);
    all.map(|event| format!("data: {event}\n\n")).collect::<String>().into_bytes()
}

fn arguments(piece: &str) -> String {
    format!(r#"{{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{piece}"}}"#)
}

fn text(piece: &str) -> String {
    format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"{piece}"}}"#)
}

/// A list of one message, with that text or with a call that has those arguments.
fn list(content: &str, arguments: Option<&str>) -> String {
    let calls = arguments.map_or_else(String::new, |arguments| {
        format!(r#","toolCalls":[{{"id":"c","type":"function","function":{{"name":"f","arguments":"{arguments}"}}}}]"#)
    });
    format!(
        r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{{"id":"m","role":"assistant","content":"{content}"{calls}}}]}}"#
    )
}

/// Returns the facts of a target, and its losses without those of the list itself.
fn at(to: ProtocolKind, stream: &[u8]) -> (Facts, Vec<&'static str>) {
    let (out, losses) = convert(AgUi, to, [stream], false);
    let others = ["messages", "message-members", "run-ids"];
    let kinds = losses.iter().map(|loss| loss.kind).filter(|what| !others.contains(what));
    (read(to, out.as_bytes()).0, kinds.collect())
}

const TARGETS: [ProtocolKind; 5] = [AgentApi, AgKit, AgUi, Responses, A2a];

/// In every target the call has its complete arguments and the text all its deltas, without a loss.
fn assert_complete_in_every_target(call: &[u8], said: &[u8]) {
    for to in TARGETS {
        let (facts, losses) = at(to, call);
        assert_eq!(facts.calls, [("c".into(), "f".into(), r#"{"a":1}"#.into())], "{to:?}");
        assert!(losses.is_empty(), "{to:?}: {losses:?}");
        let (facts, losses) = at(to, said);
        assert_eq!(facts.text, "I look up", "{to:?}");
        assert!(losses.is_empty(), "{to:?}: {losses:?}");
    }
}

#[test]
fn text_added_by_a_snapshot_is_written_as_the_next_delta() {
    let call = stream(&[
        CALL.into(),
        arguments(r#"{\"a\""#),
        list("", Some(r#"{\"a\":1"#)),
        arguments("}"),
        r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#.into(),
    ]);
    let said = stream(&[
        TEXT.into(),
        text("I "),
        list("I look ", None),
        text("up"),
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#.into(),
    ]);
    assert_complete_in_every_target(&call, &said);
}

#[test]
fn a_message_that_starts_in_a_snapshot_starts_with_its_text() {
    let call = stream(&[
        list("", Some(r#"{\"a\":"#)),
        CALL.into(),
        arguments("1}"),
        r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#.into(),
    ]);
    let said = stream(&[
        list("I look ", None),
        TEXT.into(),
        text("up"),
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#.into(),
    ]);
    assert_complete_in_every_target(&call, &said);
}

#[test]
fn replaced_text_is_written_or_reported_as_a_loss() {
    let call = stream(&[
        CALL.into(),
        arguments(r#"{\"a\":1"#),
        list("", Some(r#"{\"b\":2"#)),
        arguments("}"),
        r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#.into(),
    ]);
    let said = stream(&[
        TEXT.into(),
        text("No"),
        list("Yes", None),
        text("."),
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#.into(),
    ]);
    for to in TARGETS {
        let takes_back = matches!(to, AgUi | Responses | A2a);
        let (facts, losses) = at(to, &call);
        let (arguments, lost) = if takes_back {
            (r#"{"b":2}"#, &[][..])
        } else {
            (r#"{"a":1}"#, &["arguments-replaced"][..])
        };
        assert_eq!(facts.calls, [("c".into(), "f".into(), arguments.into())], "{to:?}");
        assert_eq!(losses, lost, "{to:?}");
        let (facts, losses) = at(to, &said);
        let (text, lost) =
            if takes_back { ("Yes.", &[][..]) } else { ("No.", &["text-replaced"][..]) };
        assert_eq!(facts.text, text, "{to:?}");
        assert_eq!(losses, lost, "{to:?}");
    }
}
