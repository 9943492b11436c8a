//! Which event does what.

use super::ResponsesSemantics;
use super::items::Spot;
use super::parts::{List, kind_of};
use crate::core::fold::Context;
use crate::core::observed::Observed;
use crate::json::{Element, Str};
use crate::protocols::responses::events::Wire;
use crate::protocols::responses::model::{ItemType, PartType, Status};
use crate::protocols::responses::rules;

impl ResponsesSemantics {
    pub(super) fn dispatch(&mut self, wire: Wire<'_, '_>, name: &str, cx: &mut Context<'_, '_>) {
        use ItemType::{CodeInterpreterCall, CustomToolCall, FunctionCall, McpCall, Message, Reasoning};
        use PartType::{OutputText, ReasoningText, Refusal, SummaryText};
        match wire {
            Wire::Created { response, .. } | Wire::InProgress { response, .. } => {
                self.snapshot(&Status::InProgress, response, cx);
            }
            Wire::Queued { response, .. } => self.snapshot(&Status::Queued, response, cx),
            Wire::Completed { response, .. } => self.snapshot(&Status::Completed, response, cx),
            Wire::Failed { response, .. } => self.snapshot(&Status::Failed, response, cx),
            Wire::Incomplete { response, .. } => self.snapshot(&Status::Incomplete, response, cx),
            Wire::Cancelled { response, .. } => {
                cx.breach(&rules::CANCELLED_EVENT, Observed::Name(name));
                self.snapshot(&Status::Cancelled, response, cx);
            }
            Wire::OutputItemAdded { output_index, item, .. } => {
                if let Some(item) = object(item, cx) {
                    self.add_item(output_index, item, cx);
                }
            }
            Wire::OutputItemDone { output_index, item, .. } => {
                if let Some(item) = object(item, cx) {
                    self.done_item(output_index, item, cx);
                }
            }
            Wire::ContentPartAdded { item_id: id, output_index: wire, content_index, part, .. } => {
                if let Some((place, part)) = self.at_part(Spot { id, wire }, part, cx) {
                    self.add_part(place, content_index, part, cx);
                }
            }
            Wire::ContentPartDone { item_id: id, output_index: wire, content_index, part, .. } => {
                if let Some((place, part)) = self.at_part(Spot { id, wire }, part, cx) {
                    self.done_part(place, content_index, part, cx);
                }
            }
            Wire::OutputTextDelta {
                item_id: id, output_index: wire, content_index, delta, logprobs, ..
            } => {
                let Some(at) = self.item(Spot { id, wire }, &Message, cx) else { return };
                self.part_piece((at, List::Content), content_index, &OutputText, delta, cx);
                self.add_logprobs(at, content_index, logprobs, cx);
            }
            Wire::OutputTextDone {
                item_id: id, output_index: wire, content_index, text, logprobs, ..
            } => {
                let Some(at) = self.item(Spot { id, wire }, &Message, cx) else { return };
                self.part_done((at, List::Content), content_index, &OutputText, text, cx);
                self.set_logprobs(at, content_index, logprobs, cx);
            }
            Wire::OutputTextAnnotationAdded {
                item_id: id,
                output_index: wire,
                content_index,
                annotation_index,
                annotation,
                ..
            } => {
                if let Some(at) = self.item(Spot { id, wire }, &Message, cx) {
                    self.annotate(at, content_index, annotation_index, annotation, cx);
                }
            }
            Wire::RefusalDelta { item_id: id, output_index: wire, content_index, delta, .. } => {
                let Some(at) = self.item(Spot { id, wire }, &Message, cx) else { return };
                self.part_piece((at, List::Content), content_index, &Refusal, delta, cx);
            }
            Wire::RefusalDone { item_id: id, output_index: wire, content_index, refusal, .. } => {
                let Some(at) = self.item(Spot { id, wire }, &Message, cx) else { return };
                self.part_done((at, List::Content), content_index, &Refusal, refusal, cx);
            }
            Wire::ReasoningTextDelta { item_id: id, output_index: wire, content_index, delta, .. } => {
                let Some(at) = self.item(Spot { id, wire }, &Reasoning, cx) else { return };
                self.part_piece((at, List::Content), content_index, &ReasoningText, delta, cx);
            }
            Wire::ReasoningTextDone { item_id: id, output_index: wire, content_index, text, .. } => {
                let Some(at) = self.item(Spot { id, wire }, &Reasoning, cx) else { return };
                self.part_done((at, List::Content), content_index, &ReasoningText, text, cx);
            }
            Wire::ReasoningSummaryPartAdded {
                item_id: id, output_index: wire, summary_index, part, ..
            } => {
                let Some(at) = self.item(Spot { id, wire }, &Reasoning, cx) else { return };
                if let Some(part) = object(part, cx) {
                    self.add_part((at, List::Summary), summary_index, part, cx);
                }
            }
            Wire::ReasoningSummaryPartDone {
                item_id: id, output_index: wire, summary_index, part, ..
            } => {
                let Some(at) = self.item(Spot { id, wire }, &Reasoning, cx) else { return };
                if let Some(part) = object(part, cx) {
                    self.done_part((at, List::Summary), summary_index, part, cx);
                }
            }
            Wire::ReasoningSummaryTextDelta {
                item_id: id, output_index: wire, summary_index, delta, ..
            } => {
                let Some(at) = self.item(Spot { id, wire }, &Reasoning, cx) else { return };
                self.part_piece((at, List::Summary), summary_index, &SummaryText, delta, cx);
            }
            Wire::ReasoningSummaryTextDone {
                item_id: id, output_index: wire, summary_index, text, ..
            } => {
                let Some(at) = self.item(Spot { id, wire }, &Reasoning, cx) else { return };
                self.part_done((at, List::Summary), summary_index, &SummaryText, text, cx);
            }
            Wire::FunctionCallArgumentsDelta { item_id: id, output_index: wire, delta, .. } => {
                self.piece(Spot { id, wire }, &FunctionCall, delta, cx);
            }
            Wire::FunctionCallArgumentsDone { item_id: id, output_index: wire, arguments, .. } => {
                self.done(Spot { id, wire }, &FunctionCall, arguments, cx);
            }
            Wire::CustomToolCallInputDelta { item_id: id, output_index: wire, delta, .. } => {
                self.piece(Spot { id, wire }, &CustomToolCall, delta, cx);
            }
            Wire::CustomToolCallInputDone { item_id: id, output_index: wire, input, .. } => {
                self.done(Spot { id, wire }, &CustomToolCall, input, cx);
            }
            Wire::McpCallArgumentsDelta { item_id: id, output_index: wire, delta, .. } => {
                self.piece(Spot { id, wire }, &McpCall, delta, cx);
            }
            Wire::McpCallArgumentsDone { item_id: id, output_index: wire, arguments, .. } => {
                self.done(Spot { id, wire }, &McpCall, arguments, cx);
            }
            Wire::CodeInterpreterCallCodeDelta { item_id: id, output_index: wire, delta, .. } => {
                self.piece(Spot { id, wire }, &CodeInterpreterCall, delta, cx);
            }
            Wire::CodeInterpreterCallCodeDone { item_id: id, output_index: wire, code, .. } => {
                self.done(Spot { id, wire }, &CodeInterpreterCall, code, cx);
            }
            wire => self.tool_event(wire, name, cx),
        }
    }

    /// The next piece of an item's text.
    fn piece(&mut self, spot: Spot<'_>, kind: &ItemType, piece: Str<'_>, cx: &mut Context<'_, '_>) {
        if let Some(at) = self.item(spot, kind, cx) {
            self.items[at].held.append(piece, cx);
        }
    }

    /// An item's text is whole. (O9)
    fn done(&mut self, spot: Spot<'_>, kind: &ItemType, text: Str<'_>, cx: &mut Context<'_, '_>) {
        if let Some(at) = self.item(spot, kind, cx) {
            self.items[at].held.done(text, cx);
        }
    }

    /// The item that has a part like this, and the part.
    fn at_part<'d, 'a>(
        &mut self,
        spot: Spot<'_>,
        part: Option<Element<'d, 'a>>,
        cx: &mut Context<'_, '_>,
    ) -> Option<((usize, List), Element<'d, 'a>)> {
        let part = object(part, cx)?;
        let is_reasoning = kind_of(part) == PartType::ReasoningText;
        let kind = if is_reasoning { ItemType::Reasoning } else { ItemType::Message };
        Some(((self.item(spot, &kind, cx)?, List::Content), part))
    }
}

/// What has to be an object.
pub(super) fn object<'d, 'a>(
    json: Option<Element<'d, 'a>>,
    cx: &mut Context<'_, '_>,
) -> Option<Element<'d, 'a>> {
    let found = json.filter(|json| json.object().is_ok());
    if found.is_none() {
        cx.breach(&rules::MALFORMED_EVENT, Observed::Words("no object where one belongs"));
    }
    found
}
