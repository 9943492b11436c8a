//! Refusals, with the message of the official client and the correct call.

use alloc::string::String;

use crate::core::{DecodeError, UsageError};
use crate::protocols::ag_ui::lifecycle::{Judge, LifecycleViolation};
use crate::protocols::ag_ui::{Event, rules};

/// A builder refuses the first violation, and never recovers.
#[derive(Default)]
pub(super) struct FirstViolation(pub Option<UsageError>);

impl Judge for FirstViolation {
    fn violation(&mut self, violation: LifecycleViolation) -> bool {
        self.0.get_or_insert_with(|| usage_error(violation));
        false
    }
}

/// Returns the error for an event that would violate a rule.
pub(super) fn usage_error(LifecycleViolation { rule, message }: LifecycleViolation) -> UsageError {
    let known = INSTEAD.iter().find(|(id, _)| *id == rule.id);
    UsageError::new(rule.id, message, known.map_or(rule.expected, |(_, instead)| instead))
}

/// Returns the error for an invalid event.
pub(super) fn malformed(error: DecodeError) -> UsageError {
    let mut problem = String::from("the event is not as the protocol describes it: ");
    error.write(&mut problem);
    UsageError::new(rules::MALFORMED_EVENT.id, problem, "give what is described, and nothing else")
}

/// Returns the error for calls that stay open.
pub(super) fn open_calls(open: &[&str]) -> UsageError {
    let message =
        ["Cannot send 'RUN_FINISHED' while tool calls are still active: ", &open.join(", ")];
    usage_error(LifecycleViolation { rule: &rules::FINISHED_EARLY, message: message.concat() })
}

/// Returns the error for a piece of a call whose chunks have ended.
pub(super) fn chunk_ended(id: &str) -> UsageError {
    UsageError::new(
        rules::NOT_STARTED.id,
        ["the call `", id, "` is not the one that the chunks of its lane go on with"].concat(),
        "write a whole call before other events of its lane, or do not write chunks",
    )
}

/// Returns the error for an end event of a message or a call that is written in chunks: readers end
/// it themselves.
pub(super) fn end_of_chunks(id: &str) -> UsageError {
    UsageError::new(
        rules::NOT_STARTED.id,
        ["`", id, "` is written in chunks, which have no end event"].concat(),
        "leave the end out: the next event of the lane ends it",
    )
}

/// Returns the error for a snapshot of the messages that lacks an open message or call.
pub(super) fn lost(id: &str) -> UsageError {
    UsageError::new(
        "open-message-lost",
        ["`", id, "` is open, and is not among the messages of the snapshot"].concat(),
        "end it first, or put it among the messages",
    )
}

/// Refuses events that a builder does not write.
pub(super) fn unwritten(event: &Event<'_>) -> Result<(), UsageError> {
    let (code, instead) = match event {
        Event::TextMessageChunk { .. }
        | Event::ToolCallChunk { .. }
        | Event::ReasoningMessageChunk { .. } => {
            ("chunk", "make the builder write chunks, and call `text()` and the like")
        }
        Event::ThinkingStart { .. }
        | Event::ThinkingEnd { .. }
        | Event::ThinkingTextMessageStart { .. }
        | Event::ThinkingTextMessageContent { .. }
        | Event::ThinkingTextMessageEnd { .. } => {
            (rules::LEGACY_THINKING.id, "use `REASONING_*`, as since 1.0")
        }
        Event::Other { .. } => (rules::UNKNOWN_TYPE.id, "put it into a `CUSTOM` or a `RAW` event"),
        _ => return Ok(()),
    };
    Err(UsageError::new(
        code,
        ["`", event.name().unwrap_or_default(), "` is not written"].concat(),
        instead,
    ))
}

/// The advice for each rule of the lifecycle.
const INSTEAD: &[(&str, &str)] = &[
    (rules::FIRST_EVENT.id, "call `start()` first"),
    (rules::RUN_STARTED_TWICE.id, "end the run first, with `finish()`"),
    (rules::AFTER_FINISHED.id, "the run has finished: start another one"),
    (rules::AFTER_ERROR.id, "the run has failed: start another one"),
    (
        rules::FINISHED_EARLY.id,
        "end the open calls first, or call `finish_with()`, which cuts them off",
    ),
    (rules::STARTED_TWICE.id, "end it first, or use another id"),
    (rules::NOT_STARTED.id, "start it first"),
    (rules::OWNER_MISMATCH.id, "leave the lane out, or use that of the start"),
    (rules::STEP_STARTED_TWICE.id, "end the step first, or use another name"),
    (rules::STEP_NOT_STARTED.id, "start the step in this lane first"),
    (rules::SUBAGENT_STARTED_TWICE.id, "give every subagent an id of its own"),
    (rules::SUBAGENT_NOT_STARTED.id, "start the subagent first"),
];
