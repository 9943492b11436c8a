//! The annotations of the text of a part, and the log probabilities of its tokens.

use super::ResponsesMeaning;
use super::parts::{self, List};
use super::tools::{length, next, put};
use crate::core::Observed;
use crate::engine::{Context, SinkValue};
use crate::json::{Element, decimal};
use crate::protocols::responses::{Part, PartType, rules};

impl ResponsesMeaning {
    /// Adds an annotation to a text. (O18)
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
        let Some(count) = list_in(part, 0, cx) else { return };
        let (index, is_new) = next(index, count, cx);
        let path = [&*decimal(index as i64)];
        if put(node, Part::annotations, &path, is_new, annotation.raw().as_str(), cx) && is_new {
            part.added[0] = Some(count + 1);
        }
    }

    /// Adds the log probabilities of the tokens of a piece.
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
        let Some(mut count) = list_in(part, 1, cx) else { return };
        for entry in logprobs.array().into_iter().flatten() {
            let path = [&*decimal(count as i64)];
            if !put(node, Part::logprobs, &path, true, entry.raw().as_str(), cx) {
                break;
            }
            count += 1;
        }
        part.added[1] = Some(count);
    }

    /// Sets the log probabilities of all tokens of a text.
    pub(super) fn set_logprobs(
        &mut self,
        at: usize,
        part: Option<i64>,
        logprobs: Option<Element<'_, '_>>,
        cx: &mut Context<'_>,
    ) {
        let Some(logprobs) = logprobs.filter(|list| is_logprobs(*list)) else { return };
        let Some(part) = self.part((at, List::Content), part, &PartType::OutputText, cx) else { return };
        let is_other = !is_empty(logprobs) || part.added[1].is_some_and(|count| count > 0);
        if is_other && cx.set(part.held.node, Part::logprobs, SinkValue::Free(logprobs)) {
            part.held.note(Part::logprobs, None);
            part.added[1] = length(logprobs);
        }
    }
}

/// Returns the number of elements of one of the lists of a part. Sets an empty list if the member is absent or has
/// another value. `None` if that was refused because of a limit.
fn list_in(part: &mut parts::Part, which: usize, cx: &mut Context<'_>) -> Option<usize> {
    let key = [Part::annotations, Part::logprobs][which];
    if part.added[which].is_none() {
        part.added[which] = cx.set_json(part.held.node, key, "[]").then_some(0);
    }
    let count = part.added[which]?;
    part.held.note(key, None);
    Some(count)
}

fn is_empty(list: Element<'_, '_>) -> bool {
    length(list) == Some(0)
}

/// Returns whether the official client accepts the list: tokens with their bytes and their most probable alternatives.
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
