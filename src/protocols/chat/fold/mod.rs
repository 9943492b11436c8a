//! The fold: what the chunks of a stream change in the answer. Reading continues where the official
//! client throws; the input that it refuses is a violation.

mod choice;
mod tools;

use alloc::{string::String, vec::Vec};

use self::choice::Choice;
use super::events::{ChoiceDelta, EVENTS, Wire};
use super::model::{Snapshot, Status};
use super::rules;
use crate::core::failure::ErrorMessage;
use crate::core::{EndReason, EventReading, Observed, Opening, Rule, detect};
use crate::engine::{
    CommonRules, Context, Declared, EventTable, FieldValue, Fold, ObjectId, Repeated, Subject,
    Translated, protocol,
};
use crate::json::{Element, Str};
use crate::sse;

protocol! {
    /// The OpenAI Chat Completions protocol.
    Chat "OpenAI Chat Completions": ChatFold => Snapshot {}
}

/// The object of the completion.
const ROOT: ObjectId = 0;

/// The indexes that choices and tool calls can have. (C9.)
const INDEXES: core::ops::Range<i64> = 0..128;

/// The progress of the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// Chunks are expected.
    #[default]
    Open,
    /// An error was received.
    Failed,
    /// `[DONE]` was received.
    Done,
}

/// The fold of the chunks of Chat Completions.
#[derive(Clone, Debug, Default)]
pub struct ChatFold {
    phase: Phase,
    has_chunks: bool,
    id: String,
    /// The values of the completion's other members.
    known: Repeated,
    /// The choices, in the order of their indexes.
    choices: Vec<Choice>,
}

impl Declared for ChatFold {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;
    const END: Option<&'static str> = Some("[DONE]");

    /// Recognizes chunks by `object`; some servers leave it empty or out, but then the chunk has a
    /// list of choices.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        let has_choices =
            || opening.member("choices").is_some_and(|choices| choices.array().is_ok());
        match opening.word("object").filter(|object| !object.is_empty()) {
            Some(object) => object == "chat.completion.chunk" || object == "chat.completion",
            None => has_choices() && !opening.has("type"),
        }
    }

    fn is_own(reading: &EventReading<'_, '_>) -> bool {
        let Wire::Chunk { choices, usage, error, .. } = Wire::of(reading) else { return false };
        choices.is_some()
            || error.is_none() && usage.is_some()
            || ErrorMessage::is_in_form(reading.json, &ErrorMessage::TEXTS)
    }

    fn error_event(failure: &ErrorMessage) -> Translated {
        Translated::new(failure.event(""))
    }
}

impl Fold for ChatFold {
    fn before(&mut self, event: &sse::SseEvent<'_>, cx: &mut Context<'_>) -> bool {
        if self.phase == Phase::Done {
            cx.record(&rules::AFTER_DONE, Observed::Text(event.data));
            return false;
        }
        let is_done = detect::is_done(event.data);
        if is_done {
            if self.phase == Phase::Open {
                self.end(&rules::FINISH_MISSING, false, cx);
                cx.end(EndReason::Terminal);
            }
            self.phase = Phase::Done;
        }
        !is_done
    }

    fn event(&mut self, event: &EventReading<'_, '_>, cx: &mut Context<'_>) {
        let Wire::Chunk { id, created, model, choices, usage, error, .. } = Wire::of(event) else {
            return;
        };
        if self.phase == Phase::Failed {
            return cx.record(&rules::AFTER_ERROR, Observed::Words("an event"));
        }
        if let Some(error) =
            error.filter(|error| !matches!(error.raw().as_str(), "false" | "0" | "\"\""))
        {
            return self.error(error, cx);
        }
        if choices.is_none() {
            cx.record(&rules::CHOICES_MISSING, Observed::Text(event.json.raw().as_str()));
            if usage.is_none() {
                let name = ["type", "object"]
                    .into_iter()
                    .find_map(|name| event.json.member(name)?.string().ok());
                return cx.unknown(&name.map(Str::to_str).unwrap_or_default());
            }
        }
        self.has_chunks = true;
        if let Some(id) = id.map(Str::to_str).filter(|id| !id.is_empty() && **id != self.id) {
            if !self.id.is_empty() {
                cx.record(&rules::ID_CHANGED, Observed::Instead(&id, &self.id));
            }
            cx.set_short(ROOT, Snapshot::id, &id);
            self.id = id.into_owned();
        }
        if let Some(model) = model.filter(|model| !model.is_empty()) {
            self.known.set_text(ROOT, Snapshot::model, "model", model, cx);
        }
        self.known.set(ROOT, Snapshot::created, "created", created, cx);
        self.known.set(ROOT, Snapshot::usage, "usage", usage, cx);
        self.known.set_extra(ROOT, Snapshot::SHAPE, event.undeclared(), cx);
        for (place, json) in choices.into_iter().flat_map(|choices| choices.elements()).enumerate()
        {
            match ChoiceDelta::decode(json) {
                Ok(delta) => self.choice(place, &delta, cx),
                Err(error) => cx.malformed(&error, json.raw().as_str(), Subject::NONE, None),
            }
        }
    }

    fn is_whole(&self) -> bool {
        self.has_chunks && self.choices.iter().all(|choice| choice.finish.is_some())
    }

    fn keeps_undeclared(&self, _: &EventReading<'_, '_>, _: &str) -> bool {
        true
    }

    fn finish(&mut self, aborted: bool, cx: &mut Context<'_>) {
        if self.phase == Phase::Open && cx.report().end_reason == EndReason::Open {
            cx.end(if aborted { EndReason::Aborted } else { EndReason::Eof });
            self.end(&rules::TRUNCATED, aborted, cx);
            if !aborted && self.is_whole() {
                cx.record(&rules::NO_DONE, Observed::Words("the end of the stream"));
            }
        }
        self.choices.iter().for_each(|choice| choice.end_texts(cx));
    }

    fn has_ended(&self) -> bool {
        self.phase != Phase::Open
    }
}

impl ChatFold {
    /// Applies a delta of the choice with its index, or of a new one.
    fn choice(&mut self, place: usize, delta: &ChoiceDelta<'_>, cx: &mut Context<'_>) {
        let index = delta.index().unwrap_or(place as i64);
        if delta.index().is_none() || !INDEXES.contains(&index) {
            cx.record(&rules::CHOICE_INDEX, Observed::Text(delta.json().raw().as_str()));
            if !INDEXES.contains(&index) {
                return;
            }
        }
        let at = match self.choices.binary_search_by_key(&index, |choice| choice.index) {
            Ok(at) => at,
            Err(at) => {
                let Some(choice) = Choice::open(index, at, self.choices.len(), cx) else { return };
                self.choices.insert(at, choice);
                at
            }
        };
        self.choices[at].apply(delta, cx);
    }

    /// Applies an error, which ends the completion. (C4.)
    fn error(&mut self, error: Element<'_, '_>, cx: &mut Context<'_>) {
        cx.set(ROOT, Snapshot::error, FieldValue::Free(error));
        cx.set(ROOT, Snapshot::status, Status::Failed.value());
        self.phase = Phase::Failed;
        cx.end(EndReason::ErrorFrame);
    }

    /// Ends the completion and reports what is missing in it: `unfinished` is the rule of a choice
    /// without a finish reason. (C3, C5.)
    fn end(&mut self, unfinished: &'static Rule, aborted: bool, cx: &mut Context<'_>) {
        self.choices.iter().for_each(|choice| choice.end_texts(cx));
        self.choices.iter_mut().for_each(|choice| choice.name_calls(&self.id, cx));
        let first = self.choices.first().and_then(|choice| choice.finish.as_deref());
        let status = match first {
            Some("error") => Status::Failed,
            None | Some("length" | "content_filter") => Status::Incomplete,
            Some(_) => Status::Completed,
        };
        cx.set(ROOT, Snapshot::status, status.value());
        if aborted {
            return;
        }
        if !self.has_chunks {
            cx.record(&rules::NO_CHUNKS, Observed::Words("none"));
        }
        self.choices.iter().for_each(|choice| choice.judge(unfinished, cx));
    }
}
