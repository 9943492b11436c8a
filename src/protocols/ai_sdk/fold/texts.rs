//! Texts and reasoning. (V3, V4, V6.)

use alloc::vec::Vec;

use super::super::model::{AiSdkReasoning, AiSdkText, Part, PartState};
use super::super::rules;
use super::{AiSdkMeaning, set_object};
use crate::bytes::string_map::StringMap;
use crate::core::Observed;
use crate::engine::{Context, Node, Owner, TextCell};
use crate::json::{Element, Str};

/// The kind of a text. Each has its own ids. (V6.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    Text,
    Reasoning,
}

/// A chunk of a text.
#[derive(Debug)]
pub(super) enum TextChunk<'d, 'a> {
    Start,
    Delta(Str<'a>),
    /// The end, with citations.
    End(Option<Element<'d, 'a>>),
}

/// The texts of the message.
#[derive(Debug, Default)]
pub(super) struct Texts {
    all: Vec<TextObject>,
    /// The open texts by kind and id; `Some(None)` for one that a limit has refused.
    by_id: [StringMap<Option<Option<usize>>>; 2],
    /// The number of open texts, and how many of them were open at the last `finish-step`.
    open: usize,
    across: usize,
}

#[derive(Debug)]
struct TextObject {
    node: Node,
    owner: Owner,
    cell: TextCell,
    is_open: bool,
}

impl AiSdkMeaning {
    pub(super) fn text(
        &mut self,
        kind: TextKind,
        id: Str<'_>,
        chunk: TextChunk<'_, '_>,
        provider_metadata: Option<Option<Element<'_, '_>>>,
        cx: &mut Context<'_>,
    ) {
        let id = id.to_str();
        let known = self.texts.by_id[kind as usize].get(&id).copied().flatten();
        let at = match (&chunk, known) {
            (TextChunk::Start, known) => {
                if known.is_some() {
                    cx.breach_of(&rules::TEXT_STARTED_TWICE, &id, Observed::Words("another start"));
                }
                self.start_text(kind, &id, true, cx)
            }
            (_, Some(at)) => at,
            (TextChunk::Delta(_), None) => {
                cx.breach_of(&rules::TEXT_NOT_STARTED, &id, Observed::Words("a delta"));
                self.start_text(kind, &id, false, cx)
            }
            (TextChunk::End(_), None) => {
                return cx.breach_of(&rules::TEXT_NOT_STARTED, &id, Observed::Words("an end"));
            }
        };
        let Some(at) = at else { return };
        let text = &mut self.texts.all[at];
        set_object(text.node, Part::provider_metadata, provider_metadata, cx);
        match chunk {
            TextChunk::Start => {}
            TextChunk::Delta(piece) => _ = cx.append(text.cell, piece),
            TextChunk::End(citations) => {
                let was_open = core::mem::take(&mut text.is_open);
                cx.end_text(text.cell);
                if let Some(citations) = citations {
                    cx.set_extra(text.node, "citations", citations.raw());
                }
                cx.set(text.node, Part::state, PartState::Done.value());
                self.texts.by_id[kind as usize].insert(&id, None);
                self.texts.open -= usize::from(was_open);
                self.texts.across = self.texts.across.min(self.texts.open);
            }
        }
    }

    /// Begins a text. One that was not `started` need not end.
    fn start_text(&mut self, kind: TextKind, id: &str, started: bool, cx: &mut Context<'_>) -> Option<usize> {
        let (object, key) = match kind {
            TextKind::Text => (AiSdkText::KIND, AiSdkText::text),
            TextKind::Reasoning => (AiSdkReasoning::KIND, AiSdkReasoning::text),
        };
        let Some(node) = self.parts.open(object, cx.next_owner(), cx) else {
            self.texts.by_id[kind as usize].insert(id, Some(None));
            return None;
        };
        let owner = cx.own(id);
        if kind == TextKind::Reasoning {
            cx.set_short(node, Part::id, id);
        }
        cx.set(node, Part::state, PartState::Streaming.value());
        let at = self.texts.all.len();
        self.texts.all.push(TextObject { node, owner, cell: cx.text(node, key, owner), is_open: started });
        self.texts.by_id[kind as usize].insert(id, Some(Some(at)));
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
            cx.breach(&rules::TEXT_ACROSS_STEP, Observed::Words("`finish-step` in a text"));
        }
    }

    /// Forgets the open texts: their step was reset.
    pub fn forget(&mut self) {
        self.by_id = Default::default();
        self.all.iter_mut().for_each(|text| text.is_open = false);
        (self.open, self.across) = (0, 0);
    }

    /// Reports the texts that are open at the end of the message.
    pub fn judge_open(&self, cx: &mut Context<'_>) {
        for text in self.all.iter().filter(|text| text.is_open) {
            cx.breach_in(&rules::TEXT_NOT_ENDED, text.owner, None, Observed::Words("the end of the message"));
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
