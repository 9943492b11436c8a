//! The legal order of events: the verifier of the official client, with its messages. Builder, engine and checker all
//! use this module; the order is not defined anywhere else. (B.6.)
//!
//! ```text
//!           ┌────────┐ RUN_STARTED ┌─────────┐ RUN_FINISHED ┌──────────┐
//!      run  │ Before │────────────▶│ Running │─────────────▶│ Finished │──▶ RUN_STARTED: Running
//!           └────────┘             └─────────┘              └──────────┘
//!               │ RUN_ERROR             │ RUN_ERROR              │ RUN_ERROR
//!               ▼                       ▼                        ▼
//!           ┌────────┐
//!           │ Failed │──▶ RUN_STARTED: Running
//!           └────────┘
//! ```
//!
//! All other events come in Running only. Messages, calls, spans of reasoning, steps and subagents are opened and
//! closed by id; all of them have to end before `RUN_FINISHED`, and `RUN_ERROR` cuts them off. An event that names a
//! lane has to name the lane of its subject.

mod ends;
mod open;
mod parts;
mod step;

use alloc::{string::String, vec::Vec};

use super::rules;
use crate::bytes::put;
use crate::core::Rule;
use crate::core::sink::Node;
pub(super) use ends::{Ends, ends_chunks};
pub(super) use open::{Lane, Open, Owned, Thing, lane_name};

/// The phase of the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// No event has come.
    #[default]
    Before,
    /// A run is in progress.
    Running,
    /// Events have come, and no run has begun: texts and calls without a start get one (K13).
    Fragments,
    Finished,
    Failed,
}

/// The refusal of an event.
#[derive(Debug)]
pub(super) struct Refused {
    pub rule: &'static Rule,
    /// The message of the official client.
    pub said: String,
}

pub(super) type Allowed = Result<(), Refused>;

/// Returns a refusal, with a message from [`filled`].
#[cold]
#[inline(never)]
pub(super) fn refused(rule: &'static Rule, words: &str, values: &[&str]) -> Allowed {
    Err(Refused { rule, said: filled(words, values) })
}

/// Returns a sentence with its `{}` replaced by values.
pub(super) fn filled(sentence: &str, values: &[&str]) -> String {
    let mut values = values.iter();
    let mut parts = sentence.split('{');
    let mut said = String::from(parts.next().unwrap_or_default());
    for part in parts {
        put(&mut said, values.next().copied().unwrap_or_default());
        put(&mut said, part.strip_prefix('}').unwrap_or(part));
    }
    said
}

/// The parts of an event that the checks use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'a> {
    pub name: &'a str,
    pub lane: Option<&'a str>,
}

/// The state of a stream that decides which events may come next.
#[derive(Debug, Default)]
pub(super) struct Lifecycle {
    pub phase: Phase,
    pub open: Open,
}

impl Lifecycle {
    /// Checks whether an event may come at all (rows 1 to 4).
    pub fn may_come(&self, name: &str) -> Allowed {
        let starts = name == "RUN_STARTED";
        match self.phase {
            Phase::Failed if !starts => refused(
                &rules::AFTER_ERROR,
                "Cannot send event type '{}': The run has already errored with 'RUN_ERROR'. No further events can be sent.",
                &[name],
            ),
            Phase::Finished if !starts && name != "RUN_ERROR" => refused(
                &rules::AFTER_FINISHED,
                "Cannot send event type '{}': The run has already finished with 'RUN_FINISHED'. Start a new run with 'RUN_STARTED'.",
                &[name],
            ),
            Phase::Before if !starts && name != "RUN_ERROR" => {
                refused(&rules::FIRST_EVENT, "First event must be 'RUN_STARTED'", &[])
            }
            Phase::Running | Phase::Fragments if starts => refused(
                &rules::RUN_STARTED_TWICE,
                "Cannot send 'RUN_STARTED' while a run is still active. The previous run must be finished with 'RUN_FINISHED' before starting a new run.",
                &[],
            ),
            _ => Ok(()),
        }
    }

    /// Starts a run and discards the state of the one before.
    pub fn run_started(&mut self) {
        if self.phase != Phase::Before {
            self.open = Open::default();
        }
        self.phase = Phase::Running;
    }

    /// Checks whether a text, span or call may start (rows 5, 7, 11).
    pub fn may_start(&self, thing: Thing, id: &str) -> Allowed {
        if !self.open.names(thing).is_open(id) {
            return Ok(());
        }
        let words = thing.words();
        refused(
            &rules::STARTED_TWICE,
            "Cannot send '{}' event: A {} with ID '{}' is already in progress. Complete it with '{}' first.",
            &[words.start, words.noun, id, words.end],
        )
    }

    /// Records a start. The lane owns the id unless another one did before.
    pub fn started(&mut self, thing: Thing, id: &str, lane: Option<&str>, node: Option<Node>) {
        self.open.names_mut(thing).open(id, node);
        self.open.own_new(thing.words().owned, id, lane);
    }

    /// Records the start of a call, which belongs to the lane of its message if it names none.
    pub fn call_started(&mut self, id: &str, parent: Option<&str>, lane: Option<&str>) {
        let inherited = parent.and_then(|parent| self.open.owner(Owned::Message, parent)).cloned().flatten();
        self.started(Thing::Call, id, lane.or(inherited.as_deref()), None);
    }

    /// Checks whether a text, span or call is open, to continue or end it (rows 6, 7, 11).
    pub fn is_open(&self, thing: Thing, id: &str, name: &str) -> Allowed {
        if self.open.names(thing).is_open(id) {
            return Ok(());
        }
        let words = thing.words();
        let (sentence, values): (&str, &[&str]) = match name == words.end && thing != Thing::Reasoning {
            true => (
                "Cannot send '{}' event: No active {} found with ID '{}'. A '{}' event must be sent first.",
                &[name, words.noun, id, words.start],
            ),
            false => (
                "Cannot send '{}' event: No active {} found with ID '{}'. Start a {} with '{}' first.",
                &[name, words.noun, id, words.noun, words.start],
            ),
        };
        refused(&rules::NOT_STARTED, sentence, values)
    }

    /// Checks whether the lane of an event is the lane of its subject (row 13). An event without a lane never
    /// disagrees.
    pub fn is_in_lane(&self, owned: Owned, id: &str, it: Said<'_>) -> Allowed {
        self.is_lane_of(owned.noun(), owned, id, it)
    }

    fn is_lane_of(&self, noun: &str, owned: Owned, id: &str, it: Said<'_>) -> Allowed {
        let (Some(lane), Some(owner)) = (it.lane, self.open.owner(owned, id)) else { return Ok(()) };
        if owner.as_deref() == Some(lane) {
            return Ok(());
        }
        refused(
            &rules::OWNER_MISMATCH,
            "Cannot send '{}': subagentRunId '{}' does not match the {} '{}' opener's subagent '{}'.",
            &[it.name, lane, noun, id, lane_name(owner.as_deref())],
        )
    }

    /// Checks the lane of an encrypted value of a call or a message.
    pub fn may_encrypt(&self, is_call: bool, id: &str, it: Said<'_>) -> Allowed {
        match is_call {
            true => self.is_lane_of("tool call", Owned::Call, id, it),
            false if self.open.owner(Owned::Message, id).is_some() => {
                self.is_lane_of("message", Owned::Message, id, it)
            }
            false => self.is_lane_of("message", Owned::Reasoning, id, it),
        }
    }

    /// Checks that a call belongs to the message that carries it (row 14).
    pub fn is_of_its_parent(&self, id: &str, parent: Option<&str>, it: Said<'_>) -> Allowed {
        let inherited = parent.and_then(|parent| Some((parent, self.open.owner(Owned::Message, parent)?)));
        if let (Some(lane), Some((parent, owner))) = (it.lane, inherited)
            && owner.as_deref() != Some(lane)
        {
            return refused(
                &rules::OWNER_MISMATCH,
                "Cannot send 'TOOL_CALL_START': subagentRunId '{}' does not match its parent message '{}' owner '{}'. A tool call belongs to the message that carries it.",
                &[lane, parent, lane_name(owner.as_deref())],
            );
        }
        self.is_in_lane(Owned::Call, id, it)?;
        match (it.lane, inherited, self.open.owner(Owned::Call, id)) {
            (None, Some((parent, owner)), Some(known)) if owner != known => refused(
                &rules::OWNER_MISMATCH,
                "Cannot send 'TOOL_CALL_START': tool call '{}' is owned by '{}' but its parent message '{}' is owned by '{}'. A tool call belongs to the message that carries it.",
                &[id, lane_name(known.as_deref()), parent, lane_name(owner.as_deref())],
            ),
            _ => Ok(()),
        }
    }

    /// Checks that all parts that have to end before the run have ended (row 12). The message names only the first
    /// kind that is open.
    pub fn may_finish(&self) -> Allowed {
        let names = |names: Vec<&str>| names.into_iter().map(String::from).collect::<Vec<String>>();
        let open = [
            ("steps", self.open.steps.all_open()),
            ("text messages", names(self.open.names(Thing::Text).all_open())),
            ("reasoning messages", names(self.open.names(Thing::Reasoning).all_open())),
            ("reasoning spans", names(self.open.names(Thing::Span).all_open())),
            ("tool calls", names(self.open.names(Thing::Call).all_open())),
            ("subagents", names(self.open.subagents.all_open())),
        ];
        match open.iter().find(|(_, open)| !open.is_empty()) {
            None => Ok(()),
            Some((what, open)) => refused(
                &rules::FINISHED_EARLY,
                "Cannot send 'RUN_FINISHED' while {} are still active: {}",
                &[what, &open.join(", ")],
            ),
        }
    }
}
