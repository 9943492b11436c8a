//! Full values: some replace a value, others only repeat it.

use alloc::boxed::Box;

use super::data::{Outline, nodes};
use super::part::{main_member, terminal};
use super::{AgentApiMeaning, CellValue, set_error, set_integer, set_other_texts};
use crate::core::Observed;
use crate::engine::{Context, SinkValue};
use crate::json::{Element, Str, SurrogateHalf, decode_into};
use crate::protocols::agent_api::events::{ContentEvent, ErrorValue};
use crate::protocols::agent_api::lifecycle::Phase;
use crate::protocols::agent_api::model::DataContent;
use crate::protocols::agent_api::{Content, ContentType, Message, rules};

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

impl AgentApiMeaning {
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
            Ok(place) if self.messages[at].parts[place].kind == kind => place,
            Ok(place) => match self.retype_part(at, place, index, &kind, cx) {
                Some(place) => place,
                None => return,
            },
            Err(_) => match self.new_part(at, index, &kind, cx) {
                Some(place) => place,
                None => return,
            },
        };
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
                self.breach_in(cx, &rules::TEXT_NULL, at, Some(index), Observed::Words("null"));
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
        let old = &self.messages[at].parts[place];
        let was = old.kind.clone();
        let got = Observed::Instead(kind.as_str(), was.as_str());
        self.breach_in(cx, &rules::CONTENT_TYPE_CHANGED, at, Some(index), got);
        let parent = self.messages[at].node?;
        let old = self.messages[at].parts.remove(place);
        cx.remove(parent, Message::content, old.node);
        self.new_part(at, index, kind, cx)
    }

    /// Sets a whole text. The sink receives nothing if the text only repeats the streamed one, and an empty text erases
    /// nothing.
    fn whole_text(&mut self, at: usize, place: usize, text: Str<'_>, how: FullValue, cx: &mut Context<'_>) {
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
            self.breach_in(cx, &rules::LONE_SURROGATE, at, Some(index), Observed::Count(lone.into()));
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
        let (same, was_final) = match &part.value {
            CellValue::None | CellValue::Pieces => (false, false),
            CellValue::Text(streamed) => {
                (*streamed == digest && !part.half.is_waiting(), part.phase == Phase::Ended)
            }
        };
        let differs = !same && (part.pieces || was_final) && how != FullValue::Snapshot && !part.is_empty();
        let length = part.len();
        part.half = SurrogateHalf::NONE;
        part.pieces = false;
        if !same {
            if !cx.set(part.node, main_member(&part.kind), SinkValue::Str(text)) {
                return;
            }
            part.value = CellValue::Text(digest);
        }
        if differs {
            self.breach_in(
                cx,
                &rules::TEXT_MISMATCH,
                at,
                Some(index),
                Observed::Lengths(text.len() as u64, length),
            );
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
            (CellValue::Text(said), _) => *said == digest,
            (CellValue::None | CellValue::Pieces, Some(shape)) => shape.is(data, keys),
            (CellValue::None | CellValue::Pieces, None) => false,
        };
        if data.is_empty_object() && !part.is_empty() {
            return;
        }
        if !same && !cx.set(part.node, DataContent::data, SinkValue::Free(data)) {
            return;
        }
        part.value = if data.is_empty_object() { CellValue::None } else { CellValue::Text(digest) };
        part.pieces = false;
        // Only data that pieces may still continue needs its shape.
        part.shape = None;
        if how == FullValue::Snapshot && part.phase != Phase::Ended {
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
