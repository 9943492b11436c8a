//! The fold: what the chunks of a stream change in the answer. Reading continues where the official
//! client stops; the input that it refuses is a violation.

mod calls;
mod texts;

use alloc::{string::String, vec::Vec};

use super::events::{
    EVENTS,
    EventKind::{self, *},
};
use super::model::{
    AiSdkFile, AiSdkSourceDocument, AiSdkSourceUrl, AiSdkStepStart, Part, Snapshot, Status,
};
use super::rules;
use crate::bytes::string_map::{Numbers, StringMap};
use crate::core::failure::ErrorMessage;
use crate::core::{EndReason, EventReading, Observed, Opening, Rule, detect};
use crate::engine::{
    CommonRules, Context, Declared, EventTable, Field, FieldValue, Fold, ObjectId, ObjectKind,
    ObjectLimit, Subject, Translated, protocol,
};
use crate::json::{Element, Str};
use crate::sse;
use calls::FoldedCalls;
use texts::Texts;

protocol! {
    /// The AI SDK UI message stream.
    AiSdk "AI SDK": AiSdkFold => Snapshot {}
}

/// The object of the message.
const ROOT: ObjectId = 0;

/// The progress of the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// The message is growing.
    #[default]
    Open,
    /// `finish` or `abort` was received.
    Finished,
    /// `[DONE]` was received.
    Done,
}

/// The fold of the chunks of the AI SDK.
#[derive(Clone, Debug, Default)]
pub struct AiSdkFold {
    phase: Phase,
    /// An error was received and no `finish` after it.
    failed: bool,
    has_chunks: bool,
    id: String,
    /// The objects in the metadata so far, which decide how the next ones are merged; `None` if
    /// they are not an object.
    metadata: Option<NestedObjects>,
    parts: FoldedParts,
    texts: Texts,
    calls: FoldedCalls,
    /// Data parts by type and id. (V8.)
    data: StringMap<ObjectId>,
}

/// The members of an object that are objects, by their names; `None` for one that was replaced by
/// another value.
#[derive(Clone, Debug, Default)]
struct NestedObjects(StringMap<Option<NestedObjects>>);

impl NestedObjects {
    /// Returns the objects in a value; `None` if it is not an object.
    fn of(value: Element<'_, '_>) -> Option<Self> {
        value.object().ok()?;
        let mut objects = NestedObjects::default();
        value.members().for_each(|(name, value)| objects.set(&name.to_str(), value));
        Some(objects)
    }

    fn get_mut(&mut self, name: &str) -> Option<&mut NestedObjects> {
        self.0.get_mut(name)?.as_mut()
    }

    fn set(&mut self, name: &str, value: Element<'_, '_>) {
        let objects = Self::of(value);
        if let Some(known) = self.0.get_mut(name) {
            *known = objects;
        } else if objects.is_some() {
            self.0.insert(name, objects);
        }
    }
}

/// The parts of the message.
#[derive(Clone, Debug, Default)]
struct FoldedParts {
    /// The number of the current step.
    step: u32,
    /// The parts of the current step.
    current: Vec<ObjectId>,
    /// The parts that were removed.
    removed: Numbers<()>,
}

impl FoldedParts {
    /// Opens a part at the end of the message, unless there are too many.
    fn open(&mut self, kind: ObjectKind, owner: Subject, cx: &mut Context<'_>) -> Option<ObjectId> {
        let node = cx.open(kind, ROOT, Snapshot::parts, ObjectLimit::Messages, owner)?;
        self.current.push(node);
        Some(node)
    }

    fn is_there(&self, node: ObjectId) -> bool {
        self.removed.get(node.into()).is_none()
    }

    /// Removes the parts of the current step.
    fn reset(&mut self, cx: &mut Context<'_>) {
        for node in self.current.drain(..).rev() {
            self.removed.insert(node.into(), ());
            cx.remove(ROOT, Snapshot::parts, node);
        }
    }
}

impl Declared for AiSdkFold {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;
    const END: Option<&'static str> = Some("[DONE]");

    /// Recognizes chunks by their types. Other protocols have `error`, `file`, `custom` and
    /// `start`, too.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        match opening.word("type").map(Str::to_str).as_deref() {
            Some("error") => opening.has("errorText"),
            Some("start") => {
                opening.member("messageId").is_some() || opening.member("messageMetadata").is_some()
            }
            Some("file" | "custom" | "abort" | "finish" | "steering-message") | None => false,
            Some(name) => EVENTS.contains_event(opening) || name.starts_with("data-"),
        }
    }

    fn is_own(reading: &EventReading<'_, '_>) -> bool {
        let is_data = |name: Str<'_>| name.to_str().starts_with("data-");
        reading.row.is_some() || reading.name.is_some_and(is_data)
    }

    fn json_text(_: &str, member: &str) -> Option<&'static Rule> {
        (member == "inputTextDelta").then_some(&rules::TOOL_ARGUMENTS)
    }

    fn error_event(failure: &ErrorMessage) -> Translated {
        let members = [("type", Some("error")), ("errorText", Some(&*failure.message))];
        Translated::new(ErrorMessage::event_of(&members))
    }

    /// A stream can begin with `start` alone.
    fn judges(opening: &Opening<'_, '_>) -> bool {
        Self::opens(opening) || EVENTS.contains_event(opening) && !opening.is_error()
    }
}

impl Fold for AiSdkFold {
    fn before(&mut self, event: &sse::SseEvent<'_>, cx: &mut Context<'_>) -> bool {
        if self.phase == Phase::Done {
            cx.record(&rules::AFTER_DONE, Observed::Text(event.data));
            return false;
        }
        cx.check_framing(event, &rules::FRAMING_FIELD);
        let is_done = detect::is_done(event.data);
        if is_done {
            self.end(true, cx);
        } else {
            self.has_chunks = true;
        }
        !is_done
    }

    fn event(&mut self, event: &EventReading<'_, '_>, cx: &mut Context<'_>) {
        check_keys(event.json, cx);
        let name = event.name.map(Str::to_str).unwrap_or_default();
        if self.phase == Phase::Finished && name != "message-metadata" {
            cx.record(&rules::AFTER_FINISH, Observed::Name(&name));
        }
        let Some(kind) = EventKind::of(event) else {
            if name.starts_with("data-") {
                return self.data(&name, event.json, cx);
            }
            cx.unknown(&name);
            return cx.record(&rules::UNKNOWN_CHUNK, Observed::Name(&name));
        };
        // Properties of any JSON that may not be absent. (V2.)
        let required = match kind {
            ToolInputAvailable | ToolInputError => "input",
            ToolOutputAvailable => "output",
            MessageMetadata => "messageMetadata",
            _ => "type",
        };
        if event.json.member(required).is_none() {
            return cx.record(&rules::MEMBER_MISSING, Observed::Named("a chunk without", required));
        }
        let text = |name| event.text(name).map(Str::to_str);
        match kind {
            TextStart | TextDelta | TextEnd | ReasoningStart | ReasoningDelta | ReasoningEnd => {
                self.text(kind, event, cx);
            }
            Start => {
                if let Some(id) = text("messageId") {
                    self.start(&id, cx);
                }
                self.merge(event, cx);
            }
            StartStep => {
                self.parts.open(AiSdkStepStart::KIND, Subject::NONE, cx);
                self.parts.current.clear();
                self.parts.step += 1;
            }
            FinishStep => self.texts.finish_step(cx),
            ResetStep => {
                newer(&name, cx);
                self.calls.reset(self.parts.step, cx);
                self.parts.reset(cx);
                self.texts.forget();
            }
            SourceUrl => self.whole(AiSdkSourceUrl::KIND, event, cx),
            SourceDocument => self.whole(AiSdkSourceDocument::KIND, event, cx),
            File => self.whole(AiSdkFile::KIND, event, cx),
            ReasoningFile | Custom | SteeringMessage => {
                newer(&name, cx);
                self.whole(Part::KIND, event, cx);
            }
            MessageMetadata => self.merge(event, cx),
            Error => {
                self.failed = true;
                cx.set_text(ROOT, Snapshot::error, &text("errorText").unwrap_or_default());
            }
            Abort => self.conclude(Status::Aborted, cx),
            Finish => {
                self.merge(event, cx);
                let reason = text("finishReason").unwrap_or_default();
                if !reason.is_empty() {
                    cx.set_text(ROOT, Snapshot::finish_reason, &reason);
                }
                match &*reason {
                    "" | "stop" | "length" | "content-filter" | "tool-calls" | "error"
                    | "other" => {}
                    "interrupted" => newer(&reason, cx),
                    _ => cx.record(&rules::FINISH_REASON, Observed::Name(&reason)),
                }
                let status = if reason == "error" { Status::Failed } else { Status::Completed };
                self.conclude(status, cx);
            }
            _ => self.call(kind, event, cx),
        }
    }

    fn finish(&mut self, aborted: bool, cx: &mut Context<'_>) {
        if self.phase != Phase::Done && cx.report().end_reason == EndReason::Open {
            if aborted {
                cx.end(EndReason::Aborted);
                cx.set(ROOT, Snapshot::status, Status::Truncated.value());
            } else {
                self.end(false, cx);
            }
        }
        self.texts.finish(cx);
        self.calls.finish(cx);
    }

    fn is_whole(&self) -> bool {
        self.phase == Phase::Finished || self.failed
    }

    fn has_ended(&self) -> bool {
        self.phase == Phase::Done
    }
}

/// Reports a chunk that `ai` 6 refuses. (V13.)
fn newer(name: &str, cx: &mut Context<'_>) {
    cx.record(&rules::NEWER_CHUNK, Observed::Name(name));
}

/// Reports keys that the official client refuses, because they change the prototypes of objects.
/// (V2.)
fn check_keys(json: Element<'_, '_>, cx: &mut Context<'_>) {
    const KEY: &str = "__proto__";
    fn has_key(value: Element<'_, '_>) -> bool {
        value.members().any(|(key, value)| key.to_str() == KEY || has_key(value))
            || value.items().any(has_key)
    }
    let text = json.raw().as_str();
    if (text.contains(KEY) || text.contains("\\u005")) && has_key(json) {
        cx.record(&rules::FORBIDDEN_KEY, Observed::Name(KEY));
    }
}

/// Sets metadata of a provider or a tool. (V2.)
fn set_object(node: ObjectId, key: Field, value: Option<Element<'_, '_>>, cx: &mut Context<'_>) {
    match value {
        Some(value) if value.object().is_ok() => _ = cx.set(node, key, FieldValue::Free(value)),
        Some(value) => cx.record(&rules::MEMBER_TYPE, Observed::Text(value.raw().as_str())),
        None => {}
    }
}

impl AiSdkFold {
    /// Sets the id of the message. Another message than before has no parts yet.
    fn start(&mut self, id: &str, cx: &mut Context<'_>) {
        if id != self.id {
            if self.parts.step > 0 || !self.parts.current.is_empty() {
                cx.record(&rules::MESSAGE_CHANGED, Observed::Instead(id, &self.id));
                cx.arrange(ROOT, Snapshot::parts, &[]);
                self.parts = FoldedParts::default();
                self.texts = Texts::default();
                self.calls = FoldedCalls::default();
                self.data = StringMap::default();
            }
            self.metadata = None;
            cx.unset(ROOT, Snapshot::metadata);
            self.id = id.into();
        }
        cx.set_short(ROOT, Snapshot::id, id);
    }

    /// Adds a part that is complete.
    fn whole(&mut self, kind: ObjectKind, event: &EventReading<'_, '_>, cx: &mut Context<'_>) {
        let Some(node) = self.parts.open(kind, Subject::NONE, cx) else { return };
        if let (Part::KIND, Some(name)) = (kind, event.name) {
            cx.set_text(node, Part::r#type, &name.to_str());
        }
        for (key, name) in [
            (Part::id, "id"),
            (Part::source_id, "sourceId"),
            (Part::url, "url"),
            (Part::media_type, "mediaType"),
            (Part::title, "title"),
            (Part::filename, "filename"),
        ] {
            if let Some(text) = event.text(name) {
                cx.set_text(node, key, &text.to_str());
            }
        }
        set_object(node, Part::provider_metadata, event.named("providerMetadata"), cx);
        for name in ["kind", "parts"] {
            if let Some(value) = event.named(name) {
                cx.set_extra(node, name, value.raw());
            }
        }
    }

    /// Adds data, or replaces those with the same type and id. (V8.)
    fn data(&mut self, name: &str, chunk: Element<'_, '_>, cx: &mut Context<'_>) {
        let id = chunk.member("id");
        let transient = chunk.member("transient");
        let wrong = id.filter(|id| id.string().is_err()).map(|_| "id");
        if let Some(wrong) =
            wrong.or(transient.filter(|value| value.bool().is_err()).map(|_| "transient"))
        {
            return cx.record(&rules::MEMBER_TYPE, Observed::Named("another type of", wrong));
        }
        if transient.is_some_and(|value| value.bool() == Ok(true)) {
            return;
        }
        let key = id.and_then(|id| id.string().ok()).map(|id| [name, "\0", &id.to_str()].concat());
        let Some(data) = chunk.member("data").map(FieldValue::Free) else {
            return cx.record(&rules::MEMBER_MISSING, Observed::Named("a chunk without", "data"));
        };
        let known = key
            .as_ref()
            .and_then(|key| self.data.get(key))
            .filter(|node| self.parts.is_there(**node));
        if let Some(node) = known {
            cx.set(*node, Part::data, data);
            return;
        }
        let Some(node) = self.parts.open(Part::KIND, Subject::NONE, cx) else { return };
        cx.set_text(node, Part::r#type, name);
        if let Some(id) = id.and_then(|id| id.string().ok()) {
            cx.set_text(node, Part::id, &id.to_str());
        }
        cx.set(node, Part::data, data);
        for (name, value) in chunk.members() {
            let name = name.to_str();
            if Part::SHAPE.member(&name).is_none() {
                cx.set_extra(node, &name, value.raw());
            }
        }
        if let Some(key) = key {
            self.data.insert(&key, node);
        }
    }

    /// Merges metadata. (V11.)
    fn merge(&mut self, event: &EventReading<'_, '_>, cx: &mut Context<'_>) {
        let Some(new) = event.named("messageMetadata").and_then(Element::or_null) else { return };
        match &mut self.metadata {
            Some(known) if new.object().is_ok() => merge_in(known, &[], new, cx),
            _ => {
                if cx.set(ROOT, Snapshot::metadata, FieldValue::Free(new)) {
                    self.metadata = NestedObjects::of(new);
                }
            }
        }
    }

    fn conclude(&mut self, status: Status, cx: &mut Context<'_>) {
        self.failed = false;
        self.phase = Phase::Finished;
        cx.set(ROOT, Snapshot::status, status.value());
    }

    /// Handles `[DONE]`, or the end of the stream without it.
    fn end(&mut self, is_done: bool, cx: &mut Context<'_>) {
        let is_whole = self.has_chunks && !self.texts.has_open() && !self.calls.has_open();
        match (self.phase, self.failed) {
            (Phase::Open, true) => _ = cx.set(ROOT, Snapshot::status, Status::Failed.value()),
            (Phase::Open, false) if is_done && is_whole => {
                cx.set(ROOT, Snapshot::status, Status::Completed.value());
                cx.record(&rules::NO_FINISH, Observed::Words("`[DONE]`"));
            }
            (Phase::Open, false) => {
                cx.set(ROOT, Snapshot::status, Status::Truncated.value());
                cx.record(&rules::TRUNCATED, Observed::Words("the end of the stream"));
            }
            _ if !is_done => cx.record(&rules::NO_DONE, Observed::Words("the end of the stream")),
            _ => {}
        }
        cx.end(match (self.phase, self.failed) {
            (Phase::Open, true) => EndReason::ErrorFrame,
            (Phase::Open, false) if !is_done => EndReason::Eof,
            _ => EndReason::Terminal,
        });
        if self.phase == Phase::Finished {
            self.texts.judge_open(cx);
        }
        self.phase = Phase::Done;
    }
}

/// Merges an object into a part of the metadata, at a path. As the official client does, it leaves
/// out the keys that lead to prototypes.
fn merge_in(known: &mut NestedObjects, path: &[&str], new: Element<'_, '_>, cx: &mut Context<'_>) {
    for (name, value) in new.members() {
        let name = name.to_str();
        if ["__proto__", "constructor", "prototype"].contains(&&*name) {
            continue;
        }
        let path = [path, &[&*name]].concat();
        match known.get_mut(&name) {
            Some(old) if value.object().is_ok() => merge_in(old, &path, value, cx),
            _ if cx.set_in(ROOT, Snapshot::metadata, &path, FieldValue::Free(value)) => {
                known.set(&name, value)
            }
            _ => {}
        }
    }
}
