//! The events of the agent's messages: text, reasoning, tool calls and their results.

#[cfg(feature = "wasm")]
use alloc::string::String;
use alloc::{borrow::Cow, vec::Vec};

use super::refuse::chunk_ended;
use super::streams::{PieceStream, template};
use super::{StreamBuilder, WireEvent, event};
use crate::core::{PieceTemplate, UsageError};
use crate::json::Value;
use crate::protocols::ag_ui::events::{Event, EventKind};
use crate::protocols::ag_ui::lifecycle::{EventHead, Owned, StreamKind};

impl StreamBuilder {
    /// Writes the next piece of the agent's text. The message continues until another event in its lane ends it.
    pub fn text(&mut self, piece: &str) -> Result<Vec<WireEvent>, UsageError> {
        let mut events = self.begin(StreamKind::Text)?;
        events.extend(self.piece(piece));
        Ok(events)
    }

    /// Writes the next piece of the agent's reasoning. The message continues and ends as in [`text`](Self::text).
    pub fn reasoning(&mut self, piece: &str) -> Result<Vec<WireEvent>, UsageError> {
        let mut events = self.begin(StreamKind::Reasoning)?;
        events.extend(self.piece(piece));
        Ok(events)
    }

    /// Returns the id of the open message of text or reasoning in this lane.
    pub fn message_id(&mut self) -> Option<&str> {
        self.stream().filter(|stream| stream.kind != StreamKind::Call).map(|stream| &*stream.id)
    }

    /// Ends the open message of text or reasoning in this lane, if there is one. The next piece begins a new message.
    pub fn end_message(&mut self) -> Vec<WireEvent> {
        if self.message_id().is_none() {
            return Vec::new();
        }
        let mut ended = self.streams.end(self.lane.as_deref());
        ended.iter_mut().for_each(|stream| self.close_stream(stream));
        self.ends_of(ended.as_slice())
    }

    /// Begins text or reasoning. Returns no events if it is open already.
    pub(super) fn begin(&mut self, kind: StreamKind) -> Result<Vec<WireEvent>, UsageError> {
        let lane = self.lane.clone();
        if self.stream().is_some_and(|stream| stream.kind == kind) {
            return Ok(Vec::new());
        }
        let prefix = if kind == StreamKind::Text { "msg_" } else { "reasoning_" };
        self.check_phase(kind.start())?;
        let id = self.ids.next_id(prefix);
        let message_id = || Cow::Borrowed(&*id);
        let lane = lane.as_deref();
        let role = || Some("assistant".into());
        match (kind, self.chunks) {
            (StreamKind::Text, true) => {
                let first = event!(TextMessageChunk in lane, {
                    message_id: Some(message_id()), role: role(), delta: None, name: None,
                });
                self.open_chunk(kind, &id, None, &first)
            }
            (_, true) => {
                let first =
                    event!(ReasoningMessageChunk in lane, { message_id: Some(message_id()), delta: None });
                self.open_chunk(kind, &id, None, &first)
            }
            (StreamKind::Text, false) => {
                let start = event!(TextMessageStart in lane, {
                    message_id: message_id(), role: role(), name: None,
                });
                let events = self.event(&start)?;
                self.open_stream(kind, &id);
                Ok(events)
            }
            (_, false) => {
                let mut events = self.event(&event!(ReasoningStart in lane, { message_id: message_id() }))?;
                let start = event!(ReasoningMessageStart in lane, {
                    message_id: message_id(), role: "reasoning".into(),
                });
                events.extend(self.event(&start)?);
                self.open_stream(kind, &id);
                Ok(events)
            }
        }
    }

    fn piece(&self, piece: &str) -> Option<WireEvent> {
        Some(self.stream()?.data.template.event(None, piece))
    }

    /// Writes the first chunk of a text, reasoning or call.
    fn open_chunk(
        &mut self,
        kind: StreamKind,
        id: &str,
        parent: Option<&str>,
        first: &Event<'_>,
    ) -> Result<Vec<WireEvent>, UsageError> {
        let lane = self.lane.clone();
        self.advance(&EventHead { parent, ..EventHead::new(kind.start(), id, lane.as_deref()) }, None)?;
        if kind == StreamKind::Text {
            self.parents.insert(&lane.unwrap_or_default(), Some(id.into()));
        }
        self.open_stream(kind, id);
        Ok([first.to_wire()].into())
    }

    /// Begins a tool call. Several calls may be open at once, unless they are written as chunks. The call belongs to
    /// the last message of the agent in this lane since the last result, or to a message of its own.
    pub fn tool_call_start(&mut self, id: &str, name: &str) -> Result<Vec<WireEvent>, UsageError> {
        let lane = self.lane.clone();
        let lane = lane.as_deref();
        let owner = self.parents.get(lane.unwrap_or_default()).cloned().flatten();
        let parent = owner.as_deref().map(Cow::Borrowed);
        if self.chunks {
            self.check_phase(EventKind::ToolCallStart)?;
            let first = event!(ToolCallChunk in lane, {
                tool_call_id: Some(id.into()),
                tool_call_name: Some(name.into()),
                parent_message_id: parent,
                delta: None,
            });
            return self.open_chunk(StreamKind::Call, id, owner.as_deref(), &first);
        }
        self.event(&event!(ToolCallStart in lane, {
            tool_call_id: id.into(), tool_call_name: name.into(), parent_message_id: parent,
        }))
    }

    /// Writes the next piece of a call's arguments. All pieces together are JSON text.
    pub fn tool_call_args(&mut self, id: &str, delta: &str) -> Result<Vec<WireEvent>, UsageError> {
        let (mut events, template) = self.arguments(id)?;
        events.push(template.event(None, delta));
        Ok(events)
    }

    /// Returns the events that have to come before a piece of a call's arguments, and the template of the pieces.
    fn arguments(&mut self, id: &str) -> Result<(Vec<WireEvent>, PieceTemplate), UsageError> {
        if !self.chunks {
            return self.continue_stream(StreamKind::Call, id);
        }
        self.check_phase(EventKind::ToolCallArgs)?;
        let stream = self.call_in_chunks(id)?;
        Ok((Vec::new(), stream.template.clone()))
    }

    /// Returns the events that have to come before a piece of an open stream, and the template of the pieces.
    fn continue_stream(
        &mut self,
        kind: StreamKind,
        id: &str,
    ) -> Result<(Vec<WireEvent>, PieceTemplate), UsageError> {
        let lane = self.owner(kind.owned(), id);
        let it = EventHead::new(kind.content(), id, lane.as_deref());
        self.step(&it)?;
        let ended = self.end_streams_before(&it);
        Ok((self.ends_of(&ended), template(kind, id, it.subagent, false)))
    }

    /// Returns the call of that id that is written in chunks.
    fn call_in_chunks(&mut self, id: &str) -> Result<&mut PieceStream, UsageError> {
        let at = self.streams.with_id(StreamKind::Call, id);
        let stream = at.and_then(|at| self.streams.get_mut(at)).map(|stream| &mut stream.data);
        stream.filter(|stream| !stream.ended).ok_or_else(|| chunk_ended(id))
    }

    /// Returns the events that have to come before pieces that the caller writes itself, and the lines that these
    /// pieces have in common. They are valid until the next call of another method. `of` is `text` or `reasoning`, with
    /// an id after a space if the message was begun by its event, or `args` with the id of a call.
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
        self.event(&event!(ToolCallEnd in lane.as_deref(), { tool_call_id: id.into() }))
    }

    /// Writes the result of a tool: a text, or a list of parts. The client has to answer calls without a result.
    pub fn tool_result(&mut self, call: &str, content: Value) -> Result<Vec<WireEvent>, UsageError> {
        self.check_phase(EventKind::ToolCallResult)?;
        let lane = self.owner(Owned::Call, call).or_else(|| self.lane.clone());
        let id = self.ids.next_id("msg_");
        self.event(&event!(ToolCallResult in lane.as_deref(), {
            message_id: id.into(),
            tool_call_id: Some(call.into()),
            content: Some(content),
            role: Some("tool".into()),
        }))
    }
}
