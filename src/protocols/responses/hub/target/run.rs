//! The start of the run, its notes and its end.

use alloc::borrow::ToOwned;

use super::opaque::is_without_state;
use super::server_tools::PayloadPlace;
use super::{Out, ToResponses, ok_or_loss, send, send_all};
use crate::bytes::string_map::pair;
use crate::hub::metadata::Metadata;
use crate::hub::{EndStatus, Note, RunEnd, Step, message_id};
use crate::json::{Member, Value};
use crate::protocols::responses::builder::StreamBuilder;

impl ToResponses {
    pub(super) fn start(&mut self, step: &Step<'_>, out: &mut Out<'_>) {
        let Step::Start { id, session_id, parent_id, model, created_at } = *step else { return };
        let Some(mut options) = self.options.take() else { return };
        let id = options.run_id.take().or(message_id(id, out).map(ToOwned::to_owned));
        let id = id.unwrap_or_else(|| options.ids.next_id("resp_"));
        let created_at = created_at.unwrap_or_else(options.clock);
        let echo = core::mem::take(&mut options.echo);
        let model = model.filter(|model| !model.is_empty()).or(echo.text("model"));
        self.builder = StreamBuilder::new(id, model.unwrap_or(""), created_at).ids_of(options.ids);
        self.is_without_state = is_without_state(&echo);
        for Member { key, value } in echo.members_without(&["model", "include"]) {
            ok_or_loss(&key, self.builder.member(&key, value), out);
        }
        self.metadata = Metadata::of(echo.get("metadata").map(Value::members).unwrap_or_default());
        if let Some(id) = options.session_id.as_deref().or(session_id) {
            let event = self.builder.member("conversation", Value::from([("id", id.into())]));
            ok_or_loss("", event, out);
        }
        if let Some(id) = parent_id {
            ok_or_loss("", self.builder.member("previous_response_id", id.into()), out);
        }
        send("", self.builder.created(), out);
    }

    /// Writes once that the response is queued.
    fn queued(&mut self, out: &mut Out<'_>) {
        if !core::mem::replace(&mut self.waits, true) {
            self.add_metadata(out);
            send("", self.builder.queued(), out);
        }
    }

    /// Writes once that the response is in progress.
    pub(super) fn in_progress(&mut self, out: &mut Out<'_>) {
        if !core::mem::replace(&mut self.works, true) {
            self.add_metadata(out);
            send("", self.builder.in_progress(), out);
        }
    }

    /// Sets the metadata that were received, before an event with the whole response.
    fn add_metadata(&mut self, out: &mut Out<'_>) {
        if core::mem::take(&mut self.has_metadata) {
            let metadata = self.metadata.object().unwrap_or_default();
            ok_or_loss("", self.builder.member("metadata", metadata), out);
        }
    }

    pub(super) fn note(&mut self, note: &Note<'_>, out: &mut Out<'_>) {
        match *note {
            Note::Status { status: "queued", .. } if !self.works => self.queued(out),
            Note::Status { status, .. } if status != "queued" && !self.works => {
                self.in_progress(out)
            }
            Note::Status { status: "in_progress", detail: None } => {}
            Note::Status { status, .. } => {
                out.lose("status", status, "a response that has begun does not wait again");
            }
            Note::Usage { usage, message: None } => self.usage = Some(usage.clone()),
            Note::Usage { message: Some(message), .. } => {
                let reason = "Responses counts the tokens of the response, not of items";
                out.lose("usage", out.place(message), reason);
            }
            Note::Metadata { value, message: None, call: None } => {
                self.metadata.merge(value.members());
                self.has_metadata = true;
            }
            Note::Metadata { value, message: Some(message), call: None }
                if self.server_members(message, value, out) => {}
            Note::Metadata { message, call, .. } => {
                let place = message.map_or(call.unwrap_or(""), |message| out.place(message));
                out.lose("metadata", place, "items of Responses have no metadata");
            }
            Note::Annotation { message, part, annotation } => {
                let found = self.parts.get(pair(message, part.unwrap_or(0))).copied();
                let result = found
                    .and_then(|part| self.builder.annotation(part.item, part.at, annotation).ok());
                let reason = match annotation {
                    Value::Null => "null is not an annotation",
                    _ => "no text is open",
                };
                match result {
                    Some(event) => out.emit(event),
                    None => out.lose("annotation", out.place(message), reason),
                }
            }
            Note::Replace { message, part, text, call: None } => {
                let found = self.parts.get(pair(message, part)).copied();
                let result = found.and_then(|part| {
                    self.builder.replace(part.item, part.kind, part.at, text).ok()
                });
                if result.is_none() {
                    out.lose("text-replaced", out.place(message), "its item has ended");
                }
            }
            Note::Replace { text, call: Some(id), .. } => {
                let found = match self.tools.get_mut(id) {
                    Some(tool)
                        if tool
                            .server
                            .is_some_and(|server| server.given != PayloadPlace::Streamed) =>
                    {
                        if !tool.is_done {
                            tool.given = text.to_owned();
                            return;
                        }
                        None
                    }
                    found => found.map(|tool| tool.item),
                };
                if found.and_then(|item| self.builder.replace_arguments(item, text).ok()).is_none()
                {
                    out.lose("arguments-replaced", id, "they were whole");
                }
            }
            Note::Retract { message, part: Some(part) } => {
                if let Some(part) = self.parts.get(pair(message, part)).copied() {
                    // The builder returns an error if the item has ended: the part stays there.
                    let _ = self.builder.retract_part(part.item, part.kind, part.at);
                }
            }
            Note::Retract { message, part: None } => {
                if let Some(item) = self.messages.get(message.into()).and_then(|open| open.item) {
                    ok_or_loss("", self.builder.retract(item), out);
                }
            }
            Note::Opaque { .. } => self.opaque(note, out),
            Note::Progress { id, status, .. } => self.advance(id, status, out),
            Note::ToolError { id, text, .. } => self.tool_error(id, text, out),
            // The losses of other notes are noted already.
            _ => {}
        }
    }

    /// Ends the response. Calls that wait for results end without them.
    pub(super) fn end(&mut self, end: &RunEnd, out: &mut Out<'_>) {
        self.in_progress(out);
        self.add_metadata(out);
        let status = if end.status == EndStatus::Completed { "completed" } else { "incomplete" };
        for id in core::mem::take(&mut self.pending) {
            self.end_tool(&id, status, Value::Null, out);
        }
        for at in self.images.sorted() {
            if let Some((item, _)) = self.images.remove(at) {
                self.end_item(item, "incomplete", Value::Null, out);
            }
        }
        if let Some(usage) = end.usage.as_ref().or(self.usage.as_ref()).map(tokens) {
            ok_or_loss("", self.builder.usage(usage), out);
        }
        let message = end.error.as_ref().map(|error| error.message.as_str());
        let code = end.error.as_ref().and_then(|error| error.code.as_deref());
        let reason = end.reason.as_deref();
        // The builder does not complete a response that has open items.
        self.builder.end_items().into_iter().for_each(|event| out.emit(event));
        let ended = match end.status {
            EndStatus::Completed => self.builder.complete(),
            // The response is complete: the question is one of its items, and the answer is an item
            // of the next request.
            EndStatus::Incomplete if !self.questions.is_empty() && end.waits() => {
                self.builder.complete()
            }
            EndStatus::Failed => self
                .builder
                .fail(code.unwrap_or("server_error"), message.unwrap_or("The run failed.")),
            EndStatus::Rejected => {
                out.lose(
                    "status",
                    "",
                    "Responses has no such status: it became a failure with the status in its text",
                );
                self.builder.fail("rejected", message.or(reason).unwrap_or("The run was rejected."))
            }
            EndStatus::Canceled => self.builder.cancel(),
            EndStatus::Incomplete => self.builder.incomplete(reason.map(own_reason)),
        };
        if end.error.is_some() && !matches!(end.status, EndStatus::Failed | EndStatus::Rejected) {
            out.lose("error-message", "", "only responses that have failed have an error");
        }
        send_all("", ended, out);
    }
}

/// Returns the reason of an incomplete response. The limit of tokens has other names in other
/// protocols of models.
fn own_reason(reason: &str) -> &str {
    match reason {
        "length" | "max_tokens" | "MAX_TOKENS" | "model_context_window_exceeded" => {
            "max_output_tokens"
        }
        other => other,
    }
}

/// Counts that Responses has as details of other counts.
const ALONE: [&str; 2] = ["cached_input_tokens", "reasoning_tokens"];

/// Returns the token usage in the format of Responses, with zeros for unknown counts. Counts that
/// Responses does not have follow.
fn tokens(usage: &Value) -> Value {
    let count = |names: &[&str]| {
        let found = names.iter().find_map(|name| usage.get(name));
        found.filter(|count| matches!(count, Value::Number(_))).cloned()
    };
    let (input, output) =
        (count(&["input_tokens", "prompt_tokens"]), count(&["output_tokens", "completion_tokens"]));
    let number =
        |count: &Option<Value>| count.as_ref().and_then(Value::integer::<i64>).unwrap_or(0);
    let total = count(&["total_tokens"])
        .unwrap_or_else(|| number(&input).saturating_add(number(&output)).into());
    let details = |name: &str, member: &str, alone: &str| {
        let mut details = usage
            .get(name)
            .filter(|value| matches!(value, Value::Object(_)))
            .cloned()
            .unwrap_or_default();
        if details.get(member).is_none() {
            details.insert(member, count(&[alone]).unwrap_or_else(|| 0.into()));
        }
        details
    };
    let counts = [
        ("input_tokens", input.unwrap_or_else(|| 0.into())),
        ("input_tokens_details", details("input_tokens_details", "cached_tokens", ALONE[0])),
        ("output_tokens", output.unwrap_or_else(|| 0.into())),
        ("output_tokens_details", details("output_tokens_details", "reasoning_tokens", ALONE[1])),
        ("total_tokens", total),
    ];
    let mut others = usage.members_without(&counts.each_ref().map(|(key, _)| *key));
    others.retain(|member| {
        !ALONE.contains(&&*member.key) || !matches!(member.value, Value::Number(_))
    });
    let mut tokens = Value::from(counts);
    if let Value::Object(members) = &mut tokens {
        members.extend(others);
    }
    tokens
}
