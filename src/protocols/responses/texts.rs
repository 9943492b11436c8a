//! The texts of the agent in a response.

use alloc::borrow::ToOwned;
use alloc::format;

use super::model::{
    Item, PartPayload, ResponsesOutputText, ResponsesReasoningText, ResponsesRefusal, ResponsesSummaryText,
    Snapshot,
};
use crate::core::changes::{AgentText, TextKind, Texts};
use crate::core::sink::Key;

impl Texts for Snapshot {
    const TEXTS: &'static [Key] = &[
        ResponsesOutputText::text,
        ResponsesRefusal::refusal,
        ResponsesReasoningText::text,
        ResponsesSummaryText::text,
    ];
    const HOLDERS: &'static [Key] = &[Snapshot::output, Item::content, Item::summary];

    fn text_at(&self, way: &[(Key, usize)], key: Key) -> Option<AgentText<'_>> {
        let &[(Snapshot::output, at), (list, part)] = way else { return None };
        let item = self.output.get(at)?;
        let parts = match list {
            Item::content => &item.content,
            Item::summary => &item.summary,
            _ => return None,
        };
        let (kind, text) = match (&parts.as_ref()?.get(part)?.payload, key) {
            (PartPayload::OutputText { text }, ResponsesOutputText::text) => (TextKind::Answer, text),
            (PartPayload::Refusal { refusal }, ResponsesRefusal::refusal) => (TextKind::Answer, refusal),
            (PartPayload::ReasoningText { text }, ResponsesReasoningText::text) => {
                (TextKind::Reasoning, text)
            }
            (PartPayload::SummaryText { text }, ResponsesSummaryText::text) => (TextKind::Reasoning, text),
            _ => return None,
        };
        // The summary of reasoning is a separate text.
        let id =
            item.id.as_ref().and_then(|id| id.as_deref()).map_or_else(|| format!("{at}"), ToOwned::to_owned);
        let block = if list == Item::summary { id + " summary" } else { id };
        Some(AgentText::new(block, kind, text))
    }
}
