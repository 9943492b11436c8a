//! One choice of a completion: its message grows by deltas. (C1, C3, C6.)

use alloc::string::String;

use super::ROOT;
use super::tools::{FoldedCall, FoldedCalls, FunctionCall};
use crate::core::{Observed, Rule};
use crate::engine::{
    Context, Field, FieldValue, ObjectId, ObjectLimit, Repeated, Subject, TextSlot,
};
use crate::json::{Element, Str, decimal};
use crate::protocols::chat::events::{AudioDelta, ChoiceDelta, Delta};
use crate::protocols::chat::{Audio, Choice as Answer, Message, Snapshot, rules};

#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub index: i64,
    node: ObjectId,
    pub(super) message: ObjectId,
    /// Names the choice in violations.
    pub(super) owner: Subject,
    /// Number and offset of the event that opened it.
    opened: (u64, u64),
    has_role: bool,
    /// The finish reason.
    pub finish: Option<String>,
    /// A delta after the finish reason was reported.
    is_late: bool,
    /// The texts of the message: content, refusal, reasoning.
    texts: [Option<TextSlot>; 3],
    audio: Option<AudioState>,
    pub(super) tools: FoldedCalls,
    pub(super) function_call: Option<FunctionCall>,
    /// The values of undeclared members, of the choice and of the message.
    known: Repeated,
    message_known: Repeated,
    /// The lists of the log probabilities that have begun; `None` before the first ones.
    logprobs: Option<[bool; 2]>,
    /// Whether the list of annotations and that of the details of reasoning have begun.
    lists: [bool; 2],
}

/// The objects of an audio answer.
#[derive(Clone, Debug)]
struct AudioState {
    node: ObjectId,
    data: TextSlot,
    transcript: TextSlot,
    known: Repeated,
}

/// The texts of a message.
const TEXTS: [Field; 3] = [Message::content, Message::refusal, Message::reasoning_content];
const CONTENT: usize = 0;
const REFUSAL: usize = 1;
const REASONING: usize = 2;

impl Choice {
    /// Opens a choice at a place among the others.
    pub fn open(index: i64, place: usize, count: usize, cx: &mut Context<'_>) -> Option<Self> {
        let node =
            cx.open(Answer::KIND, ROOT, Snapshot::choices, ObjectLimit::Messages, cx.next_owner())?;
        let owner = cx.own(&decimal(index));
        cx.set(node, Answer::index, FieldValue::Int(index));
        if place < count {
            cx.move_last(ROOT, Snapshot::choices, node, place);
        }
        let message = cx.open(Message::KIND, node, Answer::message, ObjectLimit::Once, owner)?;
        Some(Choice {
            index,
            node,
            message,
            owner,
            opened: cx.at(),
            has_role: false,
            finish: None,
            is_late: false,
            texts: [None; 3],
            audio: None,
            tools: FoldedCalls::default(),
            function_call: None,
            known: Repeated::default(),
            message_known: Repeated::default(),
            logprobs: None,
            lists: [false; 2],
        })
    }

    /// Applies a delta.
    pub fn apply(&mut self, delta: &ChoiceDelta<'_>, cx: &mut Context<'_>) {
        if let Some(json) = delta.delta().and_then(|delta| delta.json()) {
            self.decode(json, false, cx);
        }
        // A whole message, of a server that does not stream. Beside deltas it repeats them.
        if let Some(json) =
            delta.message().and_then(|message| message.json()).filter(|_| self.is_empty())
        {
            cx.record_in(&rules::WHOLE_ANSWER, self.owner, None, Observed::Words("`message`"));
            self.decode(json, true, cx);
        }
        if let Some(logprobs) = delta.logprobs() {
            self.add_logprobs(logprobs, cx);
        }
        if let Some(reason) =
            delta.finish_reason().map(Str::to_str).filter(|reason| !reason.is_empty())
            && self.finish.as_deref() != Some(&*reason)
        {
            cx.set_text(self.node, Answer::finish_reason, &reason);
            self.finish = Some(reason.into_owned());
        }
        self.known.set_extra(self.node, Answer::SHAPE, delta.undeclared(), cx);
    }

    fn decode(&mut self, json: Element<'_, '_>, is_whole: bool, cx: &mut Context<'_>) {
        match Delta::decode(json) {
            Ok(delta) => self.message(&delta, is_whole, cx),
            Err(error) => cx.malformed(&error, json.raw().as_str(), self.owner, None),
        }
    }

    /// Returns whether the message has no content yet.
    fn is_empty(&self) -> bool {
        let has_calls = self.tools.iter().next().is_some() || self.function_call.is_some();
        self.texts.iter().all(Option::is_none) && !has_calls && self.audio.is_none()
    }

    fn message(&mut self, delta: &Delta<'_>, is_whole: bool, cx: &mut Context<'_>) {
        if self.finish.is_some() && !self.is_late && !is_empty(delta) {
            self.is_late = true;
            cx.record_in(&rules::AFTER_FINISH, self.owner, None, Observed::Words("a delta"));
        }
        if let Some(role) = delta.role().filter(|role| !role.is_empty()) {
            self.has_role = true;
            self.message_known.set_text(self.message, Message::role, "role", role, cx);
        }
        // Servers that have both spellings of a piece send it twice.
        let (one, other) = (delta.reasoning_content(), delta.reasoning());
        let other = other.filter(|other| one.is_none_or(|one| one.raw() != other.raw()));
        for piece in one.into_iter().chain(other) {
            self.append(REASONING, piece, cx);
        }
        if let Some(details) = delta.reasoning_details() {
            self.add_to_list(1, Message::reasoning_details, details, cx);
        }
        if let Some(content) = delta.content() {
            self.content(content, cx);
        }
        if let Some(refusal) = delta.refusal() {
            self.append(REFUSAL, refusal, cx);
        }
        if let Some(audio) = delta.audio().and_then(|audio| audio.json()) {
            self.add_audio(audio, cx);
        }
        for (place, json) in
            delta.tool_calls().into_iter().flat_map(|calls| calls.elements()).enumerate()
        {
            self.tool_call(is_whole.then_some(place), json, cx);
        }
        if let Some(json) = delta.function_call().and_then(|call| call.json()) {
            self.call_function(self.message, json, cx);
        }
        if let Some(annotations) = delta.annotations() {
            self.add_to_list(0, Message::annotations, annotations, cx);
        }
        self.message_known.set_extra(self.message, Message::SHAPE, delta.undeclared(), cx);
    }

    /// Appends a piece of the text, or the pieces in a list of parts, as Mistral's reasoning models
    /// send them.
    fn content(&mut self, content: Element<'_, '_>, cx: &mut Context<'_>) {
        if let Ok(piece) = content.string() {
            return self.append(CONTENT, piece, cx);
        }
        fn text<'a>(part: Element<'_, 'a>) -> Option<Str<'a>> {
            part.member("text")?.string().ok()
        }
        let mut is_read = content.array().is_ok();
        for part in content.items() {
            match (text(part), part.member("thinking")) {
                (Some(piece), _) => self.append(CONTENT, piece, cx),
                (None, Some(thoughts)) => {
                    thoughts
                        .items()
                        .filter_map(text)
                        .for_each(|piece| self.append(REASONING, piece, cx));
                }
                (None, None) => is_read = false,
            }
        }
        if !is_read {
            cx.record_in(
                &rules::MEMBER_TYPE,
                self.owner,
                None,
                Observed::Text(content.raw().as_str()),
            );
        }
    }

    /// Appends a piece to a text of the message. An empty piece begins only the content, as in the
    /// official client.
    fn append(&mut self, text: usize, piece: Str<'_>, cx: &mut Context<'_>) {
        if self.texts[text].is_none() && (text == CONTENT || !piece.is_empty()) {
            self.texts[text] = Some(cx.text(self.message, TEXTS[text], self.owner));
        }
        if let Some(cell) = self.texts[text] {
            cx.append(cell, piece);
        }
    }

    /// Adds the elements of a list to a list of the message.
    fn add_to_list(
        &mut self,
        list: usize,
        key: Field,
        elements: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        if self.lists[list] && elements.array().is_ok() {
            cx.extend_in(self.message, key, &[], elements.raw());
        } else {
            let set = cx.set(self.message, key, FieldValue::Free(elements));
            self.lists[list] = set && elements.array().is_ok();
        }
    }

    /// Adds the log probabilities of the tokens of a delta.
    fn add_logprobs(&mut self, logprobs: Element<'_, '_>, cx: &mut Context<'_>) {
        let lists = ["content", "refusal"]
            .map(|name| logprobs.member(name).filter(|list| list.array().is_ok()));
        let Some(known) = &mut self.logprobs else {
            if logprobs.object().is_ok()
                && cx.set(self.node, Answer::logprobs, FieldValue::Free(logprobs))
            {
                self.logprobs = Some(lists.map(|list| list.is_some()));
            }
            return;
        };
        for ((name, list), is_known) in ["content", "refusal"].into_iter().zip(lists).zip(known) {
            match list {
                Some(list) if *is_known => {
                    cx.extend_in(self.node, Answer::logprobs, &[name], list.raw());
                }
                Some(list) => {
                    *is_known =
                        cx.set_in(self.node, Answer::logprobs, &[name], FieldValue::Free(list));
                }
                None => {}
            }
        }
    }

    fn add_audio(&mut self, json: Element<'_, '_>, cx: &mut Context<'_>) {
        let delta = match AudioDelta::decode(json) {
            Ok(delta) => delta,
            Err(error) => return cx.malformed(&error, json.raw().as_str(), self.owner, None),
        };
        if self.audio.is_none() {
            let node =
                cx.open(Audio::KIND, self.message, Message::audio, ObjectLimit::Once, self.owner);
            self.audio = node.map(|node| AudioState {
                node,
                data: cx.text(node, Audio::data, self.owner),
                transcript: cx.text(node, Audio::transcript, self.owner),
                known: Repeated::default(),
            });
        }
        let Some(audio) = &mut self.audio else { return };
        if let Some(id) = delta.id() {
            audio.known.set_text(audio.node, Audio::id, "id", id, cx);
        }
        for (cell, piece) in [(audio.data, delta.data()), (audio.transcript, delta.transcript())] {
            if let Some(piece) = piece {
                cx.append(cell, piece);
            }
        }
        audio.known.set(audio.node, Audio::expires_at, "expires_at", delta.expires_at(), cx);
        audio.known.set_extra(audio.node, Audio::SHAPE, delta.undeclared(), cx);
    }

    /// Ends all texts.
    pub fn end_texts(&self, cx: &mut Context<'_>) {
        let audio = self.audio.iter().flat_map(|audio| [audio.data, audio.transcript]);
        let calls = self.tools.iter().flat_map(FoldedCall::texts);
        let function = self.function_call.iter().map(|call| call.arguments);
        for cell in self.texts.into_iter().flatten().chain(audio).chain(calls).chain(function) {
            cx.end_text(cell);
        }
    }

    /// Reports what is missing at the end of the completion. (C3.)
    pub fn judge(&self, unfinished: &'static Rule, cx: &mut Context<'_>) {
        if !self.has_role {
            cx.record_at(&rules::ROLE_MISSING, self.opened, self.owner, Observed::Words("no role"));
        }
        if self.finish.is_none() {
            let id = cx.id(self.owner).into();
            cx.unfinished(id);
            cx.record_at(unfinished, self.opened, self.owner, Observed::Words("no finish reason"));
        }
        self.tools.iter().for_each(|tool| tool.judge(cx));
    }
}

/// Whether a delta has nothing but a role and empty pieces, as the last chunk of some servers.
fn is_empty(delta: &Delta<'_>) -> bool {
    let mut others =
        delta.json().members().filter(|(key, value)| *key != "role" && !value.is_null());
    others.all(|(_, value)| value.string().is_ok_and(Str::is_empty))
}
