//! What a message says besides its contents: its id, opaque members, and `metadata.agentwire`:
//!
//! | member | value |
//! |---|---|
//! | `role` | `developer` |
//! | `name` | the name of the author |
//! | `turn` | `new` if the message begins a turn although the one before it could go on, `same` if it is the other way |
//! //! | `undecided` | the answer is neither yes nor no |

use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;

use super::{FORMAT, MESSAGE};
use crate::hub::conversation::members::{rest, take, take_bool, take_text, write_members};
use crate::hub::conversation::{Content, Opaque, Part, Sealed};
use crate::json::{Member, ObjectWriter, Value};

/// The members of a message that only describe its place in a stream, or have no meaning in a
/// request.
const OF_STREAM: [&str; 3] = ["object", "sequence_number", "usage"];

/// The statuses of messages that mean nothing in a request.
const USUAL: [&str; 4] = ["created", "in_progress", "completed", "queued"];

/// What a message says besides its contents.
#[derive(Debug, Default)]
pub(super) struct ConversationHead {
    pub id: Option<String>,
    pub name: Option<String>,
    /// The opaque members of its parts, in order.
    pub sealed: VecDeque<Sealed>,
    pub is_developer: bool,
    pub is_undecided: bool,
    pub is_summary: bool,
    /// Whether it begins a turn, if that does not follow from the message before it.
    pub begins: Option<bool>,
}

impl ConversationHead {
    /// Takes the members from a message.
    pub fn take(message: &mut Value) -> Self {
        OF_STREAM.iter().for_each(|name| drop(take(message, name)));
        if message.text("status").is_some_and(|status| USUAL.contains(&status)) {
            take(message, "status");
        }
        let mut marks = take(message, "metadata.agentwire").unwrap_or_default();
        ConversationHead {
            id: take_text(message, "id").filter(|id| !id.is_empty()),
            name: take_text(&mut marks, "name"),
            sealed: Sealed::take(message, "metadata.opaque").into(),
            is_developer: marks.text("role") == Some("developer"),
            is_undecided: take_bool(&mut marks, "undecided") == Some(true),
            is_summary: take_bool(message, "metadata.summary") == Some(true),
            begins: marks.text("turn").map(|turn| turn == "new"),
        }
    }

    /// Gives the parts of a message their opaque members. `left` are the members of the message
    /// that were not taken.
    pub fn give(&mut self, parts: &mut Vec<Part>, left: Value) {
        Sealed::restore_all(self.sealed.drain(..), parts);
        if let Some(first) = parts.first_mut().filter(|first| !is_foreign(first)) {
            keep(&mut first.opaque, left, self.id.take());
        }
    }
}

/// Whether the members of a part are of another protocol.
fn is_foreign(part: &Part) -> bool {
    part.opaque.as_ref().is_some_and(|opaque| opaque.format != FORMAT)
}

/// Adds the members of a message to the opaque members of its first part.
fn keep(opaque: &mut Option<Opaque>, mut left: Value, id: Option<String>) {
    if let Some(id) = id {
        left.insert("id", id.into());
    }
    let left = rest(left);
    if left.is_empty() {
        return;
    }
    let member = Member { key: MESSAGE.into(), value: Value::Object(left) };
    match opaque {
        Some(own) => own.members.push(member),
        None => *opaque = Opaque::new(FORMAT, [member].into()),
    }
}

/// What is written besides the contents of a message.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WrittenHead<'a> {
    /// The type, unless the opaque members have another one.
    pub kind: &'static str,
    pub role: &'static str,
    pub id: Option<&'a str>,
    pub name: Option<&'a str>,
    /// The opaque members of the part that the message is about.
    pub opaque: Option<&'a Opaque>,
    /// The content that they belong to, unless it is a result.
    pub content: Option<&'a Content>,
    pub is_developer: bool,
    pub is_undecided: bool,
    pub is_summary: bool,
    pub begins: Option<bool>,
}

impl WrittenHead<'_> {
    /// Writes the message. `write` writes its contents.
    pub fn write(&self, out: &mut String, write: impl FnOnce(&mut String)) {
        let own = self
            .opaque
            .filter(|opaque| opaque.format == FORMAT)
            .and_then(|opaque| opaque.get(MESSAGE));
        let text = |name: &str| own.and_then(|own| own.text(name));
        let mut message = ObjectWriter::open(out, true);
        message.string("id", self.id.or_else(|| text("id")));
        message.string("type", Some(text("type").unwrap_or(self.kind)));
        message.string("role", Some(self.role));
        write(message.member("content"));
        self.write_metadata(own.and_then(|own| own.get("metadata")), &mut message);
        if let Some(Value::Object(members)) = own {
            let written = ["id", "type", "role", "content", "metadata"];
            let others = members.iter().filter(|member| !written.contains(&&*member.key));
            others.for_each(|member| message.value(&member.key, Some(&member.value)));
        }
        message.close();
    }

    fn write_metadata(&self, own: Option<&Value>, message: &mut ObjectWriter<'_>) {
        let foreign = self.opaque.filter(|opaque| opaque.format != FORMAT);
        let is_marked =
            self.name.is_some() || self.begins.is_some() || self.is_developer || self.is_undecided;
        if own.is_none() && foreign.is_none() && !is_marked && !self.is_summary {
            return;
        }
        let mut metadata = ObjectWriter::open(message.member("metadata"), true);
        if let Some(Value::Object(members)) = own {
            write_members(members, &mut metadata);
        }
        metadata.bool("summary", self.is_summary.then_some(true));
        if let Some(foreign) = foreign {
            let sealed = match self.content {
                Some(content) => foreign.sealed_for(content),
                None => Sealed::new(foreign.clone()).seal(),
            };
            metadata.string("opaque", Some(&sealed));
        }
        if is_marked {
            let mut marks = ObjectWriter::open(metadata.member("agentwire"), true);
            marks.string("role", self.is_developer.then_some("developer"));
            marks.string("name", self.name);
            marks.string("turn", self.begins.map(|begins| if begins { "new" } else { "same" }));
            marks.bool("undecided", self.is_undecided.then_some(true));
            marks.close();
        }
        metadata.close();
    }
}
