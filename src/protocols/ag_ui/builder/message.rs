//! The events of the agent's messages: text, reasoning, tool calls and their results. Texts and
//! calls in chunks begin and end implicitly. (B.5.)

#[cfg(feature = "wasm")]
use alloc::string::String;
use alloc::{borrow::Cow, vec::Vec};

use super::usage_error::chunk_ended;
use super::{StreamBuilder, WireEvent};
use crate::core::{PieceTemplate, UsageError};
use crate::json::Value;
use crate::protocols::ag_ui::events::{Event, EventKind, event};
use crate::protocols::ag_ui::lifecycle::{EventHead, Implicit, Owned, StreamKind};

/// The data of an implicit stream.
#[derive(Debug)]
pub(super) struct PieceStream {
    /// Whether the caller has ended a call that is written in chunks. Such an end is not an event.
    pub ended: bool,
    /// The streams that the implicit end has closed. The caller may have ended a part with its own
    /// event before.
    closed: Vec<StreamKind>,
    template: PieceTemplate,
}

impl StreamBuilder {
    /// Writes the next piece of the agent's text. The message continues until another event in its
    /// lane ends it.
    pub fn text(&mut self, piece: &str) -> Result<Vec<WireEvent>, UsageError> {
        self.piece(StreamKind::Text, piece)
    }

    /// Writes the next piece of the agent's reasoning. The message continues and ends as in
    /// [`text`](Self::text).
    pub fn reasoning(&mut self, piece: &str) -> Result<Vec<WireEvent>, UsageError> {
        self.piece(StreamKind::Reasoning, piece)
    }

    fn piece(&mut self, kind: StreamKind, piece: &str) -> Result<Vec<WireEvent>, UsageError> {
        let mut events = self.begin(kind)?;
        events.extend(self.stream().map(|stream| stream.data.template.event(None, piece)));
        Ok(events)
    }

    /// Returns the id of the open message of text or reasoning in this lane.
    pub fn message_id(&mut self) -> Option<&str> {
        self.stream().filter(|stream| stream.kind != StreamKind::Call).map(|stream| &*stream.id)
    }

    /// Ends the open message of text or reasoning in this lane, if there is one. The next piece
    /// begins a new message.
    pub fn end_message(&mut self) -> Vec<WireEvent> {
        if self.message_id().is_none() {
            return Vec::new();
        }
        let mut ended = self.streams.end(self.lane.as_deref());
        ended.iter_mut().for_each(|stream| self.close_stream(stream));
        self.ends_of(ended.as_slice())
    }

    /// Begins text or reasoning. Returns no events if it is open already.
    fn begin(&mut self, kind: StreamKind) -> Result<Vec<WireEvent>, UsageError> {
        if self.stream().is_some_and(|stream| stream.kind == kind) {
            return Ok(Vec::new());
        }
        self.check_phase(kind.start())?;
        let is_text = kind == StreamKind::Text;
        let id = self.ids.next_id(if is_text { "msg_" } else { "reasoning_" });
        let (message_id, lane) = (|| Cow::Borrowed(&*id), self.lane.as_deref());
        let role = || Some("assistant".into());
        let first = match (is_text, self.chunks) {
            (true, true) => event!(TextMessageChunk in lane; {
                message_id: Some(message_id()), role: role(), delta: None, name: None,
            }),
            (true, false) => event!(TextMessageStart in lane; {
                message_id: message_id(), role: role(), name: None,
            }),
            (false, true) => {
                event!(ReasoningMessageChunk in lane; { message_id: Some(message_id()), delta: None })
            }
            (false, false) => event!(ReasoningMessageStart in lane; {
                message_id: message_id(), role: "reasoning".into(),
            }),
        };
        let first = first.to_wire();
        if self.chunks {
            return self.open_chunk(kind, &id, None, first);
        }
        let mut events = Vec::new();
        if !is_text {
            events =
                self.send(event!(ReasoningStart in lane; { message_id: message_id() }).to_wire())?;
        }
        events.extend(self.send(first)?);
        self.open_stream(kind, &id);
        Ok(events)
    }

    /// Writes the first chunk of a text, reasoning or call.
    fn open_chunk(
        &mut self,
        kind: StreamKind,
        id: &str,
        parent: Option<&str>,
        first: WireEvent,
    ) -> Result<Vec<WireEvent>, UsageError> {
        let lane = self.lane.clone();
        self.advance(
            &EventHead { parent, ..EventHead::new(kind.start(), id, lane.as_deref()) },
            None,
        )?;
        if kind == StreamKind::Text {
            self.parents.insert(&lane.unwrap_or_default(), Some(id.into()));
        }
        self.open_stream(kind, id);
        Ok([first].into())
    }

    /// Begins a tool call. Several calls may be open at once, unless they are written as chunks.
    /// The call belongs to the last message of the agent in this lane since the last result, or to
    /// a message of its own.
    pub fn tool_call_start(&mut self, id: &str, name: &str) -> Result<Vec<WireEvent>, UsageError> {
        let lane = self.lane.as_deref();
        let owner = self.parents.get(lane.unwrap_or_default()).cloned().flatten();
        let parent = owner.as_deref().map(Cow::Borrowed);
        if self.chunks {
            self.check_phase(EventKind::ToolCallStart)?;
            let first = event!(ToolCallChunk in lane; {
                tool_call_id: Some(id.into()),
                tool_call_name: Some(name.into()),
                parent_message_id: parent,
                delta: None,
            });
            let first = first.to_wire();
            return self.open_chunk(StreamKind::Call, id, owner.as_deref(), first);
        }
        let start = event!(ToolCallStart in lane; {
            tool_call_id: id.into(), tool_call_name: name.into(), parent_message_id: parent,
        });
        let start = start.to_wire();
        self.send(start)
    }

    /// Writes the next piece of a call's arguments. All pieces together are JSON text.
    pub fn tool_call_args(&mut self, id: &str, delta: &str) -> Result<Vec<WireEvent>, UsageError> {
        let (mut events, template) = self.arguments(id)?;
        events.push(template.event(None, delta));
        Ok(events)
    }

    /// Returns the events that have to come before a piece of a call's arguments, and the template
    /// of the pieces.
    fn arguments(&mut self, id: &str) -> Result<(Vec<WireEvent>, PieceTemplate), UsageError> {
        if !self.chunks {
            return self.continue_stream(StreamKind::Call, id);
        }
        self.check_phase(EventKind::ToolCallArgs)?;
        Ok((Vec::new(), self.call_in_chunks(id)?.template.clone()))
    }

    /// Returns the events that have to come before a piece of an open stream, and the template of
    /// the pieces.
    fn continue_stream(
        &mut self,
        kind: StreamKind,
        id: &str,
    ) -> Result<(Vec<WireEvent>, PieceTemplate), UsageError> {
        let lane = self.owner(kind.owned(), id);
        let head = EventHead::new(kind.content(), id, lane.as_deref());
        self.step(&head)?;
        let ended = self.end_streams_before(&head);
        Ok((self.ends_of(&ended), template(kind, id, head.subagent, false)))
    }

    /// Returns the call of that id that is written in chunks.
    fn call_in_chunks(&mut self, id: &str) -> Result<&mut PieceStream, UsageError> {
        let at = self.streams.with_id(StreamKind::Call, id);
        let stream = at.and_then(|at| self.streams.get_mut(at)).map(|stream| &mut stream.data);
        stream.filter(|stream| !stream.ended).ok_or_else(|| chunk_ended(id))
    }

    /// Returns the events that have to come before pieces that the caller writes itself, and the
    /// lines that these pieces have in common. They are valid until the next call of another
    /// method. `of` is `text` or `reasoning`, with an id after a space if the message was begun by
    /// its event, or `args` with the id of a call.
    #[cfg(feature = "wasm")]
    pub(crate) fn pieces(&mut self, of: &str) -> Result<(Vec<WireEvent>, String), UsageError> {
        let (kind, id) = of.split_once(' ').map_or((of, None), |(kind, id)| (kind, Some(id)));
        let kind = match kind {
            "args" => StreamKind::Call,
            "reasoning" => StreamKind::Reasoning,
            _ => StreamKind::Text,
        };
        let (events, template) = match (kind, id) {
            (StreamKind::Call, id) => self.arguments(id.unwrap_or_default())?,
            (_, Some(id)) => self.continue_stream(kind, id)?,
            (_, None) => {
                let events = self.begin(kind)?;
                let lines = self.stream().map(|stream| stream.data.template.lines(0));
                return Ok((events, lines.unwrap_or_default()));
            }
        };
        Ok((events, template.lines(0)))
    }

    /// Ends the arguments of a call.
    pub fn tool_call_end(&mut self, id: &str) -> Result<Vec<WireEvent>, UsageError> {
        if self.chunks {
            self.check_phase(EventKind::ToolCallEnd)?;
            self.call_in_chunks(id)?.ended = true;
            return Ok(Vec::new());
        }
        let lane = self.owner(Owned::Call, id);
        self.send(end_of(StreamKind::Call, id, lane.as_deref(), None).to_wire())
    }

    /// Writes the result of a tool: a text, or a list of parts. The client has to answer calls
    /// without a result.
    pub fn tool_result(
        &mut self,
        call: &str,
        content: Value,
    ) -> Result<Vec<WireEvent>, UsageError> {
        self.check_phase(EventKind::ToolCallResult)?;
        let lane = self.owner(Owned::Call, call).or_else(|| self.lane.clone());
        let result = event!(ToolCallResult in lane.as_deref(); {
            message_id: self.ids.next_id("msg_").into(),
            tool_call_id: Some(call.into()),
            content: Some(content),
            role: Some("tool".into()),
        });
        self.send(result.to_wire())
    }

    /// Returns the stream of the current lane.
    fn stream(&self) -> Option<&Implicit<PieceStream>> {
        self.streams.get(self.streams.of(self.lane.as_deref())?)
    }

    fn open_stream(&mut self, kind: StreamKind, id: &str) {
        let subagent = self.lane.clone();
        let template = template(kind, id, subagent.as_deref(), self.chunks);
        let data = PieceStream { ended: false, closed: Vec::new(), template };
        self.streams.push(Implicit { subagent, kind, id: id.into(), data });
    }

    /// Ends the streams that have to end before an event.
    pub(super) fn end_streams_before(
        &mut self,
        head: &EventHead<'_>,
    ) -> Vec<Implicit<PieceStream>> {
        let mut ended = self.streams.end_before(head.kind, head.subagent);
        ended.iter_mut().for_each(|stream| self.close_stream(stream));
        ended
    }

    /// Closes a stream; reasoning with its block, except for chunks.
    fn close_stream(&mut self, stream: &mut Implicit<PieceStream>) {
        let block =
            (stream.kind == StreamKind::Reasoning && !self.chunks).then_some(StreamKind::Block);
        for kind in [Some(stream.kind), block].into_iter().flatten() {
            if self
                .step(&EventHead::new(kind.end(), &stream.id, stream.subagent.as_deref()))
                .is_ok()
            {
                stream.data.closed.push(kind);
            }
        }
    }

    /// Opens an ended stream again, because the event was refused.
    pub(super) fn reopen_stream(&mut self, mut stream: Implicit<PieceStream>) {
        for kind in core::mem::take(&mut stream.data.closed) {
            drop(self.step(&EventHead::new(kind.start(), &stream.id, stream.subagent.as_deref())));
        }
        self.streams.push(stream);
    }

    /// Returns the place of the stream that an event of the caller ends, which can be from another
    /// lane.
    pub(super) fn ended_implicitly(&self, kind: EventKind, id: &str) -> Option<usize> {
        let streams = [StreamKind::Text, StreamKind::Call, StreamKind::Reasoning];
        let ended = streams.into_iter().find(|stream| stream.end() == kind)?;
        self.streams.with_id(ended, id)
    }

    /// Returns the events that end streams. Chunks do not have such events.
    pub(super) fn ends_of(&self, ended: &[Implicit<PieceStream>]) -> Vec<WireEvent> {
        let ends = |stream: &Implicit<PieceStream>| {
            let end = |kind| end_of(kind, &stream.id, stream.subagent.as_deref(), None).to_wire();
            stream.data.closed.iter().copied().map(end).collect::<Vec<_>>()
        };
        ended.iter().filter(|_| !self.chunks).flat_map(ends).collect()
    }
}

/// Returns the event that ends a stream.
pub(in crate::protocols::ag_ui) fn end_of<'e>(
    kind: StreamKind,
    id: &'e str,
    lane: Option<&'e str>,
    metadata: Option<Value>,
) -> Event<'e> {
    let id = Cow::Borrowed(id);
    match kind {
        StreamKind::Text => event!(TextMessageEnd in lane, metadata; { message_id: id }),
        StreamKind::Call => event!(ToolCallEnd in lane, metadata; { tool_call_id: id }),
        StreamKind::Reasoning => event!(ReasoningMessageEnd in lane, metadata; { message_id: id }),
        StreamKind::Block => event!(ReasoningEnd in lane, metadata; { message_id: id }),
    }
}

/// Returns the event of a piece of a stream.
pub(in crate::protocols::ag_ui) fn piece_of<'e>(
    kind: StreamKind,
    id: &'e str,
    lane: Option<&'e str>,
    piece: &'e str,
) -> Event<'e> {
    let (id, delta) = (Cow::Borrowed(id), Cow::Borrowed(piece));
    match kind {
        StreamKind::Text => event!(TextMessageContent in lane; { message_id: id, delta: delta }),
        StreamKind::Call => event!(ToolCallArgs in lane; { tool_call_id: id, delta: Some(delta) }),
        _ => event!(ReasoningMessageContent in lane; { message_id: id, delta: delta }),
    }
}

/// Returns the template of the pieces of a stream.
fn template(kind: StreamKind, id: &str, lane: Option<&str>, chunks: bool) -> PieceTemplate {
    let (chunk_id, delta) = (Some(Cow::Borrowed(id)), Some(Cow::Borrowed("")));
    let empty = match kind {
        _ if !chunks => piece_of(kind, id, lane, ""),
        StreamKind::Text => event!(TextMessageChunk in lane; {
            message_id: chunk_id, role: None, delta: delta, name: None,
        }),
        StreamKind::Call => event!(ToolCallChunk in lane; {
            tool_call_id: chunk_id, tool_call_name: None, parent_message_id: None, delta: delta,
        }),
        _ => event!(ReasoningMessageChunk in lane; { message_id: chunk_id, delta: delta }),
    };
    PieceTemplate::new(&empty.to_wire(), None)
}
