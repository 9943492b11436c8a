//! Events become one growing answer.
//!
//! The fold never fails. It takes events in the order they arrive, decides what they mean, tells a [`Sink`], and notes
//! every breach of the protocol in its [`Report`]. Of texts it keeps lengths; only the arguments of a call that has not
//! ended are kept, to be parsed when it has.

use alloc::string::String;
use alloc::vec::Vec;

mod calls;
mod end;
mod replay;
mod stop;
mod text;

use super::event::{Body, Frame};
use super::lifecycle::{self, TurnEvent, TurnState};
use super::snapshot::Snapshot;
use super::{rules, schema};
use crate::core::error::DecodeError;
use crate::core::fold::{
    Counted, Key, Kind, Limited, Machine, Metered, Node, Protocol, Refusal, Repeat, Sink,
};
use crate::core::observed::Observed;
use crate::core::replay::DeltaBatch;
use crate::core::report::{Ended, Report};
use crate::core::violation::{LIMIT_EXCEEDED, Place, Rule};
use crate::json::{Document, Str, Tape};
use crate::read::ReadOptions;
use crate::read::detect;
use crate::sse;

use calls::Calls;
use replay::Replay;
use text::Text;

/// The AG-Kit protocol, with the choices that it leaves to a reader.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AgKit {
    /// Nothing is said about a stream that ends without `[DONE]` (K7). Otherwise that is a warning. The turn is the same:
    /// only a stream that stops inside a tool call is truncated.
    pub done_is_optional: bool,
    /// The names of the request's tools: calls of these, and only these, are the client's to answer (K17). Without them,
    /// every call that has no result when the stream ends is.
    pub client_tools: Option<Vec<String>>,
}

impl Protocol for AgKit {
    type Fold = Limited<AgKitFold>;
    type Snapshot = Snapshot;

    fn fold(self, options: &ReadOptions, sink: &mut dyn Sink) -> Limited<AgKitFold> {
        Limited::new(&options.limits, sink, |_| AgKitFold::new(self, options))
    }
}

/// The place among the calls of what is no call.
const NO_CALL: u32 = u32::MAX;

/// The state machine of AG-Kit.
#[derive(Debug)]
pub struct AgKitFold {
    choices: AgKit,
    options: ReadOptions,
    report: Report,
    /// Number and offset of the event at work.
    at: (u64, u64),
    turn: TurnState,
    /// An error has come, whether `[DONE]` has come after it or not.
    failed: bool,
    /// The stream broke off, or is none of events: its end says nothing about how the turn went.
    cut: bool,
    /// An `event` or `id` line was met and reported.
    framed: bool,
    /// The first event that says so has said that the stream is no AG-UI (K13).
    native: bool,
    /// The last part, if it is text.
    text: Option<Text>,
    calls: Calls,
    /// How many breaches there were, whether they were noted or not.
    breaches: u64,
    /// What the event at work did, if that can be done again with another text.
    repeat: Replay,
    /// Characters of an escaped string.
    scratch: String,
    /// Of the event at work.
    tape: Tape,
}

impl Machine for AgKitFold {
    #[inline(never)]
    fn event(&mut self, event: &sse::SseEvent<'_>, sink: &mut Metered<'_>) {
        if self.report.ended == Ended::Refused {
            return;
        }
        self.at = (self.report.events, event.offset);
        self.report.events += 1;
        self.repeat.clear(self.breaches);
        if self.turn == TurnState::Done {
            // K6: nothing after the end is read, so there is nothing to say about what it is.
            return self.breach(&rules::AFTER_DONE, None, Observed::Text(event.data));
        }
        if !self.framed && (event.name != "message" || !event.last_event_id.is_empty()) {
            self.framed = true;
            self.breach(&rules::FRAMING_FIELD, None, Observed::Words("an `event` or `id` line"));
        }
        if detect::is_done(event.data) {
            return self.done(sink);
        }
        let read = Document::read_into(&mut self.tape, event.data, self.options.limits.json_depth);
        let frame = read.map_err(DecodeError::from).and_then(|mut document| {
            document.id_bytes = self.options.limits.id_bytes;
            let frame = Frame::decode(&document);
            document.give_back(&mut self.tape);
            frame
        });
        match frame {
            Ok(frame) => self.frame(event.data, frame, sink),
            Err(error) if error.code == DecodeError::ID_TOO_LONG => {
                let most = self.options.limits.id_bytes as u64;
                self.breach(&LIMIT_EXCEEDED, None, Observed::Over("id_bytes", most));
            }
            Err(error) => self.breach(&rules::MALFORMED_EVENT, None, Observed::NoEvent(&error, event.data)),
        }
    }

    fn repeatable(&self) -> Option<&Repeat> {
        self.repeat.get(self.breaches)
    }

    fn repeats_into(&self) -> Option<(Node, Key)> {
        self.replays_into()
    }

    fn refused(&mut self, refusal: Refusal) {
        let id = self.calls.list.get(refusal.owner as usize).map(|call| call.id.clone());
        self.breach(&LIMIT_EXCEEDED, id.as_deref(), Observed::Over(refusal.limit, refusal.allowed));
    }

    fn repeat(&mut self, _: Option<i64>, text: Str<'_>, offset: u64, sink: &mut Metered<'_>) {
        self.replay(text, offset, sink);
    }

    fn repeat_run(&mut self, run: DeltaBatch<'_>, sink: &mut Metered<'_>) {
        self.replay_batch(run, sink);
    }

    fn finish(&mut self, aborted: bool, sink: &mut Metered<'_>) {
        self.at.0 = self.report.events.saturating_sub(1);
        self.stop(aborted, sink);
    }

    fn framing(&mut self, rule: &'static Rule, offset: u64, got: Observed<'_>) {
        self.cut |= *rule == rules::NDJSON;
        self.breach_at(rule, Place { event: self.report.events, offset, ..Place::default() }, got);
    }

    fn has_ended(&self) -> bool {
        matches!(self.turn, TurnState::Failed | TurnState::Done) || self.report.ended == Ended::Refused
    }

    fn report(&self) -> &Report {
        &self.report
    }

    fn report_mut(&mut self) -> &mut Report {
        &mut self.report
    }
}

impl AgKitFold {
    fn new(choices: AgKit, options: &ReadOptions) -> Self {
        AgKitFold {
            choices,
            options: options.clone(),
            report: Report::default(),
            at: (0, 0),
            turn: TurnState::default(),
            failed: false,
            cut: false,
            framed: false,
            native: false,
            text: None,
            calls: Calls::default(),
            breaches: 0,
            repeat: Replay::default(),
            scratch: String::new(),
            tape: Tape::default(),
        }
    }

    #[inline(never)]
    fn frame(&mut self, data: &str, frame: Frame<'_>, sink: &mut Metered<'_>) {
        if let Body::Other { name } = frame.body {
            return self.unknown(name);
        }
        self.native = true;
        if let Some(name) = frame.repeated {
            self.breach(&rules::DUPLICATE_KEY, None, Observed::Named("twice", name));
        }
        if let Some(name) = frame.null {
            self.breach(&rules::NULL_MEMBER, None, Observed::Named("null for", name));
        }
        match frame.body {
            Body::Text { content } => {
                if self.says(TurnEvent::Content, "text") {
                    self.say_text(data, content, sink);
                }
            }
            Body::ToolCallStart { id, name } => self.start_call(&id.to_str(), &name.to_str(), sink),
            Body::ToolCallArgs { id, delta } => self.call_args(data, &id.to_str(), delta, sink),
            Body::ToolCallEnd { id } => self.end_call(&id.to_str(), sink),
            Body::ToolResult { id, result } => self.call_result(&id.to_str(), &result.to_str(), sink),
            Body::Interrupt { id, reason, payload } => self.interrupt(id, reason, payload, sink),
            Body::Error { message, details, typed } => self.error(message, details, typed, sink),
            Body::Other { .. } => {}
        }
    }

    /// K10; K13: the first event that has a type tells the dialect.
    fn unknown(&mut self, name: Option<Str<'_>>) {
        let name = name.map(Str::to_str);
        if !self.native && name.as_deref().is_some_and(detect::is_ag_ui) {
            self.breach(&rules::DIALECT_AG_UI, None, Observed::Name(name.as_deref().unwrap_or_default()));
            self.report.ended = Ended::Refused;
            return;
        }
        self.native |= name.is_some();
        let name = name.unwrap_or_default();
        self.report.unknown(&self.options.limits, &name);
        self.breach(&rules::UNKNOWN_TYPE, None, Observed::Name(&name));
    }

    // --- what all parts of the fold use -------------------------------------------------------------------------------

    /// Takes a step of the turn's table; false when the event is to be ignored.
    fn says(&mut self, said: TurnEvent, got: &'static str) -> bool {
        let step = lifecycle::turn(self.turn, said);
        let ignored = self.turn == TurnState::Failed;
        if let Err(rule) = step.legal(self.turn) {
            self.breach(rule, None, Observed::Name(got));
        }
        self.turn = step.phase(self.turn);
        !ignored
    }

    /// A new part at the end of the turn, unless there are too many; `call` is its place among the calls, if it is one.
    fn open(&mut self, kind: Kind, call: u32, sink: &mut Metered<'_>) -> Option<Node> {
        self.end_text(sink);
        sink.open(kind, schema::TURN, schema::PARTS, Counted::Messages, call)
    }

    /// Notes a breach at the event at work; the id is that of the call concerned.
    fn breach(&mut self, rule: &'static Rule, id: Option<&str>, got: Observed<'_>) {
        let place = Place { event: self.at.0, offset: self.at.1, message_id: id, index: None };
        self.breach_at(rule, place, got);
    }

    fn breach_at(&mut self, rule: &'static Rule, at: Place<'_>, got: Observed<'_>) {
        self.breaches += 1;
        self.report.breach(&self.options, rule, at, got);
    }
}
