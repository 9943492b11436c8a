//! Streams that begin and end implicitly: text, reasoning, and chunks. (B.5.)

use alloc::{borrow::Cow, boxed::Box, vec::Vec};

use super::{WireEvent, event};
use crate::core::PieceTemplate;
use crate::protocols::ag_ui::events::Event;
use crate::protocols::ag_ui::lifecycle::{Ends, Lane, Lifecycle, Thing, ends_chunks};

/// The stream of a lane.
#[derive(Debug)]
pub(super) struct Stream {
    pub lane: Lane,
    pub thing: Thing,
    pub id: Box<str>,
    /// Whether the caller has ended a call that is written in chunks. Such an end is not an event.
    pub ended: bool,
    pub template: PieceTemplate,
}

/// The streams, at most one in each lane.
#[derive(Debug, Default)]
pub(super) struct Streams {
    open: Vec<Stream>,
}

impl Streams {
    pub fn of(&mut self, lane: Option<&str>) -> Option<&mut Stream> {
        self.open.iter_mut().find(|open| open.lane.as_deref() == lane)
    }

    /// Returns the call of that id that is written in chunks.
    pub fn call(&mut self, id: &str) -> Option<&mut Stream> {
        self.open.iter_mut().find(|open| open.thing == Thing::Call && *open.id == *id && !open.ended)
    }

    /// Returns the calls that the caller has ended.
    pub fn ended_calls(&self) -> Vec<Box<str>> {
        self.open.iter().filter(|open| open.ended).map(|open| open.id.clone()).collect()
    }

    pub fn open(&mut self, stream: Stream) {
        self.open.push(stream);
    }

    /// Removes the streams that end before an event of that name and lane, and closes them in the lifecycle.
    pub fn end_before(&mut self, name: &str, lane: Option<&str>, life: &mut Lifecycle) -> Vec<Stream> {
        let ended: Vec<Stream> = match ends_chunks(name) {
            Ends::All => core::mem::take(&mut self.open),
            Ends::Lane => {
                let at = self.open.iter().position(|open| open.lane.as_deref() == lane);
                at.map(|at| self.open.remove(at)).into_iter().collect()
            }
            Ends::Nothing => Vec::new(),
        };
        for stream in &ended {
            life.open.names_mut(stream.thing).close(&stream.id);
            if stream.thing == Thing::Reasoning {
                life.open.names_mut(Thing::Span).close(&stream.id);
            }
        }
        ended
    }

    /// Opens ended streams again, because the event was refused.
    pub fn take_back(&mut self, ended: Vec<Stream>, life: &mut Lifecycle) {
        for stream in &ended {
            life.open.names_mut(stream.thing).open(&stream.id, None);
            if stream.thing == Thing::Reasoning {
                life.open.names_mut(Thing::Span).open(&stream.id, None);
            }
        }
        self.open.extend(ended);
    }

    /// Returns the events that end streams. Chunks do not have such events.
    pub fn ends_of(&self, ended: &[Stream], chunks: bool) -> Vec<WireEvent> {
        let mut events = Vec::new();
        for Stream { lane, thing, id, .. } in ended.iter().filter(|_| !chunks) {
            let id = || Cow::Borrowed(&**id);
            let lane = lane.as_deref();
            match thing {
                Thing::Text => events.push(event!(TextMessageEnd in lane, { message_id: id() }).to_wire()),
                Thing::Call => events.push(event!(ToolCallEnd in lane, { tool_call_id: id() }).to_wire()),
                Thing::Reasoning | Thing::Span => events.extend([
                    event!(ReasoningMessageEnd in lane, { message_id: id() }).to_wire(),
                    event!(ReasoningEnd in lane, { message_id: id() }).to_wire(),
                ]),
            }
        }
        events
    }
}

/// Returns the template of the pieces of a message or of the arguments of a call.
pub(super) fn template(thing: Thing, id: &str, lane: Option<&str>, chunks: bool) -> PieceTemplate {
    let id = Cow::Borrowed(id);
    let delta = Cow::Borrowed("");
    let empty = match (thing, chunks) {
        (Thing::Text, false) => event!(TextMessageContent in lane, { message_id: id, delta: delta }),
        (Thing::Text, true) => event!(TextMessageChunk in lane, {
            message_id: Some(id), role: None, delta: Some(delta), name: None,
        }),
        (Thing::Call, false) => {
            event!(ToolCallArgs in lane, { tool_call_id: id, delta: Some(delta) })
        }
        (Thing::Call, true) => event!(ToolCallChunk in lane, {
            tool_call_id: Some(id), tool_call_name: None, parent_message_id: None, delta: Some(delta),
        }),
        (Thing::Reasoning | Thing::Span, false) => {
            event!(ReasoningMessageContent in lane, { message_id: id, delta: delta })
        }
        (Thing::Reasoning | Thing::Span, true) => {
            event!(ReasoningMessageChunk in lane, { message_id: Some(id), delta: Some(delta) })
        }
    };
    PieceTemplate::new(&empty.to_wire(), None)
}
