//! Values of members: from what a fold tells to what a snapshot keeps.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::{ToolCall, ToolState};
use crate::core::fold::{Key, Kind, SinkValue};
use crate::json;
use crate::protocols::agent_api::enums::{ContentType, MessageType, Role, RunStatus};
use crate::protocols::agent_api::model::{Content, ErrorInfo, Message, Payload, Response};
use crate::protocols::agent_api::schema;

pub(super) fn empty_payload(kind: Kind) -> Payload {
    let kind = match kind {
        schema::KIND_DATA => ContentType::Data,
        schema::KIND_IMAGE => ContentType::Image,
        schema::KIND_AUDIO => ContentType::Audio,
        schema::KIND_FILE => ContentType::File,
        schema::KIND_REFUSAL => ContentType::Refusal,
        schema::KIND_VIDEO => ContentType::Video,
        schema::KIND_OTHER => ContentType::Other(String::new()),
        _ => ContentType::Text,
    };
    Payload::empty(&kind)
}

pub(super) fn set_response(response: &mut Response, key: Key, value: SinkValue<'_>) {
    match key {
        schema::SEQUENCE_NUMBER => response.sequence_number = integer(value),
        schema::STATUS => response.status = RunStatus::from(text(value)),
        schema::ERROR => response.error = error(value),
        schema::ID => response.id = text(value).to_owned(),
        schema::CREATED_AT => response.created_at = integer(value),
        schema::COMPLETED_AT => response.completed_at = integer(value),
        schema::USAGE => response.usage = free(value),
        schema::SESSION_ID => response.session_id = Some(text(value).to_owned()),
        _ => {}
    }
}

pub(super) fn set_message(message: &mut Message, key: Key, value: SinkValue<'_>) {
    match key {
        schema::SEQUENCE_NUMBER => message.sequence_number = integer(value),
        schema::STATUS => message.status = RunStatus::from(text(value)),
        schema::ERROR => message.error = error(value),
        schema::ID => message.id = text(value).into(),
        schema::TYPE => message.r#type = MessageType::from(text(value)),
        schema::ROLE => message.role = Some(Role::from(text(value))),
        schema::CODE => message.code = Some(text(value).to_owned()),
        schema::MESSAGE => message.message = Some(text(value).to_owned()),
        schema::USAGE => message.usage = free(value),
        schema::METADATA => message.metadata = free(value),
        _ => {}
    }
}

pub(super) fn set_content(content: &mut Content, key: Key, value: SinkValue<'_>) {
    match key {
        schema::SEQUENCE_NUMBER => content.sequence_number = integer(value),
        schema::STATUS => content.status = RunStatus::from(text(value)),
        schema::ERROR => content.error = error(value),
        schema::INDEX => content.index = integer(value).and_then(|n| u32::try_from(n).ok()).unwrap_or(0),
        _ => match &mut content.payload {
            Payload::Other { r#type } if key == schema::TYPE => *r#type = text(value).to_owned(),
            Payload::Data { data } if key == schema::DATA => *data = free(value),
            payload => {
                if let Some(slot) = payload_string(payload, key) {
                    *slot = Some(text(value).to_owned());
                }
            }
        },
    }
}

pub(super) fn set_tool_call(call: &mut ToolCall, key: Key, value: SinkValue<'_>) {
    let string = || Some(text(value).to_owned());
    let index = || integer(value).and_then(|n| u32::try_from(n).ok());
    match key {
        schema::CALL_ID => call.call_id = string(),
        schema::NAME => call.name = string(),
        schema::TYPE => call.r#type = text(value).to_owned(),
        schema::STATE => {
            call.state = match text(value) {
                "called" => ToolState::Called,
                "answered" => ToolState::Answered,
                _ => ToolState::Streaming,
            }
        }
        schema::INDEX => call.index = index(),
        schema::OUTPUT_INDEX => call.output_index = index(),
        _ => {}
    }
}

pub(super) fn payload_string(payload: &mut Payload, key: Key) -> Option<&mut Option<String>> {
    match (payload, key) {
        (Payload::Text { text }, schema::TEXT) => Some(text),
        (Payload::Refusal { refusal }, schema::REFUSAL) => Some(refusal),
        (Payload::Image { image_url }, schema::IMAGE_URL) => Some(image_url),
        (Payload::Video { video_url }, schema::VIDEO_URL) => Some(video_url),
        (Payload::Audio { data, .. }, schema::DATA) => Some(data),
        (Payload::Audio { format, .. }, schema::FORMAT) => Some(format),
        (Payload::File { file_url, .. }, schema::FILE_URL) => Some(file_url),
        (Payload::File { file_id, .. }, schema::FILE_ID) => Some(file_id),
        (Payload::File { filename, .. }, schema::FILENAME) => Some(filename),
        (Payload::File { file_data, .. }, schema::FILE_DATA) => Some(file_data),
        _ => None,
    }
}

fn text(value: SinkValue<'_>) -> &str {
    match value {
        SinkValue::Str(text) => text,
        SinkValue::Word(word) => schema::WORDS.get(word as usize).copied().unwrap_or(""),
        SinkValue::Null
        | SinkValue::Bool(_)
        | SinkValue::Int(_)
        | SinkValue::Json(_)
        | SinkValue::Free(_) => "",
    }
}

fn integer(value: SinkValue<'_>) -> Option<i64> {
    match value {
        SinkValue::Int(number) => Some(number),
        _ => None,
    }
}

pub(super) fn free(value: SinkValue<'_>) -> Option<json::Value> {
    match value {
        SinkValue::Null => None,
        SinkValue::Bool(value) => Some(value.into()),
        SinkValue::Int(number) => Some(number.into()),
        SinkValue::Str(text) => Some(text.into()),
        SinkValue::Word(_) => Some(text(value).into()),
        SinkValue::Json(raw) => Some(json::Value::from_raw(raw)),
        SinkValue::Free(value) => Some(json::Value::of(value)),
    }
}

fn error(value: SinkValue<'_>) -> Option<ErrorInfo> {
    let error = free(value)?;
    let member = |name: &str| error.get(name).and_then(json::Value::as_str).unwrap_or("").to_owned();
    Some(ErrorInfo::new(member("code"), member("message")))
}
