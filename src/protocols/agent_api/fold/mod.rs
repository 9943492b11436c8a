//! Events become one growing answer.
//!
//! The fold never fails. It takes events in the order they arrive, decides what they mean, tells a [`Sink`], and notes
//! every breach of the protocol in its [`Report`]. It keeps no text: per content a phase, a length and fingerprints, for
//! data contents that are streamed the shape of the data, and the latest message event if that is short.
//!
//! What it guarantees: pieces append, everything else replaces, empty or null never erases; what the server says last
//! about an object counts, from the inside out (content, message, response); a content before its message opens a
//! provisional one; what never ended stays, after what did.

use alloc::string::String;
use alloc::vec::Vec;

#[cfg(test)]
mod agreement;
mod breach;
mod content;
mod data;
mod delta;
mod event;
mod fingerprint_cache;
mod full_value;
mod message;
mod outline;
mod part;
mod parts;
mod replay;
mod response;
mod state;
mod status_cache;
mod tell;
mod tools;

use super::event::ErrorValue;
use super::lifecycle::Phase;
use super::merge::DataMerge;
use super::model::{Response, Snapshot};
use super::rules;
use crate::bytes::string_map::StringMap;
use crate::core::detect::is_done;
use crate::core::fold::{
    AnswerLayout, Counted, Key, Keys, Limited, Machine, Metered, Node, Protocol, Refusal, Repeat, Sink,
};
use crate::core::observed::Observed;
use crate::core::options::{OptionShape, OptionValue, OptionValues, ReadOptions, options};
use crate::core::replay::DeltaBatch;
use crate::core::report::{Ended, Report};
use crate::core::violation::{LIMIT_EXCEEDED, Place, Rule};
use crate::json::{Skip, Str, Tape};
use crate::sse;

use replay::Replay;
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
    type Fold = Limited<AgentApiFold>;
    type Snapshot = Snapshot;

    const OPTIONS: &'static [OptionShape] = options! {
        /// Which of the two official rules merges pieces of data. `builder` (the default) adds, concatenates and replaces as
        /// the server's builder does; `message` only continues texts and lists that are already there.
        "dataMerge": OptionValues::Words(&["builder", "message"]);
        /// Keep messages of type heartbeat in the answer.
        "keepHeartbeats": OptionValues::Flag;
    };

    const LAYOUT: AnswerLayout =
        AnswerLayout { snapshot: Some("response"), tool_calls: Some(("toolCalls", None)) };

    fn fold(self, options: &ReadOptions, sink: &mut dyn Sink) -> Limited<AgentApiFold> {
        Limited::new(&options.limits, sink, |sink| AgentApiFold::new(self, options, sink))
    }

    fn set_option(&mut self, place: usize, value: OptionValue) {
        match (place, value) {
            (0, OptionValue::Number(1)) => self.data_merge = DataMerge::Message,
            (1, OptionValue::Number(keep)) => self.keep_heartbeats = keep == 1,
            _ => {}
        }
    }
}

/// The object that holds the response and the list of tool calls.
const ROOT: Node = 0;
/// The response: the first object that is opened.
const RESPONSE: Node = 1;
/// The owner of objects that belong to no message.
const NO_MESSAGE: u32 = u32::MAX;

/// The state machine of the Agent API.
#[derive(Debug)]
pub struct AgentApiFold {
    choices: AgentApi,
    options: ReadOptions,
    report: Report,
    keys: Keys,
    /// What of the event at work need not be read. Kept for its memory.
    skips: Vec<Skip>,
    /// The event at work.
    at: (u64, u64),
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
    by_id: StringMap<usize>,
    /// The messages that have not ended.
    open: state::OpenMessages,
    /// The message that the previous event was about: usually this one's too.
    latest: usize,
    tools: tools::Tools,
    /// How many breaches there were, whether they were noted or not.
    breaches: u64,
    /// What the event at work did, if that can be done again with another text.
    repeat: Replay,
    /// The event before about a message.
    status_cache: status_cache::StatusCache,
    /// Characters of an escaped string.
    scratch: String,
    /// Of the event at work.
    tape: Tape,
}

impl Machine for AgentApiFold {
    fn event(&mut self, event: &sse::SseEvent<'_>, sink: &mut Metered<'_>) {
        if self.report.ended == Ended::Refused {
            return;
        }
        self.at = (self.report.events, event.offset);
        self.report.events += 1;
        if !self.framed && (event.name != "message" || !event.last_event_id.is_empty()) {
            self.framed = true;
            self.breach(&rules::FRAMING_FIELD, Observed::Words("an `event` or `id` line"));
        }
        if is_done(event.data) {
            return self.breach(&rules::DONE_MARKER, Observed::Words("[DONE]"));
        }
        self.repeat.clear(self.breaches);
        if self.status_cache(event.data, sink) {
            return;
        }
        let mut tape = core::mem::take(&mut self.tape);
        if !self.take(event.data, true, &mut tape, sink) {
            self.take(event.data, false, &mut tape, sink);
        }
        self.tape = tape;
    }

    fn repeatable(&self) -> Option<&Repeat> {
        self.repeat.get(self.breaches)
    }

    fn repeats_into(&self) -> Option<(Node, Key)> {
        self.replays_into()
    }

    #[inline]
    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, sink: &mut Metered<'_>) {
        self.replay(number, text, offset, sink);
    }

    fn repeat_run(&mut self, run: DeltaBatch<'_>, sink: &mut Metered<'_>) {
        self.replay_batch(run, sink);
    }

    fn finish(&mut self, aborted: bool, sink: &mut Metered<'_>) {
        // What is refused has said its breach: what else it would have said is not known, as when the reader has stopped.
        let refused = self.report.ended == Ended::Refused;
        let excused = aborted || refused;
        self.at.0 = self.report.events.saturating_sub(1);
        for message in 0..self.messages.len() {
            self.finish_parts(message, sink);
        }
        if self.phase != Phase::Ended {
            if !refused {
                self.report.ended = if aborted { Ended::Aborted } else { Ended::Eof };
            }
            // A server whose last word is `unknown` has said so itself.
            if !self.said_unknown {
                self.set_status(RESPONSE, if aborted && !refused { "canceled" } else { "incomplete" }, sink);
            }
        }
        if self.report.ended != Ended::Terminal && !excused {
            self.breach(&rules::NO_TERMINAL, Observed::Words("the end of the stream"));
        }
        self.phase = Phase::Ended;
        self.unfinished(excused);
    }

    fn refused(&mut self, refusal: Refusal) {
        let at = refusal.owner as usize;
        let got = Observed::Over(refusal.limit, refusal.allowed);
        self.status_cache.forget();
        let Some(message) = self.messages.get_mut(at) else { return self.breach(&LIMIT_EXCEEDED, got) };
        // What was not taken is not as it was said.
        message.fingerprints = None;
        let part = message.parts.iter_mut().find(|part| part.node == refusal.node);
        let index = part.map(|part| {
            part.fingerprints = None;
            part.index
        });
        self.breach_in(&LIMIT_EXCEEDED, at, index, got);
    }

    fn framing(&mut self, rule: &'static Rule, offset: u64, got: Observed<'_>) {
        self.breach_at(rule, Place { event: self.report.events, offset, ..Place::default() }, got);
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
    fn new(choices: AgentApi, options: &ReadOptions, sink: &mut Metered<'_>) -> Self {
        sink.open(Response::KIND, ROOT, Snapshot::response, Counted::Once, NO_MESSAGE);
        AgentApiFold {
            choices,
            options: options.clone(),
            report: Report::default(),
            keys: Keys::new(options.seed),
            skips: Vec::new(),
            at: (0, 0),
            next_sequence: 0,
            framed: false,
            phase: Phase::Absent,
            said_unknown: false,
            id: String::new(),
            session_id: String::new(),
            messages: Vec::new(),
            by_id: StringMap::default(),
            open: state::OpenMessages::default(),
            latest: 0,
            tools: tools::Tools::default(),
            breaches: 0,
            repeat: Replay::default(),
            status_cache: status_cache::StatusCache::default(),
            scratch: String::new(),
            tape: Tape::default(),
        }
    }

    /// R30: `{"error": "…"}` ends the stream.
    #[inline(never)]
    fn error_frame(&mut self, error: &ErrorValue<'_>, sink: &mut Metered<'_>) {
        self.breach(&rules::BARE_ERROR, Observed::Text(&error.message));
        if self.phase == Phase::Ended {
            return;
        }
        self.phase = Phase::Ended;
        self.report.ended = Ended::ErrorFrame;
        self.set_status(RESPONSE, "failed", sink);
        self.set_error(RESPONSE, error, "STREAM_ERROR", sink);
    }

    /// R19, R31: messages that never ended stay as they are, and are named.
    fn unfinished(&mut self, excused: bool) {
        for message in 0..self.messages.len() {
            let state = &self.messages[message];
            if state.phase == Phase::Ended {
                continue;
            }
            if !state.heartbeat {
                self.report.unfinished.push(state.id.clone());
            }
            if !excused {
                let (event, offset) = state.opened;
                let at = Place { event, offset, message_id: Some(&state.id), index: None };
                let got = Observed::Words("no terminal status");
                self.breaches += 1;
                self.report.breach(&self.options, &rules::MESSAGE_NOT_ENDED, at, got);
            }
        }
    }
}
