//! Events that are said as they stand: runs, steps, subagents, state, activities, and what only applications understand.

use alloc::string::String;

use super::to_hub::State;
use super::{PAYLOAD, REASONING, usage};
use crate::hub::{Context, EndError, EndStatus, Hub, Note, RunEnd, Step, given};
use crate::json::{Document, Member, Value};
use crate::protocols::ag_ui::fold::kept;

impl State {
    /// An event that the fold has taken.
    pub(super) fn say(&mut self, data: &str, hub: &mut Hub<'_>) {
        let Ok(document) = Document::read(data, u32::MAX) else { return };
        let event = kept(document.root());
        let name = event.text("type").unwrap_or_default();
        let text = |name: &str| event.text(name);
        let any = |name: &str| event.get(name).filter(|value| !value.is_null());
        let value = |name: &str| event.get(name).unwrap_or(&Value::Null);
        let (id, kind) = (text("messageId").unwrap_or_default(), text("activityType").unwrap_or_default());
        let lane = text("subagentRunId").unwrap_or_default();
        let context = hub.context().with_metadata(value("metadata").members());
        let error;
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
            "MESSAGES_SNAPSHOT" => Note::Messages { messages: value("messages") },
            "ACTIVITY_SNAPSHOT" => {
                let keep = value("replace").as_bool() == Some(false);
                Note::Activity { id, activity_type: kind, content: value("content"), keep }
            }
            "ACTIVITY_DELTA" => Note::ActivityPatch { id, activity_type: kind, patch: value("patch") },
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
                let is_suspended = outcome.and_then(|outcome| outcome.text("type")) == Some("suspended");
                error = error_of(&event);
                let status = match (name, is_suspended) {
                    ("SUBAGENT_ERROR", _) => EndStatus::Failed,
                    (_, true) => EndStatus::Incomplete,
                    (_, false) => EndStatus::Completed,
                };
                Note::LaneEnd {
                    id: lane,
                    status: status.as_str(),
                    error: error.as_ref().filter(|_| status == EndStatus::Failed),
                    result: any("result"),
                    pending: outcome.and_then(|outcome| outcome.get("interruptIds")),
                }
            }
            "CUSTOM" => Note::Custom { name: text("name").unwrap_or_default(), value: value("value") },
            "RAW" => {
                return pass(
                    value("event"),
                    text("source").unwrap_or_default(),
                    context.in_lane(text("subagentRunId")),
                    hub,
                );
            }
            _ => return,
        };
        let is_lane = name.starts_with("SUBAGENT");
        hub.emit_in(context.in_lane(text("subagentRunId").filter(|_| !is_lane)), &Step::Note(note));
    }

    fn begin_run(&mut self, event: &Value, hub: &mut Hub<'_>) {
        let text = |name: &str| event.text(name);
        let (id, session_id, parent_id) = (text("runId"), text("threadId"), text("parentRunId"));
        let first = !core::mem::replace(&mut self.said.started, true);
        self.said.ended = false;
        hub.emit(&match first {
            true => Step::Start { id, session_id, parent_id, model: None, created_at: None },
            false => Step::Note(Note::Reopened { id, session_id, parent_id }),
        });
        self.say_metadata(event, hub);
        let Some(Value::Object(input)) = event.get("input") else { return };
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

    /// Metadata of the run.
    fn say_metadata(&mut self, event: &Value, hub: &mut Hub<'_>) {
        if let Some(value) = event.get("metadata").filter(|value| !value.members().is_empty()) {
            hub.note(Note::Metadata { value, message: None, call: None });
        }
    }

    fn end_run(&mut self, event: &Value, failed: bool, hub: &mut Hub<'_>) {
        self.say_metadata(event, hub);
        let outcome = event.get("outcome");
        let mut end = match outcome.and_then(|outcome| outcome.text("type")) {
            _ if failed => RunEnd::new(EndStatus::Failed),
            Some("interrupt") => RunEnd::incomplete("interrupt"),
            Some("cancelled") => RunEnd::new(EndStatus::Canceled),
            _ => RunEnd::new(EndStatus::Completed),
        };
        let list = |name: &str| outcome.and_then(|outcome| outcome.get(name)).unwrap_or(&Value::Null);
        list("interrupts").items().iter().for_each(|interrupt| self.interrupt(interrupt, hub));
        end.pending = list("pendingToolCallIds").to_texts();
        end.result = event.get("result").filter(|result| !result.is_null()).cloned();
        end.usage = event.get("usage").and_then(usage::of);
        if failed {
            let text = |name: &str| event.text(name).map(String::from);
            end.error = Some(EndError { code: text("code"), message: text("message").unwrap_or_default() });
        }
        self.said.ended = true;
        self.run += 1;
        hub.emit(&Step::End(&end));
    }

    fn interrupt(&mut self, interrupt: &Value, hub: &mut Hub<'_>) {
        let text = |name: &str| interrupt.text(name);
        let metadata = interrupt.get("metadata").unwrap_or(&Value::Null);
        let rest = metadata.members_without(&[PAYLOAD]);
        self.messages += 1;
        let (message, context) =
            (self.messages, hub.context().in_lane(text("subagentRunId")).with_metadata(&rest));
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

/// Why something failed.
fn error_of(event: &Value) -> Option<Value> {
    let text = |name: &str| event.text(name).map(Value::from);
    Some(Value::Object(given([("message", Some(text("message")?)), ("code", text("code"))])))
}

/// An event of another protocol.
fn pass(event: &Value, protocol: &str, context: Context<'_>, hub: &mut Hub<'_>) {
    let name = event.text("type").unwrap_or_default();
    hub.emit_in(context, &Step::Note(Note::Passthrough { protocol, name, data: &event.to_json() }));
}
