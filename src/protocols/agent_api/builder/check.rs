//! Checks of the objects that a caller provides, and refusals: the call, the reason, and the call
//! to use instead.

use crate::core::{FreeJsonCheck, Limits, Rule, UsageError, free_json};
use crate::json::{Member, Value};
use crate::protocols::agent_api::lifecycle::{ObjectPhase, StatusTransition};
use crate::protocols::agent_api::rules;

/// Checks that readers can read an object of the caller (`data`, `usage`, `metadata`).
pub(super) fn object(value: &Value, call: &str) -> Result<(), UsageError> {
    if !matches!(value, Value::Object(_)) {
        return Err(UsageError::new(
            "not-an-object",
            [call, " was given something else than a JSON object"].concat(),
            "put it into an object, under a key",
        ));
    }
    FreeJsonCheck { deepest: deepest(), call }.value(value, deepest())
}

/// Checks a value inside such an object.
pub(super) fn inside_object(value: &Value, call: &str) -> Result<(), UsageError> {
    FreeJsonCheck { deepest: deepest(), call }.value(value, deepest() - 1)
}

/// Checks members that the protocol does not declare.
pub(super) fn extra(extra: &[Member], declared: &[&str], call: &str) -> Result<(), UsageError> {
    if let Some(member) = extra.iter().find(|m| declared.contains(&m.key.as_str())) {
        return Err(free_json::duplicate(&member.key, call));
    }
    FreeJsonCheck { deepest: deepest(), call }.members(extra, deepest())
}

/// Returns the maximum nesting depth of free JSON: in the final response it is inside response,
/// output, message, content and part, and readers limit the total depth.
fn deepest() -> u32 {
    Limits::default().json_depth - 5
}

/// Returns the state after a step, or the refusal of the step.
pub(super) fn advance(
    step: StatusTransition,
    from: ObjectPhase,
    call: &str,
) -> Result<ObjectPhase, UsageError> {
    step.legal(from).map_err(|rule| refuse(rule, call))
}

/// Returns the refusal of a call that would violate a rule.
pub(super) fn refuse(rule: &'static Rule, call: &str) -> UsageError {
    let known = INSTEAD.iter().find(|(id, _)| *id == rule.id);
    UsageError::new(
        rule.id,
        [call, " violates ", rule.clause, ": expected ", rule.expected].concat(),
        known.map_or(rule.expected, |(_, instead)| instead),
    )
}

/// The calls to use instead, for each rule that the lifecycle can return, and for rules that depend
/// on neighboring objects.
const INSTEAD: &[(&str, &str)] = &[
    (rules::RESPONSE_NOT_CREATED.id, "call `created()` or `queued()` of the response first"),
    (rules::RESPONSE_NOT_STARTED.id, "call `in_progress()` of the response first"),
    (rules::RESPONSE_WENT_BACK.id, "leave it out: the response is in progress already"),
    (
        rules::AFTER_TERMINAL.id,
        "the response has ended: make a new one, or `reset()` it for a new stream",
    ),
    (rules::MESSAGE_NOT_OPENED.id, "call `in_progress()` of the message first"),
    (
        rules::MESSAGE_AFTER_END.id,
        "the message has ended: make a new one with `create_message_builder()`",
    ),
    (rules::MESSAGE_ENDED_TWICE.id, "leave it out: the message has ended already"),
    (
        rules::MESSAGE_NOT_ENDED.id,
        "end the open messages first, or call `finish_with()`, which does",
    ),
    (rules::CONTENT_BEFORE_MESSAGE.id, "call `in_progress()` of the message first"),
    (
        rules::CONTENT_AFTER_MESSAGE.id,
        "the message has ended: make a new one with `create_message_builder()`",
    ),
    (
        rules::CONTENT_AFTER_END.id,
        "the content is complete: make a new one with `create_content_builder()`",
    ),
    (
        rules::PART_MISSING.id,
        "`complete()` the open contents first, or call `finish_with()`, which does",
    ),
    (
        rules::INDEX_GAP.id,
        "use the contents in the order of their indices, or let `create_content_builder()` choose",
    ),
    (rules::UNKNOWN_CONTENT_TYPE.id, "use text, image, data, audio, file, refusal or video"),
    (rules::STATUS_UNKNOWN.id, "use a status of the progress of a message"),
    (rules::MESSAGE_CHANGED.id, "make a new message for another type or role"),
    (rules::MESSAGE_WITHOUT_ID.id, "give the message an id"),
];

/// Returns the refusal of builders from before a reset.
pub(super) fn stale(call: &str) -> UsageError {
    UsageError::new(
        "stale-builder",
        [call, " belongs to a response that was reset"].concat(),
        "make new builders from the response",
    )
}

/// Returns the refusal of an operation that contents of this type do not have.
pub(super) fn wrong_type(call: &str, expected: &str, got: &str) -> UsageError {
    UsageError::new(
        "wrong-content-type",
        [call, " is for contents of type ", expected, ", and this one is of type ", got].concat(),
        "create a content builder of that type",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocols::agent_api::lifecycle::{self, ContentEventKind, StatusEffect};

    #[test]
    fn every_lifecycle_error_names_the_correct_call() {
        let phases = [
            ObjectPhase::Absent,
            ObjectPhase::Waiting,
            ObjectPhase::InProgress,
            ObjectPhase::Ended,
        ];
        let changes =
            [StatusEffect::Wait, StatusEffect::Start, StatusEffect::End, StatusEffect::Nothing];
        let pieces =
            [ContentEventKind::Delta, ContentEventKind::Snapshot, ContentEventKind::Completed];
        let mut count = 0;
        for from in phases {
            let of_response = changes.map(|change| lifecycle::response(from, change));
            let of_message = changes.map(|change| lifecycle::message(from, change));
            let of_content = pieces.map(|piece| lifecycle::content(from, piece));
            let inside = [lifecycle::inside_response(from), lifecycle::inside_message(from)];
            for step in of_response.into_iter().chain(of_message).chain(of_content).chain(inside) {
                if let Err(misuse) = advance(step, from, "x()") {
                    count += 1;
                    assert!(INSTEAD.iter().any(|(id, _)| *id == misuse.code), "{misuse}");
                }
            }
        }
        assert!(count > 10, "{count}");
    }
}
