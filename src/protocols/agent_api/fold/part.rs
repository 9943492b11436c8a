//! One content, and the list of a message: creation, whole values, order and end. Some whole values
//! replace a value, others only repeat it.

use alloc::{boxed::Box, vec::Vec};

use super::data::{Outline, nodes};
use super::message::MessageOrigin;
use super::{
    AgentApiFold, CellValue, FoldedPart, set_error, set_integer, set_other_texts, set_status,
};
use crate::core::{LIMIT_EXCEEDED, Observed};
use crate::engine::{Context, Field, FieldValue, ObjectLimit};
use crate::json::{Element, Str, SurrogateHalf, decode_into};
use crate::protocols::agent_api::events::{ContentEvent, ErrorValue, MessageEvent};
use crate::protocols::agent_api::lifecycle::ObjectPhase;
use crate::protocols::agent_api::model::{DataContent, FileContent, TextContent};
use crate::protocols::agent_api::{Content, ContentType, Message, RunStatus, rules};

impl AgentApiFold {
    /// Creates a part of a message at the position for its index. Returns the position.
    pub(super) fn new_part(
        &mut self,
        at: usize,
        index: u32,
        kind: &ContentType,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let parent = self.messages[at].node?;
        let node = cx.open(
            kind.kind(),
            parent,
            Message::content,
            ObjectLimit::Contents,
            self.messages[at].owner,
        )?;
        if index != 0 {
            cx.set(node, Content::index, FieldValue::Int(index.into()));
        }
        cx.share(node, Content::msg_id, parent, Message::id);
        if let ContentType::Other(name) = kind {
            cx.set(node, Content::r#type, FieldValue::Str(name));
            self.record_in(cx, &rules::UNKNOWN_CONTENT_TYPE, at, Some(index), Observed::Name(name));
        }
        let part = FoldedPart {
            node,
            index,
            kind: kind.clone(),
            phase: ObjectPhase::Absent,
            status: "in_progress",
            value: CellValue::None,
            pieces: false,
            half: SurrogateHalf::NONE,
            shape: None,
            tool: None,
            identity: None,
            fingerprints: None,
        };
        let state = &mut self.messages[at];
        let place = state.part(index).unwrap_or_else(|place| place);
        if place < state.parts.len() {
            // The context appends; this part belongs further to the front.
            cx.move_last(parent, Message::content, node, place);
        }
        state.parts.insert(place, part);
        Some(place)
    }

    /// Ends a part with this status.
    pub(super) fn end_part(
        &mut self,
        at: usize,
        place: usize,
        status: &'static str,
        cx: &mut Context<'_>,
    ) {
        self.flush_half(at, place, cx);
        let part = &mut self.messages[at].parts[place];
        part.phase = ObjectPhase::Ended;
        if part.status != status {
            part.status = status;
            let node = part.node;
            set_status(node, status, cx);
        }
        let part = &mut self.messages[at].parts[place];
        part.forget_shape();
        if part.tool.is_some() {
            self.end_tool(at, place, cx);
        }
    }

    /// R22: ends the open parts of an ended message with the status of the message.
    pub(super) fn end_parts(&mut self, at: usize, status: &RunStatus, cx: &mut Context<'_>) {
        let Some(status) = terminal_name(status) else { return };
        for place in 0..self.messages[at].parts.len() {
            if self.messages[at].parts[place].phase != ObjectPhase::Ended {
                self.end_part(at, place, status, cx);
            }
        }
    }

    /// Replaces the pending half of a character, because its other half is missing.
    pub(super) fn flush_half(&mut self, at: usize, place: usize, cx: &mut Context<'_>) {
        let part = &mut self.messages[at].parts[place];
        if !part.half.is_waiting() {
            return;
        }
        part.half = SurrogateHalf::NONE;
        if let CellValue::Text(digest) = &mut part.value
            && cx.append_text(part.node, main_member(&part.kind), "\u{fffd}")
        {
            digest.push(&self.keys, "\u{fffd}".as_bytes());
        }
        let index = part.index;
        self.record_in(
            cx,
            &rules::LONE_SURROGATE,
            at,
            Some(index),
            Observed::Words("a half at the end"),
        );
    }
}

/// Returns the name of the status of an event, if it is a terminal one.
pub(super) fn terminal(status: Option<Str<'_>>) -> Option<&'static str> {
    terminal_name(&RunStatus::from(&*status?.to_str()))
}

fn terminal_name(status: &RunStatus) -> Option<&'static str> {
    let name = status.is_terminal().then(|| status.as_str())?;
    RunStatus::NAMES.iter().copied().find(|known| *known == name)
}

/// Returns the member that pieces continue.
pub(super) fn main_member(kind: &ContentType) -> Field {
    match kind {
        ContentType::File => FileContent::file_data,
        kind => kind.members().first().copied().unwrap_or(TextContent::text),
    }
}

impl AgentApiFold {
    /// R20, R21: replaces the streamed parts by the listed ones; null and the empty list change
    /// nothing. If the message has ended (`is_final`), the list is complete. Before that, it has
    /// all or some of the parts so far: the runtime's builder sends such events.
    pub(super) fn message_parts(
        &mut self,
        at: usize,
        event: &MessageEvent<'_>,
        source: MessageOrigin,
        was_known: bool,
        is_final: bool,
        cx: &mut Context<'_>,
    ) {
        if self.messages[at].heartbeat {
            return;
        }
        let mut parts = Vec::new();
        let limit = cx.options().limits.contents;
        for (place, part) in event.content().into_iter().flat_map(|list| list.each()).enumerate() {
            if parts.len() == limit {
                // A decoded part takes many times the memory of an empty part in the event.
                let got = Observed::Over("contents", limit as u64);
                self.record_in(cx, &LIMIT_EXCEEDED, at, Some(place as u32), got);
                break;
            }
            match part {
                Ok(part) => parts.push((place as u32, part)),
                Err(error) => self.malformed_in(cx, &error, "a part", at, Some(place as u32)),
            }
        }
        if parts.is_empty() {
            return;
        }
        self.sort_parts(at, &mut parts, source, cx);
        let announced = was_known && source == MessageOrigin::Event;
        let mut listed: Vec<u32> = Vec::with_capacity(parts.len());
        let mut unfinished = false;
        for (index, part) in &parts {
            let goes_on = terminal(part.status()).is_none();
            unfinished |= goes_on && is_final;
            if announced && self.messages[at].part(*index).is_err() {
                let got = Observed::Words("only in the message");
                self.record_in(cx, &rules::PART_NOT_ANNOUNCED, at, Some(*index), got);
            }
            let how = if goes_on && !is_final { FullValue::Snapshot } else { FullValue::InMessage };
            self.whole_part(at, *index, part, how, cx);
            listed.push(*index);
        }
        if unfinished && source == MessageOrigin::Event {
            self.record_in(
                cx,
                &rules::PART_STATUS,
                at,
                None,
                Observed::Words("null or in progress"),
            );
        }
        if is_final {
            self.drop_other_parts(at, &listed, source, cx);
        }
    }

    /// R21: sorts the parts by `index` if every part has its own, otherwise keeps the order of the
    /// list.
    fn sort_parts(
        &self,
        at: usize,
        parts: &mut Vec<(u32, ContentEvent<'_>)>,
        source: MessageOrigin,
        cx: &mut Context<'_>,
    ) {
        let index = |part: &ContentEvent<'_>| u32::try_from(part.index()?).ok();
        if parts.iter().any(|(_, part)| index(part).is_none()) {
            if source == MessageOrigin::Event {
                self.record_in(cx, &rules::PART_INDEX_NULL, at, None, Observed::Words("null"));
            }
            return;
        }
        // Pairs of index and position, sorted by index. Parts are few and nearly always in order.
        let mut order: Vec<(u32, usize)> = Vec::with_capacity(parts.len());
        for (place, (_, part)) in parts.iter().enumerate() {
            let index = index(part).unwrap_or(0);
            match order.binary_search_by_key(&index, |(index, _)| *index) {
                Ok(_) => return,
                Err(after) => order.insert(after, (index, place)),
            }
        }
        if order.iter().map(|(_, place)| *place).is_sorted() {
            parts.iter_mut().zip(order).for_each(|(part, (index, _))| part.0 = index);
            return;
        }
        if source == MessageOrigin::Event {
            self.record_in(cx, &rules::PART_ORDER, at, None, Observed::Words("another order"));
        }
        let mut unsorted: Vec<_> = parts.drain(..).map(Some).collect();
        let sorted =
            order.into_iter().filter_map(|(index, place)| Some((index, unsorted[place].take()?.1)));
        parts.extend(sorted);
    }

    /// Reports the parts that are missing in the list of an ended message; `listed` is sorted. A
    /// message event removes them; a response that repeats its messages does not.
    fn drop_other_parts(
        &mut self,
        at: usize,
        listed: &[u32],
        source: MessageOrigin,
        cx: &mut Context<'_>,
    ) {
        if self.messages[at].parts.len() == listed.len() {
            return;
        }
        let is_listed = |part: &FoldedPart| listed.binary_search(&part.index).is_ok();
        for part in
            self.messages[at].parts.iter().filter(|part| !is_listed(part) && !part.is_empty())
        {
            let got = Observed::Words("not in the message");
            self.record_in(cx, &rules::PART_MISSING, at, Some(part.index), got);
        }
        if source == MessageOrigin::Event {
            let state = &mut self.messages[at];
            state
                .parts
                .iter()
                .filter(|part| !is_listed(part))
                .for_each(|part| cx.release(part.node));
            state.parts.retain(is_listed);
            if let Some(node) = state.node {
                let nodes: Vec<_> = state.parts.iter().map(|part| part.node).collect();
                cx.arrange(node, Message::content, &nodes);
            }
        }
    }
}

/// The source of a whole value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FullValue {
    /// A content event in progress, or the list of a message that goes on: the value so far (R27).
    Snapshot,
    /// A completed content event (R28).
    Completed,
    /// The list of a message or response, where the content or the message has ended (R20).
    InMessage,
}

impl AgentApiFold {
    /// Sets the whole value of a part, which may be new.
    pub(super) fn whole_part(
        &mut self,
        at: usize,
        index: u32,
        event: &ContentEvent<'_>,
        how: FullValue,
        cx: &mut Context<'_>,
    ) {
        let kind = event.content_type();
        let place = match self.messages[at].part(index) {
            Ok(place) if self.messages[at].parts[place].kind == kind => Some(place),
            Ok(place) => self.retype_part(at, place, index, &kind, cx),
            Err(_) => self.new_part(at, index, &kind, cx),
        };
        let Some(place) = place else { return };
        let part = &mut self.messages[at].parts[place];
        part.fingerprints = None;
        let node = part.node;
        set_integer(node, Content::sequence_number, event.sequence_number(), cx);
        if let Some(error) = event.error() {
            set_error(node, &ErrorValue::read(error), "UNKNOWN", cx);
        }
        for (name, value) in event.extra(&kind) {
            cx.set_extra(node, &name, value);
        }
        set_other_texts(node, event, &kind, cx);
        if matches!(kind, ContentType::Other(_)) {
            // All of its members were set as extra members.
        } else if kind == ContentType::Data {
            if let Some(data) = event.data() {
                self.whole_data(at, place, data, how, cx);
            }
        } else {
            let text = event.string(main_member(&kind));
            if text.is_none() && kind == ContentType::Text && how != FullValue::InMessage {
                self.record_in(cx, &rules::TEXT_NULL, at, Some(index), Observed::Words("null"));
            }
            if let Some(text) = text {
                self.whole_text(at, place, text, how, cx);
            }
        }
        if let Some(status) = terminal(event.status()) {
            self.end_part(at, place, status, cx);
        }
    }

    /// R29c: replaces a part by a part of another type, for a whole value of that type.
    #[cold]
    fn retype_part(
        &mut self,
        at: usize,
        place: usize,
        index: u32,
        kind: &ContentType,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let got = Observed::Instead(kind.as_str(), self.messages[at].parts[place].kind.as_str());
        self.record_in(cx, &rules::CONTENT_TYPE_CHANGED, at, Some(index), got);
        let parent = self.messages[at].node?;
        let old = self.messages[at].parts.remove(place);
        cx.remove(parent, Message::content, old.node);
        self.new_part(at, index, kind, cx)
    }

    /// Sets a whole text. The sink receives nothing if the text only repeats the streamed one, and
    /// an empty text erases nothing.
    fn whole_text(
        &mut self,
        at: usize,
        place: usize,
        text: Str<'_>,
        how: FullValue,
        cx: &mut Context<'_>,
    ) {
        let mut scratch = core::mem::take(&mut self.scratch);
        scratch.clear();
        let mut half = SurrogateHalf::NONE;
        let (text, lone) = match text.as_plain() {
            Some(plain) => (plain, 0),
            None => {
                let mut lone = decode_into(text, &mut half, &mut scratch);
                if half.is_waiting() {
                    scratch.push('\u{fffd}');
                    lone += 1;
                }
                (scratch.as_str(), lone)
            }
        };
        self.whole_characters(at, place, text, how, cx);
        self.scratch = scratch;
        if lone > 0 {
            let index = self.messages[at].parts[place].index;
            self.record_in(
                cx,
                &rules::LONE_SURROGATE,
                at,
                Some(index),
                Observed::Count(lone.into()),
            );
        }
    }

    fn whole_characters(
        &mut self,
        at: usize,
        place: usize,
        text: &str,
        how: FullValue,
        cx: &mut Context<'_>,
    ) {
        let part = &mut self.messages[at].parts[place];
        let index = part.index;
        if text.is_empty() && !part.is_empty() {
            return;
        }
        let digest = self.keys.digest(text);
        let (same, was_final, length) = match &part.value {
            CellValue::None | CellValue::Pieces => (false, false, 0),
            CellValue::Text(streamed) => {
                let same = *streamed == digest && !part.half.is_waiting();
                (same, part.phase == ObjectPhase::Ended, streamed.len())
            }
        };
        let differs =
            !same && (part.pieces || was_final) && how != FullValue::Snapshot && !part.is_empty();
        part.half = SurrogateHalf::NONE;
        part.pieces = false;
        if !same {
            if !cx.set(part.node, main_member(&part.kind), FieldValue::Str(text)) {
                return;
            }
            part.value = CellValue::Text(digest);
        }
        if differs {
            let got = Observed::Lengths(text.len() as u64, length);
            self.record_in(cx, &rules::TEXT_MISMATCH, at, Some(index), got);
        }
    }

    /// Sets full data: the object as written in the event.
    fn whole_data(
        &mut self,
        at: usize,
        place: usize,
        data: Element<'_, '_>,
        how: FullValue,
        cx: &mut Context<'_>,
    ) {
        let keys = &self.keys;
        let part = &mut self.messages[at].parts[place];
        let digest = keys.digest(data.raw().as_str());
        let same = match (&part.value, &part.shape) {
            (CellValue::Text(known), _) => *known == digest,
            (CellValue::None | CellValue::Pieces, Some(shape)) => shape.is(data, keys),
            (CellValue::None | CellValue::Pieces, None) => false,
        };
        if data.is_empty_object() && !part.is_empty() {
            return;
        }
        if !same && !cx.set(part.node, DataContent::data, FieldValue::Free(data)) {
            return;
        }
        part.value = if data.is_empty_object() { CellValue::None } else { CellValue::Text(digest) };
        part.pieces = false;
        // Only data that pieces may still continue needs its shape.
        part.shape = None;
        if how == FullValue::Snapshot && part.phase != ObjectPhase::Ended {
            cx.forget_data_nodes(part.node);
            if cx.data_nodes(part.node, DataContent::data, nodes(data)) {
                part.shape = Some(Box::new(Outline::of(data, keys, &mut false)));
            }
        }
        self.link_tool(at, place, data, cx);
        if how == FullValue::Completed || (how == FullValue::InMessage && !same) {
            self.check_arguments(at, place, data, cx);
        }
    }
}
