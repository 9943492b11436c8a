//! The builder, and the output of its events.

use alloc::{
    borrow::{Cow, ToOwned},
    string::String,
};

use crate::bytes::string_map::StringMap;
use crate::hub::{Out, WriteOptions};
use crate::json::decimal;
use crate::protocols::ag_ui::builder::{StreamBuilder, WireEvent};
use crate::protocols::ag_ui::events::Event;

pub(super) fn text(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

/// The use of a message's id. In AG-UI, each id belongs to one message.
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

/// Writes the events of all runs of a stream.
#[derive(Debug)]
pub(super) struct Writer {
    pub options: WriteOptions,
    pub builder: StreamBuilder,
    /// The ids of messages, with their uses.
    known: StringMap<IdUse>,
    /// The ids of the activities, by their ids at the source.
    activities: StringMap<String>,
}

impl Writer {
    pub fn new(options: WriteOptions) -> Self {
        Writer {
            options,
            known: StringMap::default(),
            activities: StringMap::default(),
            builder: StreamBuilder::new("", ""),
        }
    }

    /// Returns an unused id. The source and the generator of ids may number alike.
    pub fn new_id(&mut self, prefix: &str) -> String {
        let made = self.options.ids.next_id(prefix);
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
    pub fn activity_id(&mut self, id: &str, out: &mut Out<'_, WireEvent>) -> String {
        if let Some(known) = self.activities.get(id) {
            return known.clone();
        }
        let mut own = id.to_owned();
        if !self.owns(id, IdUse::Activity) {
            out.lose("message-id", id, TAKEN);
            own = self.new_id("activity_");
        }
        self.activities.insert(id, own.clone());
        own
    }

    /// Returns the id of an activity that has been written.
    pub fn known_activity(&self, id: &str) -> Option<&str> {
        self.activities.get(id).map(String::as_str)
    }

    /// Writes an event, or notes a loss if it is refused.
    pub fn send(&mut self, place: &str, event: &Event<'_>, out: &mut Out<'_, WireEvent>) -> bool {
        let is_sent = self.try_send(event, out);
        if !is_sent {
            out.lose("refused", place, NOT_ACCEPTED);
        }
        is_sent
    }

    /// Writes an event. Returns false if it is refused.
    pub fn try_send(&mut self, event: &Event<'_>, out: &mut Out<'_, WireEvent>) -> bool {
        let events = self.builder.event(event);
        let is_sent = events.is_ok();
        events.into_iter().flatten().for_each(|event| out.emit(event));
        is_sent
    }
}

pub(super) const NOT_ACCEPTED: &str = "AG-UI's official client would refuse it: left out";
