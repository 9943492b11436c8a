//! The meaning of the events: they form one growing answer.
//!
//! The reader never fails. This module takes events in order of arrival, determines their meaning, calls a
//! [`Sink`](crate::core::sink::Sink), and reports every violation of the protocol in the
//! [`Report`](crate::core::report::Report). It keeps no text, only a phase, a length and fingerprints for each
//! content, the shape of the data for data contents in pieces, and the latest message event if that is short.
//!
//! Guarantees: pieces append, everything else replaces, empty or null never erases. The latest value of an object
//! counts, from the inside out (content, message, response). A content before its message opens a provisional message.
//! Messages that the final output does not list are kept, after the listed ones.

use alloc::{string::String, vec::Vec};

#[cfg(test)]
mod agreement;
mod content;
mod data;
mod delta;
mod fingerprint_cache;
mod full_value;
mod message;
mod outline;
mod part;
mod response;
mod state;
mod tools;

use super::events::{self, ContentEvent, EVENTS, ErrorValue, Event};
use super::lifecycle::{self, Phase, Transition};
use super::model::{Content, ContentType, MODEL, Response, Snapshot};
use super::rules;
use crate::bytes::string_map::StringMap;
use crate::core::detect::is_done;
use crate::core::{DecodeError, Observed, Opening, ReadOptions, Reading, Rule};
use crate::engine::{
    CommonRules, Context, Counted, Declared, EventTable, Key, Keys, Meaning, Node, Owner, Refusal, SinkValue,
};
use crate::json::{Document, Element, Object, Raw, Skip, Str};
use crate::sse;

pub use response::AgentApi;

use state::MessageState;

/// The object that holds the response and the list of tool calls.
const ROOT: Node = 0;
/// The response: the first object that is opened.
const RESPONSE: Node = 1;

/// The meaning of the events of the Agent API.
#[derive(Debug)]
pub struct AgentApiMeaning {
    choices: AgentApi,
    keys: Keys,
    phase: Phase,
    /// Whether the last response event had the status `unknown`.
    said_unknown: bool,
    id: String,
    session_id: String,
    messages: Vec<MessageState>,
    by_id: StringMap<usize>,
    /// The messages that have not ended.
    open: state::OpenMessages,
    /// The message of the previous event, which is usually also the message of the current one.
    latest: usize,
    tools: tools::Tools,
    /// The place where the last piece was appended.
    appended: delta::Target,
    /// The previous event about a message.
    status_cache: fingerprint_cache::StatusCache,
    /// A buffer for the characters of an escaped string.
    scratch: String,
}

impl Declared for AgentApiMeaning {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;

    /// Accepts events with one of the three objects, and bare errors (`{"error":…}`) without `details`.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        match opening.word("object") {
            Some(_) => opening.is_one_of("object", &["response", "message", "content"]),
            None => {
                let is_error = opening.has("error") && opening.member("details").is_none();
                is_error && opening.word("type").is_none() && !opening.has("jsonrpc")
            }
        }
    }

    /// Checks nested messages and contents, too: [`Event::decode`] leaves them to their readers.
    fn check(document: &Document<'_>) -> Result<(), DecodeError> {
        Self::read(document.root())?.check_inside()
    }

    fn read<'d, 'a>(json: Element<'d, 'a>) -> Result<Reading<'d, 'a>, DecodeError> {
        events::read(json)
    }
}

impl Meaning for AgentApiMeaning {
    fn start(&mut self, cx: &mut Context<'_>) {
        cx.open(Response::KIND, ROOT, Snapshot::response, Counted::Once, Owner::NONE);
    }

    fn before(&mut self, event: &sse::SseEvent<'_>, cx: &mut Context<'_>) -> bool {
        cx.check_framing(event, &rules::FRAMING_FIELD);
        let is_done = is_done(event.data);
        if is_done {
            cx.breach(&rules::DONE_MARKER, Observed::Words("[DONE]"));
        }
        !is_done && !self.status_cache(event.data, cx)
    }

    fn find_known(&self, data: &str, skips: &mut Vec<Skip>) {
        self.said_again(data, skips);
    }

    fn is_known(&self, event: &Reading<'_, '_>, cx: &Context<'_>) -> bool {
        self.is_recalled(event, cx)
    }

    fn event(&mut self, event: &Reading<'_, '_>, cx: &mut Context<'_>) {
        let event = Event::of(*event);
        match &event {
            Event::Response(event) => cx.number(event.0.get(0)),
            Event::Message(event) => cx.number(event.0.get(0)),
            Event::Content(event) => cx.number(event.0.get(0)),
            Event::Error(error) => return self.error_frame(error, cx),
            Event::Other { name, .. } => {
                let name = name.map(Str::to_str).unwrap_or_default();
                cx.unknown(&name);
                return cx.breach(&rules::UNKNOWN_OBJECT, Observed::Name(&name));
            }
        }
        if self.phase == Phase::Ended {
            return cx.breach(&rules::AFTER_TERMINAL, Observed::Words("an event"));
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
        self.target_is_waiting()
    }

    fn finish(&mut self, aborted: bool, cx: &mut Context<'_>) {
        self.stop(aborted, cx);
    }

    fn refused(&mut self, refusal: &Refusal) -> Option<u32> {
        self.status_cache.forget();
        let message = self.messages.get_mut(refusal.owner as usize)?;
        // A refused value is missing in the answer, so that a repetition of its event has to be read again.
        message.fingerprints = None;
        let part = message.parts.iter_mut().find(|part| part.node == refusal.node)?;
        part.fingerprints = None;
        Some(part.index)
    }

    fn has_ended(&self) -> bool {
        self.phase == Phase::Ended
    }
}

impl AgentApiMeaning {
    fn new(choices: AgentApi, options: &ReadOptions) -> Self {
        AgentApiMeaning {
            choices,
            keys: Keys::new(options.seed),
            phase: Phase::Absent,
            said_unknown: false,
            id: String::new(),
            session_id: String::new(),
            messages: Vec::new(),
            by_id: StringMap::default(),
            open: state::OpenMessages::default(),
            latest: 0,
            tools: tools::Tools::default(),
            appended: delta::Target::default(),
            status_cache: fingerprint_cache::StatusCache::default(),
            scratch: String::new(),
        }
    }

    /// Reports a violation that concerns a message, or one of its contents.
    #[cold]
    fn breach_in(
        &self,
        cx: &mut Context<'_>,
        rule: &'static Rule,
        message: usize,
        index: Option<u32>,
        got: Observed<'_>,
    ) {
        let owner = self.messages.get(message).map_or(Owner::NONE, |message| message.owner);
        cx.breach_in(rule, owner, index, got);
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
        let owner = self.messages.get(at).map_or(Owner::NONE, |message| message.owner);
        cx.malformed(error, what, owner, index);
    }

    /// Takes a step of the lifecycle table: reports an illegal one as a violation, and returns the new state.
    fn step(&self, step: Transition, from: Phase, message: usize, got: &str, cx: &mut Context<'_>) -> Phase {
        if let Transition::Illegal(rule, _) = step {
            self.breach_in(cx, rule, message, None, Observed::Words(got));
        }
        step.phase(from)
    }

    /// R10: checks that the response has started before its messages and contents. Reported once, because the response
    /// then counts as started.
    fn inside_response(&mut self, got: &str, cx: &mut Context<'_>) {
        let from = self.phase;
        self.phase = self.step(lifecycle::inside_response(from), from, NO_MESSAGE, got, cx);
    }
}

/// The position for violations that concern no message.
const NO_MESSAGE: usize = usize::MAX;

/// Sets a string that is probably one of the protocol's words.
fn set_word(node: Node, key: Key, text: &str, cx: &mut Context<'_>) {
    cx.set(node, key, MODEL.word(text).map_or(SinkValue::Str(text), SinkValue::Word));
}

/// Sets an integer that the event has.
fn set_integer(node: Node, key: Key, value: Option<i64>, cx: &mut Context<'_>) {
    if let Some(value) = value {
        cx.set(node, key, SinkValue::Int(value));
    }
}

/// Sets the texts of a part other than its value.
fn set_other_texts(node: Node, event: &ContentEvent<'_>, kind: &ContentType, cx: &mut Context<'_>) {
    for &member in kind.members().iter().filter(|member| **member != part::main_member(kind)) {
        if let Some(text) = event.string(member) {
            cx.set_text(node, member, &text.to_str());
        }
    }
}

fn set_status(node: Node, status: &str, cx: &mut Context<'_>) {
    set_word(node, Content::status, status, cx);
}

#[cold]
fn set_error(node: Node, error: &ErrorValue<'_>, default_code: &str, cx: &mut Context<'_>) {
    let mut json = String::new();
    let mut object = Object::open(&mut json, false);
    object.string("code", Some(error.code.as_deref().unwrap_or(default_code)));
    object.string("message", Some(&error.message));
    object.close();
    cx.set(node, Content::error, SinkValue::Json(Raw(&json)));
}
