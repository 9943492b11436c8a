//! What the text of a part is annotated with, and how probable its tokens were.

use super::ResponsesMeaning;
use super::parts::List;
use super::tools::{length, next, put};
use crate::core::Observed;
use crate::engine::{Context, SinkValue};
use crate::json::{Element, decimal};
use crate::protocols::responses::{Part, PartType, rules};

impl ResponsesMeaning {
    /// A text has one source more. (O18)
    pub(super) fn annotate(
        &mut self,
        at: usize,
        part: Option<i64>,
        index: Option<i64>,
        annotation: Option<Element<'_, '_>>,
        cx: &mut Context<'_>,
    ) {
        let Some(annotation) = annotation else {
            return cx.breach(&rules::MALFORMED_EVENT, Observed::Words("no `annotation`"));
        };
        let Some(part) = self.part((at, List::Content), part, &PartType::OutputText, cx) else { return };
        let node = part.held.node;
        if !part.held.has(Part::annotations) {
            cx.set_json(node, Part::annotations, "[]");
        }
        let (index, is_new) = next(index, &mut part.added[0], cx);
        part.held.note(Part::annotations, None);
        put(node, Part::annotations, &[&decimal(index as i64)], is_new, annotation.raw().as_str(), cx);
    }

    /// How probable the tokens of a piece were.
    pub(super) fn add_logprobs(
        &mut self,
        at: usize,
        part: Option<i64>,
        logprobs: Option<Element<'_, '_>>,
        cx: &mut Context<'_>,
    ) {
        let logprobs = logprobs.filter(|list| is_logprobs(*list) && !is_empty(*list));
        let Some(logprobs) = logprobs else { return };
        let Some(part) = self.part((at, List::Content), part, &PartType::OutputText, cx) else { return };
        let node = part.held.node;
        if !part.held.has(Part::logprobs) {
            cx.set_json(node, Part::logprobs, "[]");
        }
        part.held.note(Part::logprobs, None);
        for entry in logprobs.array().into_iter().flatten() {
            let index = part.added[1];
            part.added[1] += 1;
            put(node, Part::logprobs, &[&decimal(index as i64)], true, entry.raw().as_str(), cx);
        }
    }

    /// How probable the tokens of a text were, all of them.
    pub(super) fn set_logprobs(
        &mut self,
        at: usize,
        part: Option<i64>,
        logprobs: Option<Element<'_, '_>>,
        cx: &mut Context<'_>,
    ) {
        let Some(logprobs) = logprobs.filter(|list| is_logprobs(*list)) else { return };
        let Some(part) = self.part((at, List::Content), part, &PartType::OutputText, cx) else { return };
        if !is_empty(logprobs) || part.added[1] > 0 {
            cx.set(part.held.node, Part::logprobs, SinkValue::Free(logprobs));
            part.held.note(Part::logprobs, None);
            part.added[1] = length(Some(logprobs));
        }
    }
}

fn is_empty(list: Element<'_, '_>) -> bool {
    length(Some(list)) == 0
}

/// What the official client takes: tokens with their bytes and with others that were as probable.
fn is_logprobs(list: Element<'_, '_>) -> bool {
    let is_token = |entry: Element<'_, '_>| {
        entry.member("token").is_some_and(|token| token.string().is_ok())
            && entry.member("logprob").is_some_and(|value| value.number().is_ok())
            && entry.member("bytes").is_some_and(|bytes| {
                bytes.array().is_ok_and(|mut bytes| bytes.all(|byte| byte.number().is_ok()))
            })
    };
    list.array().is_ok_and(|mut entries| {
        entries.all(|entry| {
            let top = entry.member("top_logprobs").and_then(|top| top.array().ok());
            is_token(entry) && top.is_some_and(|mut top| top.all(is_token))
        })
    })
}
