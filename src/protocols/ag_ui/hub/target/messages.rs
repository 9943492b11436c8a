//! The messages of the hub that have not ended.

use alloc::{borrow::ToOwned, string::String};

use super::ToAgUi;
use super::ids::{IdUse, TAKEN, WrittenIds};
use crate::core::WireEvent;
use crate::hub::{EventOutput, MessageKind, Role, Step, ToolKind, message_id};

/// A message of the hub that has not ended.
#[derive(Debug)]
pub(super) struct WrittenItem {
    /// The message's id, until an event of AG-UI uses it.
    pub id: Option<String>,
    pub role: String,
    pub name: Option<String>,
    pub parent: Option<String>,
    pub lane: Option<String>,
    /// Whether an event of the message has been written.
    pub has_written: bool,
    /// The text of the message in the last list of messages, if the list contained it first, and
    /// the number of its bytes that have come again.
    pub listed: Option<(String, usize)>,
    /// The part that has ended, but whose end is not written yet.
    pub ended: Option<u32>,
    /// Whether the message is a span of reasoning of its own, because none was open when it began.
    pub is_span: bool,
}

impl WrittenItem {
    /// Returns the id for an event: the message's own id, which only one event can have, or a new
    /// one.
    pub fn take_id(
        &mut self,
        r#use: IdUse,
        ids: &mut WrittenIds,
        out: &mut EventOutput<'_, WireEvent>,
    ) -> String {
        self.has_written = true;
        if let Some(id) = self.id.take() {
            if ids.owns(&id, r#use) {
                return id;
            }
            out.lose("message-id", &id, TAKEN);
        }
        ids.create("msg_")
    }
}

impl ToAgUi {
    pub(super) fn open(&mut self, step: &Step<'_>, out: &mut EventOutput<'_, WireEvent>) {
        let Step::Open { message, kind, role, id, name, parent, alternative } = *step else {
            return;
        };
        let lane = message_id(out.meta().lane, out);
        let role = match (kind, role) {
            (MessageKind::Reasoning, _) => role,
            (_, Role::Assistant | Role::User | Role::System | Role::Other("developer")) => role,
            _ if kind.is_tool() => role,
            _ => {
                out.lose(
                    "role",
                    role.as_str(),
                    "AG-UI has no text of it: it became the assistant's",
                );
                Role::Assistant
            }
        };
        if let (MessageKind::Call(tool), true) =
            (kind, kind != MessageKind::Call(ToolKind::Function))
        {
            self.pending.set(message, "kind", MessageKind::Call(tool).as_str().into());
        }
        if alternative > 0 {
            self.pending.set(message, "alternative", i64::from(alternative).into());
        }
        self.pending.merge(message, out.meta().metadata);
        let owned = |text: Option<&str>| text.map(ToOwned::to_owned);
        let id = owned(message_id(id, out));
        let is_new = id.as_deref().is_some_and(|id| !self.ids.has(id));
        let listed = id.as_deref().filter(|_| is_new).and_then(|id| self.listed.text(id));
        let item = WrittenItem {
            listed: listed.map(|text| (text.to_owned(), 0)),
            id,
            role: role.as_str().to_owned(),
            name: owned(name),
            parent: owned(message_id(parent, out)),
            lane: owned(lane),
            has_written: false,
            ended: None,
            is_span: false,
        };
        if let (false, Some(id)) = (kind.is_tool(), &item.id) {
            self.texts.insert(id, message);
        }
        self.items.insert(message.into(), item);
    }
}
