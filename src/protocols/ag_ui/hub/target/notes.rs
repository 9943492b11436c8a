//! Notes: steps that do not belong to a part of a message.

use alloc::{borrow::ToOwned, string::String};

use super::writer::text;
use super::{ToAgUi, object};
use crate::bytes::string_map::pair;
use crate::core::{Limits, WireEvent};
use crate::hub::steps::members;
use crate::hub::{EventOutput, Note, ProtocolName as _, Step, StepMeta};
use crate::json::{Member, Value};
use crate::protocols::ag_ui::AgUi;
use crate::protocols::ag_ui::events::{Event, event};
use crate::protocols::ag_ui::hub::usage;

impl ToAgUi {
    /// Writes the event of a note, or keeps the note for another event.
    pub(super) fn note(&mut self, note: &Note<'_>, out: &mut EventOutput<'_, WireEvent>) {
        let context = out.meta();
        let (lane, metadata) = (context.lane, || object(context.metadata.to_vec()));
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
                event!(MessagesSnapshot, metadata(); { messages: messages.clone() })
            }
            Note::State { .. }
            | Note::StatePatch { .. }
            | Note::Activity { .. }
            | Note::ActivityPatch { .. } => return self.document(note, out),
            Note::StepStart { .. }
            | Note::StepEnd { .. }
            | Note::LaneStart { .. }
            | Note::LaneEnd { .. } => return self.span(note, out),
            Note::Custom { name, value } => {
                event!(Custom in lane, metadata(); { name: text(name), value: value.clone() })
            }
            Note::Passthrough { protocol: AgUi::NAME, data, .. } if is_unknown(data) => {
                return out.emit(WireEvent::raw(data));
            }
            Note::Passthrough { name, .. } if self.run.run_id.is_empty() => {
                return out.lose("unknown-event", name, "AG-UI's streams begin with a run");
            }
            Note::Passthrough { protocol, data, .. } => event!(Raw in lane, metadata(); {
                event: Value::parse(data, DEEPEST).unwrap_or_else(|_| data.into()),
                source: Some(protocol).filter(|name| !name.is_empty()).map(text),
            }),
            Note::Error { .. }
            | Note::Progress { .. }
            | Note::Output { .. }
            | Note::Alternative { .. }
            | Note::Annotation { .. }
            | Note::Metadata { .. } => {
                let value = members(&Step::Note(*note), StepMeta::default());
                return self.custom(note.name(), &value, out);
            }
        };
        self.write.send(note.place(), &event, out);
    }

    /// Writes metadata of a message or call with its next event, and metadata of the run with its
    /// end.
    fn keep_metadata(
        &mut self,
        members: &[Member],
        message: Option<u32>,
        call: Option<&str>,
        out: &mut EventOutput<'_, WireEvent>,
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
                let place = self.written.get(message.into()).map_or("", String::as_str);
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

    /// Writes a custom event, for a step that does not have an event in AG-UI.
    pub(super) fn custom(
        &mut self,
        name: &str,
        value: &Value,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        let lane = out.meta().lane.map(ToOwned::to_owned);
        let metadata = object(out.meta().metadata.to_vec());
        let event =
            event!(Custom in lane.as_deref(), metadata; { name: text(name), value: value.clone() });
        self.write.send(name, &event, out);
    }
}

/// The maximum nesting of an event of another protocol.
const DEEPEST: u32 = 64;

/// Returns whether data are an event that AG-UI does not have. Only such events are passed on
/// unchanged.
fn is_unknown(data: &str) -> bool {
    let event = Event::decode(data, Limits::default().json_depth);
    matches!(event, Ok(Event::Other { name: Some(_), .. }))
}
