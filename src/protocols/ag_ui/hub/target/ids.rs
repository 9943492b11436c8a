//! The ids of messages: in AG-UI, each belongs to one message.

use alloc::{borrow::ToOwned, boxed::Box, string::String};

use crate::bytes::string_map::StringMap;
use crate::core::{IdSource, WireEvent};
use crate::hub::EventOutput;
use crate::json::decimal;

/// The use of a message's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdUse {
    /// Created here. An id of the source cannot have this use.
    Made,
    Text,
    Reasoning,
    Activity,
    Result,
    /// The message of a call without a message: clients name it after the call.
    Call,
}

/// The reason of a loss: a message does not have the id of the source.
pub(super) const TAKEN: &str = "another message had got it: this one got another";

/// The ids of the messages of all runs, with their uses.
#[derive(Debug)]
pub(super) struct WrittenIds {
    source: Box<dyn IdSource>,
    known: StringMap<IdUse>,
    /// The ids of the activities, by their ids at the source.
    activities: StringMap<String>,
}

impl WrittenIds {
    /// Creates the ids of a stream; `source` creates those that the stream's source does not have.
    pub fn new(source: Box<dyn IdSource>) -> Self {
        WrittenIds { source, known: StringMap::default(), activities: StringMap::default() }
    }

    /// Returns an unused id. The source and the generator of ids may number alike.
    pub fn create(&mut self, prefix: &str) -> String {
        let made = self.source.next_id(prefix);
        let mut id = made.clone();
        let mut more = 1;
        while self.known.get(&id).is_some() {
            more += 1;
            id = [&made, "_", &decimal(more)].concat();
        }
        self.known.insert(&id, IdUse::Made);
        id
    }

    /// Claims an id of the source for a use. Returns false if the id has another use, or was
    /// created here.
    pub fn owns(&mut self, id: &str, r#use: IdUse) -> bool {
        match self.known.get(id) {
            None => {
                self.known.insert(id, r#use);
                true
            }
            Some(known) => *known == r#use,
        }
    }

    /// Returns whether calls may name the message of an id as theirs: clients look for one of the
    /// assistant.
    pub fn can_be_parent(&self, id: &str) -> bool {
        let other = [IdUse::Reasoning, IdUse::Activity, IdUse::Result];
        self.known.get(id).is_none_or(|known| !other.contains(known))
    }

    /// Returns whether the id is that of a message with a text or calls.
    pub fn is_message(&self, id: &str) -> bool {
        matches!(self.known.get(id), Some(IdUse::Text | IdUse::Call))
    }

    /// Returns whether the id is that of an activity.
    pub fn is_activity(&self, id: &str) -> bool {
        self.known.get(id) == Some(&IdUse::Activity)
    }

    /// Returns whether the id is in use.
    pub fn has(&self, id: &str) -> bool {
        self.known.get(id).is_some()
    }

    /// Returns the id for an activity: its id at the hub, unless a message has that id.
    pub fn activity(&mut self, id: &str, out: &mut EventOutput<'_, WireEvent>) -> String {
        if let Some(known) = self.activities.get(id) {
            return known.clone();
        }
        let mut own = id.to_owned();
        if !self.owns(id, IdUse::Activity) {
            out.lose("message-id", id, TAKEN);
            own = self.create("activity_");
        }
        self.activities.insert(id, own.clone());
        own
    }

    /// Returns the id of an activity that has been written.
    pub fn known_activity(&self, id: &str) -> Option<&str> {
        self.activities.get(id).map(String::as_str)
    }
}
