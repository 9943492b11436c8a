//! The fold: what the events of a stream change in the answer. (B.4 to B.7.)
//!
//! An event is checked member by member, chunks become starts, pieces and ends, events that the
//! official client's verifier refuses are refused, and the rest is applied.

use alloc::{boxed::Box, string::String, vec::Vec};

mod calls;
mod check;
mod chunks;
mod dialects;
mod documents;
mod messages;
mod open_chunks;
mod runs;
mod snapshots;

use self::check::CheckedEvent;
pub(crate) use self::check::check_event;
#[cfg(feature = "hub")]
pub(super) use self::check::check_written;
#[cfg(feature = "hub")]
pub(crate) use self::check::normalized;
pub(super) use self::dialects::upgraded;
use self::messages::FoldedMessages;
use self::open_chunks::OpenChunks;
use self::runs::set_part_status;
#[cfg(feature = "binary")]
use super::binary::BINARY;
use super::events::{EVENTS, EventKind};
use super::lifecycle::{
    EventHead, HeadMembers, Judge, Lifecycle, LifecycleViolation, MessageHead, Phase, StreamKind,
};
use super::model::{Snapshot, Status};
use super::rules;
use crate::bytes::string_map::StringMap;
#[cfg(feature = "binary")]
use crate::core::binary::Binary;
use crate::core::failure::ErrorMessage;
use crate::core::json_patch::Tree;
use crate::core::{
    DecodeError, EndReason, EventReading, Observed, Opening, ReadOptions, Rule, UsageError, detect,
};
use crate::engine::{
    AnswerLayout, CommonRules, Context, Declared, Discard, EventTable, Fold, ObjectId, Translated,
    protocol,
};
use crate::json::{Document, Element, JsonText, Str};
use crate::sse;

protocol! {
    /// The AG-UI protocol, with what the client has before the stream begins.
    AgUi "AG-UI": AgUiFold => Snapshot {
        /// The messages of the thread that the client sent: a list. Empty by default.
        messages as "messages": Option<JsonText>,
        /// The state that the client sent. An empty object by default.
        state as "state": Option<JsonText>,
    }
    begins |before, _| AgUiFold { before, ..AgUiFold::default() };
    impl {
        const LAYOUT: AnswerLayout = AnswerLayout {
            calls_inside: Some("toolCalls"),
            ..AnswerLayout::calls_in("messages")
        };

        fn check(&self, options: &ReadOptions) -> Result<(), UsageError> {
            if self.messages.is_none() && self.state.is_none() {
                return Ok(());
            }
            let engine = self.clone().engine(options, &mut Discard);
            engine.refusal().cloned().map_or(Ok(()), Err)
        }
    }
}

/// The content of an event of a text, a reasoning block or message, or a call.
#[derive(Clone, Copy, Default)]
struct ContentPiece<'p> {
    pub delta: Option<Str<'p>>,
    /// The role of a text.
    pub role: Option<Str<'p>>,
    /// The name of a call, or of the sender of a text.
    pub name: Option<Str<'p>>,
}

/// The answer's object.
const ROOT: ObjectId = 0;

/// The fold of AG-UI's events.
#[derive(Clone, Debug, Default)]
pub struct AgUiFold {
    /// The messages and the state of the client before the stream.
    before: AgUi,
    life: Lifecycle,
    /// Whether the events are those of the Agent API Endpoints app (C.3).
    endpoints: bool,
    /// The problems that are reported only once.
    reported: StringMap<()>,
    messages: FoldedMessages,
    state: Tree,
    chunks: OpenChunks,
    /// The calls of the run, and whether they have a result.
    run_calls: StringMap<bool>,
    run_call_ids: Vec<Box<str>>,
    /// The ids of the block and of the message for the old events of reasoning, which do not have
    /// ids.
    thinking: [Option<String>; 2],
    thinking_ids: u32,
    run: Option<ObjectId>,
    usage: Vec<runs::Usage>,
    /// The places in `usage`, by provider and model, both as JSON.
    usage_places: StringMap<Option<usize>>,
}

impl Declared for AgUiFold {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;
    #[cfg(feature = "binary")]
    const BINARY: Option<&'static Binary> = Some(&BINARY);
    const JUDGES_NULL: bool = true;

    /// Recognizes the protocol by event types in capitals, as in `RUN_STARTED`. Unknown types are
    /// accepted, because newer versions have more.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        // Events of AgentScope are in capitals, too.
        opening.word("object").is_none()
            && !opening.has("reply_id")
            && opening.word("type").is_some_and(|name| detect::is_in_capitals(&name.to_str()))
    }

    fn is_own(reading: &EventReading<'_, '_>) -> bool {
        let is_error = reading.name.is_some_and(|name| name == "RUN_ERROR");
        reading.row.is_some() && !(is_error && reading.text("message").is_none())
    }

    fn json_text(event: &str, member: &str) -> Option<&'static Rule> {
        (event.starts_with("TOOL_CALL_") && matches!(member, "delta" | "content"))
            .then_some(&rules::TOOL_ARGUMENTS)
    }

    fn error_event(failure: &ErrorMessage) -> Translated {
        let (message, code) = (Some(&*failure.message), failure.code.as_deref());
        Translated::new(ErrorMessage::event_of(&[
            ("type", Some("RUN_ERROR")),
            ("message", message),
            ("code", code),
        ]))
    }

    fn check(document: &Document<'_>) -> Result<(), DecodeError> {
        check_event(document)
    }
}

impl Fold for AgUiFold {
    fn start(&mut self, cx: &mut Context<'_>) {
        let before = core::mem::take(&mut self.before);
        cx.set_json(ROOT, Snapshot::pending_interrupts, "[]");
        cx.set_json(ROOT, Snapshot::usage, "[]");
        if let Some(json) = &before.state {
            cx.option("state", json, |state, cx| self.replace_state(Some(state), cx));
        }
        if let Some(json) = &before.messages {
            cx.option("messages", json, |list, cx| self.begin_thread(list, cx));
        }
        if cx.has_refused() {
            // A thread that is not whole must not be sent on.
            cx.arrange(ROOT, Snapshot::messages, &[]);
        }
    }

    fn before(&mut self, event: &sse::SseEvent<'_>, cx: &mut Context<'_>) -> bool {
        if detect::is_done(event.data) {
            cx.record(&rules::DONE_MARKER, Observed::Words("[DONE]"));
            return false;
        }
        let is_object = event.data.trim_start().starts_with('{');
        if !is_object {
            let text = "Invalid event: the frame is not a JSON object.";
            cx.record(&rules::MALFORMED_EVENT, Observed::ClientMessage(text));
        }
        is_object
    }

    fn event(&mut self, event: &EventReading<'_, '_>, cx: &mut Context<'_>) {
        let Some(name) = event.name.map(Str::to_str).filter(|name| !name.is_empty()) else {
            let text = "Invalid event: the frame carries no event type.";
            return cx.record(&rules::MALFORMED_EVENT, Observed::ClientMessage(text));
        };
        let Some(kind) = EventKind::of(event) else {
            cx.unknown(&name);
            if self.is_first(&name) {
                cx.record(&rules::UNKNOWN_TYPE, Observed::Name(&name));
            }
            return;
        };
        if kind.is_piece() {
            cx.piece();
        }
        match self.check(kind, event, cx) {
            Ok(reduced) if cx.is_reading() => {
                let document = |json| Document::read(json, u32::MAX).ok();
                let reduced: Vec<_> =
                    reduced.iter().map(|(member, json)| (*member, document(json))).collect();
                let members = HeadMembers::of(kind, event);
                let metadata = event.named("metadata");
                let messages = Vec::new();
                let mut checked =
                    CheckedEvent { event, members, metadata, reduced: &reduced, messages };
                checked.messages = MessageHead::of_event(kind, |member| checked.value(member));
                self.apply(&checked, cx);
            }
            Ok(_) => {}
            Err(error) => cx.record(
                &rules::MALFORMED_EVENT,
                Observed::NoEvent(&error, event.json.raw().as_str()),
            ),
        }
    }

    /// Ends the open texts, and concludes a stream without a terminal event.
    fn finish(&mut self, aborted: bool, cx: &mut Context<'_>) {
        self.messages.end_texts(cx);
        for stream in [StreamKind::Text, StreamKind::Reasoning, StreamKind::Call] {
            self.life.open.names(stream).all_open().into_iter().for_each(|id| cx.unfinished(id));
        }
        if cx.report().end_reason == EndReason::Open {
            cx.end(if aborted { EndReason::Aborted } else { EndReason::Eof });
            if !aborted && self.life.phase != Phase::Before {
                cx.record(&rules::NO_TERMINAL, Observed::Words("the end of the stream"));
            }
            self.conclude(Status::Incomplete, cx);
        }
    }

    fn has_ended(&self) -> bool {
        false
    }
}

/// A reader reports violations and recovers from them.
impl Judge for Context<'_> {
    fn violation(&mut self, violation: LifecycleViolation) -> bool {
        self.record(violation.rule, Observed::ClientMessage(&violation.message));
        self.is_reading()
    }

    fn has_room(&mut self, entries: usize) -> bool {
        // A message takes up to four places: open, owned, as a parent and as a call.
        let limit = self.options().limits.messages;
        let has = entries < limit.saturating_mul(4);
        if !has {
            self.too_many("messages", limit as u64);
        }
        has
    }

    /// Bounds repeated work by the received bytes. Real streams never reach the limit.
    fn has_time(&mut self, work: u64) -> bool {
        const INITIAL: u64 = 1 << 16;
        const PER_BYTE: u64 = 2;
        let has = work <= INITIAL + PER_BYTE * self.received();
        if !has {
            self.too_many("messages", self.options().limits.messages as u64);
        }
        has
    }
}

impl AgUiFold {
    /// Adds the messages that the client has sent.
    fn begin_thread(&mut self, list: Element<'_, '_>, cx: &mut Context<'_>) {
        if list.array().is_err() && !list.is_null() {
            let instead = "give the messages of the request";
            return cx.refuse_option("wrong-option", "messages", " is not a list", instead);
        }
        let messages = MessageHead::all(Some(list));
        self.life.own_messages(&messages, false);
        self.add_unknown_messages(&messages, cx);
    }

    /// Records a report, and returns whether it is new. Returns false if too many reports are
    /// recorded.
    fn is_first(&mut self, what: &str) -> bool {
        const MOST: usize = 1_000;
        let first = self.reported.get(what).is_none() && self.reported.len() < MOST;
        if first {
            self.reported.insert(what, ());
        }
        first
    }

    /// Applies an event that has passed the checks.
    fn apply(&mut self, checked: &CheckedEvent<'_>, cx: &mut Context<'_>) {
        use EventKind::*;
        let (event, head) = (checked.event, &checked.head());
        self.close_chunks_before(head, cx);
        let text = |name| event.text(name);
        let piece = ContentPiece { delta: text("delta"), role: text("role"), name: text("name") };
        match head.kind {
            TextMessageChunk | ToolCallChunk | ReasoningMessageChunk => {
                return self.chunk(checked, cx);
            }
            ThinkingStart
            | ThinkingEnd
            | ThinkingTextMessageStart
            | ThinkingTextMessageContent
            | ThinkingTextMessageEnd => return self.apply_thinking(head, piece, cx),
            TextMessageEnd if self.endpoints => return self.endpoints_text(checked, cx),
            ToolCallArgs if piece.delta.is_none() => {
                return self.endpoints_arguments(head, event.json.member("args"), cx);
            }
            ToolCallResult
                if event.named("toolCallId").is_none() || event.named("content").is_none() =>
            {
                return self.endpoints_result(checked, cx);
            }
            ActivitySnapshot if event.named("content").is_none() => return,
            ToolCallStart => {
                return self.apply_stream(
                    head,
                    ContentPiece { name: text("toolCallName"), ..piece },
                    cx,
                );
            }
            kind if StreamKind::of(kind).is_some() => return self.apply_stream(head, piece, cx),
            _ => {}
        }
        let is_first_run = self.life.phase == Phase::Before;
        let Some(effect) = self.life.step(head, cx) else { return };
        match head.kind {
            RunStarted => self.start_run(checked, is_first_run, cx),
            RunFinished => self.finish_run(checked, cx),
            RunError => self.fail_run(checked, cx),
            StepStarted => self.start_step(head, cx),
            StepFinished => _ = set_part_status(effect, Status::Finished, cx),
            ToolCallResult => {
                let content = checked.value("content").map_or("", |content| content.raw().as_str());
                self.add_result(head, &checked.text("toolCallId"), content, cx);
            }
            StateSnapshot => self.replace_state(event.named("snapshot"), cx),
            StateDelta => self.patch_state(checked.value("delta"), cx),
            MessagesSnapshot => self.replace_messages(head, cx),
            ActivitySnapshot => self.replace_activity(checked, cx),
            ActivityDelta => self.patch_activity(checked, cx),
            ReasoningEncryptedValue => self.encrypt(head, &checked.text("encryptedValue"), cx),
            SubagentStarted => self.start_subagent(checked, cx),
            SubagentFinished => Self::finish_subagent(effect, checked, cx),
            SubagentError => Self::fail_subagent(effect, checked, cx),
            _ => cx.leaves_no_trace(),
        }
    }

    /// Applies an event of a text, a reasoning block or message, or a call.
    fn apply_stream(
        &mut self,
        head: &EventHead<'_>,
        piece: ContentPiece<'_>,
        cx: &mut Context<'_>,
    ) {
        use EventKind::*;
        let Some(effect) = self.life.step(head, cx) else { return };
        if let Some(kind) = effect.inserted {
            let start = &EventHead { kind, parent: None, metadata: None, ..*head };
            self.open_stream(start, ContentPiece::default(), cx);
        }
        let delta = piece.delta.unwrap_or(Str::plain(""));
        match head.kind {
            TextMessageStart | ReasoningMessageStart | ToolCallStart => {
                self.open_stream(head, piece, cx)
            }
            TextMessageContent | ReasoningMessageContent => self.add_text(head, delta, cx),
            ToolCallArgs => self.add_arguments(head, delta, cx),
            ToolCallEnd => self.end_call(head, cx),
            ReasoningStart => self.start_block(head, cx),
            ReasoningEnd => _ = set_part_status(effect, Status::Finished, cx),
            _ => self.end_text(head, cx),
        }
    }

    fn open_stream(&mut self, head: &EventHead<'_>, piece: ContentPiece<'_>, cx: &mut Context<'_>) {
        match head.kind {
            EventKind::ToolCallStart => {
                self.start_call(head, &piece.name.unwrap_or(Str::plain("")).to_str(), cx);
            }
            _ => self.open_text(head, piece, cx),
        }
    }
}
