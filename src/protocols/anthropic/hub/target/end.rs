//! The end of the message: the stop reason, or the error that ends the stream.

use alloc::string::String;

use super::opaque::is_readable;
use super::{ToAnthropic, WireOutput, usage};
use crate::hub::{EndStatus, RunEnd};
use crate::json::{Member, Value};
use crate::protocols::anthropic::error::error_type;

/// The members of the last events that are not written from other data.
const DELTA: [&str; 2] = ["container", "stop_details"];

impl ToAnthropic {
    /// Keeps what the last event has of the message.
    pub(super) fn metadata(&mut self, value: &Value, out: &mut WireOutput<'_>) {
        for Member { key, value } in value.members() {
            let is_own = match &**key {
                "stop_sequence" | "stop_reason" => value.as_str().is_some(),
                key => DELTA.contains(&key) && is_readable(value),
            };
            match is_own {
                true => self.more.insert(key, value.clone()),
                false => out.lose("metadata", key, "the answer has no metadata"),
            }
        }
    }

    pub(super) fn end(&mut self, end: &RunEnd, out: &mut WireOutput<'_>) {
        let error = end.error.as_ref();
        let message = error.map(|error| error.message.as_str()).filter(|text| !text.is_empty());
        let code = error.and_then(|error| error.code.as_deref()).unwrap_or_default();
        let reason = end.reason.as_deref();
        let stop = match end.status {
            EndStatus::Completed => Ok(None),
            EndStatus::Incomplete if !self.questions.is_empty() && end.waits() => Ok(None),
            EndStatus::Incomplete => match reason.and_then(limit) {
                Some(stop) => Ok(Some(stop)),
                None if end.is_cut_off() => Err("The answer was cut off."),
                None => Err("The answer is incomplete."),
            },
            EndStatus::Failed => Err("The run failed."),
            EndStatus::Rejected => Err("The run was rejected."),
            EndStatus::Canceled => Err("The run was canceled."),
        };
        let stop = match (stop, self.calls.cut_off()) {
            (Ok(None), Some(id)) => {
                let reason = "its arguments never ended: the answer ends with an error";
                out.lose("call-cut-off", id, reason);
                Err("The run ended inside a tool call.")
            }
            (stop, _) => stop,
        };
        self.end_calls(stop.is_err(), out);
        match stop {
            Ok(_) => self.blocks.end_all(&mut self.events, out),
            Err(_) => self.blocks.break_off(&mut self.events, out),
        }
        match stop {
            Ok(stop) => self.stop(stop, end, out),
            Err(otherwise) => {
                let r#type = error_type(code);
                if !code.is_empty() && r#type != code {
                    out.lose("error-code", code, "errors have one of ten types");
                }
                if end.status != EndStatus::Failed {
                    let reason = "no stop reason has this meaning: it became an error";
                    out.lose("status", end.status.as_str(), reason);
                }
                let mut text = String::from(message.unwrap_or(otherwise));
                if let Some(reason) = reason.filter(|_| message.is_none() && !end.is_cut_off()) {
                    text += " Reason: ";
                    text += reason;
                }
                if end.usage.is_some() || self.usage.is_some() {
                    out.lose("usage", "", "an answer that ends with an error has no usage");
                }
                self.fail(r#type, &text, out);
            }
        }
    }

    /// Writes the stop reason and the end of the message.
    fn stop(&mut self, limit: Option<&str>, end: &RunEnd, out: &mut WireOutput<'_>) {
        let sequence = self.more.text("stop_sequence");
        let reason = match (limit, self.more.text("stop_reason")) {
            (Some(limit), _) => limit,
            _ if self.calls.are_pending() => "tool_use",
            (None, Some(own)) => own,
            _ if self.has_refused => "refusal",
            _ if sequence.is_some() => "stop_sequence",
            _ => "end_turn",
        };
        let usage = usage::of_hub(end.usage.as_ref().or(self.usage.as_ref()), out);
        let mut delta = Value::from([
            ("stop_reason", reason.into()),
            ("stop_sequence", sequence.map_or(Value::Null, Value::from)),
        ]);
        for key in DELTA {
            if let Some(value) = self.more.get(key) {
                delta.insert(key, value.clone());
            }
        }
        self.events.end(&delta, &usage, out);
    }

    /// Ends the stream with an error.
    pub(super) fn fail(&mut self, r#type: &str, message: &str, out: &mut WireOutput<'_>) {
        self.has_failed = true;
        self.events.error(r#type, message, out);
    }
}

/// Returns the stop reason for the reason of an incomplete run.
fn limit(reason: &str) -> Option<&'static str> {
    Some(match reason {
        "max_tokens" | "length" | "max_output_tokens" | "MAX_TOKENS" => "max_tokens",
        "model_context_window_exceeded" => "model_context_window_exceeded",
        "refusal" | "content_filter" | "content-filter" => "refusal",
        // The reasons for which Gemini does not answer.
        "SAFETY" | "PROHIBITED_CONTENT" | "BLOCKLIST" | "SPII" | "RECITATION" => "refusal",
        _ => return None,
    })
}
