//! From the hub to OpenAI Responses: the writer of the protocol.
//!
//! A message of the hub can contain parts that are separate items here: calls, images and
//! questions. An item therefore begins at its first content, not at the start of the message. The
//! id of each item is made of the message's id.
//!
//! The order of the steps ensures the order of the events. Only what depends on their content is
//! checked, by the rules of readers: the ids of items and calls, the types of members, and the
//! depth of free JSON. What a reader would report is not written, and noted as a loss.

mod calls;
mod citations;
mod item;
mod items;
mod media;
mod messages;
mod numbered_events;
mod opaque;
mod questions;
mod readable;
mod response;
mod response_object;
mod server_tools;
mod types;

use alloc::{string::String, vec::Vec};

use self::item::{PartPlace, WrittenItem};
use self::messages::WrittenMessage;
use self::numbered_events::NumberedEvents;
use self::response::WriterStage;
use self::response_object::ResponseObject;
use self::types::PartKind;
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::WireEvent;
use crate::hub::approval::OpenQuestions;
use crate::hub::metadata::Metadata;
use crate::hub::{
    CallIds, FromHub, LossChecker, MediaBuffer, Note, Step, UnsupportedSteps, WriteOptions,
};
use crate::json::{Member, Value};

type WireOutput<'o> = crate::hub::EventOutput<'o, WireEvent>;

/// The losses of steps that Responses cannot represent, each with the reason.
const UNSUPPORTED: UnsupportedSteps = &[
    ("activity", NO_EVENT),
    ("alternative", "a response is one answer: this one became part of it"),
    ("custom", NO_EVENT),
    ("error-message", "an `error` event would end the stream (O14)"),
    ("file", "messages of Responses are text"),
    ("interrupt-members", QUESTION),
    ("lane", "Responses has no subagents: the output of this one became the response's"),
    ("message-members", "messages of Responses have an id and a role"),
    ("messages", NO_EVENT),
    ("output", "the older client has no event for it"),
    ("part-dropped", "the last event leaves it out, but what was shown stays until then"),
    ("preview", "the result of a call is written once"),
    ("role", "the output of Responses is the assistant's"),
    ("run-result", "the result of a response is its output"),
    ("state", NO_EVENT),
    ("step", NO_EVENT),
    ("unknown-event", NO_EVENT),
    ("video", "messages of Responses are text"),
];

const QUESTION: &str = "the question has the tool, its arguments, its server and a text";
const NO_EVENT: &str =
    "Responses has no event for it, and clients end a stream at an unknown one (O3)";

const UNREADABLE: &str = "clients of Responses could not have read it: left out";

/// Writes OpenAI Responses: the target of a conversion. Heartbeats are not events of the protocol:
/// they are omitted here, and a [`Converter`](crate::convert::Converter) writes them as comments.
#[derive(Debug)]
pub struct ToResponses {
    options: WriteOptions,
    losses: LossChecker,
    response: ResponseObject,
    stage: WriterStage,
    /// The metadata of the response, including the metadata of its request.
    metadata: Metadata,
    /// Metadata were received that have not been written.
    has_metadata: bool,
    usage: Option<Value>,
    events: NumberedEvents,
    items: Vec<WrittenItem>,
    /// The ids of the items, and the types and ids of the calls.
    taken: StringMap<()>,
    /// The open messages.
    messages: Numbers<WrittenMessage>,
    /// What the parts of messages became, by message and part.
    parts: Numbers<WrittenPlace>,
    /// Images whose bytes are not complete.
    images: MediaBuffer,
    /// The items of the calls, by the ids of the calls.
    calls: StringMap<usize>,
    call_ids: CallIds,
    /// The further members of calls that have not begun.
    early_members: StringMap<Value>,
    /// The call of a tool of the server whose result may follow next.
    awaiting: Option<usize>,
    /// The open questions.
    questions: OpenQuestions<()>,
    /// The client does not want opaque members.
    is_without_state: bool,
}

/// What a part of a message became.
#[derive(Clone, Copy, Debug)]
enum WrittenPlace {
    /// A part of an item.
    Text(PartPlace),
    /// A call whose arguments have not ended.
    Call { item: usize },
    /// An image that has not ended, with the number of its intermediate versions.
    Image { item: usize, previews: u32 },
    /// Audio that has not ended.
    Audio,
}

impl ToResponses {
    /// Creates a target at the start of a stream. Ids that the options do not have are taken from
    /// the source, if it has them.
    pub fn new(options: WriteOptions) -> Self {
        ToResponses {
            options,
            losses: LossChecker::default(),
            response: ResponseObject::default(),
            stage: WriterStage::default(),
            metadata: Metadata::default(),
            has_metadata: false,
            usage: None,
            events: NumberedEvents::default(),
            items: Vec::new(),
            taken: StringMap::default(),
            messages: Numbers::default(),
            parts: Numbers::default(),
            images: MediaBuffer::default(),
            calls: StringMap::default(),
            call_ids: CallIds::default(),
            early_members: StringMap::default(),
            awaiting: None,
            questions: OpenQuestions::default(),
            is_without_state: false,
        }
    }

    /// Returns whether the last event was a piece of a text.
    pub(super) fn is_after_piece(&self) -> bool {
        self.events.latest_text().is_some()
    }

    /// Appends the events of further pieces of the text that the last event belongs to. `ends` are
    /// the ends of the pieces in `text`.
    pub(super) fn append_pieces(&mut self, text: &str, ends: &[usize], out: &mut String) {
        let Some((item, part)) = self.events.latest_text() else { return };
        let item = &mut self.items[item];
        match part {
            Some((kind, index)) => item.parts_mut(kind)[index].text.push_str(text),
            None => item.text.push_str(text),
        }
        self.events.append_pieces(text, ends, out);
    }

    fn end_part(&mut self, message: u32, part: u32, whole: bool, out: &mut WireOutput<'_>) {
        let at = pair(message, part);
        if let Some(image) = self.images.take(at) {
            return self.whole((message, part), image.payload(), false, out);
        }
        match self.parts.get(at) {
            Some(&WrittenPlace::Text(place)) => self.end_text(place, out),
            Some(&WrittenPlace::Call { item }) => {
                self.parts.remove(at);
                self.end_call(item, whole, out);
            }
            Some(WrittenPlace::Audio) => {
                self.parts.remove(at);
                self.events.write("response.audio.done", out, |_| {});
            }
            Some(WrittenPlace::Image { .. }) | None => {}
        }
    }

    fn note(&mut self, note: &Note<'_>, out: &mut WireOutput<'_>) {
        match *note {
            Note::Status { status, detail } => self.status(status, detail.is_some(), out),
            Note::Usage { usage, message: None } => self.usage = Some(usage.clone()),
            Note::Usage { message: Some(message), .. } => {
                let reason = "Responses counts the tokens of the response, not of items";
                out.lose("usage", out.place(message), reason);
            }
            Note::Metadata { value, message: None, call: None } => {
                self.metadata.merge(value.members());
                self.has_metadata = true;
            }
            Note::Metadata { value, message: Some(message), call: None }
                if self.server_members(message, value, out) => {}
            Note::Metadata { message, call, .. } => {
                let place = message.map_or(call.unwrap_or(""), |message| out.place(message));
                out.lose("metadata", place, "items of Responses have no metadata");
            }
            Note::Annotation { message, part, annotation } => {
                self.annotate((message, part.unwrap_or(0)), annotation, out);
            }
            Note::Replace { message, part, text, call: None } => {
                self.replace_text((message, part), text, out);
            }
            Note::Replace { text, call: Some(id), .. } => self.replace_arguments(id, text, out),
            Note::Retract { message, part } => self.retract(message, part),
            Note::Opaque { .. } => self.opaque(note, out),
            Note::Progress { id, status, .. } => self.advance(id, status, out),
            Note::ToolError { id, text, .. } => self.tool_error(id, text, out),
            // The losses of other notes are noted already.
            _ => {}
        }
    }
}

impl FromHub for ToResponses {
    type Event = WireEvent;

    fn feed(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        self.end_awaiting(step, out);
        self.losses.check(UNSUPPORTED, step, out);
        if !out.meta().metadata.is_empty() {
            out.lose("metadata", "", "events of Responses have no metadata");
        }
        match *step {
            Step::Text { message, part, piece } => {
                self.piece((message, part), PartKind::Text, piece, out)
            }
            Step::Arguments { message, part, piece } => self.arguments((message, part), piece, out),
            Step::Reasoning { message, part, piece, summary } => {
                let kind = if summary { PartKind::Summary } else { PartKind::Reasoning };
                self.piece((message, part), kind, piece, out);
            }
            Step::Refusal { message, part, piece } => {
                self.piece((message, part), PartKind::Refusal, piece, out)
            }
            Step::Start { .. } => self.start(step, out),
            Step::Open { .. } => self.open(step, out),
            Step::Call { .. } => self.call(step, out),
            Step::Result { preview: true, .. } | Step::Heartbeat => {}
            Step::Result { .. } => self.result(step, out),
            Step::Interrupt { .. } => self.ask(step, out),
            Step::Answer { .. } => self.answer(step, out),
            Step::Whole { message, part, payload, preview } => {
                self.whole((message, part), payload, preview, out)
            }
            Step::Media { .. } => self.media(step, out),
            Step::EndPart { message, part, whole } => self.end_part(message, part, whole, out),
            Step::Close { message, end } => self.close(message, end, out),
            Step::Note(ref note) => self.note(note, out),
            Step::End(end) => self.end(end, out),
        }
    }
}

/// Adds members to an object. Each replaces the member with the same name.
fn add(members: &mut Value, more: Value) {
    if let Value::Object(more) = more {
        more.into_iter().for_each(|Member { key, value }| members.insert(&key, value));
    }
}
