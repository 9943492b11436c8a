//! Texts and reasoning. (V3, V4, V6.)

use alloc::vec::Vec;

use super::super::events::EventKind::{self, *};
use super::super::model::{AiSdkReasoning, AiSdkText, Part, PartState};
use super::super::rules;
use super::{AiSdkFold, set_object};
use crate::bytes::string_map::StringMap;
use crate::core::{EventReading, Observed};
use crate::engine::{Context, ObjectId, Subject, TextSlot};
use crate::json::Str;

/// The texts of the message.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    all: Vec<TextObject>,
    /// The number of the first texts that were in steps that were reset.
    reset: usize,
    /// The open reasoning and the open texts by id; `Some(None)` for one that a limit has refused.
    by_id: [StringMap<Option<Option<usize>>>; 2],
    /// The number of open texts, and how many of them were open at the last `finish-step`.
    open: usize,
    across: usize,
}

#[derive(Clone, Debug)]
struct TextObject {
    node: ObjectId,
    owner: Subject,
    cell: TextSlot,
    is_open: bool,
}

impl AiSdkFold {
    /// Applies a chunk of a text or a reasoning. Each has its own ids. (V6.)
    pub(super) fn text(
        &mut self,
        kind: EventKind,
        event: &EventReading<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let id = event.text("id").map(Str::to_str).unwrap_or_default();
        let is_text = matches!(kind, TextStart | TextDelta | TextEnd);
        let known = self.texts.by_id[usize::from(is_text)].get(&id).copied().flatten();
        let at = match (kind, known) {
            (TextStart | ReasoningStart, known) => {
                if known.is_some() {
                    cx.record_of(&rules::TEXT_STARTED_TWICE, &id, Observed::Words("another start"));
                }
                self.start_text(is_text, &id, true, cx)
            }
            (_, Some(at)) => at,
            (TextDelta | ReasoningDelta, None) => {
                cx.record_of(&rules::TEXT_NOT_STARTED, &id, Observed::Words("a delta"));
                self.start_text(is_text, &id, false, cx)
            }
            _ => return cx.record_of(&rules::TEXT_NOT_STARTED, &id, Observed::Words("an end")),
        };
        let Some(at) = at else { return };
        let text = &mut self.texts.all[at];
        set_object(text.node, Part::provider_metadata, event.named("providerMetadata"), cx);
        if let Some(piece) = event.text("delta") {
            cx.append(text.cell, piece);
        }
        if matches!(kind, TextEnd | ReasoningEnd) {
            let was_open = core::mem::take(&mut text.is_open);
            cx.end_text(text.cell);
            if let Some(citations) = event.named("citations") {
                cx.set_extra(text.node, "citations", citations.raw());
            }
            cx.set(text.node, Part::state, PartState::Done.value());
            self.texts.by_id[usize::from(is_text)].insert(&id, None);
            self.texts.open -= usize::from(was_open);
            self.texts.across = self.texts.across.min(self.texts.open);
        }
    }

    /// Begins a text. One that was not `started` need not end.
    fn start_text(
        &mut self,
        is_text: bool,
        id: &str,
        started: bool,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let (object, key) = match is_text {
            true => (AiSdkText::KIND, AiSdkText::text),
            false => (AiSdkReasoning::KIND, AiSdkReasoning::text),
        };
        let Some(node) = self.parts.open(object, cx.next_owner(), cx) else {
            self.texts.by_id[usize::from(is_text)].insert(id, Some(None));
            return None;
        };
        let owner = cx.own(id);
        if !is_text {
            cx.set_short(node, Part::id, id);
        }
        cx.set(node, Part::state, PartState::Streaming.value());
        let at = self.texts.all.len();
        self.texts.all.push(TextObject {
            node,
            owner,
            cell: cx.text(node, key, owner),
            is_open: started,
        });
        self.texts.by_id[usize::from(is_text)].insert(id, Some(Some(at)));
        self.texts.open += usize::from(started);
        Some(at)
    }
}

impl Texts {
    pub fn has_open(&self) -> bool {
        self.open > 0
    }

    /// Reports the texts that are open. (V4.)
    pub fn finish_step(&mut self, cx: &mut Context<'_>) {
        if self.open > self.across {
            self.across = self.open;
            cx.record(&rules::TEXT_ACROSS_STEP, Observed::Words("`finish-step` in a text"));
        }
    }

    /// Forgets the open texts: their step was reset.
    pub fn forget(&mut self) {
        self.by_id = Default::default();
        let reset = core::mem::replace(&mut self.reset, self.all.len());
        self.all[reset..].iter_mut().for_each(|text| text.is_open = false);
        (self.open, self.across) = (0, 0);
    }

    /// Reports the texts that are open at the end of the message.
    pub fn judge_open(&self, cx: &mut Context<'_>) {
        for text in self.all.iter().filter(|text| text.is_open) {
            cx.record_in(
                &rules::TEXT_NOT_ENDED,
                text.owner,
                None,
                Observed::Words("the end of the message"),
            );
        }
    }

    /// Ends the open texts with the stream.
    pub fn finish(&self, cx: &mut Context<'_>) {
        for text in self.all.iter().filter(|text| text.is_open) {
            cx.end_text(text.cell);
            let id = cx.id(text.owner).into();
            cx.unfinished(id);
        }
    }
}
