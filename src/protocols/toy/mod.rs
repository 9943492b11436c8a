//! A protocol of three events, for tests: it measures how much code a protocol needs, and shows
//! that the rest follows from its line in the registry. Its events have a nonce and a time, which
//! no event repeats. Only tests are built with it.
#![expect(missing_docs, reason = "the names state it, and only tests are built with it")]

pub mod hub;

use alloc::{string::String, vec::Vec};

use crate::core::failure::ErrorMessage;
use crate::core::{EventReading, model};
use crate::engine::*;

crate::core::events! {
    Event by "kind";
    Says = "says" { who: Id, text: Text, nonce: Unread, at: Unread }
    Bye = "bye" {}
    Fails = "fails" { why: Message }
}

pub mod events {
    pub use super::Event;
}

model! {
    words { Status as "ToyStatus" { Open = "open", Over = "over", Failed = "failed" } }
    root { Snapshot as "Toy" { status: Status, why: Option<String>, speeches: Vec<Speech> } }
    objects { Spoken as "ToySpoken" { who: String, text: String } }
    unions { Speech as "ToySpeech" by "type" { Spoken(Spoken) = "spoken" } }
}

impl crate::core::changes::AgentTexts for Snapshot {}

pub mod request {
    pub static TYPES: &[crate::core::request::table::RequestShape] = &[];
}

pub mod rules {
    crate::core::rules! {
        MALFORMED_EVENT = Error "malformed", "T1": "an event" else "it was dropped";
        LONE_SURROGATE = Warning "half", "T2": "whole characters" else "U+FFFD";
        AFTER_BYE = Error "after-bye", "T3": "nothing after the end" else "it was ignored";
    }
}

protocol! { Toy "Toy": Speeches => Snapshot {} }

#[derive(Clone, Debug, Default)]
pub struct Speeches {
    speaks: Option<(String, TextSlot)>,
    over: bool,
}

impl Declared for Speeches {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;

    fn error_event(failure: &ErrorMessage) -> Translated {
        Translated::new(ErrorMessage::event_of(&[
            ("kind", Some("fails")),
            ("why", Some(&*failure.message)),
        ]))
    }
}

impl Fold for Speeches {
    fn event(&mut self, event: &EventReading<'_, '_>, cx: &mut Context<'_>) {
        let end = match Wire::of(event) {
            _ if self.over => {
                return cx.record(&rules::AFTER_BYE, crate::core::Observed::Words("an event"));
            }
            Wire::Says { who, text, .. } => {
                let who = who.to_str();
                if self.speaks.as_ref().is_none_or(|(last, _)| *last != who) {
                    let owner = cx.own(&who);
                    let node =
                        cx.open(Spoken::KIND, 0, Snapshot::speeches, ObjectLimit::Messages, owner);
                    self.speaks = node.map(|node| {
                        cx.set_short(node, Spoken::who, &who);
                        (who.into_owned(), cx.text(node, Spoken::text, Subject::NONE))
                    });
                }
                return self.speaks.iter().for_each(|(_, cell)| _ = cx.append(*cell, text));
            }
            Wire::Bye {} => Status::Over,
            Wire::Fails { why } => {
                cx.set_text(0, Snapshot::why, &why);
                Status::Failed
            }
            Wire::Other { name, .. } => {
                return cx.unknown(&name.map(|name| name.to_str()).unwrap_or_default());
            }
        };
        self.over = true;
        cx.set(0, Snapshot::status, end.value());
    }

    fn has_ended(&self) -> bool {
        self.over
    }
}

#[cfg(test)]
mod tests;
