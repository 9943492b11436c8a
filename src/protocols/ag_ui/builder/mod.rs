//! The way to make a stream that the official client takes without a word.
//!
//! Every method that stands for events returns them as [`WireEvent`]s, ready to be sent in their order; a call that would make an
//! illegal stream returns a [`UsageError`] that says what to call instead, and changes nothing. What is legal is asked of the
//! lifecycle that readers ask, never decided here.
//!
//! [`StreamBuilder::event`] takes any event. The other methods make the usual ones: [`text`](StreamBuilder::text) and
//! [`reasoning`](StreamBuilder::reasoning) go on with a message until something else is said, [`state`](StreamBuilder::state)
//! and [`activity`](StreamBuilder::activity) are told what is now and say what has changed, and
//! [`finish`](StreamBuilder::finish) ends whatever is open.
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
mod refuse;
mod streams;

use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;

pub(crate) use crate::core::wire::WireEvent;
pub use finish::Outcome;

use self::documents::Documents;
use self::refuse::{malformed, refuse};
use self::streams::Streams;
use super::events::Event;
use super::fold::strict;
use super::lifecycle::{Lifecycle, Said, Thing};
use super::members::{head, member};
use super::model::Role;
use super::request::RunAgentInput;
pub use super::version::PROTOCOL_VERSION;
use crate::bytes::string_map::StringMap;
use crate::core::id::Counter;
use crate::core::{DecodeError, IdSource, Limits, UsageError};
use crate::json::{Document, Element, Value};

/// Builds a stream of one run, or of several.
pub struct StreamBuilder {
    thread_id: String,
    run_id: String,
    ids: Box<dyn IdSource>,
    chunks: bool,
    life: Lifecycle,
    /// Where what is said next belongs to.
    lane: Option<Box<str>>,
    /// What ends by itself when something else is said.
    streams: Streams,
    /// The message that calls belong to, by lane.
    parents: StringMap<Option<String>>,
    documents: Documents,
    usage: Option<Value>,
}

/// An event of these members, and of none that all events may have; with a lane where one is given.
macro_rules! event {
    ($Row:ident in $lane:expr, { $($member:ident: $value:expr),* $(,)? }) => {
        Event::$Row {
            $($member: $value,)*
            subagent_run_id: $lane.map(alloc::borrow::Cow::Borrowed),
            timestamp: None,
            raw_event: None,
            metadata: None,
        }
    };
    ($Row:ident { $($member:ident: $value:expr),* $(,)? }) => {
        Event::$Row { $($member: $value,)* timestamp: None, raw_event: None, metadata: None }
    };
}
use event;

impl StreamBuilder {
    /// The stream of a run of a thread. Ids of messages are numbered: unique within a run only, see [`ids`](Self::ids).
    pub fn new(thread_id: impl Into<String>, run_id: impl Into<String>) -> Self {
        StreamBuilder {
            thread_id: thread_id.into(),
            run_id: run_id.into(),
            ids: Box::new(Counter::default()),
            chunks: false,
            life: Lifecycle::default(),
            lane: None,
            streams: Streams::default(),
            parents: StringMap::default(),
            documents: Documents::default(),
            usage: None,
        }
    }

    /// The stream that answers a request: its thread, its run, and the state that the client has.
    pub fn answering(input: &RunAgentInput) -> Self {
        Self::new(&*input.thread_id, &*input.run_id).client_state(&input.state)
    }

    /// Where new ids come from: those of messages have to be new in the thread.
    pub fn ids(mut self, ids: impl IdSource + 'static) -> Self {
        self.ids = Box::new(ids);
        self
    }

    /// Writes text, reasoning and tool calls as chunks, which begin and end by themselves: `TEXT_MESSAGE_CHUNK` in the place of
    /// `TEXT_MESSAGE_START`, `_CONTENT` and `_END`. A call ends then, too, when something else is said in its lane.
    pub fn chunks(mut self, chunks: bool) -> Self {
        self.chunks = chunks;
        self
    }

    /// The state that the client has sent: changes are told from it.
    pub fn client_state(mut self, state: &Value) -> Self {
        self.documents.set_state(state);
        self
    }

    /// `RUN_STARTED`, of the thread and the run that the builder was made for.
    pub fn start(&mut self) -> Result<Vec<WireEvent>, UsageError> {
        let (thread_id, run_id) = (self.thread_id.clone(), self.run_id.clone());
        self.event(&event!(RunStarted {
            thread_id: thread_id.into(),
            run_id: run_id.into(),
            protocol_version: Some(PROTOCOL_VERSION.into()),
            parent_run_id: None,
            input: None,
        }))
    }

    /// The lane that what is said next belongs to: the id of a subagent; none is the agent itself.
    pub fn lane(&mut self, subagent_run_id: Option<&str>) -> &mut Self {
        self.lane = subagent_run_id.map(Into::into);
        self
    }

    /// Tokens used, a list of objects: told when the run ends.
    pub fn set_usage(&mut self, usage: Value) {
        self.usage = Some(usage);
    }

    /// Any event but chunks, those from before 1.0 and those that the protocol does not have. What [`text`](Self::text) and the
    /// like have begun ends before it, where the protocol says so.
    pub fn event(&mut self, event: &Event<'_>) -> Result<Vec<WireEvent>, UsageError> {
        let made = self.check(event)?;
        let document = read(&made)?;
        let lane = lane_of(event);
        let ended = self.streams.end_before(event.name().unwrap_or_default(), lane, &mut self.life);
        let taken = self.keeps_what_is_open(event, document.root());
        let taken = taken.and_then(|()| self.life.step(event, document.root()).map_err(refuse));
        if let Err(misuse) = taken.and_then(|()| self.documents.hold(event, document.root())) {
            self.streams.take_back(ended, &mut self.life);
            return Err(misuse);
        }
        self.note_parent(event);
        let mut events = self.streams.ends_of(&ended, self.chunks);
        events.push(made);
        Ok(events)
    }

    /// Refuses messages that something open is not among: what is said of it would be lost.
    fn keeps_what_is_open(&self, event: &Event<'_>, json: Element<'_, '_>) -> Result<(), UsageError> {
        let Event::MessagesSnapshot { .. } = event else { return Ok(()) };
        let mut known: StringMap<()> = StringMap::default();
        let mut has_reasoning = false;
        for (id, role, message) in
            member(json, "messages").and_then(|all| all.array().ok()).into_iter().flatten().filter_map(head)
        {
            known.insert(&id, ());
            has_reasoning |= role == Role::Reasoning;
            for call in
                member(message, "toolCalls").and_then(|calls| calls.array().ok()).into_iter().flatten()
            {
                member(call, "id").into_iter().for_each(|id| known.insert(&id.words(), ()));
            }
        }
        let open = |thing| self.life.open.names(thing).each_open();
        // Clients keep what was thought, unless the messages have something of it.
        let reasoning = has_reasoning.then(|| open(Thing::Reasoning)).into_iter().flatten();
        let mut lost = open(Thing::Text).chain(open(Thing::Call)).chain(reasoning);
        match lost.find(|id| known.get(id).is_none()) {
            None => Ok(()),
            Some(id) => Err(refuse::lost(id)),
        }
    }

    /// An event that is as the protocol describes it.
    fn check(&self, event: &Event<'_>) -> Result<WireEvent, UsageError> {
        refuse::unwritten(event)?;
        let made = event.to_wire();
        strict(read(&made)?.root()).map_err(malformed)?;
        Ok(made)
    }

    /// Whether an event of that name may come now.
    fn may_come(&self, name: &str) -> Result<(), UsageError> {
        self.life.may_come(name).map_err(refuse)
    }
}

/// The lane that an event names.
fn lane_of<'e>(event: &'e Event<'_>) -> Option<&'e str> {
    match event {
        Event::SubagentFinished { subagent_run_id, .. } | Event::SubagentError { subagent_run_id, .. } => {
            Some(subagent_run_id)
        }
        Event::StepStarted { subagent_run_id, .. }
        | Event::StepFinished { subagent_run_id, .. }
        | Event::TextMessageStart { subagent_run_id, .. }
        | Event::TextMessageContent { subagent_run_id, .. }
        | Event::TextMessageEnd { subagent_run_id, .. }
        | Event::ToolCallStart { subagent_run_id, .. }
        | Event::ToolCallArgs { subagent_run_id, .. }
        | Event::ToolCallEnd { subagent_run_id, .. }
        | Event::ToolCallResult { subagent_run_id, .. }
        | Event::StateSnapshot { subagent_run_id, .. }
        | Event::StateDelta { subagent_run_id, .. }
        | Event::ReasoningStart { subagent_run_id, .. }
        | Event::ReasoningMessageStart { subagent_run_id, .. }
        | Event::ReasoningMessageContent { subagent_run_id, .. }
        | Event::ReasoningMessageEnd { subagent_run_id, .. }
        | Event::ReasoningEnd { subagent_run_id, .. }
        | Event::Custom { subagent_run_id, .. } => subagent_run_id.as_deref(),
        // They end nothing in a lane of theirs.
        _ => None,
    }
}

fn read(event: &WireEvent) -> Result<Document<'_>, UsageError> {
    Document::read(event.json(), Limits::default().json_depth)
        .map_err(|error| malformed(DecodeError::new(error, "")))
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
