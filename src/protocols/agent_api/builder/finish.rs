//! Ends a stream in any state.

use alloc::vec::Vec;

use super::WireEvent;
use super::events::End;
use super::run::Run;
use crate::bytes::string_map::{Numbers, pair};
use crate::protocols::agent_api::lifecycle::{Phase, Piece};
use crate::protocols::agent_api::{ErrorInfo, RunStatus};

// Every step below is legal in its state, so that an `Err`, which would yield no event, does not occur.

const CALL: &str = "finish_with()";

/// Ends the response with all of its open messages and contents.
pub(super) fn response(run: &mut Run, status: RunStatus, error: Option<ErrorInfo>) -> Vec<WireEvent> {
    let mut events = Vec::new();
    if run.phase == Phase::Ended {
        return events;
    }
    if run.phase == Phase::Absent {
        events.extend(run.announce(RunStatus::Created, CALL));
    }
    if run.phase == Phase::Waiting {
        events.extend(run.announce(RunStatus::InProgress, CALL));
    }
    let (status, error) = terminal(status, error);
    for at in 0..run.messages.len() {
        events.extend(message(run, at, status.clone(), error.clone()));
    }
    events.extend(run.end(End::new(status, error), CALL));
    events
}

/// Ends a message and its open contents; returns no events if the message is not open.
pub(super) fn message(
    run: &mut Run,
    at: usize,
    status: RunStatus,
    error: Option<ErrorInfo>,
) -> Vec<WireEvent> {
    let mut events = Vec::new();
    if run.phase != Phase::InProgress || !run.messages[at].is_open() {
        return events;
    }
    let parts = &run.messages[at].parts;
    let mut open = Numbers::default();
    for content in (0..parts.len()).filter(|&content| parts[content].is_open()) {
        open.insert(pair(parts[content].content.index, content as u32), ());
    }
    for content in open.sorted() {
        let content = content as u32 as usize;
        if run.step((at, content), Piece::Completed, CALL).is_ok() {
            events.push(run.complete((at, content)));
        }
    }
    let (status, error) = terminal(status, error);
    events.extend(run.close(at, End::new(status, error), CALL));
    events
}

/// Returns a terminal status, with the error that belongs to it.
fn terminal(status: RunStatus, error: Option<ErrorInfo>) -> (RunStatus, Option<ErrorInfo>) {
    match status {
        RunStatus::Completed | RunStatus::Canceled => (status, None),
        RunStatus::Failed => {
            let unknown = || ErrorInfo::new("AGENT_UNKNOWN_ERROR", "Unknown agent error");
            (status, error.or_else(|| Some(unknown())))
        }
        RunStatus::Rejected | RunStatus::Incomplete => (status, error),
        RunStatus::Created
        | RunStatus::InProgress
        | RunStatus::Queued
        | RunStatus::Unknown
        | RunStatus::Other(_) => (RunStatus::Incomplete, error),
    }
}
