//! From lines to the hub: how messages and runs end, and what a part holds.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::hub::end::{MessageEnd, RunEnd, RunError};
use crate::json::Value;
use crate::protocols::agent_api::{ErrorInfo, Payload, RunStatus};

fn owned(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).map(ToOwned::to_owned)
}

/// An object; nothing else has a place where this is asked for.
fn object(value: &Value, name: &str) -> Option<Value> {
    value.get(name).filter(|value| matches!(value, Value::Object(_))).cloned()
}

pub(super) fn message_end(step: &Value) -> MessageEnd {
    let mut end = MessageEnd::new(RunStatus::from(owned(step, "status").as_deref().unwrap_or("completed")));
    end.error = step
        .get("error")
        .and_then(failure)
        .map(|error| ErrorInfo::new(error.code.unwrap_or_default(), error.message));
    end.code = owned(step, "code");
    end.message = owned(step, "text");
    end.usage = object(step, "usage");
    end.metadata = object(step, "metadata");
    end
}

pub(super) fn run_end(step: &Value) -> Option<RunEnd> {
    let mut end = RunEnd::new(RunStatus::from(owned(step, "status")?.as_str()));
    end.error = step.get("error").and_then(failure);
    end.reason = owned(step, "reason");
    end.result = step.get("result").cloned();
    if let Some(Value::Array(ids)) = step.get("pending") {
        end.pending = ids.iter().filter_map(|id| id.as_str().map(ToOwned::to_owned)).collect();
    }
    end.usage = object(step, "usage");
    Some(end)
}

fn failure(error: &Value) -> Option<RunError> {
    Some(RunError { code: owned(error, "code"), message: owned(error, "message")? })
}

pub(super) fn payload_of(content: &Value) -> Option<Payload> {
    let text = |name: &str| owned(content, name);
    Some(match content.get("type")?.as_str()? {
        "text" => Payload::Text { text: text("text") },
        "refusal" => Payload::Refusal { refusal: text("refusal") },
        "image" => Payload::Image { image_url: text("image_url") },
        "video" => Payload::Video { video_url: text("video_url") },
        "audio" => Payload::Audio { data: text("data"), format: text("format") },
        "file" => Payload::File {
            file_url: text("file_url"),
            file_id: text("file_id"),
            filename: text("filename"),
            file_data: text("file_data"),
        },
        "data" => Payload::Data { data: object(content, "data") },
        _ => return None,
    })
}
