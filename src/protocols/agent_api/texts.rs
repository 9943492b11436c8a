//! The texts of the agent in a response.

use super::model::{Message, RefusalContent, Response, Snapshot, TextContent};
use super::{MessageType, Payload, Role};
use crate::core::changes::{AgentText, TextKind, Texts};
use crate::core::sink::Key;

impl Texts for Snapshot {
    const TEXTS: &'static [Key] = &[TextContent::text, RefusalContent::refusal];
    const HOLDERS: &'static [Key] = &[Response::output, Message::content];

    fn text_at(&self, way: &[(Key, usize)], key: Key) -> Option<AgentText<'_>> {
        let &[(Snapshot::response, _), (Response::output, message), (Message::content, content)] = way else {
            return None;
        };
        let message = self.response.output.get(message)?;
        let kind = match (&message.r#type, &message.role) {
            (MessageType::Message, None | Some(Role::Assistant)) => TextKind::Answer,
            (MessageType::Reasoning, _) => TextKind::Reasoning,
            _ => return None,
        };
        let text = match &message.content.get(content)?.payload {
            Payload::Text { text } if key == TextContent::text => text.as_deref()?,
            Payload::Refusal { refusal } if key == RefusalContent::refusal => refusal.as_deref()?,
            _ => return None,
        };
        Some(AgentText::new(&*message.id, kind, text))
    }
}
