//! Steps, spans of reasoning and subagents: the events that enclose messages.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::writer::{end_of, text};
use super::{ToAgUi, object};
use crate::bytes::string_map::StringMap;
use crate::core::WireEvent;
use crate::hub::{EndStatus, EventOutput, Note};
use crate::json::Value;
use crate::protocols::ag_ui::events::{Event, event};
use crate::protocols::ag_ui::hub::REASONING;
use crate::protocols::ag_ui::lifecycle::StreamKind;

/// The spans of reasoning that are open in a lane, in order.
#[derive(Debug, Default)]
pub(super) struct OpenSpans {
    /// The ids, without those at the end that have ended; `None` for any other that has.
    ids: Vec<Option<String>>,
    places: StringMap<Vec<usize>>,
}

impl OpenSpans {
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    fn push(&mut self, id: String) {
        self.places.get_or_insert_default(&id).push(self.ids.len());
        self.ids.push(Some(id));
    }

    /// Removes and returns the last span with an id, or the last one of all if none has it.
    fn take(&mut self, id: Option<&str>) -> Option<String> {
        let named = id.filter(|id| self.places.get(id).is_some_and(|places| !places.is_empty()));
        let id = named.map(ToOwned::to_owned).or_else(|| self.ids.last()?.clone())?;
        let at = self.places.get_mut(&id)?.pop()?;
        let span = self.ids.get_mut(at)?.take();
        while let Some(None) = self.ids.last() {
            self.ids.pop();
        }
        span
    }
}

impl ToAgUi {
    /// Writes the start or the end of a step, a span of reasoning or a subagent.
    pub(super) fn span(&mut self, note: &Note<'_>, out: &mut EventOutput<'_, WireEvent>) {
        let context = out.meta();
        let (lane, metadata) = (context.lane, object(context.metadata.to_vec()));
        let event = match *note {
            Note::StepStart { kind: Some(REASONING), .. } => {
                return self.start_reasoning(note, metadata, out);
            }
            Note::StepEnd { kind: Some(REASONING), .. } => {
                return self.end_reasoning(note, metadata, out);
            }
            Note::StepStart { id, name, .. } => {
                event!(StepStarted in lane, metadata; { step_name: text(name.or(id).unwrap_or("step")) })
            }
            Note::StepEnd { id, name, .. } => {
                event!(StepFinished in lane, metadata; { step_name: text(name.or(id).unwrap_or("step")) })
            }
            Note::LaneStart { id, name, text: about, parent, parent_call, parent_message } => {
                event!(SubagentStarted, metadata; {
                    subagent_run_id: text(id),
                    name: text(name),
                    description: about.map(text),
                    parent_subagent_run_id: parent.map(text),
                    parent_tool_call_id: parent_call.map(text),
                    parent_message_id: parent_message.map(text),
                })
            }
            Note::LaneEnd { id, status, error, result, pending } => {
                lane_end(id, EndStatus::from(status), error, (result, pending), metadata)
            }
            _ => return,
        };
        self.write.send(note.place(), &event, out);
    }

    fn start_reasoning(
        &mut self,
        note: &Note<'_>,
        metadata: Option<Value>,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        let (Note::StepStart { id, name, .. }, lane) = (*note, out.meta().lane) else { return };
        if let Some(name) = name.filter(|name| id.is_some_and(|id| !id.is_empty() && id != *name)) {
            out.lose("step", name, "a span of reasoning has an id and no name");
        }
        let id = id.or(name).filter(|id| !id.is_empty()).map(ToOwned::to_owned);
        let id = id.unwrap_or_else(|| self.ids.create("reasoning_"));
        let start = event!(ReasoningStart in lane, metadata; { message_id: text(&id) });
        if self.write.send(&id, &start, out) {
            self.spans.get_or_insert_default(lane.unwrap_or_default()).push(id);
        }
    }

    /// Ends the named span if it is open, otherwise the last open span.
    fn end_reasoning(
        &mut self,
        note: &Note<'_>,
        metadata: Option<Value>,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        let (Note::StepEnd { id, name, .. }, lane) = (*note, out.meta().lane) else { return };
        let open = self.spans.get_mut(lane.unwrap_or_default());
        let Some(id) = open.and_then(|open| open.take(id.or(name))) else {
            return out.lose("step", note.place(), "no span of reasoning was open");
        };
        self.write.send(&id, &end_of(StreamKind::Block, &id, lane, metadata), out);
    }
}

fn lane_end<'e>(
    id: &'e str,
    status: EndStatus,
    error: Option<&'e Value>,
    (result, pending): (Option<&Value>, Option<&Value>),
    metadata: Option<Value>,
) -> Event<'e> {
    let error_member = |name: &str| error.and_then(|error| error.text(name));
    match status {
        EndStatus::Completed | EndStatus::Incomplete => {
            let mut outcome = None;
            if status == EndStatus::Incomplete {
                let suspended = outcome.insert(Value::from([("type", "suspended".into())]));
                if let Some(pending) = pending {
                    suspended.insert("interruptIds", pending.clone());
                }
            }
            event!(SubagentFinished, metadata; { subagent_run_id: text(id), result: result.cloned(), outcome: outcome })
        }
        _ => event!(SubagentError, metadata; {
            subagent_run_id: text(id),
            message: text(error_member("message").unwrap_or(status.as_str())),
            code: error_member("code").map(text),
        }),
    }
}
