//! The Agent API's words and the hub's.

use alloc::{borrow::ToOwned, string::String};

use crate::hub::{self, EndError, EndStatus, MessageKind, Role as HubRole};
use crate::protocols::agent_api::{ErrorInfo, MessageType, Payload, Role, RunStatus};

/// Lines of steps are spelled as the Agent API is; readers show nothing of a heartbeat, and what opens has something to
/// say.
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

/// The four roles of the Agent API.
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

/// `code` stands for one that the source does not have.
pub(super) fn error_info(error: &EndError, code: &str) -> ErrorInfo {
    ErrorInfo::new(error.code.as_deref().unwrap_or(code), error.message.as_str())
}

/// A part that comes whole; `None` when it is a text, or nothing that the hub has.
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
