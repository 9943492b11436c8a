//! The writing of events: an event that a reader would refuse becomes a loss.

use alloc::{borrow::Cow, borrow::ToOwned, string::String};

use super::documents::Documents;
use crate::bytes::string_map::StringMap;
use crate::core::{Limits, PieceTemplate, WireEvent};
use crate::hub::EventOutput;
use crate::json::{Document, Value};
use crate::protocols::ag_ui::events::{EVENTS, Event, EventKind, event};
use crate::protocols::ag_ui::fold::check_written;
use crate::protocols::ag_ui::lifecycle::{
    EventHead, HeadMembers, Judge, Lifecycle, LifecycleViolation, MessageHead, StreamKind,
};
use crate::protocols::ag_ui::model::Role;

pub(super) fn text(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

pub(super) const NOT_ACCEPTED: &str = "AG-UI's official client would refuse it: left out";

/// Writes the events of all runs of a stream.
#[derive(Debug, Default)]
pub(super) struct RunWriter {
    /// The open streams, steps and subagents, as in a reader.
    pub life: Lifecycle,
    documents: Documents,
    /// The pieces of a stream, if the last event was one of them.
    pieces: Option<PieceForm>,
}

/// The common form of the pieces of a stream.
#[derive(Debug)]
struct PieceForm {
    stream: StreamKind,
    id: String,
    lane: Option<String>,
    template: PieceTemplate,
}

/// Refuses every event that a reader would report.
struct StrictJudge;

impl Judge for StrictJudge {
    fn violation(&mut self, _: LifecycleViolation) -> bool {
        false
    }
}

impl RunWriter {
    /// Writes an event, or notes a loss if it is refused.
    pub fn send(
        &mut self,
        place: &str,
        event: &Event<'_>,
        out: &mut EventOutput<'_, WireEvent>,
    ) -> bool {
        let is_sent = self.try_send(event, out);
        if !is_sent {
            out.lose("refused", place, NOT_ACCEPTED);
        }
        is_sent
    }

    /// Writes an event. Returns false if it is refused.
    pub fn try_send(&mut self, event: &Event<'_>, out: &mut EventOutput<'_, WireEvent>) -> bool {
        let event = event.to_wire();
        let is_sent = self.apply(event.json()).is_some();
        if is_sent {
            self.pieces = None;
            out.emit(event);
        }
        is_sent
    }

    /// Writes a piece of an open stream, or notes a loss if the stream is not open. A piece has no
    /// other members than those of the event that has begun its stream.
    pub fn piece(
        &mut self,
        stream: StreamKind,
        (id, lane): (&str, Option<&str>),
        piece: &str,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        if self.life.step(&EventHead::new(stream.content(), id, lane), &mut StrictJudge).is_none() {
            return out.lose("refused", id, NOT_ACCEPTED);
        }
        let known = self.pieces.take().filter(|known| {
            known.stream == stream && known.id == id && known.lane.as_deref() == lane
        });
        let pieces = known.unwrap_or_else(|| PieceForm::new(stream, id, lane));
        out.emit(pieces.template.event(None, piece));
        self.pieces = Some(pieces);
    }

    /// Returns whether the last event was a piece, so that [further ones](Self::write_pieces) need
    /// no check.
    pub fn can_write_pieces(&self) -> bool {
        self.pieces.is_some()
    }

    /// Appends the events of further pieces: their texts as one, and the end of each.
    pub fn write_pieces(&self, text: &str, ends: &[usize], out: &mut String) {
        if let Some(pieces) = &self.pieces {
            pieces.template.append(None, (text, ends), out);
        }
    }

    /// Applies an event. Returns `None` if a reader would report it; then it changes nothing.
    fn apply(&mut self, json: &str) -> Option<()> {
        let document = Document::read(json, Limits::default().json_depth).ok()?;
        let event = EVENTS.read(document.root()).ok()?;
        check_written(&event).ok()?;
        let kind = EventKind::of(&event)?;
        let messages = MessageHead::of_event(kind, |member| event.json.member(member));
        let members = HeadMembers::of(kind, &event);
        let head = members.head(None, &messages);
        self.keeps_open(&head).then_some(())?;
        self.life.step(&head, &mut StrictJudge)?;
        self.documents.apply(&head, event.json)
    }

    /// Returns whether an event keeps all open messages and calls. A list of messages that lacks
    /// one would lose the rest of it.
    fn keeps_open(&self, head: &EventHead<'_>) -> bool {
        if head.kind != EventKind::MessagesSnapshot {
            return true;
        }
        let mut known: StringMap<()> = StringMap::default();
        for message in head.messages {
            known.insert(&message.id, ());
            message.call_ids().for_each(|id| known.insert(&id, ()));
        }
        let keeps = |stream| {
            let mut open = self.life.open.names(stream).each_open();
            open.all(|id| known.get(id).is_some())
        };
        // Clients keep reasoning, unless the list contains any.
        let has_reasoning = head.messages.iter().any(|message| message.role == Role::Reasoning);
        keeps(StreamKind::Text)
            && keeps(StreamKind::Call)
            && (!has_reasoning || keeps(StreamKind::Reasoning))
    }
}

impl PieceForm {
    fn new(stream: StreamKind, id: &str, lane: Option<&str>) -> Self {
        let (message_id, delta) = (text(id), text(""));
        let empty = match stream {
            StreamKind::Text => {
                event!(TextMessageContent in lane; { message_id: message_id, delta: delta })
            }
            StreamKind::Call => {
                event!(ToolCallArgs in lane; { tool_call_id: message_id, delta: Some(delta) })
            }
            StreamKind::Reasoning | StreamKind::Block => {
                event!(ReasoningMessageContent in lane; { message_id: message_id, delta: delta })
            }
        };
        let template = PieceTemplate::new(&empty.to_wire(), None);
        PieceForm { stream, id: id.to_owned(), lane: lane.map(ToOwned::to_owned), template }
    }
}

/// Returns the event that ends a stream.
pub(super) fn end_of<'e>(
    stream: StreamKind,
    id: &'e str,
    lane: Option<&'e str>,
    metadata: Option<Value>,
) -> Event<'e> {
    let id = text(id);
    match stream {
        StreamKind::Text => event!(TextMessageEnd in lane, metadata; { message_id: id }),
        StreamKind::Call => event!(ToolCallEnd in lane, metadata; { tool_call_id: id }),
        StreamKind::Reasoning => event!(ReasoningMessageEnd in lane, metadata; { message_id: id }),
        StreamKind::Block => event!(ReasoningEnd in lane, metadata; { message_id: id }),
    }
}
