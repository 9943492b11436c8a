//! Translations between the words of the Agent API and of the hub.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use crate::hub::{self, EndError, EndStatus, MessageKind, Role as HubRole};
use crate::json::{Member, Value};
use crate::protocols::agent_api::{Content, ErrorInfo, MessageType, Payload, Role, RunStatus};

/// Returns the kind of a message. The kinds of the hub have the names of the types; a message of type heartbeat that
/// has contents is an ordinary message.
pub(super) fn kind(r#type: &MessageType) -> MessageKind<'_> {
    match r#type {
        MessageType::Heartbeat => MessageKind::Message,
        r#type => MessageKind::from(r#type.as_str()),
    }
}

pub(super) fn message_type(kind: MessageKind<'_>) -> MessageType {
    match MessageType::from(kind.as_str()) {
        MessageType::Heartbeat => MessageType::Message,
        r#type => r#type,
    }
}

/// Returns the role of the Agent API, if it is one of the four.
pub(super) fn role(role: HubRole<'_>) -> Option<Role> {
    Role::known(role.as_str())
}

pub(super) fn end_status(status: &RunStatus) -> EndStatus {
    EndStatus::from(status.as_str())
}

pub(super) fn run_status(status: EndStatus) -> RunStatus {
    RunStatus::from(status.as_str())
}

pub(super) fn end_error(error: &ErrorInfo) -> EndError {
    EndError { code: Some(error.code.clone()), message: error.message.clone() }
}

/// Converts an error; `code` is the default for a missing code.
pub(super) fn error_info(error: &EndError, code: &str) -> ErrorInfo {
    ErrorInfo::new(error.code.as_deref().unwrap_or(code), error.message.as_str())
}

/// Returns a part for a whole step; `None` for texts, and for types that the hub does not declare.
pub(super) fn hub_payload(payload: &Payload) -> Option<hub::Payload<'_>> {
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

pub(super) fn payload(payload: hub::Payload<'_>) -> Payload {
    let owned = |text: Option<&str>| -> Option<String> { text.map(ToOwned::to_owned) };
    match payload {
        hub::Payload::Image { url } => Payload::Image { image_url: owned(url) },
        hub::Payload::Audio { data, format } => Payload::Audio { data: owned(data), format: owned(format) },
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
pub(super) fn with<const N: usize>(said: [(&str, Value); N], more: &[Member]) -> Value {
    let mut data = Value::from(said);
    if let Value::Object(members) = &mut data {
        members.extend_from_slice(more);
    }
    data
}

/// Returns the members of data except for those in `without`.
pub(super) fn data_members(content: Option<&Content>, without: &[&str]) -> Vec<Member> {
    content.and_then(Content::data).map(|data| data.members_without(without)).unwrap_or_default()
}
