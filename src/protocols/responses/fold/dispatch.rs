//! Dispatches events by their kinds, with the item and the part that they name.

use super::ResponsesMeaning;
use super::parts::{List, kind_of};
use crate::core::{Observed, Reading};
use crate::engine::Context;
use crate::json::{Element, Str};
use crate::protocols::responses::events::EventKind;
use crate::protocols::responses::{ItemType, PartType, Status, rules};
use alloc::string::String;

impl ResponsesMeaning {
    /// Applies an event. Members are read by their names, because events of many kinds change the same place of the
    /// answer.
    pub(super) fn dispatch(
        &mut self,
        kind: EventKind,
        event: &Reading<'_, '_>,
        name: &str,
        cx: &mut Context<'_>,
    ) {
        use ItemType::{CodeInterpreterCall, CustomToolCall, FunctionCall, McpCall, Message, Reasoning};
        use PartType::{OutputText, ReasoningText, Refusal, SummaryText};
        match kind {
            EventKind::Created | EventKind::InProgress => self.whole(&Status::InProgress, event, cx),
            EventKind::Queued => self.whole(&Status::Queued, event, cx),
            EventKind::Completed => self.whole(&Status::Completed, event, cx),
            EventKind::Failed => self.whole(&Status::Failed, event, cx),
            EventKind::Incomplete => self.whole(&Status::Incomplete, event, cx),
            EventKind::Cancelled => {
                cx.breach(&rules::CANCELLED_EVENT, Observed::Name(name));
                self.whole(&Status::Cancelled, event, cx);
            }
            EventKind::OutputItemAdded | EventKind::OutputItemDone => {
                let Some(item) = object(event.named("item"), cx) else { return };
                let index = event.integer("output_index");
                match kind {
                    EventKind::OutputItemAdded => self.add_item(index, item, cx),
                    _ => self.done_item(index, item, cx),
                }
            }
            EventKind::ContentPartAdded | EventKind::ContentPartDone => {
                let Some(part) = object(event.named("part"), cx) else { return };
                let is_reasoning = kind_of(part) == ReasoningText;
                let of = if is_reasoning { Reasoning } else { Message };
                let Some(at) = self.item(Spot::of(event), &of, cx) else { return };
                let place = ((at, List::Content), part_index(event));
                self.tell_part(kind == EventKind::ContentPartAdded, place, part, cx);
            }
            EventKind::ReasoningSummaryPartAdded | EventKind::ReasoningSummaryPartDone => {
                let Some(at) = self.item(Spot::of(event), &Reasoning, cx) else { return };
                let Some(part) = object(event.named("part"), cx) else { return };
                let place = ((at, List::Summary), part_index(event));
                self.tell_part(kind == EventKind::ReasoningSummaryPartAdded, place, part, cx);
            }
            EventKind::OutputTextDelta => {
                if let Some((at, index)) = self.part_text(event, &Message, &OutputText, "delta", cx) {
                    self.add_logprobs(at, index, event.named("logprobs"), cx);
                }
            }
            EventKind::OutputTextDone => {
                if let Some((at, index)) = self.part_text(event, &Message, &OutputText, "text", cx) {
                    self.set_logprobs(at, index, event.named("logprobs"), cx);
                }
            }
            EventKind::OutputTextAnnotationAdded => {
                if let Some(at) = self.item(Spot::of(event), &Message, cx) {
                    let index = event.integer("annotation_index");
                    self.annotate(at, part_index(event), index, event.named("annotation"), cx);
                }
            }
            EventKind::RefusalDelta => drop(self.part_text(event, &Message, &Refusal, "delta", cx)),
            EventKind::RefusalDone => drop(self.part_text(event, &Message, &Refusal, "refusal", cx)),
            EventKind::ReasoningTextDelta => {
                self.part_text(event, &Reasoning, &ReasoningText, "delta", cx);
            }
            EventKind::ReasoningTextDone => {
                self.part_text(event, &Reasoning, &ReasoningText, "text", cx);
            }
            EventKind::ReasoningSummaryTextDelta => {
                self.part_text(event, &Reasoning, &SummaryText, "delta", cx);
            }
            EventKind::ReasoningSummaryTextDone => {
                self.part_text(event, &Reasoning, &SummaryText, "text", cx);
            }
            EventKind::FunctionCallArgumentsDelta => self.item_text(event, &FunctionCall, "delta", cx),
            EventKind::FunctionCallArgumentsDone => self.item_text(event, &FunctionCall, "arguments", cx),
            EventKind::CustomToolCallInputDelta => self.item_text(event, &CustomToolCall, "delta", cx),
            EventKind::CustomToolCallInputDone => self.item_text(event, &CustomToolCall, "input", cx),
            EventKind::McpCallArgumentsDelta => self.item_text(event, &McpCall, "delta", cx),
            EventKind::McpCallArgumentsDone => self.item_text(event, &McpCall, "arguments", cx),
            EventKind::CodeInterpreterCallCodeDelta => {
                self.item_text(event, &CodeInterpreterCall, "delta", cx);
            }
            EventKind::CodeInterpreterCallCodeDone => {
                self.item_text(event, &CodeInterpreterCall, "code", cx);
            }
            _ => self.tool_event(kind, event, name, cx),
        }
    }

    /// Applies an event with the whole response.
    fn whole(&mut self, status: &Status, event: &Reading<'_, '_>, cx: &mut Context<'_>) {
        self.snapshot(status, event.named("response"), cx);
    }

    /// Begins or ends a part.
    fn tell_part(
        &mut self,
        is_new: bool,
        (list, index): ((usize, List), Option<i64>),
        part: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        match is_new {
            true => self.add_part(list, index, part, cx),
            false => self.done_part(list, index, part, cx),
        }
    }

    /// Applies an event with the text of a part: its next piece, in the member `delta`, or all of it. Returns the item
    /// and the index of the part.
    fn part_text(
        &mut self,
        event: &Reading<'_, '_>,
        item: &ItemType,
        part: &PartType,
        member: &str,
        cx: &mut Context<'_>,
    ) -> Option<(usize, Option<i64>)> {
        let at = self.item(Spot::of(event), item, cx)?;
        let list = if *part == PartType::SummaryText { List::Summary } else { List::Content };
        let (index, text) = (part_index(event), text(event, member));
        match member {
            "delta" => self.part_piece((at, list), index, part, text, cx),
            _ => self.part_done((at, list), index, part, text, cx),
        }
        Some((at, index))
    }

    /// Applies an event with the text of an item: its next piece, in the member `delta`, or all of it. (O9)
    fn item_text(&mut self, event: &Reading<'_, '_>, kind: &ItemType, member: &str, cx: &mut Context<'_>) {
        let Some(at) = self.item(Spot::of(event), kind, cx) else { return };
        let (held, text) = (&mut self.items[at].held, text(event, member));
        match member {
            "delta" => held.append(text, cx),
            _ => held.done(text, cx),
        }
    }
}

/// Returns the text of a member. Empty if the member is not a text.
pub(super) fn text<'a>(event: &Reading<'_, 'a>, member: &str) -> Str<'a> {
    event.text(member).unwrap_or(Str::new("", false))
}

/// Returns a value if it is an object. Otherwise reports a violation.
pub(super) fn object<'d, 'a>(json: Option<Element<'d, 'a>>, cx: &mut Context<'_>) -> Option<Element<'d, 'a>> {
    let found = json.filter(|json| json.object().is_ok());
    if found.is_none() {
        cx.breach(&rules::MALFORMED_EVENT, Observed::Words("no object where one belongs"));
    }
    found
}

/// The place of an item, as an event specifies it.
pub(super) struct Spot<'a> {
    pub id: Option<Str<'a>>,
    pub wire: Option<i64>,
}

impl<'a> Spot<'a> {
    pub fn of(event: &Reading<'_, 'a>) -> Self {
        let id = event.get(ITEM_ID).and_then(|id| id.string().ok());
        Spot { id, wire: number(event, OUTPUT_INDEX) }
    }
}

/// Returns the index of an event's part in the item or its summary.
pub(super) fn part_index(event: &Reading<'_, '_>) -> Option<i64> {
    number(event, PART_INDEX)
}

fn number(event: &Reading<'_, '_>, at: usize) -> Option<i64> {
    event.get(at)?.integer().ok()
}

/// The positions, in the rows of events, of the members that the groups share.
const ITEM_ID: usize = 1;
const OUTPUT_INDEX: usize = 2;
const PART_INDEX: usize = 3;

/// The names of an item.
pub(super) struct Names {
    pub kind: ItemType,
    pub id: Option<String>,
    pub call: Option<String>,
}

impl Names {
    pub fn of(json: Element<'_, '_>) -> Self {
        let text = |name| Some(json.member(name)?.id().ok()?.to_str().into_owned());
        Names {
            kind: ItemType::from(&*text("type").unwrap_or_default()),
            id: text("id").filter(|id| !id.is_empty()),
            call: text("call_id"),
        }
    }

    /// Returns whether the item is identified by its call instead of its id. (O5)
    pub fn is_call(&self) -> bool {
        use ItemType::*;
        matches!(self.kind, FunctionCall | CustomToolCall | ShellCall | ShellCallOutput)
    }

    pub fn id(&self) -> &str {
        self.id.as_deref().unwrap_or_default()
    }

    pub fn call_key(&self) -> Option<String> {
        let call = self.call.as_deref().filter(|_| self.is_call())?;
        Some([self.kind.as_str(), "\n", call].concat())
    }
}
