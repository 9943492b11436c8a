//! The meaning of the events of a stream. (B.4 to B.7.)
//!
//! An event is checked member by member, chunks become starts, pieces and ends, events that the official client's
//! verifier refuses are refused, and the rest is applied.

use alloc::{boxed::Box, string::String, vec::Vec};

mod activity;
mod calls;
mod chunks;
mod dispatch;
mod endpoints;
mod look;
mod messages;
mod older_parts;
mod open_chunks;
mod parts;
mod results;
mod runs;
mod snapshots;
mod state;
mod verify;

pub(crate) use self::look::check_event;
#[cfg(feature = "hub")]
pub(crate) use self::look::kept;
pub(super) use self::look::strict;
use self::messages::Messages;
pub(super) use self::older_parts::upgraded;
use self::open_chunks::OpenChunks;
use super::binary::BINARY;
use super::events::EVENTS;
use super::lifecycle::{Lifecycle, Phase, Thing};
use super::model::Snapshot;
use super::rules;
use crate::bytes::string_map::StringMap;
use crate::core::binary::Binary;
use crate::core::json_patch::{Patched, Tree};
use crate::core::{DecodeError, EndReason, Observed, Opening, Reading, detect};
use crate::engine::{AnswerLayout, CommonRules, Context, Declared, EventTable, Meaning, Node, protocol};
use crate::json::{Document, JsonText, Raw, Str};
use crate::sse;

protocol! {
    /// The AG-UI protocol, with what the client has before the stream begins.
    AgUi "AG-UI": AgUiMeaning => Snapshot {
        /// The messages of the thread that the client sent: a list. Empty by default.
        messages as "messages": Option<JsonText>,
        /// The state that the client sent. An empty object by default.
        state as "state": Option<JsonText>,
    }
    begins |before, _| AgUiMeaning { before, ..AgUiMeaning::default() };
    impl {
        const LAYOUT: AnswerLayout = AnswerLayout {
            calls_inside: Some("toolCalls"),
            ..AnswerLayout::calls_in("messages")
        };
    }
}

/// The answer's object.
const ROOT: Node = 0;

/// The meaning of AG-UI's events.
#[derive(Debug, Default)]
pub struct AgUiMeaning {
    /// The messages and the state of the client before the stream.
    before: AgUi,
    life: Lifecycle,
    /// Whether the events are those of the Agent API Endpoints app (C.3).
    endpoints: bool,
    /// The problems that are reported only once.
    reported: StringMap<()>,
    messages: Messages,
    state: Patched,
    chunks: OpenChunks,
    /// The calls of the run, and whether they have a result.
    run_calls: StringMap<bool>,
    run_call_ids: Vec<Box<str>>,
    /// The ids of the span and of the message for the old events of reasoning, which do not have ids.
    thinking: [Option<String>; 2],
    thinking_ids: u32,
    run: Option<Node>,
    usage: Vec<runs::Usage>,
    /// The places in `usage`, by provider and model, both as JSON.
    usage_places: StringMap<Option<usize>>,
    /// The cost of repeated work: messages traversed again, and bytes written again.
    steps: u64,
}

impl Declared for AgUiMeaning {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;
    const BINARY: Option<&'static Binary> = Some(&BINARY);
    const JUDGES_NULL: bool = true;

    /// Recognizes the protocol by event types in capitals, as in `RUN_STARTED`. Unknown types are accepted, because
    /// newer versions have more.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        opening.word("object").is_none()
            && opening.word("type").is_some_and(|name| detect::is_in_capitals(&name.to_str()))
    }

    fn check(document: &Document<'_>) -> Result<(), DecodeError> {
        check_event(document)
    }
}

impl Meaning for AgUiMeaning {
    fn start(&mut self, cx: &mut Context<'_>) {
        let before = core::mem::take(&mut self.before);
        cx.set_json(ROOT, Snapshot::pending_interrupts, "[]");
        cx.set_json(ROOT, Snapshot::usage, "[]");
        if let Some(JsonText(json)) = &before.state {
            cx.set_json(ROOT, Snapshot::state, json);
            self.state.replace(Tree::from_raw(Raw(json)));
        }
        if let Some(JsonText(json)) = &before.messages {
            self.add_unknown_messages(json, cx);
        }
    }

    fn before(&mut self, event: &sse::SseEvent<'_>, cx: &mut Context<'_>) -> bool {
        if detect::is_done(event.data) {
            cx.breach(&rules::DONE_MARKER, Observed::Words("[DONE]"));
            return false;
        }
        let is_object = event.data.trim_start().starts_with('{');
        if !is_object {
            let said = "Invalid event: the frame is not a JSON object.";
            cx.breach(&rules::MALFORMED_EVENT, Observed::Said(said));
        }
        is_object
    }

    fn event(&mut self, event: &Reading<'_, '_>, cx: &mut Context<'_>) {
        let Some(name) = event.name.map(Str::to_str).filter(|name| !name.is_empty()) else {
            let said = "Invalid event: the frame carries no event type.";
            return cx.breach(&rules::MALFORMED_EVENT, Observed::Said(said));
        };
        if event.row.is_none() {
            cx.unknown(&name);
            if self.is_first(&name) {
                cx.breach(&rules::UNKNOWN_TYPE, Observed::Name(&name));
            }
            return;
        }
        match self.look(&name, event, cx) {
            Ok(looked) if cx.is_reading() => self.on(event, &looked, cx),
            Ok(_) => {}
            Err(error) => {
                cx.breach(&rules::MALFORMED_EVENT, Observed::NoEvent(&error, event.json.raw().as_str()))
            }
        }
    }

    fn finish(&mut self, aborted: bool, cx: &mut Context<'_>) {
        self.stop(aborted, cx);
    }

    fn has_ended(&self) -> bool {
        false
    }
}

impl AgUiMeaning {
    /// Records a report, and returns whether it is new. Returns false if too many reports are recorded.
    fn is_first(&mut self, what: &str) -> bool {
        const MOST: usize = 1_000;
        let first = self.reported.get(what).is_none() && self.reported.len() < MOST;
        if first {
            self.reported.insert(what, ());
        }
        first
    }

    /// Ends the open texts, and concludes a stream without a terminal event.
    fn stop(&mut self, aborted: bool, cx: &mut Context<'_>) {
        self.messages.end_texts(cx);
        for names in [Thing::Text, Thing::Reasoning, Thing::Call] {
            let open: Vec<String> =
                self.life.open.names(names).all_open().into_iter().map(Into::into).collect();
            open.into_iter().for_each(|id| cx.unfinished(id));
        }
        if cx.report().end_reason == EndReason::Open {
            cx.end(if aborted { EndReason::Aborted } else { EndReason::Eof });
            if !aborted && self.life.phase != Phase::Before {
                cx.breach(&rules::NO_TERMINAL, Observed::Words("the end of the stream"));
            }
            self.conclude(super::model::Status::Incomplete, cx);
        }
    }
}
