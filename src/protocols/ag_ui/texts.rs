//! The texts of the agent in a thread.

use super::{Message, Role, Snapshot};
use crate::core::changes::{AgentText, TextKind, Texts};
use crate::core::sink::Key;

impl Texts for Snapshot {
    const TEXTS: &'static [Key] = &[Message::content];
    const HOLDERS: &'static [Key] = &[Snapshot::messages];

    fn text_at(&self, way: &[(Key, usize)], key: Key) -> Option<AgentText<'_>> {
        let (&[(Snapshot::messages, at)], Message::content) = (way, key) else { return None };
        let message = self.messages.get(at)?;
        let kind = match message.role {
            Role::Assistant => TextKind::Answer,
            Role::Reasoning => TextKind::Reasoning,
            _ => return None,
        };
        Some(AgentText::new(&*message.id, kind, message.text()?))
    }
}
