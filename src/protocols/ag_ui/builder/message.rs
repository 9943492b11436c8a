//! The events of the agent's messages: text, reasoning, tool calls and their results.

use alloc::{
    borrow::{Cow, ToOwned},
    string::String,
    vec::Vec,
};

use super::refuse::chunk_ended;
use super::streams::{Stream, template};
use super::{Said, StreamBuilder, WireEvent, event, refuse};
use crate::core::{PieceTemplate, UsageError};
use crate::json::Value;
use crate::protocols::ag_ui::events::Event;
use crate::protocols::ag_ui::lifecycle::{Owned, Thing};

impl StreamBuilder {
    /// Writes the next piece of the agent's text. The message continues until another event in its lane ends it.
    pub fn text(&mut self, piece: &str) -> Result<Vec<WireEvent>, UsageError> {
        let mut events = self.begin(Thing::Text)?;
        events.extend(self.piece(piece));
        Ok(events)
    }

    /// Writes the next piece of the agent's reasoning. The message continues and ends as in [`text`](Self::text).
    pub fn reasoning(&mut self, piece: &str) -> Result<Vec<WireEvent>, UsageError> {
        let mut events = self.begin(Thing::Reasoning)?;
        events.extend(self.piece(piece));
        Ok(events)
    }

    /// Returns the id of the open message of text or reasoning in this lane.
    pub fn message_id(&mut self) -> Option<&str> {
        let lane = self.lane.clone();
        let stream = self.streams.of(lane.as_deref()).filter(|stream| stream.thing != Thing::Call);
        stream.map(|stream| &*stream.id)
    }

    /// Ends the open message of text or reasoning in this lane, if there is one. The next piece begins a new message.
    pub fn end_message(&mut self) -> Vec<WireEvent> {
        let lane = self.lane.clone();
        if self.message_id().is_none() {
            return Vec::new();
        }
        let ended = self.streams.end_before("", lane.as_deref(), &mut self.life);
        self.streams.ends_of(&ended, self.chunks)
    }

    /// Begins text or reasoning. Returns no events if it is open already.
    pub(super) fn begin(&mut self, thing: Thing) -> Result<Vec<WireEvent>, UsageError> {
        let lane = self.lane.clone();
        if self.streams.of(lane.as_deref()).is_some_and(|stream| stream.thing == thing) {
            return Ok(Vec::new());
        }
        let prefix = if thing == Thing::Text { "msg_" } else { "reasoning_" };
        self.may_come(thing.words().start)?;
        let id = self.ids.next_id(prefix);
        let message_id = || Cow::Borrowed(&*id);
        let lane = lane.as_deref();
        let role = || Some("assistant".into());
        match (thing, self.chunks) {
            (Thing::Text, true) => {
                let first = event!(TextMessageChunk in lane, {
                    message_id: Some(message_id()), role: role(), delta: None, name: None,
                });
                self.open_chunk(thing, &id, &first)
            }
            (_, true) => {
                let first =
                    event!(ReasoningMessageChunk in lane, { message_id: Some(message_id()), delta: None });
                self.open_chunk(thing, &id, &first)
            }
            (Thing::Text, false) => {
                let start = event!(TextMessageStart in lane, {
                    message_id: message_id(), role: role(), name: None,
                });
                let events = self.event(&start)?;
                self.open_stream(thing, &id);
                Ok(events)
            }
            (_, false) => {
                let mut events = self.event(&event!(ReasoningStart in lane, { message_id: message_id() }))?;
                let start = event!(ReasoningMessageStart in lane, {
                    message_id: message_id(), role: "reasoning".into(),
                });
                events.extend(self.event(&start)?);
                self.open_stream(thing, &id);
                Ok(events)
            }
        }
    }

    fn piece(&mut self, piece: &str) -> Option<WireEvent> {
        let lane = self.lane.clone();
        Some(self.streams.of(lane.as_deref())?.template.event(None, piece))
    }

    fn open_stream(&mut self, thing: Thing, id: &str) {
        let lane = self.lane.clone();
        let template = template(thing, id, lane.as_deref(), self.chunks);
        self.streams.open(Stream { lane, thing, id: id.into(), ended: false, template });
    }

    /// Writes the first chunk of a text, reasoning or call.
    fn open_chunk(
        &mut self,
        thing: Thing,
        id: &str,
        first: &Event<'_>,
    ) -> Result<Vec<WireEvent>, UsageError> {
        let lane = self.lane.clone();
        let name = thing.words().start;
        let ended = self.streams.end_before(name, lane.as_deref(), &mut self.life);
        let it = Said { name, lane: lane.as_deref() };
        let started = match first {
            Event::ToolCallChunk { parent_message_id, .. } => {
                self.life.start_call(id, parent_message_id.as_deref(), it)
            }
            _ => self.life.start(thing, id, it),
        };
        if let Err(refused) = started {
            self.streams.take_back(ended, &mut self.life);
            return Err(refuse(refused));
        }
        if thing == Thing::Text {
            self.set_parent(Some(id));
        }
        self.open_stream(thing, id);
        Ok([first.to_wire()].into())
    }

    /// Begins a tool call. Several calls may be open at once, unless they are written as chunks. The call belongs to
    /// the last message of the agent in this lane since the last result, or to a message of its own.
    pub fn tool_call_start(&mut self, id: &str, name: &str) -> Result<Vec<WireEvent>, UsageError> {
        let lane = self.lane.clone();
        let lane = lane.as_deref();
        let parent = self.parents.get(lane.unwrap_or_default()).cloned().flatten();
        let parent = parent.as_deref().map(Cow::Borrowed);
        if self.chunks {
            self.may_come("TOOL_CALL_START")?;
            let first = event!(ToolCallChunk in lane, {
                tool_call_id: Some(id.into()),
                tool_call_name: Some(name.into()),
                parent_message_id: parent,
                delta: None,
            });
            return self.open_chunk(Thing::Call, id, &first);
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
    pub(super) fn arguments(&mut self, id: &str) -> Result<(Vec<WireEvent>, PieceTemplate), UsageError> {
        let lane = self.owner(Owned::Call, id);
        let it = Said { name: "TOOL_CALL_ARGS", lane: lane.as_deref() };
        self.may_come(it.name)?;
        if self.chunks {
            let Some(stream) = self.streams.call(id) else {
                return Err(chunk_ended(id));
            };
            return Ok((Vec::new(), stream.template.clone()));
        }
        self.life.may_go_on(Thing::Call, id, it).map_err(refuse)?;
        let ended = self.streams.end_before(it.name, it.lane, &mut self.life);
        let events = self.streams.ends_of(&ended, false);
        Ok((events, template(Thing::Call, id, lane.as_deref(), false)))
    }

    /// Returns the events that have to come before pieces that the caller writes itself, and the lines that these
    /// pieces have in common. They are valid until the next call of another method. `of` is `text` or `reasoning`, with
    /// an id after a space if the message was begun by its event, or `args` with the id of a call.
    #[cfg(feature = "wasm")]
    pub(crate) fn pieces(&mut self, of: &str) -> Result<(Vec<WireEvent>, String), UsageError> {
        let (kind, id) = of.split_once(' ').map_or((of, None), |(kind, id)| (kind, Some(id)));
        let (thing, name) = match kind {
            "args" => (Thing::Call, ""),
            "reasoning" => (Thing::Reasoning, "REASONING_MESSAGE_CONTENT"),
            _ => (Thing::Text, "TEXT_MESSAGE_CONTENT"),
        };
        let (events, template) = match (thing, id) {
            (Thing::Call, id) => self.arguments(id.unwrap_or_default())?,
            (_, None) => {
                let events = self.begin(thing)?;
                let lane = self.lane.clone();
                let Some(stream) = self.streams.of(lane.as_deref()) else {
                    return Ok((events, String::new()));
                };
                (events, stream.template.clone())
            }
            (_, Some(id)) => {
                self.may_come(name)?;
                let lane = self.owner(thing.words().owned, id);
                let it = Said { name, lane: lane.as_deref() };
                self.life.may_go_on(thing, id, it).map_err(refuse)?;
                let ended = self.streams.end_before(name, it.lane, &mut self.life);
                (self.streams.ends_of(&ended, self.chunks), template(thing, id, it.lane, false))
            }
        };
        Ok((events, template.lines(0)))
    }

    /// Ends the arguments of a call.
    pub fn tool_call_end(&mut self, id: &str) -> Result<Vec<WireEvent>, UsageError> {
        if self.chunks {
            self.may_come("TOOL_CALL_END")?;
            let stream = self.streams.call(id).ok_or_else(|| chunk_ended(id))?;
            stream.ended = true;
            return Ok(Vec::new());
        }
        let lane = self.owner(Owned::Call, id);
        self.event(&event!(ToolCallEnd in lane.as_deref(), { tool_call_id: id.into() }))
    }

    /// Writes the result of a tool: a text, or a list of parts. The client has to answer calls without a result.
    pub fn tool_result(&mut self, call: &str, content: Value) -> Result<Vec<WireEvent>, UsageError> {
        self.may_come("TOOL_CALL_RESULT")?;
        let lane = self.owner(Owned::Call, call).or_else(|| self.lane.clone());
        let id = self.ids.next_id("msg_");
        self.event(&event!(ToolCallResult in lane.as_deref(), {
            message_id: id.into(),
            tool_call_id: Some(call.into()),
            content: Some(content),
            role: Some("tool".into()),
        }))
    }

    /// Records the message that later calls belong to.
    pub(super) fn note_parent(&mut self, event: &Event<'_>) {
        match event {
            Event::TextMessageStart { message_id, role, subagent_run_id: lane, .. } => {
                let is_agent = role.as_deref().is_none_or(|role| role == "assistant");
                self.parents.insert(
                    lane.as_deref().unwrap_or_default(),
                    is_agent.then(|| String::from(&**message_id)),
                );
            }
            Event::ToolCallResult { subagent_run_id: lane, .. } => {
                self.parents.insert(lane.as_deref().unwrap_or_default(), None);
            }
            Event::RunStarted { .. } | Event::MessagesSnapshot { .. } => self.parents = Default::default(),
            _ => {}
        }
    }

    fn set_parent(&mut self, id: Option<&str>) {
        let lane = self.lane.clone().unwrap_or_default();
        self.parents.insert(&lane, id.map(ToOwned::to_owned));
    }
}
