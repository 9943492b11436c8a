//! The frames that end an answer that was cut off, in each protocol.

use std::string::String;
use std::vec;
use std::vec::Vec;

use super::frames::data_in;
use super::task_frames::failed_update;
use crate::AnyReader;
use crate::convert::{ConvertOptions, Converter};
use crate::core::id::{RandomIds, system_clock};
use crate::core::limits::Limits;
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::agent_api::builder::BuilderOptions;
use crate::protocols::runs::log::run_error;
use crate::read::AnyOptions;

/// Returns the frames that end an answer with these frames, valid in its protocol.
pub(super) fn end_frames(
    protocol: ProtocolKind,
    frames: &[String],
    code: &str,
    message: &str,
) -> Vec<String> {
    let snapshot = snapshot_of(protocol, frames.iter().map(String::as_str));
    let error = || Value::from([("code", code.into()), ("message", message.into())]);
    match protocol {
        ProtocolKind::AgUi => vec![["data: ", &run_error(code, message), "\n\n"].concat()],
        ProtocolKind::AgentScope => {
            let kind = if code == "AGENT_ERROR" { "internal" } else { "unknown" };
            let error = Value::from([("type", kind.into()), ("message", message.into())]);
            let text = |name| Value::from(snapshot.text(name).unwrap_or_default());
            vec![frame([
                ("type", "REPLY_END".into()),
                ("reply_id", text("id")),
                ("session_id", text("session_id")),
                ("finished_reason", "error".into()),
                ("error", error),
            ])]
        }
        ProtocolKind::AgKit => {
            vec![frame([("type", "error".into()), ("error", message.into())]), done()]
        }
        ProtocolKind::Chat => {
            let error = Value::from([
                ("message", message.into()),
                ("type", "server_error".into()),
                ("param", Value::Null),
                ("code", code.into()),
            ]);
            vec![frame([("error", error)]), done()]
        }
        ProtocolKind::Anthropic => {
            let error = [("type", "api_error".into()), ("message", message.into())];
            let data = frame([("type", "error".into()), ("error", error.into())]);
            vec![["event: error\n", &data].concat()]
        }
        ProtocolKind::AiSdk => vec![
            frame([("type", "error".into()), ("errorText", message.into())]),
            frame([("type", "finish".into()), ("finishReason", "error".into())]),
            done(),
        ],
        ProtocolKind::AgentApi => {
            let last = frames.last().map(|last| data_in(last)).unwrap_or_default();
            let number = match last.get("sequence_number") {
                Some(Value::Number(digits)) => digits.parse().unwrap_or(0),
                _ => -1,
            };
            let mut event = snapshot;
            event.insert("sequence_number", (number + 1).into());
            event.insert("object", "response".into());
            event.insert("status", "failed".into());
            event.insert("error", error());
            complete(&mut event);
            vec![frame_of(&event)]
        }
        ProtocolKind::Responses => {
            let mut response = snapshot;
            response.insert("status", "failed".into());
            response.insert("error", error());
            complete(&mut response);
            let data = frame([
                ("type", "response.failed".into()),
                ("sequence_number", (frames.len() as i64).into()),
                ("response", response),
            ]);
            vec![["event: response.failed\n", &data].concat()]
        }
        ProtocolKind::A2a => {
            let task = snapshot.get("task").cloned().unwrap_or_default();
            let text = |name| task.text(name).unwrap_or_default();
            vec![failed_update(text("id"), text("contextId"), code, message)]
        }
        _ => Vec::new(),
    }
}

/// Returns the snapshot of an answer with these frames.
pub(super) fn snapshot_of<'f>(
    protocol: ProtocolKind,
    frames: impl IntoIterator<Item = &'f str>,
) -> Value {
    let mut reader = AnyReader::with_options(protocol, AnyOptions::default());
    for frame in frames {
        reader.push(frame.as_bytes());
    }
    Value::parse(&reader.finish().snapshot.to_json(), Limits::DEEPEST).unwrap_or_default()
}

/// Returns the snapshot, in another protocol, of an answer with these frames.
pub(super) fn snapshot_as<'f>(
    from: ProtocolKind,
    frames: impl IntoIterator<Item = &'f str>,
    to: ProtocolKind,
    write: impl FnOnce(BuilderOptions) -> BuilderOptions,
) -> Value {
    if from == to {
        return snapshot_of(to, frames);
    }
    let write = write(BuilderOptions::new(RandomIds, system_clock));
    let Ok(mut converter) = Converter::new(from, to, ConvertOptions::new(write)) else {
        return Value::Null;
    };
    let mut text = String::new();
    for frame in frames {
        converter.push(frame.as_bytes(), &mut text);
    }
    converter.finish(&mut text);
    snapshot_of(to, [&*text])
}

/// Makes the items of an answer that are in progress incomplete.
fn complete(answer: &mut Value) {
    let Some(Value::Array(output)) = answer.get("output").cloned() else { return };
    let complete = |mut item: Value| {
        if item.text("status") == Some("in_progress") {
            item.insert("status", "incomplete".into());
        }
        item
    };
    answer.insert("output", Value::Array(output.into_iter().map(complete).collect()));
}

fn frame<const N: usize>(members: [(&str, Value); N]) -> String {
    frame_of(&members.into())
}

fn frame_of(data: &Value) -> String {
    ["data: ", &data.to_json(), "\n\n"].concat()
}

fn done() -> String {
    "data: [DONE]\n\n".into()
}
