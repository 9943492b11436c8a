//! The fold: what the events of a stream change in the answer. Reading continues where the official
//! client would have to throw; what it cannot use is a violation.

mod content;
mod step;

use alloc::{string::String, vec::Vec};

use self::step::FoldedStep;
use super::events::{EVENTS, Wire};
use super::model::{Snapshot, Status, StepType};
use super::rules;
use crate::bytes::string_map::{Numbers, StringMap};
use crate::core::failure::ErrorMessage;
use crate::core::{EndReason, EventReading, Observed, Opening, detect};
use crate::engine::{
    AnswerLayout, CommonRules, Context, Declared, EventTable, Field, FieldValue, Fold, ObjectId,
    Repeated, Subject, Translated, protocol,
};
use crate::json::{Element, ObjectWriter, Str, decimal, put};
use crate::protocols::interactions::MODEL;
use crate::sse;

protocol! {
    /// The Gemini Interactions protocol.
    Interactions "Gemini Interactions": InteractionsFold => Snapshot {}
    impl {
        const LAYOUT: AnswerLayout = AnswerLayout::calls_among("steps", "function_call");
    }
}

/// The object of the interaction.
const ROOT: ObjectId = 0;

/// The progress of the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// The interaction has not begun.
    #[default]
    Before,
    /// The interaction is growing.
    Open,
    /// `interaction.completed` was received.
    Ended,
    /// An error was received.
    Failed,
}

/// The fold of the events of Gemini Interactions.
#[derive(Clone, Debug, Default)]
pub struct InteractionsFold {
    phase: Phase,
    /// `[DONE]` was received.
    is_over: bool,
    id: String,
    /// The values of the interaction's members.
    known: Repeated,
    steps: Vec<FoldedStep>,
    /// The steps by their indexes.
    indexes: Numbers<usize>,
    /// The ids of the calls.
    calls: StringMap<()>,
}

impl Declared for InteractionsFold {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;

    fn opens(opening: &Opening<'_, '_>) -> bool {
        EVENTS.contains_event(opening) || is_whole(|name| opening.member(name))
    }

    fn is_own(reading: &EventReading<'_, '_>) -> bool {
        let is_error = reading.name.is_some_and(|name| name == "error");
        reading.row.is_some()
            && (!is_error || reading.named("error").is_some_and(ErrorMessage::has_message))
    }

    /// A whole interaction is what its stream sends.
    fn whole_answer(json: Element<'_, '_>) -> Option<Vec<Translated>> {
        if !is_whole(|name| json.member(name)) {
            return None;
        }
        let mut head = String::new();
        let mut object = ObjectWriter::open(&mut head, true);
        let others = json.members().filter(|(name, _)| *name != "steps");
        others.for_each(|(name, value)| put(object.member(&name.to_str()), value.raw().as_str()));
        object.close();
        let event = |name: &'static str, members: &[&str]| Translated {
            name,
            data: ["{\"event_type\":\"", name, "\",", &members.concat(), "}"].concat(),
        };
        let mut events = alloc::vec![event("interaction.created", &["\"interaction\":", &head])];
        for (index, step) in json.member("steps").into_iter().flat_map(Element::items).enumerate() {
            let index = decimal(index as i64);
            let step = step.raw().as_str();
            events.push(event("step.start", &["\"index\":", &index, ",\"step\":", step]));
            events.push(event("step.stop", &["\"index\":", &index]));
        }
        events.push(event("interaction.completed", &["\"interaction\":", &head]));
        Some(events)
    }

    fn error_event(failure: &ErrorMessage) -> Translated {
        Translated { name: "error", data: failure.event("\"event_type\":\"error\",") }
    }
}

/// Whether an object is a whole interaction.
fn is_whole<'d, 'a: 'd>(member: impl Fn(&str) -> Option<Element<'d, 'a>>) -> bool {
    let is_text = |name: &str| member(name).is_some_and(|value| value.string().is_ok());
    let is_interaction = member("object")
        .and_then(|object| object.string().ok())
        .is_some_and(|object| object == "interaction");
    let has_steps = member("steps").is_some_and(|steps| steps.array().is_ok());
    member("event_type").is_none()
        && is_text("status")
        && (is_interaction || has_steps && is_text("id"))
}

impl Fold for InteractionsFold {
    fn before(&mut self, event: &sse::SseEvent<'_>, cx: &mut Context<'_>) -> bool {
        let is_marker = detect::is_done(event.data);
        let rule = match self.phase {
            _ if self.is_over => Some(&rules::AFTER_DONE),
            Phase::Ended if !is_marker => Some(&rules::AFTER_END),
            Phase::Failed if !is_marker => Some(&rules::AFTER_ERROR),
            _ => None,
        };
        self.is_over |= is_marker;
        if let Some(rule) = rule {
            cx.record(rule, Observed::Text(event.data));
        }
        rule.is_none() && !is_marker
    }

    fn event(&mut self, event: &EventReading<'_, '_>, cx: &mut Context<'_>) {
        let wire = Wire::of(event);
        if self.phase == Phase::Before && !matches!(wire, Wire::Error { .. } | Wire::Other { .. }) {
            self.phase = Phase::Open;
            if !matches!(wire, Wire::InteractionCreated { .. }) {
                let name = event.name.map(Str::to_str).unwrap_or_default();
                cx.record(&rules::NOT_CREATED, Observed::Name(&name));
            }
        } else if matches!(wire, Wire::InteractionCreated { .. }) {
            cx.record(&rules::CREATED_TWICE, Observed::Text(event.json.raw().as_str()));
        }
        match wire {
            Wire::InteractionCreated { interaction, event_id, metadata } => {
                if let Some(interaction) = interaction.json() {
                    self.head(interaction, cx);
                }
                self.stream(event_id, metadata, cx);
            }
            Wire::InteractionStatusUpdate {
                interaction_id,
                status,
                usage,
                continuation_token,
                event_id,
                metadata,
            } => {
                if let Some(id) = interaction_id {
                    self.identify(&id.to_str(), cx);
                }
                if let Some(status) = status {
                    self.status(&status.to_str(), cx);
                }
                if let Some(token) = continuation_token {
                    self.text(Snapshot::continuation_token, "continuation_token", token, cx);
                }
                self.usage(usage, cx);
                self.stream(event_id, metadata, cx);
            }
            Wire::StepStart { index, step, event_id, metadata } => {
                if let Some(step) = step.json() {
                    self.start_step(index, step, cx);
                }
                self.stream(event_id, metadata, cx);
            }
            Wire::StepDelta { index, delta, event_id, metadata } => {
                if let Some(delta) = delta.object() {
                    self.delta(index, &delta, cx);
                }
                self.stream(event_id, metadata, cx);
            }
            Wire::StepStop { index, usage, step_usage, event_id, metadata } => {
                if let Some(at) = self.step(index, cx) {
                    self.steps[at].stop(step_usage, cx);
                }
                self.usage(usage, cx);
                self.stream(event_id, metadata, cx);
            }
            Wire::InteractionCompleted { interaction, event_id, metadata } => {
                self.stream(event_id, metadata, cx);
                self.complete(interaction.json(), cx);
            }
            Wire::Error { error, event_id, metadata } => {
                self.stream(event_id, metadata, cx);
                if let Some(error) = error {
                    cx.set(ROOT, Snapshot::error, FieldValue::Free(error));
                }
                self.status(Status::Failed.as_str(), cx);
                self.phase = Phase::Failed;
                cx.end(EndReason::ErrorFrame);
            }
            Wire::Other { name, .. } => {
                let name = name.map(Str::to_str).unwrap_or_default();
                cx.unknown(&name);
                cx.record(&rules::UNKNOWN_EVENT, Observed::Name(&name));
                let id = event.json.member("event_id").and_then(|id| id.id().ok());
                self.stream(id, None, cx);
            }
        }
    }

    fn finish(&mut self, aborted: bool, cx: &mut Context<'_>) {
        for step in &mut self.steps {
            step.cut_off(self.phase == Phase::Ended, cx);
        }
        if matches!(self.phase, Phase::Before | Phase::Open)
            && cx.report().end_reason == EndReason::Open
        {
            cx.end(if aborted { EndReason::Aborted } else { EndReason::Eof });
            if !aborted {
                let is_empty = self.phase == Phase::Before;
                let rule = if is_empty { &rules::NO_INTERACTION } else { &rules::TRUNCATED };
                cx.record(rule, Observed::Words("the end of the stream"));
            }
        }
    }

    fn has_ended(&self) -> bool {
        self.is_over || self.phase == Phase::Failed
    }
}

impl InteractionsFold {
    /// Sets the id of the interaction. (I2.)
    fn identify(&mut self, id: &str, cx: &mut Context<'_>) {
        if id.is_empty() || self.id == id {
            return;
        }
        if !self.id.is_empty() {
            cx.record(&rules::ID_CHANGED, Observed::Instead(id, &self.id));
        }
        cx.set_short(ROOT, Snapshot::id, id);
        self.id = id.into();
    }

    fn status(&mut self, name: &str, cx: &mut Context<'_>) {
        let value = MODEL.word(name).map_or(FieldValue::Str(name), FieldValue::Word);
        cx.set(ROOT, Snapshot::status, value);
    }

    fn text(&mut self, key: Field, name: &str, text: Str<'_>, cx: &mut Context<'_>) {
        self.known.set_text(ROOT, key, name, text, cx);
    }

    /// Sets the token usage, a total. (I6.)
    fn usage(&mut self, usage: Option<Element<'_, '_>>, cx: &mut Context<'_>) {
        let usage = usage.filter(|usage| usage.object().is_ok());
        self.known.set(ROOT, Snapshot::usage, "usage", usage, cx);
    }

    /// Applies what any event has beside its content. (I9.)
    fn stream(
        &mut self,
        event_id: Option<Str<'_>>,
        metadata: Option<Element<'_, '_>>,
        cx: &mut Context<'_>,
    ) {
        self.usage(metadata.and_then(|metadata| metadata.member("total_usage")), cx);
        if let Some(id) = event_id.map(Str::to_str).filter(|id| !id.is_empty()) {
            cx.set_short(ROOT, Snapshot::last_event_id, &id);
        }
    }

    /// Sets the members of an interaction, without its steps.
    fn head(&mut self, interaction: Element<'_, '_>, cx: &mut Context<'_>) {
        for (name, value) in interaction.members().filter(|(_, value)| !value.is_null()) {
            let name = name.to_str();
            match (&*name, value.string()) {
                ("id", Ok(id)) if !cx.refuses_id(value, Subject::NONE) => {
                    self.identify(&id.to_str(), cx);
                }
                ("id", Ok(_)) => {}
                ("status", Ok(status)) => self.status(&status.to_str(), cx),
                (name, text) if TEXTS.contains(&name) => match (MODEL.find_key(name), text) {
                    (Some(key), Ok(text)) => self.text(key, name, text, cx),
                    _ => wrong("the interaction", cx),
                },
                ("id" | "status", Err(_)) => wrong("the interaction", cx),
                ("usage", _) => self.usage(Some(value), cx),
                ("errors", _) => {
                    self.known.set(ROOT, Snapshot::errors, "errors", Some(value), cx);
                }
                ("steps", _) => {}
                _ => {
                    let member = [(name.clone(), value.raw())].into_iter();
                    self.known.set_extra(ROOT, Snapshot::SHAPE, member, cx);
                }
            }
        }
    }

    /// Ends the interaction. The steps of its resource that were not streamed are added.
    fn complete(&mut self, interaction: Option<Element<'_, '_>>, cx: &mut Context<'_>) {
        let steps = interaction.and_then(|interaction| interaction.member("steps"));
        let streamed = self.steps.len();
        for (at, step) in steps.into_iter().flat_map(Element::items).enumerate().skip(streamed) {
            self.start_step(Some(at as i64), step, cx);
            if let Some(step) = self.steps.get_mut(at) {
                step.stop(None, cx);
            }
        }
        for step in self.steps.iter_mut().filter(|step| !step.is_stopped) {
            let got = Observed::Words("`interaction.completed`");
            cx.record_in(&rules::STEP_NOT_STOPPED, step.owner, None, got);
            step.stop(None, cx);
        }
        self.phase = Phase::Ended;
        if let Some(interaction) = interaction {
            self.head(interaction, cx);
        }
        cx.end(EndReason::Terminal);
    }

    /// Returns the step with an index.
    fn step(&self, index: Option<i64>, cx: &mut Context<'_>) -> Option<usize> {
        let found = index.and_then(|index| self.indexes.get(index as u64)).copied();
        if found.is_none() {
            cx.record(&rules::STEP_MISSING, Observed::Number(index, self.steps.len() as i64));
        }
        found
    }

    fn start_step(&mut self, index: Option<i64>, json: Element<'_, '_>, cx: &mut Context<'_>) {
        let next = self.steps.len() as i64;
        if index.is_some_and(|index| self.indexes.get(index as u64).is_some()) {
            cx.record(&rules::STEP_REPEATED, Observed::Number(index, next));
        } else if index != Some(next) {
            cx.record(&rules::STEP_INDEX, Observed::Number(index, next));
        }
        let name = json.member("type").map(Element::words).unwrap_or_default();
        let kind = StepType::from(&*name);
        let Some(step) = self.open_step(index.unwrap_or(next), kind, cx) else { return };
        step.start(json, cx);
        let is_call = step.is_call();
        let (node, owner) = (step.node, step.owner);
        if !is_call {
            return;
        }
        let given = json.member("id");
        // That it is too long has been reported.
        let is_long = given.is_some_and(|id| id.string().is_ok() && id.id().is_err());
        let id = given.and_then(|id| id.id().ok()).map(Str::to_str).unwrap_or_default();
        let key = MODEL.find_key("id").filter(|_| id.is_empty() || self.calls.get(&id).is_some());
        let Some(key) = key else { return self.calls.insert(&id, ()) };
        // Results are told apart by the ids of their calls.
        let interaction = if self.id.is_empty() { "call" } else { &self.id };
        let made = [interaction, "-", cx.id(owner)].concat();
        if !is_long {
            cx.record_in(&rules::CALL_ID, owner, None, Observed::Text(json.raw().as_str()));
        }
        cx.set_short(node, key, &made);
        self.calls.insert(&made, ());
    }

    fn open_step(
        &mut self,
        index: i64,
        kind: StepType,
        cx: &mut Context<'_>,
    ) -> Option<&mut FoldedStep> {
        let step = FoldedStep::open(index, kind, cx)?;
        self.indexes.insert(index as u64, self.steps.len());
        self.steps.push(step);
        self.steps.last_mut()
    }
}

/// The members of an interaction that are texts, besides its id and its status.
const TEXTS: [&str; 7] =
    ["model", "agent", "object", "created", "updated", "service_tier", "continuation_token"];

/// Reports a property of another type.
fn wrong(of: &'static str, cx: &mut Context<'_>) {
    cx.record(&rules::MEMBER_TYPE, Observed::Named("another type of a property of", of));
}
