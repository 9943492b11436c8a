//! The response as a run: its start, its status, its metadata and its end.

use alloc::{string::String, vec::Vec};

use super::to_hub::State;
use crate::hub::{EndError, EndStatus, Hub, Note, RunEnd, Step};
use crate::json::Value;
use crate::protocols::responses::Snapshot;

impl State {
    /// Emits the start of the run, and its status if it is queued or in progress.
    pub(super) fn say_run(&mut self, hub: &mut Hub<'_>) {
        let Some(root) = self.objects.first() else { return };
        let status = root.word(Snapshot::status);
        if !self.started {
            self.started = true;
            let session = root.get(Snapshot::conversation);
            let session = session.and_then(|session| session.as_str().or_else(|| session.text("id")));
            hub.emit(&Step::Start {
                id: root.filled(Snapshot::id),
                session_id: session,
                parent_id: root.filled(Snapshot::previous_response_id),
                model: root.filled(Snapshot::model),
                created_at: match root.get(Snapshot::created_at) {
                    Some(Value::Number(digits)) => digits.parse().ok(),
                    _ => None,
                },
            });
        } else if status != self.status && matches!(status, "queued" | "in_progress")
            || status == "queued" && self.status.is_empty()
        {
            hub.note(Note::Status { status, detail: None });
        }
        if self.status != status {
            self.status = status.into();
        }
        self.say_metadata(hub);
    }

    /// Emits the metadata of the run that have not been emitted.
    fn say_metadata(&mut self, hub: &mut Hub<'_>) {
        if !core::mem::take(&mut self.has_metadata) {
            return;
        }
        let root = self.objects.first();
        let Some(Value::Object(members)) = root.and_then(|root| root.get(Snapshot::metadata)) else { return };
        let mut new = Vec::new();
        for member in members {
            if self.metadata.get(&member.key) != Some(&member.value) {
                self.metadata.insert(&member.key, member.value.clone());
                new.push(member.clone());
            }
        }
        if !new.is_empty() {
            hub.note(Note::Metadata { value: &Value::Object(new), message: None, call: None });
        }
    }

    /// Returns the end of the run.
    pub(super) fn run_end(&self) -> RunEnd {
        let Some(root) = self.objects.first() else { return RunEnd::new(EndStatus::Incomplete) };
        let text = |of: Option<&Value>, name: &str| Some(String::from(of?.text(name)?));
        let error = root.get(Snapshot::error).filter(|error| !error.is_null());
        let mut end = RunEnd::new(match root.word(Snapshot::status) {
            "completed" => EndStatus::Completed,
            "failed" => EndStatus::Failed,
            "cancelled" => EndStatus::Canceled,
            // An error without a status.
            "" if error.is_some() => EndStatus::Failed,
            _ => EndStatus::Incomplete,
        });
        if error.is_some() || end.status == EndStatus::Failed {
            let message = text(error, "message").unwrap_or_else(|| "The response has failed.".into());
            end.error = Some(EndError { code: text(error, "code"), message });
        }
        end.reason = text(root.get(Snapshot::incomplete_details), "reason");
        end.usage = root.get(Snapshot::usage).filter(|usage| !usage.is_null()).cloned();
        end
    }
}
