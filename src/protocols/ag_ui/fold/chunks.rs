//! Chunks, which begin and end by themselves: they become starts, pieces and ends. (B.5.)

use alloc::{borrow::Cow, string::String};

use super::AgUiMeaning;
use super::look::{Looked, Looks};
use super::open_chunks::OpenChunk;
use crate::core::Observed;
use crate::engine::Context;
use crate::json::{Str, decimal};
use crate::protocols::ag_ui::lifecycle::{Ends, Lane, Thing, ends_chunks, lane_name};
use crate::protocols::ag_ui::rules;

/// A chunk. Each of its fields has a name, the value that opens a text or call, and the value in the chunk.
pub(super) struct Chunk<'a> {
    pub id: Option<&'a str>,
    pub fields: [(&'static str, Option<Str<'a>>, Option<Str<'a>>); 2],
    pub delta: Option<Str<'a>>,
}

impl AgUiMeaning {
    /// Ends the chunks that an event of this name ends: those of its lane, or of all lanes.
    pub(super) fn close_chunks_before(&mut self, name: &str, lane: Option<&str>, cx: &mut Context<'_>) {
        if self.chunks.is_empty() {
            return;
        }
        match ends_chunks(name) {
            Ends::All => {
                for chunk in self.chunks.take() {
                    self.end_chunk(&chunk, cx);
                }
            }
            Ends::Lane => self.close_chunk(lane, cx),
            Ends::Nothing => {}
        }
    }

    fn close_chunk(&mut self, lane: Option<&str>, cx: &mut Context<'_>) {
        let ended = self.chunks.in_lane(lane).and_then(|at| self.chunks.remove(at));
        if let Some(chunk) = ended {
            self.end_chunk(&chunk, cx);
        }
    }

    fn end_chunk(&mut self, chunk: &OpenChunk, cx: &mut Context<'_>) {
        let it = &Looks {
            name: chunk.thing.words().end,
            lane: chunk.named.as_deref(),
            metadata: None,
            has_raw_event: false,
        };
        match chunk.thing {
            Thing::Call => self.end_call(&chunk.id, it, cx),
            thing => self.end_text(thing, &chunk.id, it, cx),
        }
    }

    /// Handles a chunk: continues the open text or call of its lane, or opens a new one.
    pub(super) fn chunk(
        &mut self,
        thing: Thing,
        chunk: Chunk<'_>,
        looks: &Looked<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let it = looks.common();
        let id = chunk.id;
        let Some(lane) = self.lane_of(thing, id, &it, cx) else { return };
        let is_same = |open: &OpenChunk| open.thing == thing && id.is_none_or(|id| *open.id == *id);
        let known =
            self.chunks.in_lane(lane.as_deref()).filter(|&at| self.chunks.get(at).is_some_and(is_same));
        let opens = known.is_none();
        let at = match known {
            Some(at) if self.agrees(at, &chunk, cx) => at,
            Some(_) => return,
            None => match self.open_chunk(thing, id.map(Cow::Borrowed), lane, &chunk, &it, cx) {
                Some(at) => at,
                None => return,
            },
        };
        let Some(open) = self.chunks.get(at) else { return };
        let (id, named) = (open.id.clone(), open.named.clone());
        // The start has taken the metadata.
        let it = if opens { it.without_metadata() } else { it };
        if chunk.delta.is_none() && !it.has_raw_event && it.metadata.is_none() {
            return;
        }
        let name = match thing {
            Thing::Call => "TOOL_CALL_ARGS",
            Thing::Reasoning => "REASONING_MESSAGE_CONTENT",
            Thing::Text | Thing::Span => "TEXT_MESSAGE_CONTENT",
        };
        let it = &Looks { name, lane: it.lane.or(named.as_deref()), ..it };
        let delta = chunk.delta.unwrap_or(Str::plain(""));
        match thing {
            Thing::Call => self.add_arguments(&id, delta, it, cx),
            thing => self.add_text(thing, &id, delta, it, cx),
        }
    }

    /// Returns the lane that a chunk belongs to, or `None`, after a violation, if the lane is ambiguous or wrong.
    fn lane_of(
        &mut self,
        thing: Thing,
        id: Option<&str>,
        it: &Looks<'_>,
        cx: &mut Context<'_>,
    ) -> Option<Lane> {
        let words = thing.words();
        if let Some(id) = id {
            let Some(holder) = self.chunks.with_id(thing, id) else {
                return Some(it.lane.map(Into::into));
            };
            if it.lane.is_none() || it.lane == holder.lane.as_deref() {
                return Some(holder.lane.clone());
            }
            let (lane, owner) = (it.lane.unwrap_or_default(), lane_name(holder.lane.as_deref()));
            self.refuse(
                &rules::CHUNK_DISAGREES,
                "Cannot continue {} '{}': chunk subagentRunId '{}' does not match the open stream's subagent '{}'.",
                &[words.noun, id, lane, owner],
                cx,
            );
            return None;
        }
        if it.lane.is_some() {
            return Some(it.lane.map(Into::into));
        }
        let main = self.chunks.in_lane(None).and_then(|at| self.chunks.get(at));
        if main.is_some_and(|main| main.thing == thing) {
            return Some(None);
        }
        match self.chunks.count(thing) {
            0 => Some(None),
            1 => self.chunks.only(thing).map(|open| open.lane.clone()),
            count => {
                let count = decimal(count as i64);
                let id = if thing == Thing::Call { "toolCallId" } else { "messageId" };
                self.refuse(
                    &rules::CHUNK_AMBIGUOUS,
                    "Ambiguous {}: it carries neither a {} nor a subagentRunId, but {} lanes have an open {}. Attribute the chunk to the subagent it belongs to.",
                    &[it.name, id, &count, words.noun],
                    cx,
                );
                None
            }
        }
    }

    /// Reports whether the fields of a chunk equal those of the first chunk.
    fn agrees(&mut self, at: usize, chunk: &Chunk<'_>, cx: &mut Context<'_>) -> bool {
        let Some(open) = self.chunks.get(at) else { return false };
        for ((name, _, said), first) in chunk.fields.iter().zip(&open.fields) {
            let Some(said) = said.map(Str::to_str) else { continue };
            if first.as_deref() != Some(&*said) {
                let first = first
                    .as_deref()
                    .map_or(Cow::Borrowed("(absent)"), |first| Cow::Owned(["'", first, "'"].concat()));
                let noun = open.thing.words().noun;
                return self.refuse(
                    &rules::CHUNK_DISAGREES,
                    "Cannot continue {} '{}': chunk {} '{}' does not match the open stream's {} {}.",
                    &[noun, &open.id, name, &said, name, &first],
                    cx,
                );
            }
        }
        true
    }

    fn open_chunk(
        &mut self,
        thing: Thing,
        id: Option<Cow<'_, str>>,
        lane: Lane,
        chunk: &Chunk<'_>,
        it: &Looks<'_>,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let is_call = thing == Thing::Call;
        let missing = match (&id, chunk.fields[0].1) {
            (None, _) => Some(if is_call { "toolCallId" } else { "messageId" }),
            (Some(_), None) if is_call => Some("toolCallName"),
            _ => None,
        };
        if let Some(missing) = missing {
            self.refuse(&rules::CHUNK_INCOMPLETE, "First {} must have a {}", &[it.name, missing], cx);
        }
        let id = id.filter(|_| missing.is_none())?;
        self.close_chunk(lane.as_deref(), cx);
        let most = cx.options().limits.contents;
        if self.chunks.len() >= most {
            cx.breach(&rules::LIMIT_EXCEEDED, Observed::Over("contents", most as u64));
            return None;
        }
        let [first, second] = chunk.fields.map(|(_, opens, _)| opens);
        let owned = |field: Option<Str<'_>>| field.map(|field| String::from(field.to_str()).into_boxed_str());
        let at = self.chunks.push(OpenChunk {
            lane,
            thing,
            id: (&*id).into(),
            fields: [owned(first), owned(second)],
            named: it.lane.map(Into::into),
        });
        let it = &Looks { name: thing.words().start, ..it.clone() };
        match thing {
            Thing::Call => {
                let name = first.map(Str::to_str).unwrap_or_default();
                self.start_call(&id, &name, second, it, cx);
            }
            thing => self.start_text(thing, &id, chunk.fields[0].2, second, it, cx),
        }
        cx.is_reading().then_some(at)
    }
}
