//! The texts of the agent: in the artifacts of its task, in the messages of the history, or in the only message of a
//! stream.

use alloc::format;
use alloc::string::String;

use super::{Artifact, Message, Part, Role, Snapshot, Task};
use crate::core::changes::{AgentText, TextKind, Texts};
use crate::core::sink::Key;

impl Texts for Snapshot {
    const TEXTS: &'static [Key] = &[Part::text];
    const HOLDERS: &'static [Key] =
        &[Snapshot::task, Snapshot::message, Task::artifacts, Task::history, Artifact::parts, Message::parts];

    fn text_at(&self, way: &[(Key, usize)], key: Key) -> Option<AgentText<'_>> {
        let (block, parts, at) = match *way {
            [(Snapshot::task, _), (Task::artifacts, at), (Artifact::parts, part)] => {
                let artifact = self.task.as_ref()?.artifacts.as_ref()?.get(at)?;
                let id = artifact.artifact_id.as_deref().unwrap_or_default();
                (format!("artifact {id}"), &artifact.parts, part)
            }
            // The message of a status is in the history, too.
            [(Snapshot::task, _), (Task::history, at), (Message::parts, part)] => {
                let message = self.task.as_ref()?.history.as_ref()?.get(at)?;
                (of(message)?, &message.parts, part)
            }
            [(Snapshot::message, _), (Message::parts, part)] => {
                let message = self.message.as_ref()?;
                (of(message)?, &message.parts, part)
            }
            _ => return None,
        };
        let text = parts.as_ref()?.get(at)?.text.as_deref().filter(|_| key == Part::text)?;
        Some(AgentText::new(block, TextKind::Answer, text))
    }
}

/// Returns the name of the block of a message, or `None` for a message of the user.
fn of(message: &Message) -> Option<String> {
    let is_users = message.role.as_ref().is_some_and(|role| *role == Role::User);
    (!is_users).then(|| format!("message {}", message.message_id.as_deref().unwrap_or_default()))
}
