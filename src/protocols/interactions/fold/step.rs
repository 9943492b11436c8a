//! The steps: their members, their deltas and their ends. (I3 to I5.)

use alloc::string::String;

use super::content::{ContentList, OpenContent};
use super::{InteractionsFold, ROOT, wrong};
use crate::core::Observed;
use crate::core::declare::model::shape::{ObjectShape, ValueShape};
use crate::engine::{Context, FieldValue, ObjectId, ObjectLimit, Subject, TextSlot};
use crate::json::{self, Element, Str, decimal};
use crate::protocols::interactions::events::StepChange;
use crate::protocols::interactions::model::{
    InteractionsFunctionCall, MODEL, Snapshot, Step, StepType,
};
use crate::protocols::interactions::rules;

/// The object of a step.
#[derive(Clone, Debug)]
pub(super) struct FoldedStep {
    pub node: ObjectId,
    pub owner: Subject,
    kind: StepType,
    shape: &'static ObjectShape,
    /// The last content, if it can grow.
    content: OpenContent,
    /// The pieces of the arguments of a call, which are kept.
    arguments: Option<TextSlot>,
    pub is_stopped: bool,
}

/// The types of deltas that are not types of steps.
const DELTAS: [&str; 9] = [
    "text",
    "text_annotation_delta",
    "image",
    "audio",
    "video",
    "document",
    "arguments_delta",
    "thought_summary",
    "thought_signature",
];

impl InteractionsFold {
    /// Returns the step of a delta. A piece of a text begins one that was not started.
    fn step_of_delta(
        &mut self,
        index: Option<i64>,
        name: &str,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let found = self.step(index, cx);
        if found.is_some() {
            return found;
        }
        let kind = match name {
            "text" => StepType::ModelOutput,
            "thought_summary" => StepType::Thought,
            _ => return None,
        };
        self.open_step(index.unwrap_or(self.steps.len() as i64), kind, cx)?;
        Some(self.steps.len() - 1)
    }

    /// Applies a delta. (I4.)
    pub(super) fn delta(
        &mut self,
        index: Option<i64>,
        delta: &StepChange<'_>,
        cx: &mut Context<'_>,
    ) {
        let name = delta.r#type().map(Str::to_str).unwrap_or_default();
        let is_of_step = StepType::from(&*name);
        let is_known = DELTAS.contains(&&*name) || !matches!(is_of_step, StepType::Other(_));
        let Some(at) = self.step_of_delta(index, &name, cx) else { return };
        let step = &mut self.steps[at];
        if !is_known && is_of_step != step.kind {
            cx.unknown(&name);
            return cx.record(&rules::UNKNOWN_DELTA, Observed::Name(&name));
        }
        if step.is_stopped {
            return cx.record_in(&rules::AFTER_STEP_STOP, step.owner, None, Observed::Name(&name));
        }
        step.apply(&name, delta, cx);
    }
}

impl FoldedStep {
    /// Opens a step without its members.
    pub fn open(index: i64, kind: StepType, cx: &mut Context<'_>) -> Option<Self> {
        let owner = cx.next_owner();
        let node = cx.open(kind.kind(), ROOT, Snapshot::steps, ObjectLimit::Messages, owner)?;
        let owner = cx.own(&decimal(index));
        if let StepType::Other(name) = &kind {
            cx.set_text(node, Step::r#type, name);
        }
        let shape = MODEL.objects[kind.kind().0 as usize];
        let (content, arguments) = (OpenContent::default(), None);
        Some(FoldedStep { node, owner, kind, shape, content, arguments, is_stopped: false })
    }

    pub fn is_call(&self) -> bool {
        self.kind.as_str().ends_with("_call")
    }

    /// Returns the list of its contents, if it has one.
    fn list(&self) -> Option<ContentList> {
        let key = match self.kind {
            StepType::ModelOutput | StepType::UserInput => Step::content,
            StepType::Thought => Step::summary,
            _ => return None,
        };
        Some(ContentList { step: self.node, key, owner: self.owner })
    }

    /// Sets the members of a step at its start.
    pub fn start(&mut self, json: Element<'_, '_>, cx: &mut Context<'_>) {
        for (name, value) in json.members() {
            let name = name.to_str();
            match self.list().filter(|list| MODEL.key(list.key) == Some(&*name)) {
                Some(list) => {
                    if value.array().is_ok() {
                        self.content.begin(list, cx);
                    }
                    value.items().for_each(|json| self.content.add(list, json, cx));
                }
                None => self.set(&name, value, cx),
            }
        }
    }

    /// Sets a member. Null is treated as absent.
    fn set(&self, name: &str, value: Element<'_, '_>, cx: &mut Context<'_>) {
        // They are added here.
        if matches!(name, "type" | "partial_arguments" | "step_usage") || value.is_null() {
            return;
        }
        if matches!(name, "id" | "call_id") && cx.refuses_id(value, self.owner) {
            return;
        }
        let Some(member) = self.shape.member(name) else {
            cx.set_extra(self.node, name, value.raw());
            return;
        };
        let Some(key) = MODEL.find_key(name) else { return };
        match (member.shape.inner().0, value.string()) {
            (ValueShape::List(_), _) => {}
            (ValueShape::Text, Ok(text)) => _ = cx.set_text(self.node, key, &text.to_str()),
            (ValueShape::Text, Err(_)) => wrong("the step", cx),
            _ => _ = cx.set(self.node, key, FieldValue::Free(value)),
        }
    }

    fn apply(&mut self, name: &str, delta: &StepChange<'_>, cx: &mut Context<'_>) {
        let list = self.list();
        let is_output = matches!(self.kind, StepType::ModelOutput | StepType::UserInput);
        match (name, list) {
            ("text", Some(list)) if is_output => {
                if let Some(piece) = delta.text() {
                    self.content.append(list, piece, cx);
                }
            }
            ("text_annotation_delta", Some(list)) if is_output => {
                if let Some(annotations) = delta.annotations() {
                    self.content.annotate(list, annotations, cx);
                }
            }
            ("image" | "audio" | "video" | "document", Some(list)) => {
                self.content.add(list, delta.json(), cx);
            }
            ("thought_summary", Some(_)) if self.kind == StepType::Thought => {
                if let Some(content) = delta.content() {
                    self.add_content(content, cx);
                }
            }
            ("thought_signature", _) if self.kind == StepType::Thought => self.sign(delta, cx),
            ("arguments_delta", _) if self.is_call() => {
                self.sign(delta, cx);
                if let Some(arguments) = delta.arguments() {
                    self.append_arguments(arguments, cx);
                }
            }
            _ if name == self.kind.as_str() => {
                for (name, value) in delta.json().members() {
                    let name = name.to_str();
                    let is_empty = name == "signature" && value.string().is_ok_and(Str::is_empty);
                    if !is_empty {
                        self.set(&name, value, cx);
                    }
                }
            }
            _ => {
                let got = Observed::Instead(name, self.kind.as_str());
                cx.record_in(&rules::DELTA_MISMATCH, self.owner, None, got);
            }
        }
    }

    /// Sets the signature. (I8.)
    fn sign(&self, delta: &StepChange<'_>, cx: &mut Context<'_>) {
        if let Some(signature) = delta.signature().filter(|signature| !signature.is_empty()) {
            cx.set_text(self.node, Step::signature, &signature.to_str());
        }
    }

    /// Adds a content, or a piece of the last text.
    fn add_content(&mut self, content: Element<'_, '_>, cx: &mut Context<'_>) {
        let Some(list) = self.list() else { return };
        let kind = content.member("type").map(Element::words);
        let text = content.member("text").and_then(|text| text.string().ok());
        let is_text = kind.as_deref().is_none_or(|kind| kind == "text");
        let has_more = content.members().any(|(name, _)| name != "type" && name != "text");
        match text.filter(|_| is_text && !has_more) {
            Some(piece) => self.content.append(list, piece, cx),
            None => self.content.add(list, content, cx),
        }
    }

    fn append_arguments(&mut self, arguments: Element<'_, '_>, cx: &mut Context<'_>) {
        let (node, owner) = (self.node, self.owner);
        let cell = *self
            .arguments
            .get_or_insert_with(|| cx.kept_text(node, Step::partial_arguments, owner));
        match arguments.string() {
            Ok(piece) => _ = cx.append(cell, piece),
            Err(_) if arguments.is_null() => {}
            Err(_) => {
                let got = Observed::Text(arguments.raw().as_str());
                cx.record_in(&rules::TOOL_ARGUMENTS, owner, None, got);
                cx.append_json(cell, arguments.raw().as_str());
            }
        }
    }

    /// Ends a step. The arguments of a call are parsed. (I5.)
    pub fn stop(&mut self, usage: Option<Element<'_, '_>>, cx: &mut Context<'_>) {
        if self.is_stopped {
            let got = Observed::Words("another stop");
            return cx.record_in(&rules::AFTER_STEP_STOP, self.owner, None, got);
        }
        self.is_stopped = true;
        self.content.end(cx);
        if let Some(usage) = usage.filter(|usage| usage.object().is_ok()) {
            cx.set(self.node, Step::step_usage, FieldValue::Free(usage));
        }
        let Some(cell) = self.arguments else {
            return cx.note_text_end(self.node, Step::partial_arguments);
        };
        let text: String = cx.end_text(cell);
        match json::read_any(&text, cx.options().limits.json_depth) {
            Ok(None) => {}
            Ok(Some(value)) if self.has_arguments() => {
                let value = FieldValue::Free(value.root());
                cx.set(self.node, InteractionsFunctionCall::arguments, value);
            }
            Ok(Some(value)) => {
                cx.set_extra(self.node, "arguments", value.root().raw());
            }
            Err(_) => {
                return cx.record_in(
                    &rules::ARGUMENTS_NOT_JSON,
                    self.owner,
                    None,
                    Observed::Text(&text),
                );
            }
        }
        cx.note_text_end(self.node, Step::partial_arguments);
    }

    /// Whether its arguments are declared.
    fn has_arguments(&self) -> bool {
        self.shape.member("arguments").is_some()
    }

    /// Ends the texts with the stream.
    pub fn cut_off(&mut self, has_ended: bool, cx: &mut Context<'_>) {
        if self.is_stopped {
            return;
        }
        self.content.end(cx);
        if let Some(cell) = self.arguments {
            cx.end_text(cell);
        }
        if !has_ended {
            let id = cx.id(self.owner).into();
            cx.unfinished(id);
        }
    }
}
