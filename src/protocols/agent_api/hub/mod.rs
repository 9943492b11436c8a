//! Conversions between the Agent API and the hub.

mod source;
mod target;

use alloc::{borrow::ToOwned, string::String};

use super::builder::{BuilderOptions, ContentBuilder};
use super::{AgentApi, ErrorInfo, MessageType, Payload, Role};
use crate::core::ReadOptions;
use crate::hub::conversation::RequestCodec;
use crate::hub::{self, EndError, MessageKind, conversion};
use crate::json::{Member, Value};
pub use source::FromAgentApi;
pub use target::ToAgentApi;

conversion!(AgentApi: source::AgentApiSource {
    fn source(protocol: &mut AgentApi, options: &ReadOptions) -> source::AgentApiSource {
        protocol.keep_heartbeats = false;
        source::AgentApiSource::new(options.limits.json_depth)
    }

    fn requests() -> Option<&'static RequestCodec> {
        Some(&super::conversation::REQUESTS)
    }
} => hub => ToAgentApi(BuilderOptions) {
    fn can_write_pieces(target: &mut ToAgentApi) -> bool {
        target.latest().is_some_and(ContentBuilder::can_write_pieces)
    }

    #[inline]
    fn write_pieces(target: &mut ToAgentApi, text: &str, ends: &[usize], out: &mut String) {
        if let Some(part) = target.latest() {
            part.write_pieces(text, ends, out);
        }
    }
});

/// Members of a response that the protocol does not declare: the parameters and the results of a
/// run. The first two have the names that OpenAI's responses use.
const MODEL: &str = "model";
const PARENT: &str = "previous_response_id";
const RESULT: &str = "result";
const PENDING: &str = "pending_tool_call_ids";

/// The prefix in the types of messages that stand for steps of the hub.
const NOTE: &str = "agentwire.";

/// Returns the kind of a message. The kinds of the hub have the names of the types; a message of
/// type heartbeat that has contents is an ordinary message.
fn kind(r#type: &MessageType) -> MessageKind<'_> {
    match r#type {
        MessageType::Heartbeat => MessageKind::Message,
        r#type => MessageKind::from(r#type.as_str()),
    }
}

fn message_type(kind: MessageKind<'_>) -> MessageType {
    match MessageType::from(kind.as_str()) {
        MessageType::Heartbeat => MessageType::Message,
        // A role as the type is read as a message of that role.
        MessageType::Other(name) if Role::known(&name).is_some() => MessageType::Message,
        r#type => r#type,
    }
}

fn end_error(error: &ErrorInfo) -> EndError {
    EndError { code: Some(error.code.clone()), message: error.message.clone() }
}

/// Converts an error; `code` is the default for a missing code.
fn error_info(error: &EndError, code: &str) -> ErrorInfo {
    ErrorInfo::new(error.code.as_deref().unwrap_or(code), error.message.as_str())
}

/// Returns a part for a whole step; `None` for texts, and for types that the hub does not declare.
fn hub_payload(payload: &Payload) -> Option<hub::Payload<'_>> {
    Some(match payload {
        Payload::Image { image_url } => hub::Payload::Image { url: image_url.as_deref() },
        Payload::Audio { data, format } => {
            hub::Payload::Audio { data: data.as_deref(), format: format.as_deref() }
        }
        Payload::Video { video_url } => hub::Payload::Video { url: video_url.as_deref() },
        Payload::File { file_url, file_id, filename, file_data } => hub::Payload::File {
            url: file_url.as_deref(),
            id: file_id.as_deref(),
            name: filename.as_deref(),
            data: file_data.as_deref(),
        },
        Payload::Data { data } => hub::Payload::Data(data.as_ref()?),
        Payload::Text { .. } | Payload::Refusal { .. } | Payload::Other { .. } => return None,
    })
}

fn to_payload(payload: hub::Payload<'_>) -> Payload {
    let owned = |text: Option<&str>| -> Option<String> { text.map(ToOwned::to_owned) };
    match payload {
        hub::Payload::Image { url } => Payload::Image { image_url: owned(url) },
        hub::Payload::Audio { data, format } => {
            Payload::Audio { data: owned(data), format: owned(format) }
        }
        hub::Payload::Video { url } => Payload::Video { video_url: owned(url) },
        hub::Payload::File { url, id, name, data } => Payload::File {
            file_url: owned(url),
            file_id: owned(id),
            filename: owned(name),
            file_data: owned(data),
        },
        hub::Payload::Data(data) => Payload::Data { data: Some(data.clone()) },
    }
}

/// Returns an object with these members, followed by `more`.
fn with<const N: usize>(members: [(&str, Value); N], more: &[Member]) -> Value {
    let mut data = Value::from(members);
    if let Value::Object(members) = &mut data {
        members.extend_from_slice(more);
    }
    data
}
