//! Steps that do not belong to a message.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::writer::text;
use super::{ONLY_GROWS, ToAgUi, object};
use crate::bytes::string_map::{StringMap, pair};
use crate::hub::metadata::Metadata;
use crate::hub::steps::members;
use crate::hub::{Context, EndStatus, Input, Named as _, Note, Out, Step};
use crate::json::{Member, Value};
use crate::protocols::ag_ui::AgUi;
use crate::protocols::ag_ui::builder::{WireEvent, end_of};
use crate::protocols::ag_ui::events::{Event, event};
use crate::protocols::ag_ui::hub::{REASONING, usage};
use crate::protocols::ag_ui::lifecycle::StreamKind;

impl ToAgUi {
    pub(super) fn note(&mut self, note: &Note<'_>, out: &mut Out<'_, WireEvent>) {
        let context = out.context();
        let (lane, metadata) = (context.lane, object(context.metadata.to_vec()));
        let place = note.place();
        let event = match *note {
            // A status that AG-UI cannot represent is noted as a loss.
            Note::Status { .. } => return,
            Note::Replace { message, part, text, call } => {
                self.begin_repeated(pair(message, part), out);
                return self.replace(message, text, call, out);
            }
            Note::Retract { message, part: None } => return self.retract(message),
            Note::Retract { .. } => return,
            Note::Usage { usage, message: Some(message) } => {
                return self.pending.set(message, "usage", usage::of_message(usage));
            }
            Note::Usage { usage, message: None } => {
                self.run.usage = Some(usage.clone());
                return;
            }
            Note::Metadata { value: Value::Object(members), message, call } => {
                return self.keep_metadata(members, message, call, out);
            }
            Note::Annotation { message, annotation, .. }
                if self.items.get(message.into()).is_some() =>
            {
                return self.pending.add(message, "annotations", annotation.clone());
            }
            Note::Opaque { .. } => return self.opaque(note, out),
            Note::Reopened { id, session_id, parent_id } => {
                return self.start([id, session_id, parent_id], Default::default(), out);
            }
            Note::ToolError { id, cause, text } => {
                out.lose(
                    "tool-error",
                    id,
                    "it became the result, and its cause the metadata of that",
                );
                let cause = [Member::new("error", cause.unwrap_or("tool"))];
                return self.result(None, (id, text, None), &cause, out);
            }
            Note::Messages { messages } => {
                self.list(messages);
                self.has_list = true;
                event!(MessagesSnapshot, metadata; { messages: messages.clone() })
            }
            Note::State { value } => {
                event!(StateSnapshot in lane, metadata; { snapshot: value.clone() })
            }
            Note::StatePatch { patch } => {
                event!(StateDelta in lane, metadata; { delta: patch.clone() })
            }
            Note::Activity { id, activity_type, content, keep } => {
                event!(ActivitySnapshot in lane, metadata; {
                    message_id: self.write.activity_id(id, out).into(),
                    activity_type: text(activity_type),
                    content: content.clone(),
                    replace: keep.then_some(Value::Bool(false)),
                })
            }
            Note::ActivityPatch { id, activity_type, patch } => {
                let Some(known) = self.write.known_activity(id) else {
                    return out.lose("activity", id, "it is changed before it is there");
                };
                event!(ActivityDelta in lane, metadata; {
                    message_id: known.to_owned().into(), activity_type: text(activity_type), patch: patch.clone(),
                })
            }
            Note::StepStart { id, name, kind: Some(REASONING) } => {
                if let Some(name) =
                    name.filter(|name| id.is_some_and(|id| !id.is_empty() && id != *name))
                {
                    out.lose("step", name, "a span of reasoning has an id and no name");
                }
                let id = id.or(name).filter(|id| !id.is_empty()).map(ToOwned::to_owned);
                let id = id.unwrap_or_else(|| self.write.new_id("reasoning_"));
                let start = event!(ReasoningStart in lane, metadata; { message_id: text(&id) });
                if self.write.send(&id, &start, out) {
                    self.spans.get_or_insert_default(lane.unwrap_or_default()).push(id);
                }
                return;
            }
            // Ends the named span if it is open, otherwise the last open span.
            Note::StepEnd { id, name, kind: Some(REASONING) } => {
                let open = self.spans.get_mut(lane.unwrap_or_default());
                let span = open.and_then(|open| open.take(id.or(name)));
                let Some(id) = span else {
                    return out.lose("step", place, "no span of reasoning was open");
                };
                self.write.send(&id, &end_of(StreamKind::Block, &id, lane, metadata), out);
                return;
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
            Note::Custom { name, value } => {
                event!(Custom in lane, metadata; { name: text(name), value: value.clone() })
            }
            Note::Passthrough { protocol: AgUi::NAME, data, .. } if is_unknown(data) => {
                return out.emit(WireEvent::raw(data));
            }
            Note::Passthrough { name, .. } if self.run.run_id.is_empty() => {
                return out.lose("unknown-event", name, "AG-UI's streams begin with a run");
            }
            Note::Passthrough { protocol, data, .. } => event!(Raw in lane, metadata; {
                event: Value::parse(data, DEEPEST).unwrap_or_else(|_| data.into()),
                source: Some(protocol).filter(|name| !name.is_empty()).map(text),
            }),
            Note::Error { .. }
            | Note::Progress { .. }
            | Note::Output { .. }
            | Note::Alternative { .. }
            | Note::Annotation { .. }
            | Note::Metadata { .. } => {
                let value = members(&Step::Note(*note), Context::default());
                return self.custom(note.name(), &value, out);
            }
        };
        self.write.send(place, &event, out);
    }

    /// Writes metadata of a message or call with its next event, and metadata of the run with its
    /// end.
    fn keep_metadata(
        &mut self,
        members: &[Member],
        message: Option<u32>,
        call: Option<&str>,
        out: &mut Out<'_, WireEvent>,
    ) {
        const ENDED: &str = "its message or call had ended";
        match (message, call) {
            (Some(message), _) if self.items.get(message.into()).is_some() => {
                self.pending.merge(message, members)
            }
            (None, Some(call)) => match self.calls.get_mut(call) {
                Some(Some((_, metadata))) => metadata.merge(members),
                _ => out.lose("metadata", call, ENDED),
            },
            (None, None) => self.run.metadata.merge(members),
            (Some(message), _) => {
                let place = self.ids.get(message.into()).map_or("", String::as_str);
                out.lose("metadata", place, ENDED);
            }
        }
    }

    /// Takes a message back: no event of it remains to be written.
    fn retract(&mut self, message: u32) {
        if let Some(item) = self.items.get_mut(message.into()) {
            item.has_written = true;
        }
        self.pending.take(message);
    }

    /// Records a list of messages. Clients replace the messages and calls that it has: what earlier
    /// events have added to their metadata is gone.
    fn list(&mut self, messages: &Value) {
        self.listed = ListedTexts::of(messages);
        for message in messages.items() {
            if let Some(&open) = message.text("id").and_then(|id| self.texts.get(id)) {
                self.pending.take(open);
            }
            for call in message.get("toolCalls").map(Value::items).unwrap_or_default() {
                let open = call.text("id").and_then(|id| self.calls.get_mut(id));
                if let Some(Some((_, metadata))) = open {
                    *metadata = Metadata::default();
                }
            }
        }
    }

    /// Replaces a whole text or arguments. This is a loss, unless clients have the same value from
    /// the last list of messages.
    fn replace(
        &mut self,
        message: u32,
        text: &str,
        call: Option<&str>,
        out: &mut Out<'_, WireEvent>,
    ) {
        if let Some(item) = self.items.get_mut(message.into()) {
            item.listed = None;
        }
        let item = self.items.get(message.into());
        let begun = self.ids.get(message.into()).map(String::as_str);
        let id = begun.or(item.and_then(|item| item.id.as_deref())).unwrap_or_default();
        if !self.listed.has(id, call, text) {
            match call {
                Some(call) => out.lose("arguments-replaced", call, ONLY_GROWS),
                None => out.lose("text-replaced", out.place(message), ONLY_GROWS),
            }
        }
    }
}

/// The maximum nesting of an event of another protocol.
const DEEPEST: u32 = 64;

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

/// Returns whether data are an event that AG-UI does not have. Only such events are passed on
/// unchanged.
fn is_unknown(data: &str) -> bool {
    let event = Event::decode(data, crate::core::limits::Limits::default().json_depth);
    matches!(event, Ok(Event::Other { name: Some(_), .. }))
}

/// The texts of a list by the ids of their messages, and the arguments by those of their calls.
#[derive(Debug, Default)]
pub(super) struct ListedTexts {
    texts: StringMap<String>,
    arguments: StringMap<String>,
}

/// The start of a call. It is kept while the events of the call repeat a list of messages.
#[derive(Debug)]
pub(super) struct CallStart {
    pub at: (u32, u32),
    pub id: String,
    pub name: String,
    pub input: Input,
    pub more: Vec<Member>,
    /// The number of bytes of its arguments that its events have repeated.
    pub repeated: usize,
}

impl ListedTexts {
    pub fn of(messages: &Value) -> Self {
        let mut listed = ListedTexts::default();
        for message in messages.items() {
            let text = message.text("content").unwrap_or_default();
            listed.texts.insert(message.text("id").unwrap_or_default(), text.to_owned());
            for call in message.get("toolCalls").map(Value::items).unwrap_or_default() {
                let arguments =
                    call.get("function").and_then(|function| function.text("arguments"));
                let id = call.text("id").unwrap_or_default();
                listed.arguments.insert(id, arguments.unwrap_or_default().to_owned());
            }
        }
        listed
    }

    /// Returns the text of a message, if it is not empty.
    pub fn text(&self, message: &str) -> Option<&str> {
        self.texts.get(message).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// Returns the arguments of a call in the list.
    pub fn arguments(&self, call: &str) -> Option<&str> {
        self.arguments.get(call).map(String::as_str)
    }

    /// Returns whether the list has that text of a message, or those arguments of a call.
    pub fn has(&self, message: &str, call: Option<&str>, text: &str) -> bool {
        let known = call.map_or_else(|| self.texts.get(message), |call| self.arguments.get(call));
        known.is_some_and(|known| known == text)
    }
}
