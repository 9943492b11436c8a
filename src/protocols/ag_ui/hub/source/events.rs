//! Events that are converted one by one: runs, steps, subagents, state, activities, and events for
//! applications only.

use alloc::string::String;

use super::AgUiSource;
use crate::hub::{EndError, EndStatus, Hub, Note, RunEnd, Step, present_members};
use crate::json::{Document, Member, Value};
use crate::protocols::ag_ui::fold::normalized;
use crate::protocols::ag_ui::hub::is_in_metadata;
use crate::protocols::ag_ui::hub::{
    INCOMPLETE, PAYLOAD, REASON, REASONING, REJECTED, STATUS, usage,
};

impl AgUiSource {
    /// Emits the steps of an event that the engine has accepted.
    pub(super) fn emit_event(&mut self, event: &str, hub: &mut Hub<'_>) {
        let Ok(document) = Document::read(event, u32::MAX) else { return };
        let event = normalized(document.root());
        let name = event.text("type").unwrap_or_default();
        let text = |name: &str| event.text(name);
        let any = |name: &str| event.get(name).filter(|value| !value.is_null());
        let value = |name: &str| event.get(name).unwrap_or(&Value::Null);
        let (id, kind) =
            (text("messageId").unwrap_or_default(), text("activityType").unwrap_or_default());
        let lane = text("subagentRunId").unwrap_or_default();
        let context = hub.meta().with_metadata(value("metadata").members());
        self.added.event(name);
        let (error, data);
        let note = match name {
            "RUN_STARTED" => return self.begin_run(&event, hub),
            "RUN_FINISHED" | "RUN_ERROR" => return self.end_run(&event, name == "RUN_ERROR", hub),
            "STEP_STARTED" => Note::StepStart { id: None, name: text("stepName"), kind: None },
            "STEP_FINISHED" => Note::StepEnd { id: None, name: text("stepName"), kind: None },
            "REASONING_START" | "THINKING_START" => {
                Note::StepStart { id: Some(&self.span), name: text("title"), kind: Some(REASONING) }
            }
            "REASONING_END" | "THINKING_END" => {
                let id = text("messageId").unwrap_or(&self.span);
                Note::StepEnd { id: Some(id), name: None, kind: Some(REASONING) }
            }
            "STATE_SNAPSHOT" => Note::State { value: value("snapshot") },
            "STATE_DELTA" => Note::StatePatch { patch: value("delta") },
            "MESSAGES_SNAPSHOT" => {
                self.list(value("messages"));
                Note::Messages { messages: value("messages") }
            }
            "ACTIVITY_SNAPSHOT" => {
                let keep = value("replace").as_bool() == Some(false);
                Note::Activity { id, activity_type: kind, content: value("content"), keep }
            }
            "ACTIVITY_DELTA" => {
                Note::ActivityPatch { id, activity_type: kind, patch: value("patch") }
            }
            "SUBAGENT_STARTED" => Note::LaneStart {
                id: lane,
                name: text("name").unwrap_or_default(),
                text: text("description"),
                parent: text("parentSubagentRunId"),
                parent_call: text("parentToolCallId"),
                parent_message: text("parentMessageId"),
            },
            "SUBAGENT_FINISHED" | "SUBAGENT_ERROR" => {
                let outcome = any("outcome");
                error = error_of(&event);
                let status = match outcome_type(outcome) {
                    _ if name == "SUBAGENT_ERROR" => EndStatus::Failed,
                    SUCCESS => EndStatus::Completed,
                    "suspended" => EndStatus::Incomplete,
                    unknown => {
                        lose_outcome(unknown, hub);
                        EndStatus::Incomplete
                    }
                };
                Note::LaneEnd {
                    id: lane,
                    status: status.as_str(),
                    error: error.as_ref().filter(|_| status == EndStatus::Failed),
                    result: any("result"),
                    pending: outcome.and_then(|outcome| outcome.get("interruptIds")),
                }
            }
            "CUSTOM" => {
                Note::Custom { name: text("name").unwrap_or_default(), value: value("value") }
            }
            "RAW" => {
                data = value("event").to_json();
                let name = value("event").text("type").unwrap_or_default();
                Note::Passthrough {
                    protocol: text("source").unwrap_or_default(),
                    name,
                    data: &data,
                }
            }
            _ => return,
        };
        let is_lane = name.starts_with("SUBAGENT");
        hub.emit_in(context.in_lane(text("subagentRunId").filter(|_| !is_lane)), &Step::Note(note));
    }

    fn begin_run(&mut self, event: &Value, hub: &mut Hub<'_>) {
        let text = |name: &str| event.text(name);
        let (id, session_id, parent_id) = (text("runId"), text("threadId"), text("parentRunId"));
        let first = !core::mem::replace(&mut self.started, true);
        self.ended = false;
        let metadata = event.get("metadata").unwrap_or(&Value::Null);
        let created_at = metadata.get("createdAt").and_then(Value::integer);
        let model = metadata.text("model");
        hub.emit(&match first {
            true => Step::Start { id, session_id, parent_id, model, created_at },
            false => Step::Note(Note::Reopened { id, session_id, parent_id }),
        });
        self.emit_metadata(event, &["model", "createdAt"], hub);
        let input = event.get("input").unwrap_or(&Value::Null);
        self.added.begin(input.get("messages").unwrap_or(&Value::Null));
        let Value::Object(input) = input else { return };
        let mut more = false;
        for Member { key, value } in input {
            match (key.as_str(), value) {
                ("threadId" | "runId" | "parentRunId" | "protocolVersion", _) => {}
                (_, Value::Null) => {}
                (_, Value::Array(list)) if list.is_empty() => {}
                (_, Value::Object(members)) if members.is_empty() => {}
                ("messages", messages) => hub.note(Note::Messages { messages }),
                _ => more = true,
            }
        }
        if more {
            hub.lose(
                "run-input",
                "",
                "the hub has the messages that a run begins with, not the rest of its request",
            );
        }
    }

    /// Emits the metadata of the run, except for members that are part of its steps.
    fn emit_metadata(&mut self, event: &Value, known: &[&str], hub: &mut Hub<'_>) {
        let value =
            event.get("metadata").map(|value| value.members_without(known)).unwrap_or_default();
        if !value.is_empty() {
            hub.note(Note::Metadata { value: &Value::Object(value), message: None, call: None });
        }
    }

    fn end_run(&mut self, event: &Value, failed: bool, hub: &mut Hub<'_>) {
        self.emit_last_added(hub);
        let metadata = event.get("metadata").unwrap_or(&Value::Null);
        let status = metadata
            .text(STATUS)
            .map(EndStatus::from)
            .filter(|status| is_in_metadata(*status) && failed);
        self.emit_metadata(event, if status.is_some() { &[STATUS, REASON] } else { &[] }, hub);
        let outcome = event.get("outcome");
        let mut end = match outcome_type(outcome) {
            _ if failed => RunEnd::new(status.unwrap_or(EndStatus::Failed)),
            SUCCESS => RunEnd::new(EndStatus::Completed),
            "interrupt" => RunEnd::incomplete("interrupt"),
            "cancelled" => RunEnd::new(EndStatus::Canceled),
            unknown => {
                lose_outcome(unknown, hub);
                RunEnd::new(EndStatus::Incomplete)
            }
        };
        let list =
            |name: &str| outcome.and_then(|outcome| outcome.get(name)).unwrap_or(&Value::Null);
        for interrupt in list("interrupts").items() {
            self.interrupt(interrupt, hub);
        }
        end.pending = list("pendingToolCallIds").to_texts();
        end.result = event.get("result").filter(|result| !result.is_null()).cloned();
        end.usage = event.get("usage").and_then(usage::of);
        if failed {
            let text = |name: &str| event.text(name).map(String::from);
            end.error =
                Some(EndError { code: text("code"), message: text("message").unwrap_or_default() });
        }
        if status.is_some() {
            end.reason = metadata.text(REASON).map(Into::into);
            // Removes the code and the message that were written for people only.
            if let Some(error) = &mut end.error {
                error.code.take_if(|code| status.is_some_and(|status| code == status.as_str()));
            }
            let is_made = |error: &mut EndError| {
                [INCOMPLETE, REJECTED].iter().any(|made| error.message.starts_with(made))
            };
            end.error.take_if(is_made);
        }
        self.ended = true;
        self.run += 1;
        hub.emit(&Step::End(&end));
    }

    fn interrupt(&mut self, interrupt: &Value, hub: &mut Hub<'_>) {
        let text = |name: &str| interrupt.text(name);
        let metadata = interrupt.get("metadata").unwrap_or(&Value::Null);
        let rest = metadata.members_without(&[PAYLOAD]);
        self.messages += 1;
        let (message, context) =
            (self.messages, hub.meta().in_lane(text("subagentRunId")).with_metadata(&rest));
        let step = Step::Interrupt {
            message,
            part: 0,
            id: text("id").unwrap_or_default(),
            reason: text("reason"),
            payload: metadata.get(PAYLOAD).unwrap_or(&Value::Null),
            call: text("toolCallId"),
            text: text("message"),
            expires_at: text("expiresAt"),
            response_schema: interrupt.get("responseSchema"),
        };
        hub.emit_in(context, &step);
        hub.close(message);
    }
}

const SUCCESS: &str = "success";

/// Returns the type of an outcome: success if the outcome is absent, and empty if it does not have
/// a type.
fn outcome_type(outcome: Option<&Value>) -> &str {
    let Some(outcome) = outcome.filter(|outcome| !outcome.is_null()) else { return SUCCESS };
    outcome.text("type").unwrap_or_default()
}

/// Notes an outcome that the protocol does not have. The official client ignores it, but it need
/// not be a success.
fn lose_outcome(name: &str, hub: &mut Hub<'_>) {
    hub.lose("status", name, "AG-UI has no such outcome: it is not taken for a success");
}

/// Returns the error of an event.
fn error_of(event: &Value) -> Option<Value> {
    let text = |name: &str| event.text(name).map(Value::from);
    Some(Value::Object(present_members([
        ("message", Some(text("message")?)),
        ("code", text("code")),
    ])))
}
