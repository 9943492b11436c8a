//! Tool calls. (V5, V10, V12.)

use alloc::string::String;
use alloc::vec::Vec;

use super::super::events::EventKind::{self, *};
use super::super::model::{AiSdkDynamicTool, Part, PartState};
use super::super::rules;
use super::{AiSdkFold, newer, set_object};
use crate::bytes::string_map::StringMap;
use crate::core::{EventReading, Observed};
use crate::engine::{Context, Field, FieldValue, ObjectId, Subject, TextSlot};
use crate::json::{self, DEEPEST, Document, Element, ObjectWriter, Raw, Str};

/// The calls of the message.
#[derive(Clone, Debug, Default)]
pub(super) struct FoldedCalls {
    all: Vec<CallObject>,
    /// The calls by their ids. The same id in another step, or with another `dynamic`, is another
    /// part.
    by_id: StringMap<Vec<usize>>,
    /// The ids of calls that a limit has refused.
    rejected_ids: StringMap<()>,
    /// The calls by the ids of the questions about them, with their nodes.
    by_approval: StringMap<(usize, ObjectId)>,
}

#[derive(Clone, Debug)]
struct CallObject {
    node: ObjectId,
    owner: Subject,
    step: u32,
    dynamic: bool,
    /// The input while it is streaming.
    input: Option<TextSlot>,
    /// The members that the next state replaces.
    set: Vec<Field>,
}

/// The members that a new input replaces.
const VOLATILE: &[Field] = &[
    Part::input,
    Part::raw_input,
    Part::input_encoding,
    Part::output,
    Part::preliminary,
    Part::error_text,
];

impl CallObject {
    fn put(&mut self, key: Field, value: Option<FieldValue<'_>>, cx: &mut Context<'_>) {
        if let Some(value) = value
            && cx.set(self.node, key, value)
            && !self.set.contains(&key)
        {
            self.set.push(key);
        }
    }

    fn clear(&mut self, keys: &[Field], cx: &mut Context<'_>) {
        for key in keys {
            if let Some(at) = self.set.iter().position(|set| set == key) {
                self.set.swap_remove(at);
                cx.unset(self.node, *key);
            }
        }
    }

    /// Ends the streaming of the input. Until there is a whole one, `input` is what can be parsed
    /// of it.
    fn end_input(&mut self, cx: &mut Context<'_>) {
        let Some(cell) = self.input.take() else { return };
        let text = cx.end_text(cell);
        if self.set.contains(&Part::input_encoding) {
            return self.put(Part::input, Some(FieldValue::Str(&text)), cx);
        }
        let partial = json::partial(&text, cx.options().limits.json_depth);
        let input = partial.value.map(|value| value.to_json());
        self.put(Part::input, input.as_deref().map(|input| FieldValue::Json(Raw(input))), cx);
    }

    /// Ends the streaming of the input before a whole one.
    fn replace_input(&mut self, cx: &mut Context<'_>) {
        if let Some(cell) = self.input.take() {
            cx.end_text(cell);
        }
        self.clear(VOLATILE, cx);
    }
}

impl AiSdkFold {
    /// Applies a chunk of a call.
    pub(super) fn call(
        &mut self,
        kind: EventKind,
        event: &EventReading<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let text = |name| event.text(name).map(Str::to_str);
        let json = |name| event.named(name).map(FieldValue::Free);
        let name = event.name.map(Str::to_str).unwrap_or_default();
        let id = text("toolCallId").unwrap_or_default();
        let begun = self.calls.all.len();
        let at = match kind {
            ToolInputStart | ToolInputAvailable | ToolInputError => {
                self.input_of(&id, kind, event, cx)
            }
            ToolApprovalResponse => {
                self.call_of_question(&text("approvalId").unwrap_or_default(), &name, cx)
            }
            _ => self.called(&id, &name, cx),
        };
        let Some(at) = at else { return };
        let call = &mut self.calls.all[at];
        let state = match kind {
            ToolInputStart => {
                if at < begun {
                    cx.record_of(&rules::CALL_STARTED_TWICE, &id, Observed::Words("another start"));
                }
                call.replace_input(cx);
                call.put(
                    Part::input_encoding,
                    text("inputEncoding").as_deref().map(FieldValue::Str),
                    cx,
                );
                call.input = Some(cx.kept_text(call.node, Part::raw_input, call.owner));
                PartState::InputStreaming
            }
            ToolInputDelta => {
                let (Some(cell), Some(piece)) = (call.input, event.text("inputTextDelta")) else {
                    return cx.record_of(&rules::INPUT_AFTER_END, &id, Observed::Name(&name));
                };
                if !call.set.contains(&Part::raw_input) {
                    call.set.push(Part::raw_input);
                }
                cx.append(cell, piece);
                return;
            }
            ToolInputAvailable | ToolInputError => {
                let input = event.named("input").and_then(|input| input.string().ok());
                if kind == ToolInputAvailable
                    && !call.set.contains(&Part::input_encoding)
                    && let Some(input) = input.map(Str::to_str)
                    && input.trim_start().starts_with(['{', '['])
                    // The text of an input that is not JSON has no other form.
                    && Document::read(&input, DEEPEST).is_ok()
                {
                    cx.record_of(&rules::INPUT_IS_TEXT, &id, Observed::Text(&input));
                }
                call.replace_input(cx);
                call.put(Part::input, json("input"), cx);
                call.put(Part::error_text, text("errorText").as_deref().map(FieldValue::Str), cx);
                if kind == ToolInputError {
                    PartState::OutputError
                } else {
                    PartState::InputAvailable
                }
            }
            ToolApprovalRequest => {
                call.end_input(cx);
                let approval = approval(event);
                call.put(Part::approval, Some(FieldValue::Json(Raw(&approval))), cx);
                let place = (at, call.node);
                self.calls.by_approval.insert(&text("approvalId").unwrap_or_default(), place);
                PartState::ApprovalRequested
            }
            ToolApprovalResponse => {
                newer(&name, cx);
                for member in ["approved", "reason"] {
                    if let Some(value) = json(member) {
                        cx.set_in(call.node, Part::approval, &[member], value);
                    }
                }
                PartState::ApprovalResponded
            }
            ToolOutputDenied => {
                call.end_input(cx);
                PartState::OutputDenied
            }
            ToolOutputAvailable => {
                call.end_input(cx);
                call.clear(&VOLATILE[1..], cx);
                call.put(Part::output, json("output"), cx);
                call.put(Part::preliminary, json("preliminary"), cx);
                PartState::OutputAvailable
            }
            _ => {
                call.end_input(cx);
                call.clear(&[Part::output, Part::preliminary, Part::input_encoding], cx);
                if call.dynamic {
                    call.clear(&[Part::raw_input], cx);
                }
                call.put(Part::error_text, text("errorText").as_deref().map(FieldValue::Str), cx);
                PartState::OutputError
            }
        };
        let node = call.node;
        if let Some(title) = text("title") {
            cx.set_text(node, Part::title, &title);
        }
        if let Some(executed) = json("providerExecuted") {
            cx.set(node, Part::provider_executed, executed);
        }
        set_object(node, Part::tool_metadata, event.named("toolMetadata"), cx);
        let is_output = matches!(state, PartState::OutputAvailable | PartState::OutputError);
        let key =
            if is_output { Part::result_provider_metadata } else { Part::call_provider_metadata };
        set_object(node, key, event.named("providerMetadata"), cx);
        cx.set(node, Part::state, state.value());
    }

    /// Returns the call of a chunk with an input: in this step, or a new one.
    fn input_of(
        &mut self,
        id: &str,
        kind: EventKind,
        event: &EventReading<'_, '_>,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let step = self.parts.step;
        let mut dynamic = event.named("dynamic").is_some_and(|value| value.bool() == Ok(true));
        let FoldedCalls { all, by_id, rejected_ids, .. } = &mut self.calls;
        let known = by_id.get(id).map(Vec::as_slice).unwrap_or_default().iter().rev().copied();
        let here: Vec<usize> = known.take_while(|at| all[*at].step == step).take(2).collect();
        if let (ToolInputError, Some(at)) = (kind, here.last()) {
            // The kind of the part that is there counts.
            dynamic = all[*at].dynamic;
        }
        let at = match here.iter().find(|at| all[**at].dynamic == dynamic) {
            Some(at) => *at,
            None => {
                if !here.is_empty() {
                    cx.record_of(
                        &rules::CALL_CHANGED,
                        id,
                        Observed::Words("another value of `dynamic`"),
                    );
                }
                let object = if dynamic { AiSdkDynamicTool::KIND } else { Part::KIND };
                let Some(node) = self.parts.open(object, cx.next_owner(), cx) else {
                    rejected_ids.insert(id, ());
                    return None;
                };
                let owner = cx.own(id);
                cx.set_short(node, Part::tool_call_id, id);
                all.push(CallObject { node, owner, step, dynamic, input: None, set: Vec::new() });
                by_id.get_or_insert_default(id).push(all.len() - 1);
                all.len() - 1
            }
        };
        let tool = event.text("toolName").map(Str::to_str).unwrap_or_default();
        match dynamic {
            true => cx.set_text(all[at].node, Part::tool_name, &tool),
            false => cx.set_text(all[at].node, Part::r#type, &["tool-", &tool].concat()),
        };
        Some(at)
    }

    /// Returns the call of a chunk that needs one: the first one of this step with its id, or the
    /// last one of the earlier steps. (V5.)
    fn called(&self, id: &str, name: &str, cx: &mut Context<'_>) -> Option<usize> {
        let FoldedCalls { all, by_id, rejected_ids, .. } = &self.calls;
        let known = by_id.get(id).map(Vec::as_slice).unwrap_or_default();
        let here = known.iter().rev().take_while(|at| all[**at].step == self.parts.step);
        let found = here.last().or(known.last()).copied();
        if found.is_none() && rejected_ids.get(id).is_none() {
            cx.record_of(&rules::CALL_MISSING, id, Observed::Name(name));
        }
        found
    }

    /// Returns the call that a question is about.
    fn call_of_question(&self, question: &str, name: &str, cx: &mut Context<'_>) -> Option<usize> {
        let FoldedCalls { all, by_approval, .. } = &self.calls;
        let place = by_approval.get(question);
        let found = place.filter(|(at, node)| all.get(*at).is_some_and(|call| call.node == *node));
        if found.is_none() {
            cx.record_of(&rules::CALL_MISSING, question, Observed::Name(name));
        }
        found.map(|(at, _)| *at)
    }
}

/// Returns the approval of a call that was asked about.
fn approval(event: &EventReading<'_, '_>) -> String {
    let mut approval = String::new();
    let mut object = ObjectWriter::open(&mut approval, true);
    for (name, member) in [
        ("id", "approvalId"),
        ("descriptor", "approvalDescriptor"),
        ("inputSchemaInput", "inputSchemaInput"),
        ("requestReason", "reason"),
        ("signature", "signature"),
    ] {
        object.raw(name, event.named(member).map(Element::raw));
    }
    let is_automatic = event.named("isAutomatic").is_some_and(|value| value.bool() == Ok(true));
    object.bool("isAutomatic", is_automatic.then_some(true));
    object.close();
    approval
}

impl FoldedCalls {
    /// Forgets the calls of a step that was reset.
    pub fn reset(&mut self, step: u32, cx: &Context<'_>) {
        while let Some(call) = self.all.pop_if(|call| call.step == step) {
            if let Some(known) = self.by_id.get_mut(cx.id(call.owner)) {
                known.pop();
            }
        }
    }

    pub fn has_open(&self) -> bool {
        self.all.iter().any(|call| call.input.is_some())
    }

    /// Ends the inputs with the stream.
    pub fn finish(&mut self, cx: &mut Context<'_>) {
        for call in self.all.iter_mut().filter(|call| call.input.is_some()) {
            call.end_input(cx);
            let id = cx.id(call.owner).into();
            cx.unfinished(id);
        }
    }
}
