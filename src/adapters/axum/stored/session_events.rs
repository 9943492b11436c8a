//! The events of AgentScope's sessions: the answers of clients, and how the service repeats them.

use std::string::{String, ToString as _};
use std::vec::Vec;

use uuid::Uuid;

use super::frames::data_in;
use crate::json::Value;
use crate::protocols::agentscope::request::ChatRequest;
use crate::threads::{iso8601_of, now};

/// Whether an input has the answers to a reply, in place of messages.
pub(super) fn is_answer(input: &Value) -> bool {
    ChatRequest::inputs(input).iter().any(|event| event.get("reply_id").is_some())
}

/// Returns the ids of the calls that an input answers.
pub(super) fn answered_in(input: &Value) -> Vec<&str> {
    let confirmed =
        |event| items_of(event, "confirm_results").filter_map(|one| one.get("tool_call"));
    let events = ChatRequest::inputs(input).iter();
    let calls =
        events.flat_map(|event| confirmed(event).chain(items_of(event, "execution_results")));
    calls.filter_map(|call| call.text("id")).collect()
}

/// Returns an event, with the members that every event of the service has, as a frame.
pub(super) fn event_frame<const N: usize>(members: [(&str, Value); N]) -> String {
    let mut event = Value::from([
        ("id", Value::from(Uuid::new_v4().to_string())),
        ("created_at", iso8601_of(now()).into()),
    ]);
    for (name, value) in members {
        event.insert(name, value);
    }
    frame_of(&event)
}

fn frame_of(event: &Value) -> String {
    ["data: ", &event.to_json(), "\n\n"].concat()
}

/// Returns the frames of an input, which the service repeats.
pub(super) fn start_of(input: &Value) -> String {
    let events = ChatRequest::inputs(input).iter();
    events.filter(|event| matches!(event, Value::Object(_))).map(frame_of).collect()
}

/// Whether the frames of an answer without an agent are those of [`start_of`]: the agent waits for
/// more answers. Others end a reply.
pub(super) fn is_start(frames: &[String]) -> bool {
    frames.first().is_some_and(|frame| data_in(frame).text("type") != Some("REPLY_END"))
}

/// Returns the frames of the results of an input, which the service repeats as those of its agent.
pub(super) fn results_of(input: &Value) -> String {
    let mut frames = String::new();
    for event in ChatRequest::inputs(input) {
        let reply = event.get("reply_id").cloned().unwrap_or_default();
        for result in items_of(event, "execution_results") {
            let id = result.get("id").cloned().unwrap_or_default();
            let of = |kind: &str, name: &str, value: Value| {
                event_frame([
                    ("type", kind.into()),
                    ("reply_id", reply.clone()),
                    ("tool_call_id", id.clone()),
                    (name, value),
                ])
            };
            for text in items_of(result, "output").filter_map(|part| part.get("text")) {
                frames += &of("TOOL_RESULT_TEXT_DELTA", "delta", text.clone());
            }
            let state = result.get("state").cloned().unwrap_or_else(|| "success".into());
            frames += &of("TOOL_RESULT_END", "state", state);
        }
    }
    frames
}

/// Returns the objects of a list.
pub(super) fn items_of<'v>(value: &'v Value, list: &str) -> impl Iterator<Item = &'v Value> {
    let items = value.get(list).map(Value::items).unwrap_or_default();
    items.iter().filter(|item| matches!(item, Value::Object(_)))
}

/// Returns a chunk with a text after its first frame; `None` if the chunk is a comment.
pub(super) fn after_first(chunk: &str, text: &str) -> Option<String> {
    let (first, rest) = chunk.split_once("\n\n").filter(|_| !chunk.starts_with(':'))?;
    Some([first, "\n\n", text, rest].concat())
}
