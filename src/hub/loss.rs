//! The losses of a conversion: information that the target cannot represent.

use alloc::string::String;
use alloc::vec::Vec;

use super::kind::{EndStatus, MessageKind, Role, ToolKind};
use super::note::Note;
use super::step::{InputFormat, Step};
use super::transducer::EventOutput;
use crate::bytes::string_map::Numbers;
use crate::core::violation::shorten;
use crate::json::{ObjectWriter, write_list};

/// What a loss means for the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LossClass {
    /// Nothing that a user would notice: an id, a detail.
    Cosmetic,
    /// The answer can be worse: reasoning, a cache breakpoint, an effort.
    Quality,
    /// The answer can be wrong: a tool, the format of the answer, content.
    Contract,
}

impl LossClass {
    /// All classes, the mildest first.
    pub const ALL: [LossClass; 3] = [LossClass::Cosmetic, LossClass::Quality, LossClass::Contract];

    /// Returns the class that the losses of a kind usually have.
    pub(crate) fn usual(kind: &str) -> Self {
        if CONTRACT.contains(&kind) {
            LossClass::Contract
        } else if QUALITY.contains(&kind) {
            LossClass::Quality
        } else {
            LossClass::Cosmetic
        }
    }

    /// Returns the name: `cosmetic`, `quality`, `contract`.
    pub const fn as_str(self) -> &'static str {
        match self {
            LossClass::Cosmetic => "cosmetic",
            LossClass::Quality => "quality",
            LossClass::Contract => "contract",
        }
    }
}

/// Information that was lost or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// Stable kebab-case name of the loss.
    pub kind: &'static str,
    /// What it means for the answer.
    pub class: LossClass,
    /// The location: the id of a message or call, the name of an event or member. Empty for the run
    /// itself.
    pub location: String,
    /// The reason for the loss, and its effect.
    pub reason: &'static str,
    /// The number of the source's event, from 0. At the end of the stream, the number of events.
    pub event: u64,
}

/// All losses of a conversion. Only the first ones are kept in full; all are counted.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    list: Vec<Loss>,
    counts: Vec<(&'static str, u64)>,
    /// The number of losses of each class, in the order of [`LossClass::ALL`].
    classes: [u64; 3],
    /// The number of the current event.
    event: u64,
}

impl Losses {
    /// The number of losses that are kept in full.
    pub const KEPT: usize = 1_000;

    /// The name of the header by which a server shows the losses of a request.
    pub const HEADER: &'static str = "agentwire-losses";

    /// Sets the event that the next losses belong to.
    pub(crate) fn at(&mut self, event: u64) {
        self.event = event;
    }

    /// Adds a loss, with the class that its kind usually has.
    pub fn note(&mut self, kind: &'static str, location: &str, reason: &'static str) {
        self.add(LossClass::usual(kind), kind, location, reason);
    }

    /// Adds a loss of a class.
    pub fn add(
        &mut self,
        class: LossClass,
        kind: &'static str,
        location: &str,
        reason: &'static str,
    ) {
        match self.counts.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((kind, 1)),
        }
        self.classes[class as usize] += 1;
        if self.list.len() < Self::KEPT {
            self.list.push(Loss {
                kind,
                class,
                location: shorten(location),
                reason,
                event: self.event,
            });
        }
    }

    /// Adds the losses of another conversion.
    pub fn extend(&mut self, others: &Losses) {
        for (kind, number) in &others.counts {
            match self.counts.iter_mut().find(|(known, _)| known == kind) {
                Some((_, count)) => *count += number,
                None => self.counts.push((kind, *number)),
            }
        }
        self.classes.iter_mut().zip(others.classes).for_each(|(sum, count)| *sum += count);
        let room = Self::KEPT.saturating_sub(self.list.len());
        self.list.extend(others.list.iter().take(room).cloned());
    }

    /// Returns the value of the header [`agentwire-losses`](Self::HEADER): the kinds with their
    /// numbers and the worst class of each,
    /// `opaque;n=2;class=quality, parameter;n=1;class=contract`. Empty if nothing was lost.
    pub fn to_header(&self) -> String {
        let mut out = String::new();
        for (kind, count) in &self.counts {
            let of_kind = self.list.iter().filter(|loss| loss.kind == *kind);
            let class = of_kind.map(|loss| loss.class).max().unwrap_or(LossClass::usual(kind));
            if !out.is_empty() {
                out += ", ";
            }
            out += &alloc::format!("{kind};n={count};class={}", class.as_str());
        }
        out
    }

    /// Iterates over the first losses, in the order in which they occurred.
    pub fn iter(&self) -> impl Iterator<Item = &Loss> {
        self.list.iter()
    }

    /// Iterates over the kept losses of a class.
    pub fn of_class(&self, class: LossClass) -> impl Iterator<Item = &Loss> {
        self.list.iter().filter(move |loss| loss.class == class)
    }

    /// Returns the number of losses of each kind, in the order of first occurrence.
    pub fn counts(&self) -> &[(&'static str, u64)] {
        &self.counts
    }

    /// Returns the number of losses of a kind.
    pub fn count(&self, kind: &str) -> u64 {
        self.counts.iter().find(|(known, _)| *known == kind).map_or(0, |(_, count)| *count)
    }

    /// Notes that a request has only the new message of a conversation: an agent without a memory
    /// of its own cannot continue it.
    #[cfg(any(feature = "axum", feature = "wasm"))]
    pub(crate) fn lose_history(&mut self, conversation: &str) {
        let reason = "the message does not have those before it";
        self.add(LossClass::Quality, "history", conversation, reason);
    }

    /// Returns the number of losses of a class.
    pub fn count_of_class(&self, class: LossClass) -> u64 {
        self.classes[class as usize]
    }

    /// Whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns
    /// `{"losses":[{"kind","class","location","reason","event"}],"counts":{…},"classes":{…}}`: the
    /// first losses, and the numbers of all by kind and by class.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        let mut object = ObjectWriter::open(&mut out, false);
        write_list(&self.list, object.member("losses"), Loss::write);
        let mut counts = ObjectWriter::open(object.member("counts"), false);
        for (kind, count) in &self.counts {
            counts.integer(kind, Some(*count as i64));
        }
        counts.close();
        let mut classes = ObjectWriter::open(object.member("classes"), true);
        for class in LossClass::ALL {
            let count = self.count_of_class(class);
            classes.integer(class.as_str(), Some(count as i64).filter(|count| *count > 0));
        }
        classes.close();
        object.close();
        out
    }
}

/// Kinds whose loss can make an answer wrong.
const CONTRACT: &[&str] = &[
    "approval-not-understood",
    "arguments-replaced",
    "arguments-without-call",
    "audio",
    "call-cut-off",
    "data",
    "file",
    "history",
    "image",
    "part",
    "part-dropped",
    "previous-response",
    "item-reference",
    "refused",
    "result-without-call",
    "text-replaced",
    "tool",
    "tool-parameters",
    "unknown-event",
    "unknown-step",
    "video",
];

/// Kinds whose loss makes an answer worse at most.
const QUALITY: &[&str] = &[
    "activity",
    "annotation",
    "approval",
    "custom",
    "error-code",
    "error-message",
    "executed-call",
    "interrupt-hidden",
    "interrupt-members",
    "item-type",
    "opaque",
    "output",
    "parameter",
    "preview",
    "reasoning",
    "result-parts",
    "result-repeated",
    "run-result",
    "state",
    "status",
    "tool-error",
    "tool-members",
    "usage",
];

impl Loss {
    fn write(&self, out: &mut String) {
        let mut object = ObjectWriter::open(out, false);
        object.string("kind", Some(self.kind));
        object.string("class", Some(self.class.as_str()));
        object.string("location", Some(&self.location));
        object.string("reason", Some(self.reason));
        object.integer("event", Some(self.event as i64));
        object.close();
    }
}

// Notes the losses of steps that a target cannot represent, for all targets.

/// The steps that a target does not support, by the name of the loss, each with the reason. The
/// target supports all steps that are not listed.
///
/// `*` is the reason for all steps that are not listed by name.
pub(crate) type UnsupportedSteps = &'static [(&'static str, &'static str)];

/// Checks each step before a target receives it and notes losses.
#[derive(Debug, Default)]
pub(crate) struct LossChecker {
    /// The messages for which the loss of their pieces was noted.
    noted: Numbers<()>,
}

impl LossChecker {
    /// Notes the loss of a step that the target cannot represent. The loss of pieces of a text or
    /// reasoning is noted once per message.
    #[inline]
    pub fn check<E>(
        &mut self,
        unsupported: UnsupportedSteps,
        step: &Step<'_>,
        out: &mut EventOutput<'_, E>,
    ) {
        if !out.meta().metadata.is_empty() {
            lose(unsupported, "metadata", "", out);
        }
        if !matches!(
            step,
            Step::Text { .. } | Step::Arguments { .. } | Step::EndPart { .. } | Step::Heartbeat
        ) {
            self.check_members(unsupported, step, out);
        }
    }

    fn check_members<E>(
        &mut self,
        unsupported: UnsupportedSteps,
        step: &Step<'_>,
        out: &mut EventOutput<'_, E>,
    ) {
        let missing = |is: bool, what: &'static str, place: &str, out: &mut EventOutput<'_, E>| {
            if is {
                lose(unsupported, what, place, out);
            }
        };
        match *step {
            Step::Start { id, session_id, parent_id, model, .. } => {
                missing(id.or(session_id).or(parent_id).or(model).is_some(), "run-ids", "", out);
            }
            Step::Open { kind, role, id, name, parent, alternative, .. } => {
                let place = id.unwrap_or(kind.as_str());
                missing(name.or(parent).is_some(), "message-members", place, out);
                missing(alternative > 0, "alternative", place, out);
                let other_tool = matches!(kind, MessageKind::Call(tool) | MessageKind::Result(tool) if tool != ToolKind::Function);
                missing(other_tool, "tool-family", place, out);
                missing(
                    kind == MessageKind::Message && role != Role::Assistant,
                    "role",
                    place,
                    out,
                );
                missing(out.meta().lane.is_some(), "lane", place, out);
            }
            Step::Reasoning { message, .. } => {
                self.lose_once(unsupported, message, "reasoning", out)
            }
            Step::Refusal { message, .. } => self.lose_once(unsupported, message, "refusal", out),
            Step::Media { message, kind, .. } => {
                self.lose_once(unsupported, message, kind.as_str(), out);
            }
            Step::Call { id, input, more, .. } => {
                missing(input == InputFormat::Text, "call-input", id, out);
                missing(!more.is_empty(), "call-members", id, out);
            }
            Step::Result { id, content, preview, more, .. } => {
                missing(preview, "preview", id, out);
                missing(!preview && content.is_some(), "result-parts", id, out);
                missing(!preview && !more.is_empty(), "call-members", id, out);
            }
            Step::Interrupt { id, call, expires_at, response_schema, .. } => {
                let more = call.or(expires_at).is_some() || response_schema.is_some();
                missing(more, "interrupt-members", id, out);
            }
            Step::Answer { id, .. } => lose(unsupported, "approval", id, out),
            Step::Whole { message, payload, preview, .. } => {
                let place = out.place(message);
                let what = if preview && reason(unsupported, payload.name()).is_none() {
                    "preview"
                } else {
                    payload.name()
                };
                lose(unsupported, what, place, out);
            }
            Step::Close { message, end } => {
                // The message has just ended.
                let name = out.message(message).map_or("", |message| &message.place);
                missing(end.usage.is_some(), "usage", name, out);
                missing(end.metadata.is_some(), "metadata", name, out);
                missing(end.code.is_some() || end.message.is_some(), "error-message", name, out);
                missing(end.status != EndStatus::Completed, "message-status", name, out);
            }
            Step::End(end) => {
                missing(end.usage.is_some(), "usage", "", out);
                missing(end.result.is_some(), "run-result", "", out);
                missing(
                    end.error.as_ref().is_some_and(|error| error.code.is_some()),
                    "error-code",
                    "",
                    out,
                );
            }
            Step::Note(Note::Status { status: "in_progress", detail: None }) => {}
            Step::Note(note) => {
                if let Some(reason) = reason(unsupported, note.loss()) {
                    let place = match note {
                        Note::Retract { message, .. }
                        | Note::Replace { message, call: None, .. } => out.place(message),
                        _ => note.place(),
                    };
                    out.lose(note.loss(), place, reason);
                }
            }
            Step::Text { .. } | Step::Arguments { .. } | Step::EndPart { .. } | Step::Heartbeat => {
            }
        }
    }

    /// Notes a loss once per message.
    fn lose_once<E>(
        &mut self,
        unsupported: UnsupportedSteps,
        message: u32,
        what: &'static str,
        out: &mut EventOutput<'_, E>,
    ) {
        if let Some(reason) = reason(unsupported, what)
            && self.noted.get(message.into()).is_none()
        {
            self.noted.insert(message.into(), ());
            out.lose(what, out.place(message), reason);
        }
    }
}

/// Returns the reason for the loss, `None` if the target supports the step.
fn reason(unsupported: UnsupportedSteps, what: &str) -> Option<&'static str> {
    let found = unsupported.iter().find(|(known, _)| *known == what || *known == "*");
    found.map(|(_, reason)| *reason)
}

fn lose<E>(
    unsupported: UnsupportedSteps,
    what: &'static str,
    place: &str,
    out: &mut EventOutput<'_, E>,
) {
    if let Some(reason) = reason(unsupported, what) {
        out.lose(what, place, reason);
    }
}
