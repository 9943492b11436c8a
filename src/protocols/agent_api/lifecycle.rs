//! The lifecycle tables: the allowed order of statuses and pieces. The builder, the engine and the
//! checker all use them.
//!
//! ```text
//!            R: response   M: message   C: content
//!
//!            ┌────────┐ created  ┌─────────┐ in_progress ┌────────────┐ terminal ┌───────┐
//!         R  │ Absent │─────────▶│ Waiting │────────────▶│ InProgress │─────────▶│ Ended │
//!            └────────┘  queued  └─────────┘             └────────────┘          └───────┘
//!                                 ↺ created, queued
//!
//!            ┌────────┐ created  ┌─────────┐ in_progress ┌────────────┐ terminal ┌───────┐
//!         M  │ Absent │─────────▶│ Waiting │────────────▶│ InProgress │─────────▶│ Ended │
//!            └────────┘          └─────────┘             └────────────┘          └───────┘
//!                 └───────────────── in_progress ─────────────▲
//!
//!            ┌────────┐ delta, snapshot  ┌────────────┐ completed ┌───────┐
//!         C  │ Absent │─────────────────▶│ InProgress │──────────▶│ Ended │
//!            └────────┘                  └────────────┘           └───────┘
//!                 └──────────────────── completed ───────────────────▲
//!
//!   terminal: completed, failed, canceled, rejected, incomplete.  Everything that is not drawn is illegal; the table
//!   then names the rule and the state from which a lenient reader goes on.
//! ```

use super::{RunStatus, rules};
use crate::core::transitions;

/// The state of a response, message or content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ObjectPhase {
    /// Not seen yet.
    #[default]
    Absent,
    /// `created` or `queued`.
    Waiting,
    /// Being produced.
    InProgress,
    /// A terminal status has arrived.
    Ended,
}

/// The effect of an event in a state of a response, message or content.
pub type StatusTransition = crate::core::transition::Transition<ObjectPhase>;

/// The effect of a status on the object it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusEffect {
    /// `created`, `queued`
    Wait,
    /// `in_progress`
    Start,
    /// One of the five terminal statuses.
    End,
    /// `unknown`, or a name that the protocol does not define: does not change the state.
    Nothing,
}

impl StatusEffect {
    /// Returns the change that a status stands for.
    pub fn of(status: &RunStatus) -> StatusEffect {
        match status {
            RunStatus::Created | RunStatus::Queued => StatusEffect::Wait,
            RunStatus::InProgress => StatusEffect::Start,
            status if status.is_terminal() => StatusEffect::End,
            _ => StatusEffect::Nothing,
        }
    }
}

transitions! {
    /// The response's table (R10, R13, R33).
    pub fn response(ObjectPhase, StatusEffect) {
        Absent: Wait -> Waiting, Start !RESPONSE_NOT_CREATED -> InProgress, End !RESPONSE_NOT_CREATED -> Ended,
            Nothing !RESPONSE_NOT_CREATED -> Waiting;
        Waiting: Wait | Nothing, Start -> InProgress, End !RESPONSE_NOT_STARTED -> Ended;
        InProgress: Wait !RESPONSE_WENT_BACK, Start | Nothing, End -> Ended;
        Ended: Wait | Start | End | Nothing !AFTER_TERMINAL;
    }

    /// A message's table (R17, R19).
    pub fn message(ObjectPhase, StatusEffect) {
        Absent: Wait -> Waiting, Start -> InProgress, End !MESSAGE_NOT_OPENED -> Ended,
            Nothing !MESSAGE_NOT_OPENED -> InProgress;
        Waiting: Wait | Nothing, Start -> InProgress, End -> Ended;
        InProgress: Wait | Start | Nothing, End -> Ended;
        Ended: Wait | Start | Nothing !MESSAGE_AFTER_END, End !MESSAGE_ENDED_TWICE;
    }

    /// A content's table (R26 to R28).
    pub fn content(ObjectPhase, ContentEventKind) {
        Absent: Delta | Snapshot -> InProgress, Completed -> Ended;
        Waiting: Delta | Snapshot -> InProgress, Completed -> Ended;
        InProgress: Delta | Snapshot -> InProgress, Completed -> Ended;
        Ended: Delta | Snapshot | Completed !CONTENT_AFTER_END;
    }
}

/// Checks that messages and contents are allowed in this state of the response (R10, R33).
pub fn inside_response(response: ObjectPhase) -> StatusTransition {
    use ObjectPhase::*;
    match response {
        Absent => StatusTransition::Illegal(&rules::RESPONSE_NOT_CREATED, InProgress),
        Waiting => StatusTransition::Illegal(&rules::RESPONSE_NOT_STARTED, InProgress),
        InProgress => StatusTransition::Repeat,
        Ended => StatusTransition::Illegal(&rules::AFTER_TERMINAL, Ended),
    }
}

/// Checks that contents are allowed in this state of the message (R17, R19).
pub fn inside_message(message: ObjectPhase) -> StatusTransition {
    use ObjectPhase::*;
    match message {
        Absent => StatusTransition::Illegal(&rules::CONTENT_BEFORE_MESSAGE, Absent),
        Waiting | InProgress => StatusTransition::Repeat,
        Ended => StatusTransition::Illegal(&rules::CONTENT_AFTER_MESSAGE, Ended),
    }
}

/// The kind of a content event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentEventKind {
    /// `delta` true: a further piece.
    Delta,
    /// `delta` false, in progress: the value so far.
    Snapshot,
    /// The final value.
    Completed,
}
