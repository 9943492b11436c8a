//! What an artifact says, as a message: its parts, pieces of text joined, and what becomes of them when it comes anew. (2.4, A5.)

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::hub::end::MessageEnd;
use crate::hub::kind::{MessageKind, Role};
use crate::hub::note::Note;
use crate::hub::step::Step;
use crate::hub::steps::{message_end, say_note};
use crate::hub::transducer::Hub;
use crate::json::{Member, Value};

/// An artifact, or a message, of which some has been said.
#[derive(Debug, Default)]
pub(super) struct Artifact {
    pub message: u32,
    /// What the event at work says of it besides its parts.
    pub said: Value,
    /// All of its parts came anew.
    pub is_replaced: bool,
    /// It is said to be whole.
    pub is_whole: bool,
    pub(super) kind: Option<String>,
    is_closed: bool,
    parts: Vec<Held>,
    numbers: u32,
    end: Value,
}

/// A part that has been said.
#[derive(Debug, PartialEq)]
struct Held {
    number: u32,
    /// The part; of a text only what it is.
    what: Value,
    text: Option<String>,
}

/// Who speaks.
pub(super) fn role_of(role: Option<&str>) -> Option<Role<'static>> {
    role.map(|role| if role == "ROLE_USER" { Role::User } else { Role::Assistant })
}

impl Artifact {
    /// The message begins. Artifacts of this crate say what they are; those of others, by their names, if they are calls,
    /// results or thoughts.
    pub fn open(
        &mut self,
        id: &str,
        name: Option<&str>,
        role: Option<Role<'_>>,
        metadata: Option<&Value>,
        hub: &mut Hub<'_>,
    ) {
        let said = metadata.unwrap_or(&Value::Null);
        let named = name.map(MessageKind::from).filter(|kind| !matches!(kind, MessageKind::Other(_)));
        let kind = said.text("type").map(MessageKind::from).or(named).unwrap_or(MessageKind::Message);
        self.kind = Some(kind.as_str().to_owned());
        let role = said.text("role").map(Role::from).or(role).unwrap_or(kind.default_role());
        hub.emit(&Step::Open {
            message: self.message,
            kind,
            role,
            id: Some(id).filter(|id| !id.is_empty()),
            name: said.text("name").or(name).filter(|name| *name != kind.as_str()),
            parent: said.text("parent"),
            alternative: 0,
        });
        self.metadata(metadata, hub);
    }

    /// What its metadata say: of its end, or free.
    fn metadata(&mut self, metadata: Option<&Value>, hub: &mut Hub<'_>) {
        let Some(Value::Object(members)) = metadata else { return };
        let is_end = |key: &str| matches!(key, "status" | "error" | "code" | "text" | "usage");
        let is_said = |key: &str| matches!(key, "type" | "role" | "name" | "parent" | "lane");
        let (end, rest): (Vec<_>, Vec<_>) = members
            .iter()
            .filter(|member| !is_said(&member.key))
            .cloned()
            .partition(|member| is_end(&member.key));
        end.into_iter().for_each(|Member { key, value }| self.end.insert(&key, value));
        if !rest.is_empty() {
            let value = Value::Object(rest);
            hub.note(Note::Metadata { value: &value, message: Some(self.message), call: None });
        }
    }

    /// Says what the event has said of it.
    pub fn say(&mut self, parts: Vec<Value>, hub: &mut Hub<'_>) {
        let said = core::mem::take(&mut self.said);
        // A step that is no part of a message.
        let step = said.text("name").and_then(|name| name.strip_prefix("agentwire.")).map(ToOwned::to_owned);
        if let (None, Some(step), [part]) = (&self.kind, &step, &parts[..])
            && let Some(data) = part.get("data")
            && say_note(step, data, hub)
        {
            (self.is_closed, self.kind) = (true, Some(step.clone()));
            return;
        }
        if self.kind.is_none() {
            let id = said.text("artifactId").unwrap_or_default().to_owned();
            self.open(&id, said.text("name"), None, said.get("metadata"), hub);
            if let Some(description) = said.get("description") {
                let value = [("description", description.clone())].into();
                hub.note(Note::Metadata { value: &value, message: Some(self.message), call: None });
            }
        } else if !self.is_closed {
            self.metadata(said.get("metadata"), hub);
        }
        match core::mem::take(&mut self.is_replaced) {
            true => self.replace(parts, hub),
            false => self.add(parts, hub),
        }
        if core::mem::take(&mut self.is_whole) {
            self.close(hub);
        }
    }

    /// Parts after those that it has.
    pub fn add(&mut self, parts: Vec<Value>, hub: &mut Hub<'_>) {
        for part in parts {
            let new = Held::of(part);
            match (self.parts.last_mut(), &new.text) {
                (Some(last), Some(piece)) if last.text.is_some() && last.what == new.what => {
                    let number = last.number;
                    last.text.get_or_insert_default().push_str(piece);
                    self.speak(number, &new.what, piece, hub);
                }
                _ => self.begin(new, hub),
            }
        }
    }

    /// The next piece of the last text.
    pub fn piece(&mut self, piece: &str, hub: &mut Hub<'_>) {
        let last = self.parts.iter_mut().rev().find(|part| part.text.is_some());
        let Some(Held { number, what, text: Some(text) }) = last else { return };
        text.push_str(piece);
        let (number, what) = (*number, what.clone());
        self.speak(number, &what, piece, hub);
    }

    /// A new part.
    fn begin(&mut self, mut part: Held, hub: &mut Hub<'_>) {
        part.number = self.numbers;
        self.numbers += 1;
        match &part.text {
            Some(piece) => self.speak(part.number, &part.what, piece, hub),
            None => self.whole(part.number, &part.what, hub),
        }
        self.parts.push(part);
    }

    /// The parts are these: what is new in them is said, and what is gone is taken back.
    fn replace(&mut self, parts: Vec<Value>, hub: &mut Hub<'_>) {
        let mut new: Vec<Held> = Vec::new();
        for part in parts.into_iter().map(Held::of) {
            match (new.last_mut(), &part.text) {
                (Some(last), Some(piece)) if last.text.is_some() && last.what == part.what => {
                    last.text.get_or_insert_default().push_str(piece);
                }
                _ => new.push(part),
            }
        }
        let message = self.message;
        let mut before = core::mem::take(&mut self.parts).into_iter();
        for part in new {
            let Some(held) = before.next() else {
                self.begin(part, hub);
                continue;
            };
            let Held { number, .. } = held;
            match (&held.text, &part.text) {
                (None, None) if held.what == part.what => {}
                (Some(said), Some(text)) if held.what == part.what => {
                    match text.strip_prefix(said.as_str()) {
                        Some("") => {}
                        Some(rest) => self.speak(number, &part.what, rest, hub),
                        None => hub.note(Note::Replace { message, part: number, text, call: None }),
                    }
                }
                _ => {
                    hub.note(Note::Retract { message, part: Some(number) });
                    self.begin(part, hub);
                    continue;
                }
            }
            self.parts.push(Held { number, ..part });
        }
        for held in before {
            hub.note(Note::Retract { message, part: Some(held.number) });
        }
    }

    /// The message ends, as its metadata say.
    pub fn close(&mut self, hub: &mut Hub<'_>) {
        if core::mem::replace(&mut self.is_closed, true) {
            return;
        }
        let end = MessageEnd { usage: self.end.get("usage").cloned(), ..message_end(&self.end) };
        hub.emit(&Step::Close { message: self.message, end: &end });
    }
}

impl Held {
    /// A part that has not been said. Texts in a row are one where their metadata are alike.
    fn of(mut part: Value) -> Self {
        let said = part.text("text").map(ToOwned::to_owned);
        if said.is_some() {
            part = part.get("metadata").cloned().unwrap_or_default();
        }
        Held { number: 0, what: part, text: said }
    }
}
