//! Events become one growing answer.
//!
//! The fold never fails. It takes events in the order they arrive, decides what they mean, tells a [`Sink`], and notes
//! every breach of the protocol in its [`Report`]. It keeps no text: per content a phase, a length and fingerprints, for
//! data contents that are streamed the shape of the data, and the latest message event if that is short.
//!
//! What it guarantees: pieces append, everything else replaces, empty or null never erases; what the server says last
//! about an object counts, from the inside out (content, message, response); a content before its message opens a
//! provisional one; what never ended stays, behind what did.

use alloc::string::String;
use alloc::vec::Vec;

mod again;
#[cfg(test)]
mod agreement;
mod breach;
mod content;
mod data;
mod delta;
mod event;
mod message;
mod part;
mod parts;
mod response;
mod restated;
mod shape;
mod state;
mod tell;
mod tools;
mod verbatim;
mod whole;

use super::event::ErrorValue;
use super::lifecycle::Phase;
use super::merge::DataMerge;
use super::snapshot::Snapshot;
use super::{rules, schema};
use crate::detect::is_done;
use crate::fold::{Fold, Keys, Names, Node, Protocol, Repeat, Run, Sink};
use crate::got::Got;
use crate::json::{Str, Tokens};
use crate::read::Options;
use crate::report::{Ended, Report};
use crate::sse;
use crate::violation::{At, Rule};

use again::Again;
use state::MessageState;

/// The Agent API protocol, with the choices that it leaves to a reader.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AgentApi {
    /// Which of the two official rules merges data pieces (R29).
    pub data_merge: DataMerge,
    /// Keep messages of type heartbeat in the answer (R34).
    pub keep_heartbeats: bool,
}

impl Protocol for AgentApi {
    type Fold = AgentApiFold;
    type Snapshot = Snapshot;

    fn fold(self, options: &Options, sink: &mut dyn Sink) -> AgentApiFold {
        sink.open(schema::KIND_RESPONSE, schema::ROOT, schema::RESPONSE_KEY);
        AgentApiFold {
            choices: self,
            options: options.clone(),
            report: Report::default(),
            keys: Keys::new(options.seed),
            at: (0, 0),
            next_node: schema::RESPONSE + 1,
            next_sequence: 0,
            framed: false,
            phase: Phase::Absent,
            said_unknown: false,
            id: String::new(),
            session_id: String::new(),
            messages: Vec::new(),
            by_id: Names::default(),
            open: state::OpenMessages::default(),
            latest: 0,
            tools: tools::Tools::default(),
            breaches: 0,
            repeat: Again::default(),
            restated: restated::Restated::default(),
            scratch: String::new(),
            tokens: Tokens::default(),
        }
    }
}

/// The state machine of the Agent API.
#[derive(Debug)]
pub struct AgentApiFold {
    choices: AgentApi,
    options: Options,
    report: Report,
    keys: Keys,
    /// The event at work.
    at: (u64, u64),
    next_node: Node,
    /// What the next `sequence_number` should be.
    next_sequence: i64,
    /// An `event` or `id` line was met and reported.
    framed: bool,
    phase: Phase,
    /// The last response event had status unknown.
    said_unknown: bool,
    id: String,
    session_id: String,
    messages: Vec<MessageState>,
    by_id: Names<usize>,
    /// The messages that have not ended.
    open: state::OpenMessages,
    /// The message that the previous event was about: usually this one's too.
    latest: usize,
    tools: tools::Tools,
    /// How many breaches there were, whether they were noted or not.
    breaches: u64,
    /// What the event at work did, if that can be done again with another text.
    repeat: Again,
    /// The event before about a message.
    restated: restated::Restated,
    /// Characters of an escaped string.
    scratch: String,
    /// Of the event at work.
    tokens: Tokens,
}

impl Fold for AgentApiFold {
    fn event(&mut self, event: &sse::Event<'_>, sink: &mut dyn Sink) {
        if self.report.ended == Ended::Refused {
            return;
        }
        self.at = (self.report.events, event.offset);
        self.report.events += 1;
        if !self.framed && (event.name != "message" || !event.last_event_id.is_empty()) {
            self.framed = true;
            self.breach(&rules::FRAMING_FIELD, Got::Words("an `event` or `id` line"));
        }
        if is_done(event.data) {
            return self.breach(&rules::DONE_MARKER, Got::Words("[DONE]"));
        }
        self.repeat.clear(self.breaches);
        if self.restated(event.data, sink) {
            return;
        }
        let mut tokens = core::mem::take(&mut self.tokens);
        if !self.take(event.data, true, &mut tokens, sink) {
            self.take(event.data, false, &mut tokens, sink);
        }
        self.tokens = tokens;
    }

    fn repeatable(&self) -> Option<&Repeat> {
        self.repeat.get(self.breaches)
    }

    #[inline]
    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, sink: &mut dyn Sink) {
        self.again(number, text, offset, sink);
    }

    fn repeat_run(&mut self, run: Run<'_>, sink: &mut dyn Sink) {
        self.again_run(run, sink);
    }

    fn finish(&mut self, aborted: bool, sink: &mut dyn Sink) {
        if self.report.ended == Ended::Refused {
            return;
        }
        self.at.0 = self.report.events.saturating_sub(1);
        for message in 0..self.messages.len() {
            self.finish_parts(message, sink);
        }
        if self.phase != Phase::Ended {
            self.report.ended = if aborted { Ended::Aborted } else { Ended::Eof };
            // A server whose last word is `unknown` has said so itself.
            if !self.said_unknown {
                self.set_status(schema::RESPONSE, if aborted { "canceled" } else { "incomplete" }, sink);
            }
        }
        if self.report.ended != Ended::Terminal && !aborted {
            self.breach(&rules::NO_TERMINAL, Got::Words("the end of the stream"));
        }
        self.phase = Phase::Ended;
        self.unfinished(aborted);
    }

    fn framing(&mut self, rule: &'static Rule, offset: u64, got: Got<'_>) {
        self.breach_at(rule, At { event: self.report.events, offset, message_id: None, index: None }, got);
    }

    fn has_ended(&self) -> bool {
        self.phase == Phase::Ended || self.report.ended == Ended::Refused
    }

    fn report(&self) -> &Report {
        &self.report
    }

    fn report_mut(&mut self) -> &mut Report {
        &mut self.report
    }
}

impl AgentApiFold {
    /// R30: `{"error": "…"}` ends the stream.
    #[inline(never)]
    fn error_frame(&mut self, error: &ErrorValue<'_>, sink: &mut dyn Sink) {
        self.breach(&rules::BARE_ERROR, Got::Text(&error.message));
        if self.phase == Phase::Ended {
            return;
        }
        self.phase = Phase::Ended;
        self.report.ended = Ended::ErrorFrame;
        self.set_status(schema::RESPONSE, "failed", sink);
        self.set_error(schema::RESPONSE, error, "STREAM_ERROR", sink);
    }

    /// R19, R31: messages that never ended stay as they are, and are named.
    fn unfinished(&mut self, aborted: bool) {
        for message in 0..self.messages.len() {
            let state = &self.messages[message];
            if state.phase == Phase::Ended {
                continue;
            }
            let (event, offset) = state.opened;
            let id = state.id.clone();
            if !state.heartbeat {
                self.report.unfinished.push(id.clone());
            }
            if !aborted {
                let at = At { event, offset, message_id: Some(id), index: None };
                self.breach_at(&rules::MESSAGE_NOT_ENDED, at, Got::Words("no terminal status"));
            }
        }
    }
}
