//! The end of a reply. (M4, M8.)

use alloc::string::String;

use super::super::super::events::Event;
use super::super::EXCEEDED;
use super::{ToAgentScope, WireOutput, object};
use crate::hub::{EndStatus, RunEnd};

/// The classes of errors.
const ERRORS: [&str; 9] = [
    "authentication",
    "permission",
    "rate_limit",
    "invalid_request",
    "upstream",
    "connection",
    "internal",
    "setup",
    "unknown",
];

impl ToAgentScope {
    /// Writes the end of the reply, unless it waits.
    pub(super) fn finish(&mut self, end: &RunEnd, out: &mut WireOutput<'_>) {
        if end.may_ask()
            && self.calls.waits()
            && (end.status == EndStatus::Completed || end.waits())
        {
            if !self.metadata.is_null() {
                out.lose("metadata", "", "a reply that waits has no end that could have it");
            }
            return;
        }
        // A complete reply has no open blocks.
        if end.status == EndStatus::Completed {
            self.end_open_calls(out);
        }
        let failed = |otherwise: &str| {
            let text = end.error.as_ref().map(|error| error.message.as_str());
            ("error", Some(String::from(text.unwrap_or(otherwise))))
        };
        let (reason, message) = match end.status {
            EndStatus::Completed => ("completed", None),
            EndStatus::Canceled => ("interrupted", None),
            EndStatus::Failed => failed("The run failed."),
            EndStatus::Rejected => failed("The run was rejected."),
            EndStatus::Incomplete if end.reason.as_deref() == Some(EXCEEDED) => (EXCEEDED, None),
            EndStatus::Incomplete => {
                let (_, message) = failed("The run is incomplete.");
                let reason = end.reason.as_deref().filter(|_| !end.is_cut_off());
                let reason = reason.map(|reason| [" Reason: ", reason].concat());
                ("error", message.map(|message| message + &reason.unwrap_or_default()))
            }
        };
        if matches!(end.status, EndStatus::Rejected)
            || end.status == EndStatus::Incomplete && reason != EXCEEDED
        {
            let place = end.reason.as_deref().unwrap_or(end.status.as_str());
            out.lose("status", place, "AgentScope has no such status: it became an error");
        }
        let error = message.map(|message| {
            let code = end.error.as_ref().and_then(|error| error.code.as_deref());
            let known = code.filter(|code| ERRORS.contains(code));
            if let (Some(code), None) = (code, known) {
                out.lose(
                    "error-code",
                    code,
                    "AgentScope has classes of errors: this one is unknown",
                );
            }
            object(|error| {
                error.string("type", Some(known.unwrap_or("unknown")));
                error.string("message", Some(&message));
            })
        });
        let (id, time) = (self.event_id(), self.now());
        let metadata = core::mem::take(&mut self.metadata);
        out.emit(
            Event::ReplyEnd {
                reply_id: (&*self.reply).into(),
                session_id: (&*self.session).into(),
                finished_reason: Some(reason.into()),
                error,
                id: Some(id.into()),
                created_at: Some(time.into()),
                metadata: Some(metadata).filter(|metadata| !metadata.is_null()),
            }
            .to_wire(),
        );
    }
}
