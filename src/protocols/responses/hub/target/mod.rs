//! From the hub to OpenAI Responses.
//!
//! A message of the hub can contain parts that are separate items here: calls, images and
//! questions. An item therefore begins at its first content, not at the start of the message. The
//! id of each item is made of the message's id.

mod calls;
mod opaque;
mod run;
mod server_tools;

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use self::server_tools::ServerTool;
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::{UsageError, WireEvent};
use crate::hub::approval::OpenQuestions;
use crate::hub::metadata::Metadata;
use crate::hub::{
    CallIds, EndStatus, FromHub, LossChecker, MediaBuffer, MediaKind, MessageEnd, MessageKind,
    Note, Step, ToolKind, UnsupportedSteps, WriteOptions, message_id,
};
use crate::json::{Value, decimal};
use crate::protocols::responses::builder::{PartKind, StreamBuilder};

type Out<'o> = crate::hub::Out<'o, WireEvent>;

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

/// Writes OpenAI Responses: the target of a conversion. Heartbeats are not events of the protocol:
/// they are omitted here, and a [`Converter`](crate::convert::Converter) writes them as comments.
#[derive(Debug)]
pub struct ToResponses {
    /// The options, until the response begins.
    options: Option<WriteOptions>,
    pub(super) builder: StreamBuilder,
    losses: LossChecker,
    messages: Numbers<Message>,
    /// The parts that have begun, by message and part.
    parts: Numbers<TextPart>,
    /// The calls, by their ids, and the ids by message and part.
    tools: StringMap<Tool>,
    calls: Numbers<String>,
    call_ids: CallIds,
    /// Images that have not ended: the item and the number of intermediate versions, by message and
    /// part.
    images: Numbers<(u32, u32)>,
    /// Audio that has not ended, by message and part.
    sounds: Numbers<()>,
    /// Images whose bytes are not complete.
    media: MediaBuffer,
    usage: Option<Value>,
    /// The metadata of the response, including the metadata of its request.
    metadata: Metadata,
    /// Metadata were received that have not been written.
    has_metadata: bool,
    /// The events for a response that is queued, and that is in progress, were written.
    waits: bool,
    works: bool,
    /// The MCP calls, which wait for their results.
    pending: Vec<String>,
    /// The open questions.
    questions: OpenQuestions<()>,
    /// The call of a tool of the server whose result may follow next.
    awaiting: Option<String>,
    /// The further members of calls that have not begun.
    own_calls: StringMap<Value>,
    /// The client does not want opaque members.
    is_without_state: bool,
}

impl ToResponses {
    /// Creates a target at the start of a stream. Ids that the options do not have are taken from
    /// the source, if it has them.
    pub fn new(options: WriteOptions) -> Self {
        ToResponses {
            options: Some(options),
            builder: StreamBuilder::new("", "", 0),
            losses: LossChecker::default(),
            messages: Numbers::default(),
            parts: Numbers::default(),
            tools: StringMap::default(),
            calls: Numbers::default(),
            call_ids: CallIds::default(),
            images: Numbers::default(),
            sounds: Numbers::default(),
            media: MediaBuffer::default(),
            usage: None,
            metadata: Metadata::default(),
            has_metadata: false,
            waits: false,
            works: false,
            pending: Vec::new(),
            questions: OpenQuestions::default(),
            awaiting: None,
            own_calls: StringMap::default(),
            is_without_state: false,
        }
    }

    /// Begins an item of that type. If another item has its id, it gets a new id.
    fn item(
        &mut self,
        r#type: &str,
        id: Option<&str>,
        members: Value,
        out: &mut Out<'_>,
    ) -> Option<u32> {
        // Writes nothing if the event was written before.
        self.in_progress(out);
        let free = id.filter(|id| self.builder.is_free(id));
        if let (Some(id), None) = (id, free) {
            out.lose("message-id", id, "another item had got it: this one got another");
        }
        let place = id.unwrap_or(r#type);
        let members = out.allowed(
            members,
            |members| self.builder.accepts(r#type, members),
            place,
            UNREADABLE,
        );
        let begun = self.builder.item(r#type, free, members);
        let (item, event) = ok_or_loss(place, begun, out)?;
        out.emit(event);
        Some(item)
    }

    /// Returns the id of the next item of a message: the message's own id, or one that is made of
    /// it.
    fn next_id(&mut self, message: u32) -> Option<String> {
        let message = self.messages.get_mut(message.into())?;
        let id = message.id.as_deref()?;
        message.items += 1;
        Some(match message.items {
            1 => id.to_owned(),
            more => [id, "_", &decimal(i64::from(more) - 1)].concat(),
        })
    }

    /// Counts an item of a message that has an id of its own, or is not written.
    fn count_item(&mut self, message: u32) {
        self.messages.get_mut(message.into()).into_iter().for_each(|open| open.items += 1);
    }

    /// Writes an item that is complete at once.
    fn whole_item(&mut self, r#type: &str, id: Option<&str>, members: Value, out: &mut Out<'_>) {
        if let Some(item) = self.item(r#type, id, members, out) {
            self.end_item(item, "completed", Value::Null, out);
        }
    }

    fn end_item(&mut self, item: u32, status: &str, more: Value, out: &mut Out<'_>) {
        let takes = |members: &Value| self.builder.accepts(self.builder.type_of(item), members);
        let more = out.allowed(more, takes, self.builder.item_id(item).unwrap_or(""), UNREADABLE);
        send_all("", self.builder.end_item(item, status, more), out);
    }

    /// Returns the item of a message's texts. Begins it if necessary.
    fn text_item(&mut self, message: u32, out: &mut Out<'_>) -> Option<u32> {
        let open = self.messages.get(message.into())?;
        if let Some(item) = open.item {
            return Some(item);
        }
        let r#type =
            if out.kind(message) == MessageKind::Reasoning { "reasoning" } else { "message" };
        let id = self.next_id(message);
        let item = self.item(r#type, id.as_deref(), Value::Null, out)?;
        self.messages.get_mut(message.into())?.item = Some(item);
        Some(item)
    }

    fn begin_part(&mut self, message: u32, part: u32, kind: PartKind, out: &mut Out<'_>) {
        let Some(item) = self.text_item(message, out) else { return };
        let kind = match (out.kind(message) == MessageKind::Reasoning, kind) {
            (true, PartKind::Text | PartKind::Refusal) => PartKind::Reasoning,
            (false, PartKind::Reasoning | PartKind::Summary) => PartKind::Text,
            (_, kind) => kind,
        };
        let begun = self.builder.part(item, kind);
        if let Some((at, event)) = ok_or_loss(out.place(message), begun, out) {
            out.emit(event);
            self.parts.insert(pair(message, part), TextPart { item, kind, at });
        }
    }

    /// Writes a piece of text. Begins its part if necessary.
    fn piece(&mut self, message: u32, part: u32, kind: PartKind, piece: &str, out: &mut Out<'_>) {
        let at = pair(message, part);
        if self.parts.get(at).is_none() {
            self.begin_part(message, part, kind, out);
        }
        let Some(&TextPart { item, kind, at }) = self.parts.get(at) else { return };
        send("", self.builder.delta(item, kind, at, piece), out);
    }

    fn end_part(&mut self, message: u32, part: u32, whole: bool, out: &mut Out<'_>) {
        let at = pair(message, part);
        if let Some(image) = self.media.take(at) {
            self.whole(message, part, image.payload(), false, out);
        } else if self.sounds.remove(at).is_some() {
            send("", self.builder.end_audio(), out);
        } else if let Some(id) = self.calls.remove(at) {
            self.end_call(&id, whole, out);
        } else if let Some(&TextPart { item, kind, at }) = self.parts.get(at) {
            send_all("", self.builder.end_part(item, kind, at), out);
        }
    }
}

impl FromHub for ToResponses {
    type Event = WireEvent;

    fn feed(&mut self, step: &Step<'_>, out: &mut Out<'_>) {
        self.end_awaiting(step, out);
        self.losses.check(UNSUPPORTED, step, out);
        if !out.context().metadata.is_empty() {
            out.lose("metadata", "", "events of Responses have no metadata");
        }
        match *step {
            Step::Text { message, part, piece } => {
                self.piece(message, part, PartKind::Text, piece, out)
            }
            Step::Arguments { message, part, piece } => {
                self.arguments(pair(message, part), piece, out)
            }
            Step::Reasoning { message, part, piece, summary } => {
                let kind = if summary { PartKind::Summary } else { PartKind::Reasoning };
                self.piece(message, part, kind, piece, out);
            }
            Step::Refusal { message, part, piece } => {
                self.piece(message, part, PartKind::Refusal, piece, out)
            }
            Step::Start { .. } => self.start(step, out),
            Step::Open { .. } => self.open(step, out),
            Step::Call { .. } => self.call(step, out),
            Step::Result { preview: true, .. } | Step::Heartbeat => {}
            Step::Result { .. } => self.result(step, out),
            Step::Interrupt { message, id, reason, payload, text, .. } => {
                if reason.is_some() {
                    out.lose("interrupt-members", id, QUESTION);
                }
                self.questions.push(id, ());
                self.ask(message, id, (payload, text), out);
            }
            Step::Answer { message, id, approved, reason, .. } => {
                self.questions.take(id);
                let answer = [
                    ("approval_request_id", id.into()),
                    // An answer that is neither yes nor no declines.
                    ("approve", (approved == Some(true)).into()),
                    ("reason", reason.map_or(Value::Null, Value::from)),
                ];
                let own = self.next_id(message);
                self.whole_item("mcp_approval_response", own.as_deref(), answer.into(), out);
            }
            Step::Whole { message, part, payload, preview } => {
                self.whole(message, part, payload, preview, out)
            }
            Step::Media { message, part, kind: MediaKind::Audio, piece, .. } => {
                self.in_progress(out);
                self.sounds.insert(pair(message, part), ());
                send("", self.builder.audio(piece), out);
                self.count_item(message);
            }
            Step::Media { message, part, kind: kind @ MediaKind::Image, piece, media_type } => {
                self.media.add(pair(message, part), kind, piece, media_type);
            }
            // Their loss is noted already.
            Step::Media { kind: MediaKind::Video | MediaKind::File, .. } => {}
            Step::EndPart { message, part, whole } => self.end_part(message, part, whole, out),
            Step::Close { message, end } => self.close(message, end, out),
            Step::Note(Note::Passthrough { .. }) => {}
            Step::Note(ref note) => self.note(note, out),
            Step::End(end) => self.end(end, out),
        }
    }
}

const UNREADABLE: &str = "clients of Responses could not have read it: left out";

/// Returns the result of the builder. Notes a loss if the builder returned an error.
fn ok_or_loss<T>(place: &str, result: Result<T, UsageError>, out: &mut Out<'_>) -> Option<T> {
    out.ok_or_loss(result, place, UNREADABLE)
}

fn send(place: &str, event: Result<WireEvent, UsageError>, out: &mut Out<'_>) {
    ok_or_loss(place, event, out).into_iter().for_each(|event| out.emit(event));
}

fn send_all<I: IntoIterator<Item = WireEvent>>(
    place: &str,
    events: Result<I, UsageError>,
    out: &mut Out<'_>,
) {
    ok_or_loss(place, events, out).into_iter().flatten().for_each(|event| out.emit(event));
}

/// A message of the hub that has not ended.
#[derive(Debug, Default)]
struct Message {
    pub id: Option<String>,
    /// Its data is a list of an MCP server's tools.
    pub lists_tools: bool,
    /// The item of its texts.
    pub item: Option<u32>,
    /// The number of its items.
    pub items: u32,
    /// The members of its item that are known at its end.
    pub own: Value,
    /// The sealed members of its parts, which follow it.
    pub carriers: Vec<String>,
    /// Further members of the result of a tool of the server.
    pub more: Value,
}

/// A part that has begun.
#[derive(Clone, Copy, Debug)]
struct TextPart {
    pub item: u32,
    pub kind: PartKind,
    pub at: u32,
}

/// A call.
#[derive(Debug)]
struct Tool {
    pub item: u32,
    pub kind: ToolKind,
    /// Its item has ended.
    pub is_done: bool,
    /// It has failed.
    pub failed: bool,
    /// The format of its item, if it is a call of a tool of Responses' own server.
    pub server: Option<&'static ServerTool>,
    /// For such a call: its arguments, if they are not streamed, and further members.
    pub given: String,
    pub more: Value,
    /// Its sealed members, which follow it.
    pub carriers: Vec<String>,
}

impl ToResponses {
    fn open(&mut self, step: &Step<'_>, out: &mut Out<'_>) {
        let Step::Open { message, kind, id, .. } = *step else { return };
        let open = Message {
            id: message_id(id, out).map(ToOwned::to_owned),
            lists_tools: kind == MessageKind::Other("mcp_list_tools"),
            ..Message::default()
        };
        self.messages.insert(message.into(), open);
    }

    fn close(&mut self, message: u32, end: &MessageEnd, out: &mut Out<'_>) {
        let is_tool = out.kind(message).is_tool();
        if end.metadata.is_some() {
            out.lose("metadata", "", "items of Responses have no metadata");
        }
        if end.usage.is_some() {
            out.lose("usage", "", "Responses counts the tokens of the response, not of items");
        }
        let Some(open) = self.messages.get(message.into()) else { return };
        let is_empty = open.items == 0 && open.item.is_none() && !is_tool;
        let item = if is_empty { self.text_item(message, out) } else { open.item };
        let Some(open) = self.messages.remove(message.into()) else { return };
        if !matches!(open.more, Value::Null) {
            out.lose("metadata", "", "items of Responses have no metadata");
        }
        let status = match end.status {
            EndStatus::Completed => "completed",
            EndStatus::Incomplete => "incomplete",
            EndStatus::Failed if is_tool => "failed",
            _ => {
                if item.is_some() {
                    let reason =
                        "items of Responses are completed or incomplete: it became incomplete";
                    out.lose("message-status", "", reason);
                }
                "incomplete"
            }
        };
        if let Some(item) = item {
            self.end_item(item, status, open.own, out);
        }
        self.carriers(open.carriers, out);
    }
}
