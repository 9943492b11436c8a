//! A builder of streams that the official client accepts without errors.
//!
//! Methods that write events return them as [`WireEvent`]s, in the order in which they have to be
//! sent. A call that would make the stream illegal returns a [`UsageError`] with the call to make
//! instead, and changes nothing. The builder and the readers share one definition of legal streams.
//!
//! [`StreamBuilder::event`] accepts any event. The other methods write the usual events: [`text`](StreamBuilder::text)
//! and [`reasoning`](StreamBuilder::reasoning) continue a message until another event ends it,
//! [`state`](StreamBuilder::state) and [`activity`](StreamBuilder::activity) receive the new value and write the
//! changes, and [`finish`](StreamBuilder::finish) ends everything that is open except for calls.
//!
//! ```
//! use agentwire::ag_ui::builder::{Outcome, StreamBuilder};
//! use agentwire::json::Value;
//!
//! # fn main() -> Result<(), agentwire::UsageError> {
//! let mut out = StreamBuilder::new("thread", "run");
//! let mut stream = out.start()?;
//! stream.extend(out.text("I look")?);
//! stream.extend(out.text(" it up.")?);
//! let state = |days: i64| Value::from([("city", "Oslo".into()), ("why", "a long weekend by the sea with friends".into()), ("days", days.into())]);
//! stream.extend(out.state(&state(3))?);
//! stream.extend(out.state(&state(4))?);
//! assert!(stream.last().is_some_and(|event| event.json().contains(r#"[{"op":"replace","path":"/days","value":4}]"#)));
//! stream.extend(out.tool_call_start("c1", "get_weather")?);
//! stream.extend(out.tool_call_args("c1", r#"{"city":"Oslo"}"#)?);
//! assert_eq!(out.finish(Outcome::Success, None).unwrap_err().code, "finished-early");
//! stream.extend(out.tool_call_end("c1")?);
//!
//! // Whatever happens now (an abort, an error, a drop), one call ends the stream legally.
//! stream.extend(out.finish_with(None));
//! assert_eq!(stream.last().and_then(|event| event.json().get(9..21)), Some("RUN_FINISHED"));
//! # Ok(())
//! # }
//! ```

mod documents;
mod finish;
mod message;
mod usage_error;

use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;

pub(crate) use crate::core::wire::WireEvent;
pub use finish::Outcome;

use self::documents::Documents;
use self::message::PieceStream;
use self::usage_error::{FirstViolation, malformed, usage_error};
use super::events::{EVENTS, Event, EventKind, event};
use super::fold::check_written;
use super::lifecycle::{
    EventHead, HeadMembers, ImplicitStreams, Lifecycle, MessageHead, StreamKind,
};
use super::model::Role;
use super::request::RunAgentInput;
use crate::bytes::string_map::StringMap;
use crate::core::id::Counter;
use crate::core::{DecodeError, IdSource, Limits, Reading, UsageError};
use crate::json::{Document, Element, Value};

use super::PROTOCOL_VERSION;
/// Builds a stream of one run, or of several.
pub struct StreamBuilder {
    thread_id: String,
    run_id: String,
    ids: Box<dyn IdSource>,
    chunks: bool,
    life: Lifecycle,
    /// The lane of the next events.
    lane: Option<Box<str>>,
    /// The texts, reasoning and calls that end implicitly.
    streams: ImplicitStreams<PieceStream>,
    /// The message that calls belong to, by lane.
    parents: StringMap<Option<String>>,
    documents: Documents,
    usage: Option<Value>,
}

impl StreamBuilder {
    /// Creates the stream of a run of a thread. Ids of messages are numbered: they are unique
    /// within a run only, see
    /// [`ids`](Self::ids).
    pub fn new(thread_id: impl Into<String>, run_id: impl Into<String>) -> Self {
        StreamBuilder {
            thread_id: thread_id.into(),
            run_id: run_id.into(),
            ids: Box::new(Counter::default()),
            chunks: false,
            life: Lifecycle::default(),
            lane: None,
            streams: ImplicitStreams::default(),
            parents: StringMap::default(),
            documents: Documents::default(),
            usage: None,
        }
    }

    /// Creates the stream that answers a request, with its thread, its run, and the state of the
    /// client.
    pub fn answering(input: &RunAgentInput) -> Self {
        Self::new(&*input.thread_id, &*input.run_id).client_state(&input.state)
    }

    /// Sets the source of new ids. Ids of messages have to be unique in the thread.
    pub fn ids(mut self, ids: impl IdSource + 'static) -> Self {
        self.ids = Box::new(ids);
        self
    }

    /// Writes text, reasoning and tool calls as chunks, which begin and end implicitly:
    /// `TEXT_MESSAGE_CHUNK` instead of `TEXT_MESSAGE_START`, `_CONTENT` and `_END`. In this mode,
    /// another event in the lane of a call ends the call, too.
    pub fn chunks(mut self, chunks: bool) -> Self {
        self.chunks = chunks;
        self
    }

    /// Sets the state that the client has sent. Changes are relative to it.
    pub fn client_state(mut self, state: &Value) -> Self {
        self.documents.set_state(state);
        self
    }

    /// Writes `RUN_STARTED` with the thread and the run of the builder.
    pub fn start(&mut self) -> Result<Vec<WireEvent>, UsageError> {
        let started = event!(RunStarted; {
            thread_id: (&self.thread_id).into(),
            run_id: (&self.run_id).into(),
            protocol_version: Some(PROTOCOL_VERSION.into()),
            parent_run_id: None,
            input: None,
        });
        let started = started.to_wire();
        self.send(started)
    }

    /// Sets the lane of the next events: the id of a subagent, or `None` for the agent itself.
    pub fn lane(&mut self, subagent_run_id: Option<&str>) -> &mut Self {
        self.lane = subagent_run_id.map(Into::into);
        self
    }

    /// Sets the token usage, a list of objects, which is written at the end of the run.
    pub fn set_usage(&mut self, usage: Value) {
        self.usage = Some(usage);
    }

    /// Writes any event except for chunks, events from before 1.0 and events that the protocol does
    /// not have. Messages that [`text`](Self::text) and similar methods have begun end before it,
    /// where the protocol requires it.
    pub fn event(&mut self, event: &Event<'_>) -> Result<Vec<WireEvent>, UsageError> {
        usage_error::unwritten(event)?;
        self.send(event.to_wire())
    }

    fn send(&mut self, written: WireEvent) -> Result<Vec<WireEvent>, UsageError> {
        self.send_after(&mut |_| Ok(Vec::new()), written)
    }

    /// Checks a written event against the protocol and applies it, after the events that `before`
    /// writes. An invalid event changes nothing.
    fn send_after(
        &mut self,
        before: &mut dyn FnMut(&mut Self) -> Result<Vec<WireEvent>, UsageError>,
        written: WireEvent,
    ) -> Result<Vec<WireEvent>, UsageError> {
        let document = Document::read(written.json(), Limits::default().json_depth)
            .map_err(|error| malformed(DecodeError::new(error, "")))?;
        let event = EVENTS.read(document.root()).map_err(malformed)?;
        check_written(&event).map_err(malformed)?;
        let mut events = before(self)?;
        events.extend(self.apply(&event)?);
        events.push(written);
        Ok(events)
    }

    /// Applies an event that was written and checked. Returns the events that have to be sent
    /// before it.
    fn apply(&mut self, event: &Reading<'_, '_>) -> Result<Vec<WireEvent>, UsageError> {
        let Some(kind) = EventKind::of(event) else { return Ok(Vec::new()) };
        let messages = MessageHead::of_event(kind, |member| event.json.member(member));
        let members = HeadMembers::of(kind, event);
        let head = members.head(None, &messages);
        let implicit = self.ended_implicitly(kind, head.id);
        if implicit.is_some() && self.chunks {
            return Err(usage_error::end_of_chunks(head.id));
        }
        let events = self.advance(&head, Some(event.json))?;
        if let Some(at) = implicit {
            self.streams.remove(at);
        }
        let lane = head.subagent.unwrap_or_default();
        match kind {
            EventKind::TextMessageStart => {
                let is_agent = event.text("role").is_none_or(|role| role == "assistant");
                self.parents.insert(lane, is_agent.then(|| head.id.into()));
            }
            EventKind::ToolCallResult => self.parents.insert(lane, None),
            EventKind::RunStarted | EventKind::MessagesSnapshot => {
                self.parents = Default::default()
            }
            _ => {}
        }
        Ok(events)
    }

    /// Ends the implicit streams that have to end before an event, and applies the event. A refused
    /// event changes nothing.
    fn advance(
        &mut self,
        head: &EventHead<'_>,
        json: Option<Element<'_, '_>>,
    ) -> Result<Vec<WireEvent>, UsageError> {
        let ended = self.end_streams_before(head);
        let applied = self.keeps_open(head).and_then(|()| self.step(head));
        if let Err(error) = applied.and_then(|()| self.documents.apply(head, json)) {
            ended.into_iter().for_each(|stream| self.reopen_stream(stream));
            return Err(error);
        }
        Ok(self.ends_of(&ended))
    }

    /// Applies an event to the lifecycle, or returns the first violation.
    fn step(&mut self, head: &EventHead<'_>) -> Result<(), UsageError> {
        let mut judge = FirstViolation::default();
        self.life.step(head, &mut judge);
        judge.0.map_or(Ok(()), Err)
    }

    /// Refuses a snapshot of the messages that lacks an open message or call: the rest of it would
    /// be lost.
    fn keeps_open(&self, head: &EventHead<'_>) -> Result<(), UsageError> {
        if head.kind != EventKind::MessagesSnapshot {
            return Ok(());
        }
        let mut known: StringMap<()> = StringMap::default();
        for message in head.messages {
            known.insert(&message.id, ());
            message.call_ids().for_each(|id| known.insert(&id, ()));
        }
        let has_reasoning = head.messages.iter().any(|message| message.role == Role::Reasoning);
        let open = |stream| self.life.open.names(stream).each_open();
        // Clients keep reasoning, unless the snapshot contains any.
        let reasoning = has_reasoning.then(|| open(StreamKind::Reasoning)).into_iter().flatten();
        let mut lost = open(StreamKind::Text).chain(open(StreamKind::Call)).chain(reasoning);
        match lost.find(|id| known.get(id).is_none()) {
            None => Ok(()),
            Some(id) => Err(usage_error::lost(id)),
        }
    }

    /// Checks whether an event is legal in the phase of the stream.
    fn check_phase(&self, kind: EventKind) -> Result<(), UsageError> {
        self.life.check_phase(kind).map_err(usage_error)
    }
}

impl fmt::Debug for StreamBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamBuilder")
            .field("thread_id", &self.thread_id)
            .field("run_id", &self.run_id)
            .field("lane", &self.lane)
            .finish_non_exhaustive()
    }
}
