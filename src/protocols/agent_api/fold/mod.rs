//! The fold: the events form one growing answer.
//!
//! The reader never fails. This module takes events in order of arrival, determines their meaning,
//! calls a
//! [`Sink`](crate::core::sink::Sink), and reports every violation of the protocol in the
//! [`Report`](crate::core::report::Report). It keeps no text, only a phase, a length and fingerprints for each
//! content, the shape of the data for data contents in pieces, and the latest message event if that
//! is short.
//!
//! Guarantees: pieces append, everything else replaces, empty or null never erases. The latest
//! value of an object counts, from the inside out (content, message, response). A content before
//! its message opens a provisional message. Messages that the final output does not list are kept,
//! after the listed ones.

mod content;
mod data;
mod fingerprint_cache;
mod message;
mod part;
mod response;
#[cfg(test)]
mod tests;
mod tools;

use alloc::{boxed::Box, string::String, vec::Vec};

use self::data::Outline;
use self::fingerprint_cache::FingerprintCache;
use self::tools::Identity;
use super::events::{self, ContentEvent, EVENTS, ErrorValue, Event, MessageEvent, ResponseEvent};
use super::lifecycle::{self, ObjectPhase, StatusTransition};
use super::{Content, ContentType, ErrorInfo, MODEL, MessageType, Response, Role, Snapshot, rules};
use crate::bytes::string_map::StringMap;
use crate::core::declare::events::form::NestedJson;
use crate::core::declare::model::member::object_to_json;
use crate::core::detect::is_done;
use crate::core::failure::ErrorMessage;
use crate::core::{DecodeError, EventReading, Observed, Opening, ReadOptions, Rule};
use crate::engine::{
    CommonRules, Context, Declared, Digest, DigestKey, EventTable, Field, FieldValue, Fold,
    ObjectId, ObjectLimit, RefusedChange, Subject, Translated,
};
use crate::json::{Document, Element, Skip, Str, SurrogateHalf};
use crate::sse;
pub use response::AgentApi;

/// The object that holds the response and the list of tool calls.
const ROOT: ObjectId = 0;
/// The response: the first object that is opened.
const RESPONSE: ObjectId = 1;

/// The fold of the events of the Agent API.
#[derive(Clone, Debug)]
pub struct AgentApiFold {
    choices: AgentApi,
    keys: DigestKey,
    phase: ObjectPhase,
    /// Whether the last response event had the status `unknown`.
    is_status_unknown: bool,
    id: String,
    session_id: String,
    messages: Vec<FoldedMessage>,
    by_id: StringMap<usize>,
    /// The messages that have not ended.
    open: UnfinishedMessages,
    /// The message of the previous event, which is usually also the message of the current one.
    latest: usize,
    tools: tools::FoldedCalls,
    /// The place where the last piece was appended.
    appended: content::ContentPosition,
    /// The previous event about a message.
    status_cache: fingerprint_cache::StatusCache,
    /// A buffer for the characters of an escaped string.
    scratch: String,
}

impl Declared for AgentApiFold {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;

    /// Accepts events with one of the three objects, and bare errors (`{"error":…}`) without
    /// `details`.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        match opening.word("object") {
            // A response of OpenAI has a model.
            Some(name) if name == "response" => {
                opening.word("model").is_none() || opening.has("sequence_number")
            }
            Some(_) => opening.is_one_of("object", &["message", "content"]),
            None => {
                let is_error = opening.has("error") && opening.member("details").is_none();
                let is_typed = ["type", "event_type"].iter().any(|tag| opening.word(tag).is_some());
                is_error && !is_typed && !opening.has("jsonrpc")
            }
        }
    }

    fn is_own(reading: &EventReading<'_, '_>) -> bool {
        let is_in_form = || ErrorMessage::is_in_form(reading.json, &ErrorMessage::TEXTS[2..]);
        reading.row.is_some() && (reading.name.is_some() || is_in_form())
    }

    fn error_event(failure: &ErrorMessage) -> Translated {
        Translated::new(failure.event(""))
    }

    /// Checks nested messages and contents, too: [`Event::decode`] leaves them to their readers.
    fn check(document: &Document<'_>) -> Result<(), DecodeError> {
        Self::read(document.root())?.check_inside()
    }

    fn read<'d, 'a>(json: Element<'d, 'a>) -> Result<EventReading<'d, 'a>, DecodeError> {
        events::read(json)
    }
}

impl Fold for AgentApiFold {
    fn start(&mut self, cx: &mut Context<'_>) {
        cx.open(Response::KIND, ROOT, Snapshot::response, ObjectLimit::Once, Subject::NONE);
    }

    fn before(&mut self, event: &sse::SseEvent<'_>, cx: &mut Context<'_>) -> bool {
        cx.check_framing(event, &rules::FRAMING_FIELD);
        let is_done = is_done(event.data);
        if is_done {
            cx.record(&rules::DONE_MARKER, Observed::Words("[DONE]"));
        }
        !is_done && !self.status_cache(event.data, cx)
    }

    fn find_known(&self, data: &str, skips: &mut Vec<Skip>) {
        self.find_repeated(data, skips);
    }

    fn is_known(&self, event: &EventReading<'_, '_>, cx: &Context<'_>) -> bool {
        match Event::of(*event) {
            Event::Response(response) => response.output().is_some_and(NestedJson::has_skipped),
            Event::Message(message) => self.is_recalled_message(&message, cx),
            Event::Content(_) | Event::Error(_) | Event::Other { .. } => false,
        }
    }

    fn event(&mut self, event: &EventReading<'_, '_>, cx: &mut Context<'_>) {
        let event = Event::of(*event);
        match &event {
            Event::Response(ResponseEvent(event))
            | Event::Message(MessageEvent(event))
            | Event::Content(ContentEvent(event)) => cx.number(event.get(0)),
            Event::Error(error) => return self.error_frame(error, cx),
            Event::Other { name, .. } => {
                let name = name.map(Str::to_str).unwrap_or_default();
                cx.unknown(&name);
                return cx.record(&rules::UNKNOWN_OBJECT, Observed::Name(&name));
            }
        }
        if self.phase == ObjectPhase::Ended {
            return cx.record(&rules::AFTER_TERMINAL, Observed::Words("an event"));
        }
        match &event {
            Event::Response(event) => self.response(event, cx),
            Event::Message(event) => self.message(event, cx),
            Event::Content(event) => self.content(event, cx),
            Event::Error(_) | Event::Other { .. } => {}
        }
    }

    fn append_again(&mut self, text: Str<'_>, cx: &mut Context<'_>) {
        self.append_to_target(text, cx);
    }

    fn is_waiting(&mut self) -> bool {
        match self.appended.key {
            None => self.messages[self.appended.at].parts[self.appended.place].half.is_waiting(),
            Some(_) => {
                self.appended.data(&mut self.messages).is_some_and(|(_, half)| half.is_waiting())
            }
        }
    }

    fn keeps_undeclared(&self, _: &EventReading<'_, '_>, _: &str) -> bool {
        true
    }

    fn finish(&mut self, aborted: bool, cx: &mut Context<'_>) {
        self.stop(aborted, cx);
    }

    fn refused(&mut self, refusal: &RefusedChange) -> Option<u32> {
        self.status_cache.forget();
        let message = self.messages.get_mut(refusal.owner as usize)?;
        // A refused value is missing in the answer, so that a repetition of its event has to be
        // read again.
        message.fingerprints = None;
        let part = message.parts.iter_mut().find(|part| part.node == refusal.node)?;
        part.fingerprints = None;
        Some(part.index)
    }

    fn has_ended(&self) -> bool {
        self.phase == ObjectPhase::Ended
    }
}

impl AgentApiFold {
    fn new(choices: AgentApi, options: &ReadOptions) -> Self {
        AgentApiFold {
            choices,
            keys: DigestKey::new(options.seed),
            phase: ObjectPhase::Absent,
            is_status_unknown: false,
            id: String::new(),
            session_id: String::new(),
            messages: Vec::new(),
            by_id: StringMap::default(),
            open: UnfinishedMessages::default(),
            latest: 0,
            tools: tools::FoldedCalls::default(),
            appended: content::ContentPosition::default(),
            status_cache: fingerprint_cache::StatusCache::default(),
            scratch: String::new(),
        }
    }

    /// Reports a violation that concerns a message, or one of its contents.
    #[cold]
    fn record_in(
        &self,
        cx: &mut Context<'_>,
        rule: &'static Rule,
        message: usize,
        index: Option<u32>,
        got: Observed<'_>,
    ) {
        let owner = self.messages.get(message).map_or(Subject::NONE, |message| message.owner);
        cx.record_in(rule, owner, index, got);
    }

    /// Reports a malformed event, or a malformed part of an event, for the message if there is one.
    #[cold]
    fn malformed_in(
        &self,
        cx: &mut Context<'_>,
        error: &DecodeError,
        what: &str,
        at: usize,
        index: Option<u32>,
    ) {
        let owner = self.messages.get(at).map_or(Subject::NONE, |message| message.owner);
        cx.malformed(error, what, owner, index);
    }

    /// Takes a step of the lifecycle table: reports an illegal one as a violation, and returns the
    /// new state.
    fn step(
        &self,
        step: StatusTransition,
        from: ObjectPhase,
        message: usize,
        got: &str,
        cx: &mut Context<'_>,
    ) -> ObjectPhase {
        if let StatusTransition::Illegal(rule, _) = step {
            self.record_in(cx, rule, message, None, Observed::Words(got));
        }
        step.phase(from)
    }

    /// R10: checks that the response has started before its messages and contents. Reported once,
    /// because the response then counts as started.
    fn inside_response(&mut self, got: &str, cx: &mut Context<'_>) {
        let from = self.phase;
        self.phase = self.step(lifecycle::inside_response(from), from, NO_MESSAGE, got, cx);
    }
}

/// The position for violations that concern no message.
const NO_MESSAGE: usize = usize::MAX;

/// Sets a string that is probably one of the protocol's words.
fn set_word(node: ObjectId, key: Field, text: &str, cx: &mut Context<'_>) {
    cx.set(node, key, MODEL.word(text).map_or(FieldValue::Str(text), FieldValue::Word));
}

/// Sets an integer that the event has.
fn set_integer(node: ObjectId, key: Field, value: Option<i64>, cx: &mut Context<'_>) {
    if let Some(value) = value {
        cx.set(node, key, FieldValue::Int(value));
    }
}

/// Sets the texts of a part other than its value.
fn set_other_texts(
    node: ObjectId,
    event: &ContentEvent<'_>,
    kind: &ContentType,
    cx: &mut Context<'_>,
) {
    for &member in kind.members().iter().filter(|member| **member != part::main_member(kind)) {
        if let Some(text) = event.string(member) {
            cx.set_text(node, member, &text.to_str());
        }
    }
}

fn set_status(node: ObjectId, status: &str, cx: &mut Context<'_>) {
    set_word(node, Content::status, status, cx);
}

#[cold]
fn set_error(node: ObjectId, error: &ErrorValue<'_>, default_code: &str, cx: &mut Context<'_>) {
    let error = ErrorInfo::new(error.code.as_deref().unwrap_or(default_code), &*error.message);
    cx.set_json(node, Content::error, &object_to_json(&error));
}

/// A message that has appeared.
#[derive(Clone, Debug)]
struct FoldedMessage {
    /// The reference to its id, which is empty while only contents without a `msg_id` have arrived.
    pub owner: Subject,
    /// Its object in the sink; `None` for heartbeats that are not kept.
    pub node: Option<ObjectId>,
    /// `Absent` while the message is provisional: contents have arrived, but not a message event.
    pub phase: ObjectPhase,
    pub kind: MessageType,
    pub role: Option<Role>,
    pub heartbeat: bool,
    /// Sorted by index.
    pub parts: Vec<FoldedPart>,
    /// Event number and offset of its first appearance.
    pub opened: (u64, u64),
    /// Whether it ended with the status completed.
    pub completed: bool,
    /// The number of the last event that listed it in a response, from 1; 0 without such an event.
    pub listed_in: u64,
    /// The fingerprint of the event that ended it, unless the message has changed since.
    pub fingerprints: Option<FingerprintCache>,
}

/// A content that has appeared.
#[derive(Clone, Debug)]
struct FoldedPart {
    pub node: ObjectId,
    pub index: u32,
    pub kind: ContentType,
    pub phase: ObjectPhase,
    /// The `status` in the sink, as last set here.
    pub status: &'static str,
    /// The value of the member that pieces append to, or of `data` as JSON text when it arrived
    /// whole. Empty data is `None`.
    pub value: CellValue,
    /// Whether the last value was a piece, so that a whole value can be compared with the pieces.
    pub pieces: bool,
    /// The first half of a character that the last piece ended with.
    pub half: SurrogateHalf,
    /// The outline of the data, for contents of type data.
    pub shape: Option<Box<Outline>>,
    /// The position of the tool call whose call or output this content is.
    pub tool: Option<usize>,
    /// The ids and the name in its data, while the type of its message is not known.
    pub identity: Option<Box<Identity>>,
    /// The fingerprint of the event that ended it, unless the content has changed since.
    pub fingerprints: Option<FingerprintCache>,
}

/// The state of the value of a content.
#[derive(Clone, Debug)]
enum CellValue {
    /// Null, or without a value so far.
    None,
    /// A text.
    Text(Digest),
    /// Data merged from pieces: while it may continue, the shape describes it.
    Pieces,
}

impl FoldedPart {
    /// Returns whether the part has no value, or an empty one. An empty value must not erase any
    /// other.
    pub fn is_empty(&self) -> bool {
        match &self.value {
            CellValue::None => true,
            CellValue::Text(digest) => digest.len() == 0,
            CellValue::Pieces => self.shape.as_ref().is_some_and(|shape| shape.is_empty()),
        }
    }

    /// Drops the outline of the data, because further pieces do not follow.
    pub fn forget_shape(&mut self) {
        if self.shape.take().is_some_and(|shape| shape.is_empty())
            && matches!(self.value, CellValue::Pieces)
        {
            self.value = CellValue::None;
        }
    }
}

impl FoldedMessage {
    /// Returns the position in `parts` of the part with that index, or the position to insert it
    /// at.
    pub fn part(&self, index: u32) -> Result<usize, usize> {
        // Usually the index is the position.
        match self.parts.get(index as usize) {
            Some(part) if part.index == index => Ok(index as usize),
            _ => self.parts.binary_search_by_key(&index, |part| part.index),
        }
    }
}

/// The messages that have not ended: their number, and the position if there is only one.
#[derive(Clone, Debug, Default)]
struct UnfinishedMessages {
    count: usize,
    /// The sum of their positions.
    sum: usize,
}

impl UnfinishedMessages {
    pub fn insert(&mut self, at: usize) {
        self.count += 1;
        self.sum += at;
    }

    pub fn remove(&mut self, at: usize) {
        self.count -= 1;
        self.sum -= at;
    }

    /// Returns the position of the only open message.
    pub fn only(&self) -> Option<usize> {
        (self.count == 1).then_some(self.sum)
    }
}
