//! The start of the response, what changes it as a whole, and its end.

use alloc::borrow::ToOwned;

use super::opaque::is_without_state;
use super::response_object::{End, ResponseObject};
use super::{ToResponses, WireOutput};
use crate::hub::metadata::Metadata;
use crate::hub::{EndStatus, RunEnd, Step, message_id};
use crate::json::{Member, Value};

/// The progress of the response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum WriterStage {
    #[default]
    Created,
    Queued,
    InProgress,
}

impl ToResponses {
    pub(super) fn start(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Start { id, session_id, parent_id, model, created_at } = *step else { return };
        let options = &mut self.options;
        let id = options.run_id.take().or(message_id(id, out).map(ToOwned::to_owned));
        let echo = core::mem::take(&mut options.echo);
        let model = model.filter(|model| !model.is_empty()).or(echo.text("model"));
        let id = id.unwrap_or_else(|| options.ids.next_id("resp_"));
        let created_at = created_at.unwrap_or_else(options.clock);
        self.response = ResponseObject::new(id, model.unwrap_or_default(), created_at);
        self.is_without_state = is_without_state(&echo);
        for Member { key, value } in echo.members_without(&["model", "include"]) {
            self.response.set(&key, value, &key, out);
        }
        self.metadata = Metadata::of(echo.get("metadata").map(Value::members).unwrap_or_default());
        if let Some(id) = options.session_id.as_deref().or(session_id) {
            self.response.set("conversation", Value::from([("id", id.into())]), "", out);
        }
        if let Some(id) = parent_id {
            self.response.set("previous_response_id", id.into(), "", out);
        }
        self.write_response("response.created", "in_progress", None, out);
    }

    /// Writes once that the response is queued.
    pub(super) fn queued(&mut self, out: &mut WireOutput<'_>) {
        if self.stage == WriterStage::Created {
            self.stage = WriterStage::Queued;
            self.write_response("response.queued", "queued", None, out);
        }
    }

    /// Writes once that the response is in progress. The older client forgets the items that it
    /// has at that event (O2): it is before the first item.
    pub(super) fn in_progress(&mut self, out: &mut WireOutput<'_>) {
        if self.stage != WriterStage::InProgress {
            self.stage = WriterStage::InProgress;
            self.write_response("response.in_progress", "in_progress", None, out);
        }
    }

    pub(super) fn status(&mut self, status: &str, has_detail: bool, out: &mut WireOutput<'_>) {
        match (status, self.stage) {
            ("queued", WriterStage::Created | WriterStage::Queued) => self.queued(out),
            (_, WriterStage::Created | WriterStage::Queued) => self.in_progress(out),
            ("in_progress", WriterStage::InProgress) if !has_detail => {}
            _ => out.lose("status", status, "a response that has begun does not wait again"),
        }
    }

    /// Ends the response. Calls that wait for results end without them.
    pub(super) fn end(&mut self, end: &RunEnd, out: &mut WireOutput<'_>) {
        self.in_progress(out);
        self.end_items(end.status == EndStatus::Completed, out);
        if let Some(usage) = end.usage.as_ref().or(self.usage.as_ref()) {
            self.response.set_usage(usage, out);
        }
        let message = end.error.as_ref().map(|error| error.message.as_str());
        let code = end.error.as_ref().and_then(|error| error.code.as_deref());
        let reason = end.reason.as_deref();
        let last = match end.status {
            EndStatus::Completed => End::Completed,
            // The response is complete: the question is one of its items, and the answer is an item
            // of the next request.
            EndStatus::Incomplete if !self.questions.is_empty() && end.waits() => End::Completed,
            EndStatus::Failed => {
                End::Failed(code.unwrap_or("server_error"), message.unwrap_or("The run failed."))
            }
            EndStatus::Rejected => {
                out.lose(
                    "status",
                    "",
                    "Responses has no such status: it became a failure with the status in its text",
                );
                End::Failed("rejected", message.or(reason).unwrap_or("The run was rejected."))
            }
            EndStatus::Canceled => End::Cancelled,
            EndStatus::Incomplete => {
                if reason == Some(CONTEXT_EXCEEDED) {
                    let own = "the reason of Responses is that the answer was too long";
                    out.lose("status", CONTEXT_EXCEEDED, own);
                }
                End::Incomplete(reason.map(own_reason))
            }
        };
        if end.error.is_some() && !matches!(end.status, EndStatus::Failed | EndStatus::Rejected) {
            out.lose("error-message", "", "only responses that have failed have an error");
        }
        if last == End::Completed {
            self.response.complete_at((self.options.clock)());
        }
        let (event, status) = last.names();
        self.write_response(event, status, Some(last), out);
    }

    /// Ends the items that are open at the end of the response: calls of MCP servers, and images
    /// that are not complete.
    fn end_items(&mut self, is_completed: bool, out: &mut WireOutput<'_>) {
        for at in 0..self.items.len() {
            let item = &self.items[at];
            if item.done.is_none() {
                let is_whole = is_completed && item.call.is_some();
                let status = if is_whole { "completed" } else { "incomplete" };
                self.end_item(at, status, Value::Null, out);
            }
        }
    }

    /// Writes an event with the whole response.
    fn write_response(
        &mut self,
        event: &str,
        status: &str,
        end: Option<End<'_>>,
        out: &mut WireOutput<'_>,
    ) {
        if core::mem::take(&mut self.has_metadata) {
            let metadata = self.metadata.object().unwrap_or_default();
            self.response.set("metadata", metadata, "", out);
        }
        let end = end.map(|end| (end, &*self.items));
        self.events.write(event, out, |object| {
            self.response.write(status, end, object.member("response"));
        });
    }
}

/// The reason of Anthropic for an answer that does not fit beside its request.
const CONTEXT_EXCEEDED: &str = "model_context_window_exceeded";

/// Returns the reason of an incomplete response. The limit of tokens has other names in other
/// protocols of models.
fn own_reason(reason: &str) -> &str {
    match reason {
        "length" | "max_tokens" | "MAX_TOKENS" | CONTEXT_EXCEEDED => "max_output_tokens",
        other => other,
    }
}
