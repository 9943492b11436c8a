//! The fold: what the chunks of a stream change in the answer.

mod call;
mod candidate;

use alloc::{string::String, vec::Vec};

use self::candidate::Candidate;
use super::events::{CandidateChunk, EVENTS, Wire};
use super::model::{Snapshot, Status};
use super::rules;
use crate::core::failure::ErrorMessage;
use crate::core::{EndReason, EventReading, Observed, Opening};
use crate::engine::{
    CommonRules, Context, Declared, EventTable, FieldValue, Fold, ObjectId, Repeated, Subject,
    Translated, protocol,
};
use crate::json::{Element, Str};

protocol! {
    /// The Gemini protocol: `streamGenerateContent?alt=sse`.
    Gemini "Gemini": GeminiFold => Snapshot {}
}

/// The object of the response.
const ROOT: ObjectId = 0;

/// The indexes that candidates can have. (G2.)
const INDEXES: core::ops::Range<i64> = 0..128;

/// The fold of the chunks of Gemini.
#[derive(Clone, Debug, Default)]
pub struct GeminiFold {
    has_failed: bool,
    has_chunks: bool,
    /// The reason why the prompt was blocked.
    is_blocked: bool,
    id: String,
    /// The values of the response's other members.
    known: Repeated,
    /// The candidates, in the order of their indexes.
    candidates: Vec<Candidate>,
}

impl Declared for GeminiFold {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;

    /// Recognizes chunks by their members. Other protocols have errors too.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        opening.has("candidates")
            || opening.has("promptFeedback")
            || opening.has("usageMetadata") && opening.has("responseId")
    }

    fn is_own(reading: &EventReading<'_, '_>) -> bool {
        let has_any =
            || reading.members().iter().any(|member| reading.named(member.name).is_some());
        match reading.named("error") {
            Some(error) => ErrorMessage::has_message(error),
            None => has_any(),
        }
    }

    fn error_event(failure: &ErrorMessage) -> Translated {
        Translated::new(failure.event(""))
    }
}

impl Fold for GeminiFold {
    fn event(&mut self, event: &EventReading<'_, '_>, cx: &mut Context<'_>) {
        let Wire::Chunk {
            candidates,
            prompt_feedback,
            usage_metadata,
            model_version,
            response_id,
            create_time,
            error,
        } = Wire::of(event)
        else {
            return;
        };
        if self.has_failed {
            return cx.record(&rules::AFTER_ERROR, Observed::Words("an event"));
        }
        if let Some(error) = error {
            return self.fail(error, cx);
        }
        let has_values = prompt_feedback.is_some() || usage_metadata.is_some();
        if candidates.is_none() && !has_values && model_version.is_none() && response_id.is_none() {
            cx.record(&rules::UNKNOWN_EVENT, Observed::Text(event.json.raw().as_str()));
            let name = event.json.member("type").and_then(|name| name.string().ok());
            return cx.unknown(&name.map(Str::to_str).unwrap_or_default());
        }
        self.has_chunks = true;
        if let Some(id) = response_id.map(Str::to_str).filter(|id| **id != self.id) {
            if !self.id.is_empty() {
                cx.record(&rules::ID_CHANGED, Observed::Instead(&id, &self.id));
            }
            cx.set_short(ROOT, Snapshot::response_id, &id);
            self.id = id.into_owned();
        }
        for (key, name, text) in [
            (Snapshot::model_version, "modelVersion", model_version),
            (Snapshot::create_time, "createTime", create_time),
        ] {
            if let Some(text) = text {
                self.known.set_text(ROOT, key, name, text, cx);
            }
        }
        let mut seen = 0_u128;
        for (place, json) in
            candidates.into_iter().flat_map(|candidates| candidates.elements()).enumerate()
        {
            match CandidateChunk::decode(json) {
                Ok(chunk) => self.candidate(place as i64, &chunk, &mut seen, cx),
                Err(error) => cx.malformed(&error, json.raw().as_str(), Subject::NONE, None),
            }
        }
        if let Some(feedback) = prompt_feedback {
            self.is_blocked |=
                feedback.member("blockReason").is_some_and(|reason| !reason.is_null());
            self.known.set(ROOT, Snapshot::prompt_feedback, "promptFeedback", Some(feedback), cx);
        }
        self.known.set(ROOT, Snapshot::usage_metadata, "usageMetadata", usage_metadata, cx);
        self.known.set_extra(ROOT, Snapshot::SHAPE, event.undeclared(), cx);
    }

    fn keeps_undeclared(&self, _: &EventReading<'_, '_>, _: &str) -> bool {
        true
    }

    fn finish(&mut self, aborted: bool, cx: &mut Context<'_>) {
        for candidate in &mut self.candidates {
            candidate.end(aborted, cx);
        }
        if self.has_failed || cx.report().end_reason != EndReason::Open {
            return;
        }
        let is_whole = self.is_whole();
        cx.end(match (aborted, is_whole) {
            (true, _) => EndReason::Aborted,
            (false, true) => EndReason::Terminal,
            (false, false) => EndReason::Eof,
        });
        let finish = self.candidates.first().and_then(|candidate| candidate.finish.as_deref());
        let status = if finish == Some("STOP") { Status::Completed } else { Status::Incomplete };
        cx.set(ROOT, Snapshot::status, status.value());
        if aborted || is_whole {
            return;
        }
        let end = Observed::Words("the end of the stream");
        match (self.has_chunks, &self.candidates[..]) {
            (false, _) => cx.record(&rules::NO_CHUNKS, end),
            (true, []) => cx.record(&rules::TRUNCATED, end),
            (true, candidates) => candidates.iter().for_each(|candidate| candidate.judge(cx)),
        }
    }

    fn is_whole(&self) -> bool {
        match &self.candidates[..] {
            [] => self.is_blocked,
            candidates => candidates.iter().all(|candidate| candidate.finish.is_some()),
        }
    }

    fn has_ended(&self) -> bool {
        self.has_failed
    }
}

impl GeminiFold {
    /// Applies a chunk of the candidate with its index, or of a new one. (G2.)
    fn candidate(
        &mut self,
        place: i64,
        chunk: &CandidateChunk<'_>,
        seen: &mut u128,
        cx: &mut Context<'_>,
    ) {
        let mut index = chunk.index().unwrap_or(0);
        let is_taken = |index| INDEXES.contains(&index) && *seen & (1 << index) != 0;
        if !INDEXES.contains(&index) || is_taken(index) {
            cx.record(&rules::CANDIDATE_INDEX, Observed::Number(Some(index), place));
            if !is_taken(index) || !INDEXES.contains(&place) {
                return;
            }
            index = place;
        }
        *seen |= 1 << index;
        let at = match self.candidates.binary_search_by_key(&index, |candidate| candidate.index) {
            Ok(at) => at,
            Err(at) => {
                let Some(candidate) = Candidate::open(index, at, self.candidates.len(), cx) else {
                    return;
                };
                self.candidates.insert(at, candidate);
                at
            }
        };
        self.candidates[at].apply(chunk, cx);
    }

    /// Applies an error, which ends the response. (G5.)
    fn fail(&mut self, error: Element<'_, '_>, cx: &mut Context<'_>) {
        cx.set(ROOT, Snapshot::error, FieldValue::Free(error));
        cx.set(ROOT, Snapshot::status, Status::Failed.value());
        self.has_failed = true;
        cx.end(EndReason::ErrorFrame);
    }
}
