//! The parts of a message, of reasoning and of its summary, with annotations and log probabilities.
//! (O7 to O9, O18.)

use alloc::vec::Vec;

use super::object_state::ObjectState;
use super::tools::{index_or_next, list_length, set_or_add};
use super::{ResponsesFold, part_index};
use crate::core::{EventReading, Observed, Rule};
use crate::engine::{Context, Field, FieldValue, ObjectLimit};
use crate::json::{Element, decimal};
use crate::protocols::responses::model::{ResponsesOutputText, ResponsesRefusal};
use crate::protocols::responses::{Item, ItemType, MODEL, Part as PartObject, PartType, rules};

/// One part.
#[derive(Clone, Debug)]
pub(super) struct FoldedPart {
    pub object: ObjectState,
    pub kind: PartType,
    /// Its index in events.
    pub wire: i64,
    /// The numbers of annotations and of log probabilities. `None` if their list is missing.
    pub added: [Option<usize>; 2],
}

impl FoldedPart {
    fn is_text(&self) -> bool {
        matches!(self.kind, PartType::OutputText | PartType::ReasoningText | PartType::SummaryText)
    }
}

/// A list of parts of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartList {
    Content,
    Summary,
}

impl PartList {
    pub const ALL: [PartList; 2] = [PartList::Content, PartList::Summary];

    pub fn key(self) -> Field {
        match self {
            PartList::Content => Item::content,
            PartList::Summary => Item::summary,
        }
    }
}

/// Returns the type of a part in JSON.
pub(super) fn kind_of(part: Element<'_, '_>) -> PartType {
    let name = part.member("type").map(|name| name.words());
    PartType::from(name.as_deref().unwrap_or_default())
}

impl ResponsesFold {
    /// Returns the part of an event. The event begins the part if it was not added. `None` if the
    /// event does not fit the part.
    pub(super) fn part(
        &mut self,
        (at, list): (usize, PartList),
        index: Option<i64>,
        kind: &PartType,
        cx: &mut Context<'_>,
    ) -> Option<&mut FoldedPart> {
        let parts = &self.items[at].parts[list as usize];
        let index = index.filter(|index| *index >= 0);
        let found = match index {
            Some(index) => parts.binary_search_by_key(&index, |part| part.wire).ok(),
            None => parts.len().checked_sub(1),
        };
        if index.is_none() {
            self.record_in_part(&rules::PART_MISSING, at, None, Observed::Words("no index"), cx);
        }
        let place = match found {
            Some(place) if parts[place].kind == *kind => place,
            // A summary can contain texts of any type.
            Some(place) if list == PartList::Summary && parts[place].is_text() => place,
            Some(place) => {
                let got = Observed::Instead(parts[place].kind.as_str(), kind.as_str());
                self.record_in_part(&rules::PART_MISMATCH, at, index, got, cx);
                return None;
            }
            None => {
                self.record_in_part(&rules::PART_MISSING, at, index, Observed::Words("none"), cx);
                self.open_part((at, list), index.unwrap_or(0), kind.clone(), cx)?
            }
        };
        self.items[at].parts[list as usize].get_mut(place)
    }

    /// Adds a part. (O7)
    pub(super) fn add_part(
        &mut self,
        (at, list): (usize, PartList),
        index: Option<i64>,
        json: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let next = self.items[at].parts[list as usize].len() as i64;
        if index != Some(next) {
            self.record_in_part(
                &rules::PART_MISSING,
                at,
                Some(next),
                Observed::Number(index, next),
                cx,
            );
        }
        self.whole_part((at, list), index.filter(|index| *index >= 0).unwrap_or(next), json, cx);
    }

    /// Ends a part. (O9)
    pub(super) fn done_part(
        &mut self,
        (at, list): (usize, PartList),
        index: Option<i64>,
        json: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let parts = &self.items[at].parts[list as usize];
        let is_indexed = index.is_some();
        let index = index.unwrap_or(parts.len() as i64 - 1);
        if !is_indexed || parts.binary_search_by_key(&index, |part| part.wire).is_err() {
            self.record_in_part(&rules::PART_MISSING, at, Some(index), Observed::Words("none"), cx);
        }
        self.whole_part((at, list), index.max(0), json, cx);
    }

    /// Sets all members of a part.
    pub(super) fn whole_part(
        &mut self,
        (at, list): (usize, PartList),
        index: i64,
        json: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let kind = kind_of(json);
        let parts = &self.items[at].parts[list as usize];
        let mut found = parts.binary_search_by_key(&index, |part| part.wire).ok();
        // A part of another type is a new object.
        if let Some(place) = found.filter(|place| parts[*place].kind != kind) {
            let item = &mut self.items[at];
            let part = item.parts[list as usize].remove(place);
            cx.remove(item.object.node, list.key(), part.object.node);
            found = None;
        }
        let Some(place) = found.or_else(|| self.open_part((at, list), index, kind, cx)) else {
            return;
        };
        let part = &mut self.items[at].parts[list as usize][place];
        part.object.assign(json, &self.keys, cx);
        for (key, count) in
            [PartObject::annotations, PartObject::logprobs].into_iter().zip(&mut part.added)
        {
            *count = part.object.counted(key, json, *count, &self.keys, list_length);
        }
    }

    fn open_part(
        &mut self,
        (at, list): (usize, PartList),
        index: i64,
        kind: PartType,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let item = &mut self.items[at];
        item.object.begin_list(list.key(), cx);
        let node =
            cx.open(kind.kind(), item.object.node, list.key(), ObjectLimit::Contents, item.owner)?;
        if let PartType::Other(name) = &kind {
            cx.set_text(node, PartObject::r#type, name);
        }
        let text = match kind {
            PartType::OutputText | PartType::ReasoningText | PartType::SummaryText => {
                Some(ResponsesOutputText::text)
            }
            PartType::Refusal => Some(ResponsesRefusal::refusal),
            _ => None,
        };
        let text = text.map(|key| (key, cx.kept_text(node, key, item.owner)));
        let object = ObjectState::new(node, kind.kind().0, text);
        let parts = &mut item.parts[list as usize];
        let place = parts.partition_point(|part| part.wire < index);
        if place < parts.len() {
            cx.move_last(item.object.node, list.key(), node, place);
        }
        parts.insert(place, FoldedPart { object, kind, wire: index, added: [None; 2] });
        Some(place)
    }

    /// Removes surplus parts before a list is set to `next`: those whose type differs from the type
    /// of the next part.
    fn keep_parts(
        &mut self,
        (at, list): (usize, PartList),
        next: &[Element<'_, '_>],
        cx: &mut Context<'_>,
    ) {
        let item = &mut self.items[at];
        let parts = &mut item.parts[list as usize];
        let mut surplus = parts.len().saturating_sub(next.len());
        if surplus == 0 {
            return;
        }
        let mut next = next.iter().map(|part| kind_of(*part)).peekable();
        parts.retain(|part| {
            let stays = surplus == 0 || next.peek() == Some(&part.kind);
            if stays {
                next.next();
            } else {
                surplus -= 1;
                cx.release(part.object.node);
            }
            stays
        });
        let nodes: Vec<_> = parts.iter().map(|part| part.object.node).collect();
        cx.arrange(item.object.node, list.key(), &nodes);
    }

    /// Sets the lists of parts of an item.
    pub(super) fn assign_parts(&mut self, at: usize, json: Element<'_, '_>, cx: &mut Context<'_>) {
        for list in PartList::ALL {
            let parts = MODEL.key(list.key()).and_then(|name| json.member(name)?.array().ok());
            let parts: Option<Vec<Element<'_, '_>>> = parts.map(Iterator::collect);
            if parts.is_none()
                && list == PartList::Content
                && self.items[at].kind == ItemType::Message
            {
                let got = Observed::Words("a message without a list `content`");
                cx.record_in(&rules::MEMBER_TYPE, self.items[at].owner, None, got);
            }
            if parts.as_ref().is_none_or(Vec::is_empty)
                && !self.items[at].parts[list as usize].is_empty()
            {
                // An empty list takes no part away.
                let got = Observed::Words("an item without the parts that were streamed");
                cx.record_in(&rules::DONE_DIFFERS, self.items[at].owner, None, got);
                continue;
            }
            self.keep_parts((at, list), parts.as_deref().unwrap_or_default(), cx);
            let object = &mut self.items[at].object;
            match parts {
                None if object.has(list.key()) => object.unset(list.key(), cx),
                None => {}
                Some(_) => object.begin_list(list.key(), cx),
            }
            for (index, part) in self.items[at].parts[list as usize].iter_mut().enumerate() {
                part.wire = index as i64;
            }
            for (index, part) in parts.into_iter().flatten().enumerate() {
                self.whole_part((at, list), index as i64, part, cx);
            }
        }
    }

    /// Reports a violation that concerns the part of an item with that index.
    fn record_in_part(
        &self,
        rule: &'static Rule,
        at: usize,
        index: Option<i64>,
        got: Observed<'_>,
        cx: &mut Context<'_>,
    ) {
        let index = index.and_then(|index| u32::try_from(index).ok());
        cx.record_in(rule, self.items[at].owner, index, got);
    }
}

impl ResponsesFold {
    /// Returns the text of a message that an event refers to.
    fn text_part(
        &mut self,
        at: usize,
        event: &EventReading<'_, '_>,
        cx: &mut Context<'_>,
    ) -> Option<&mut FoldedPart> {
        self.part((at, PartList::Content), part_index(event), &PartType::OutputText, cx)
    }

    /// Adds an annotation to a text. (O18)
    pub(super) fn annotate(
        &mut self,
        at: usize,
        event: &EventReading<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let Some(annotation) = event.named("annotation") else {
            return cx.record(&rules::MALFORMED_EVENT, Observed::Words("no `annotation`"));
        };
        let Some(part) = self.text_part(at, event, cx) else { return };
        let node = part.object.node;
        let Some(count) = list_in(part, 0, cx) else { return };
        let (index, is_new) = index_or_next(event.integer("annotation_index"), count, cx);
        let path = [&*decimal(index as i64)];
        if set_or_add(node, PartObject::annotations, &path, is_new, annotation.raw().as_str(), cx)
            && is_new
        {
            part.added[0] = Some(count + 1);
        }
    }

    /// Adds the log probabilities of the tokens of a piece.
    pub(super) fn add_logprobs(
        &mut self,
        at: usize,
        event: &EventReading<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let logprobs =
            event.named("logprobs").filter(|list| is_logprobs(*list) && !is_empty(*list));
        let Some(logprobs) = logprobs else { return };
        let Some(part) = self.text_part(at, event, cx) else { return };
        let node = part.object.node;
        let Some(mut count) = list_in(part, 1, cx) else { return };
        for entry in logprobs.array().into_iter().flatten() {
            let path = [&*decimal(count as i64)];
            if !set_or_add(node, PartObject::logprobs, &path, true, entry.raw().as_str(), cx) {
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
        event: &EventReading<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let Some(logprobs) = event.named("logprobs").filter(|list| is_logprobs(*list)) else {
            return;
        };
        let Some(part) = self.text_part(at, event, cx) else { return };
        if is_empty(logprobs) {
            if part.added[1].is_some_and(|count| count > 0) {
                cx.record(&rules::DONE_DIFFERS, Observed::Named("nothing for", "logprobs"));
            }
            return;
        }
        if cx.set(part.object.node, PartObject::logprobs, FieldValue::Free(logprobs)) {
            part.object.note(PartObject::logprobs, None);
            part.added[1] = list_length(logprobs);
        }
    }
}

/// Returns the number of elements of one of the lists of a part. Sets an empty list if the member
/// is absent or has another value. `None` if that was refused because of a limit.
fn list_in(part: &mut FoldedPart, which: usize, cx: &mut Context<'_>) -> Option<usize> {
    let key = [PartObject::annotations, PartObject::logprobs][which];
    if part.added[which].is_none() {
        part.added[which] = cx.set_json(part.object.node, key, "[]").then_some(0);
    }
    let count = part.added[which]?;
    part.object.note(key, None);
    Some(count)
}

fn is_empty(list: Element<'_, '_>) -> bool {
    list_length(list) == Some(0)
}

/// Returns whether the official client accepts the list: tokens with their bytes and their most
/// probable alternatives.
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
