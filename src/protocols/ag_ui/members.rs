//! Members of the JSON inside of events.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::events::EventKind;
use super::model::Role;
use crate::json::Element;

/// A message of a snapshot or a request.
#[derive(Debug)]
pub(super) struct MessageHead<'e> {
    pub id: String,
    pub role: Role,
    pub json: Element<'e, 'e>,
}

impl<'e> MessageHead<'e> {
    /// Returns the messages that an event contains. `member` returns a member of the event.
    pub fn of_event(kind: EventKind, member: impl Fn(&str) -> Option<Element<'e, 'e>>) -> Vec<Self> {
        Self::all(match kind {
            EventKind::RunStarted => member("input").and_then(|input| input.member("messages")),
            EventKind::MessagesSnapshot => member("messages"),
            _ => None,
        })
    }

    /// Returns the messages of a list.
    pub fn all(list: Option<Element<'e, 'e>>) -> Vec<Self> {
        let head = |json: Element<'e, 'e>| {
            let id = json.member("id")?.string().ok()?.to_str().into_owned();
            let role = role_of(&json.member("role")?.string().ok()?.to_str())?;
            Some(MessageHead { id, role, json })
        };
        list.into_iter().flat_map(Element::items).filter_map(head).collect()
    }

    /// Returns the ids of the calls of the message.
    pub fn call_ids(&self) -> impl Iterator<Item = Cow<'e, str>> {
        let calls = self.json.member("toolCalls").into_iter().flat_map(Element::items);
        calls.filter_map(|call| Some(call.member("id")?.string().ok()?.to_str()))
    }
}

/// Returns the role of that name.
pub(super) fn role_of(name: &str) -> Option<Role> {
    Role::ALL.iter().copied().find(|role| role.as_str() == name)
}
