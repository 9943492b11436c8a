//! The end of the answer: the reason why it has finished, or the error.

use alloc::borrow::ToOwned;

use super::{ToChat, WireOutput};
use crate::hub::{EndStatus, RunEnd, complete_usage};
use crate::json::Value;

impl ToChat {
    /// Ends the answer. A run that has not ended by itself does not finish with `stop`.
    pub(super) fn end(&mut self, end: &RunEnd, out: &mut WireOutput<'_>) {
        self.write_held_back(out);
        self.lose_early(out);
        let usage = end.usage.as_ref().or(self.usage.as_ref()).map(usage);
        let usage = usage.filter(|usage| {
            let is_readable = super::is_readable(usage);
            if !is_readable {
                out.lose("refused", "", super::UNREADABLE);
            }
            is_readable
        });
        let asks = self.has_question && end.waits();
        let error = end.error.as_ref();
        let (code, message) = match end.status {
            EndStatus::Completed if self.calls.is_cut_off => {
                let reason = "a completion does not end well inside a call: it ends with an error";
                out.lose("call-cut-off", "", reason);
                (Some("call_cut_off"), "The run ended inside a tool call.".to_owned())
            }
            EndStatus::Completed => return self.finish(None, usage.as_ref(), out),
            EndStatus::Incomplete if asks => return self.finish(None, usage.as_ref(), out),
            EndStatus::Incomplete if !end.is_cut_off() && end.reason.is_some() => {
                if error.is_some() {
                    out.lose("error-message", "", "only an answer that has failed has an error");
                }
                let finish = self.reason(end.reason.as_deref().unwrap_or_default(), out);
                return self.finish(Some(finish), usage.as_ref(), out);
            }
            EndStatus::Incomplete => (Some("incomplete"), "The run is incomplete.".to_owned()),
            EndStatus::Canceled => (Some("canceled"), "The run was canceled.".to_owned()),
            EndStatus::Failed => (None, "The run failed.".to_owned()),
            EndStatus::Rejected => (Some("rejected"), "The run was rejected.".to_owned()),
        };
        if !matches!(end.status, EndStatus::Completed | EndStatus::Failed) {
            let reason = "Chat Completions has no such status: it became an error that names it";
            out.lose("status", end.status.as_str(), reason);
        }
        const ONLY_ERROR: &str = "an answer that ends with an error has only its text";
        if usage.is_some() {
            out.lose("usage", "", ONLY_ERROR);
        }
        if self.metadata.object().is_some() {
            out.lose("metadata", "", ONLY_ERROR);
        }
        let said = error.map(|error| error.message.clone()).filter(|text| !text.is_empty());
        let mut text = said.unwrap_or(message);
        if let Some(reason) = end.reason.as_deref().filter(|_| error.is_none()) {
            text += " Reason: ";
            text += reason;
        }
        let code = error.and_then(|error| error.code.as_deref()).or(code);
        self.answer.fail(code, &text, out);
    }

    /// Finishes the answer, with `stop` or `tool_calls` if there is no other reason.
    fn finish(
        &mut self,
        reason: Option<&'static str>,
        usage: Option<&Value>,
        out: &mut WireOutput<'_>,
    ) {
        let own = if self.calls.has_written() { "tool_calls" } else { "stop" };
        let members = core::mem::take(&mut self.metadata).object().unwrap_or_default();
        self.answer.finish(reason.unwrap_or(own), usage, members.members(), out);
    }

    /// Returns the finish reason for the reason of an incomplete run.
    fn reason(&self, reason: &str, out: &mut WireOutput<'_>) -> &'static str {
        match reason {
            "length" | "max_tokens" | "MAX_TOKENS" | "max_output_tokens" => "length",
            "content_filter" | "refusal" | "BLOCKLIST" | "IMAGE_SAFETY" | "PROHIBITED_CONTENT"
            | "RECITATION" | "SAFETY" | "SPII" => "content_filter",
            other => {
                let reason = "Chat Completions has no such reason: it became `length`";
                out.lose("status", other, reason);
                "length"
            }
        }
    }
}

/// The names of the counts, at the hub and here.
const USAGE: [(&str, &str); 4] = [
    ("input_tokens", "prompt_tokens"),
    ("output_tokens", "completion_tokens"),
    ("input_tokens_details", "prompt_tokens_details"),
    ("output_tokens_details", "completion_tokens_details"),
];

fn usage(usage: &Value) -> Value {
    let here = |name: &str| USAGE.iter().find(|(at_hub, _)| *at_hub == name).map(|(_, name)| *name);
    complete_usage(usage).renamed(here)
}
