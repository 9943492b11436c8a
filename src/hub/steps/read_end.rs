//! Reads the ends of messages and runs from lines.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::hub::end::{EndError, MessageEnd, RunEnd};
use crate::hub::kind::EndStatus;
use crate::json::Value;

fn owned(value: &Value, name: &str) -> Option<String> {
    value.text(name).map(ToOwned::to_owned)
}

pub(crate) fn message_end(step: &Value) -> MessageEnd {
    let mut end = MessageEnd::new(EndStatus::from(owned(step, "status").as_deref().unwrap_or("completed")));
    end.error = step.get("error").and_then(failure);
    end.code = owned(step, "code");
    end.message = owned(step, "text");
    end.usage = step.get("usage").cloned();
    // Metadata must be an object.
    end.metadata = step.get("metadata").filter(|metadata| matches!(metadata, Value::Object(_))).cloned();
    end
}

pub(super) fn run_end(step: &Value) -> Option<RunEnd> {
    let mut end = RunEnd::new(EndStatus::from(owned(step, "status")?.as_str()));
    end.error = step.get("error").and_then(failure);
    end.reason = owned(step, "reason");
    end.result = step.get("result").cloned();
    end.pending = step.get("pending").map(Value::to_texts).unwrap_or_default();
    end.usage = step.get("usage").cloned();
    Some(end)
}

fn failure(error: &Value) -> Option<EndError> {
    Some(EndError { code: owned(error, "code"), message: owned(error, "message")? })
}
