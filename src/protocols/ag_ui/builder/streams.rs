//! Streams that begin and end implicitly: text, reasoning, and chunks. (B.5.)

use alloc::{borrow::Cow, vec::Vec};

use super::{StreamBuilder, WireEvent, event};
use crate::core::PieceTemplate;
use crate::protocols::ag_ui::events::{Event, EventKind};
use crate::protocols::ag_ui::lifecycle::{EventHead, Implicit, StreamKind};

/// The data of an implicit stream.
#[derive(Debug)]
pub(super) struct PieceStream {
    /// Whether the caller has ended a call that is written in chunks. Such an end is not an event.
    pub ended: bool,
    /// What the implicit end has closed. The caller may have ended a part with its event before.
    closed: Vec<StreamKind>,
    pub template: PieceTemplate,
}

impl StreamBuilder {
    /// Returns the stream of the current lane.
    pub(super) fn stream(&self) -> Option<&Implicit<PieceStream>> {
        self.streams.get(self.streams.of(self.lane.as_deref())?)
    }

    pub(super) fn open_stream(&mut self, kind: StreamKind, id: &str) {
        let subagent = self.lane.clone();
        let template = template(kind, id, subagent.as_deref(), self.chunks);
        let data = PieceStream { ended: false, closed: Vec::new(), template };
        self.streams.push(Implicit { subagent, kind, id: id.into(), data });
    }

    /// Ends the streams that have to end before an event.
    pub(super) fn end_streams_before(&mut self, it: &EventHead<'_>) -> Vec<Implicit<PieceStream>> {
        let mut ended = self.streams.end_before(it.kind, it.subagent);
        ended.iter_mut().for_each(|stream| self.close_stream(stream));
        ended
    }

    pub(super) fn close_stream(&mut self, stream: &mut Implicit<PieceStream>) {
        for kind in self.parts_of(stream.kind) {
            if self.step(&EventHead::new(kind.end(), &stream.id, stream.subagent.as_deref())).is_ok() {
                stream.data.closed.push(kind);
            }
        }
    }

    /// Returns the place of the stream that an event of the caller ends, which can be from another lane.
    pub(super) fn ended_implicitly(&self, kind: EventKind, id: &str) -> Option<usize> {
        let streams = [StreamKind::Text, StreamKind::Call, StreamKind::Reasoning];
        let ended = streams.into_iter().find(|stream| stream.end() == kind)?;
        self.streams.with_id(ended, id)
    }

    /// Opens an ended stream again, because the event was refused.
    pub(super) fn reopen_stream(&mut self, mut stream: Implicit<PieceStream>) {
        for kind in core::mem::take(&mut stream.data.closed) {
            drop(self.step(&EventHead::new(kind.start(), &stream.id, stream.subagent.as_deref())));
        }
        self.streams.push(stream);
    }

    /// Returns the events that end streams. Chunks do not have such events.
    pub(super) fn ends_of(&self, ended: &[Implicit<PieceStream>]) -> Vec<WireEvent> {
        let mut events = Vec::new();
        for stream in ended.iter().filter(|_| !self.chunks) {
            for &kind in &stream.data.closed {
                events.push(end_of(kind, &stream.id, stream.subagent.as_deref()).to_wire());
            }
        }
        events
    }

    /// Returns the kinds of streams that begin and end together. Reasoning is inside a block, except for chunks.
    fn parts_of(&self, kind: StreamKind) -> impl Iterator<Item = StreamKind> + use<> {
        let block = (kind == StreamKind::Reasoning && !self.chunks).then_some(StreamKind::Block);
        [Some(kind), block].into_iter().flatten()
    }
}

/// Returns the event that ends a stream.
pub(super) fn end_of<'e>(kind: StreamKind, id: &'e str, lane: Option<&'e str>) -> Event<'e> {
    let id = Cow::Borrowed(id);
    match kind {
        StreamKind::Text => event!(TextMessageEnd in lane, { message_id: id }),
        StreamKind::Call => event!(ToolCallEnd in lane, { tool_call_id: id }),
        StreamKind::Reasoning => event!(ReasoningMessageEnd in lane, { message_id: id }),
        StreamKind::Block => event!(ReasoningEnd in lane, { message_id: id }),
    }
}

/// Returns the template of the pieces of a message or of the arguments of a call.
pub(super) fn template(stream: StreamKind, id: &str, lane: Option<&str>, chunks: bool) -> PieceTemplate {
    let id = Cow::Borrowed(id);
    let delta = Cow::Borrowed("");
    let empty = match (stream, chunks) {
        (StreamKind::Text, false) => event!(TextMessageContent in lane, { message_id: id, delta: delta }),
        (StreamKind::Text, true) => event!(TextMessageChunk in lane, {
            message_id: Some(id), role: None, delta: Some(delta), name: None,
        }),
        (StreamKind::Call, false) => {
            event!(ToolCallArgs in lane, { tool_call_id: id, delta: Some(delta) })
        }
        (StreamKind::Call, true) => event!(ToolCallChunk in lane, {
            tool_call_id: Some(id), tool_call_name: None, parent_message_id: None, delta: Some(delta),
        }),
        (StreamKind::Reasoning | StreamKind::Block, false) => {
            event!(ReasoningMessageContent in lane, { message_id: id, delta: delta })
        }
        (StreamKind::Reasoning | StreamKind::Block, true) => {
            event!(ReasoningMessageChunk in lane, { message_id: Some(id), delta: Some(delta) })
        }
    };
    PieceTemplate::new(&empty.to_wire(), None)
}
