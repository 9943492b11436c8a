//! Conversions between messages of answers and messages of requests, for continuing a conversation.

use super::message::{InputContent, InputMessage};
use crate::protocols::agent_api::{Content, Message, RunStatus};

impl From<Message> for InputMessage {
    fn from(message: Message) -> Self {
        InputMessage {
            sequence_number: message.sequence_number,
            object: None,
            status: Some(message.status),
            error: message.error,
            id: Some(message.id.into()),
            r#type: message.r#type,
            role: message.role,
            content: Some(message.content.into_iter().map(Into::into).collect()),
            code: message.code,
            message: message.message,
            usage: message.usage,
            metadata: message.metadata,
            extra: message.extra,
        }
    }
}

impl From<Content> for InputContent {
    fn from(content: Content) -> Self {
        InputContent {
            sequence_number: content.sequence_number,
            object: None,
            status: Some(content.status),
            error: content.error,
            index: Some(content.index.into()),
            delta: Some(false),
            msg_id: Some(content.msg_id.into()),
            payload: content.payload,
            extra: content.extra,
        }
    }
}

impl From<InputMessage> for Message {
    /// Sets defaults for absent members: the status `created`, and for the index of a part its position in the list.
    fn from(input: InputMessage) -> Self {
        let mut message = Message::new(input.id.unwrap_or_default(), input.r#type, input.role);
        let parts = input.content.unwrap_or_default().into_iter().zip(0..);
        message.content = parts.map(|(part, place)| content(part, place, &message.id)).collect();
        message.sequence_number = input.sequence_number;
        message.status = input.status.unwrap_or(RunStatus::Created);
        message.error = input.error;
        message.code = input.code;
        message.message = input.message;
        message.usage = input.usage;
        message.metadata = input.metadata;
        message.extra = input.extra;
        message
    }
}

fn content(part: InputContent, place: u32, id: &str) -> Content {
    let index = part.index.and_then(|index| u32::try_from(index).ok()).unwrap_or(place);
    let mut content = Content::new(id, index, part.payload);
    content.sequence_number = part.sequence_number;
    content.status = part.status.unwrap_or(RunStatus::Created);
    content.error = part.error;
    content.extra = part.extra;
    content
}
