//! Tool calls. (V5, V10, V12.)

use alloc::string::String;
use alloc::vec::Vec;

use super::super::events::Wire;
use super::super::model::{AiSdkDynamicTool, Part, PartState};
use super::super::rules;
use super::{AiSdkMeaning, newer, set_object};
use crate::bytes::string_map::StringMap;
use crate::core::Observed;
use crate::core::declare::events::form::Presence;
use crate::engine::{Context, Key, Node, Owner, SinkValue, TextCell};
use crate::json::{self, Element, Object, Raw, Str};

/// The calls of the message.
#[derive(Debug, Default)]
pub(super) struct Calls {
    all: Vec<CallObject>,
    /// The calls by their ids. The same id in another step, or with another `dynamic`, is another part.
    by_id: StringMap<Vec<usize>>,
    /// The ids of calls that a limit has refused.
    refused: StringMap<()>,
    /// The calls by the ids of the questions about them, with their nodes.
    by_approval: StringMap<(usize, Node)>,
}

#[derive(Debug)]
struct CallObject {
    node: Node,
    owner: Owner,
    step: u32,
    dynamic: bool,
    /// The input while it is streaming.
    input: Option<TextCell>,
    /// The members that the next state replaces.
    set: Vec<Key>,
}

impl CallObject {
    fn put(&mut self, key: Key, value: SinkValue<'_>, cx: &mut Context<'_>) {
        if cx.set(self.node, key, value) && !self.set.contains(&key) {
            self.set.push(key);
        }
    }

    fn clear(&mut self, keys: &[Key], cx: &mut Context<'_>) {
        for key in keys {
            if let Some(at) = self.set.iter().position(|set| set == key) {
                self.set.swap_remove(at);
                cx.unset(self.node, *key);
            }
        }
    }

    /// Ends the streaming of the input. Until there is a whole one, `input` is what can be parsed of it.
    fn end_input(&mut self, cx: &mut Context<'_>) {
        let Some(cell) = self.input.take() else { return };
        let text = cx.end_text(cell);
        if self.set.contains(&Part::input_encoding) {
            return self.put(Part::input, SinkValue::Str(&text), cx);
        }
        if !text.is_empty() {
            let partial = json::partial(&text, cx.options().limits.json_depth);
            let input = partial.value.map(|value| value.to_json());
            if let Some(input) = input {
                self.put(Part::input, SinkValue::Json(Raw(&input)), cx);
            }
        }
    }

    /// Ends the streaming of the input before a whole one.
    fn replace_input(&mut self, cx: &mut Context<'_>) {
        if let Some(cell) = self.input.take() {
            cx.end_text(cell);
        }
        self.clear(VOLATILE, cx);
    }
}

/// The data that several chunks of a call have.
#[derive(Default)]
struct CallData<'d, 'a> {
    executed: Option<bool>,
    title: Option<Str<'a>>,
    tool: Option<Option<Element<'d, 'a>>>,
    provider: Option<Option<Element<'d, 'a>>>,
}

/// Returns a value of any JSON; `None` if it is absent.
fn value<'a>(given: Presence<Option<Element<'a, 'a>>>) -> Option<SinkValue<'a>> {
    match given {
        Presence::Absent => None,
        Presence::Null => Some(SinkValue::Json(Raw("null"))),
        Presence::Value(value) => value.map(SinkValue::Free),
    }
}

impl AiSdkMeaning {
    /// Applies a chunk of a call.
    pub(super) fn call(&mut self, chunk: Wire<'_, '_>, name: &str, cx: &mut Context<'_>) {
        match chunk {
            Wire::ToolInputStart {
                tool_call_id,
                tool_name,
                dynamic,
                provider_executed: executed,
                title,
                input_encoding,
                tool_metadata: tool,
                provider_metadata: provider,
            } => {
                let id = tool_call_id.to_str();
                let begun = self.calls.all.len();
                let Some(at) = self.input_of(&id, tool_name, dynamic, cx) else { return };
                if at < begun {
                    cx.breach_of(&rules::CALL_STARTED_TWICE, &id, Observed::Words("another start"));
                }
                let call = &mut self.calls.all[at];
                call.replace_input(cx);
                if let Some(encoding) = input_encoding {
                    call.put(Part::input_encoding, SinkValue::Str(&encoding.to_str()), cx);
                }
                self.settle(at, PartState::InputStreaming, CallData { executed, title, tool, provider }, cx);
                let call = &mut self.calls.all[at];
                call.input = Some(cx.kept_text(call.node, Part::raw_input, call.owner));
            }
            Wire::ToolInputDelta { tool_call_id, input_text_delta } => {
                let id = tool_call_id.to_str();
                let Some(at) = self.called(&id, name, cx) else { return };
                let call = &mut self.calls.all[at];
                let Some(cell) = call.input else {
                    return cx.breach_of(&rules::INPUT_AFTER_END, &id, Observed::Name(name));
                };
                if !call.set.contains(&Part::raw_input) {
                    call.set.push(Part::raw_input);
                }
                cx.append(cell, input_text_delta);
            }
            Wire::ToolInputAvailable {
                tool_call_id,
                tool_name,
                input,
                dynamic,
                provider_executed: executed,
                title,
                tool_metadata: tool,
                provider_metadata: provider,
            } => {
                let id = tool_call_id.to_str();
                if let Presence::Value(Some(input)) = input
                    && input.string().is_ok_and(|text| text.to_str().trim_start().starts_with(['{', '[']))
                {
                    cx.breach_of(&rules::INPUT_IS_TEXT, &id, Observed::Text(input.raw().as_str()));
                }
                let Some(at) = self.input_of(&id, tool_name, dynamic, cx) else { return };
                let call = &mut self.calls.all[at];
                call.replace_input(cx);
                if let Some(input) = value(input) {
                    call.put(Part::input, input, cx);
                }
                self.settle(at, PartState::InputAvailable, CallData { executed, title, tool, provider }, cx);
            }
            Wire::ToolInputError {
                tool_call_id,
                tool_name,
                input,
                error_text,
                dynamic,
                provider_executed: executed,
                tool_metadata: tool,
                provider_metadata: provider,
            } => {
                let id = tool_call_id.to_str();
                // The kind of the part that is there counts.
                let known = self.find(&id).filter(|at| self.calls.all[*at].step == self.parts.step);
                let dynamic = known.map(|at| self.calls.all[at].dynamic).or(dynamic);
                let Some(at) = self.input_of(&id, tool_name, dynamic, cx) else { return };
                let call = &mut self.calls.all[at];
                call.replace_input(cx);
                if let Some(input) = value(input) {
                    call.put(Part::input, input, cx);
                }
                call.put(Part::error_text, SinkValue::Str(&error_text.to_str()), cx);
                self.settle(
                    at,
                    PartState::OutputError,
                    CallData { executed, tool, provider, title: None },
                    cx,
                );
            }
            Wire::ToolApprovalRequest {
                approval_id,
                tool_call_id,
                reason,
                is_automatic,
                signature,
                approval_descriptor,
                input_schema_input,
            } => {
                let (id, question) = (tool_call_id.to_str(), approval_id.to_str());
                let Some(at) = self.called(&id, name, cx) else { return };
                let mut approval = String::new();
                let mut object = Object::open(&mut approval, true);
                object.string("id", Some(&question));
                object.raw("descriptor", approval_descriptor.map(Element::raw));
                match input_schema_input {
                    Presence::Absent => {}
                    Presence::Null => object.raw("inputSchemaInput", Some(Raw("null"))),
                    Presence::Value(input) => object.raw("inputSchemaInput", input.map(Element::raw)),
                }
                object.string("requestReason", reason.map(Str::to_str).as_deref());
                object.bool("isAutomatic", is_automatic.filter(|is| *is));
                object.string("signature", signature.map(Str::to_str).as_deref());
                object.close();
                let call = &mut self.calls.all[at];
                call.end_input(cx);
                call.put(Part::approval, SinkValue::Json(Raw(&approval)), cx);
                cx.set(call.node, Part::state, PartState::ApprovalRequested.value());
                let asked = (at, call.node);
                self.calls.by_approval.insert(&question, asked);
            }
            Wire::ToolApprovalResponse {
                approval_id,
                approved,
                reason,
                provider_executed: executed,
                provider_metadata: provider,
            } => {
                newer(name, cx);
                let question = approval_id.to_str();
                let asked = self.calls.by_approval.get(&question).copied();
                let is_there = |(at, node): &(usize, Node)| {
                    self.calls.all.get(*at).is_some_and(|call| call.node == *node)
                };
                let Some((at, node)) = asked.filter(is_there) else {
                    return cx.breach_of(&rules::CALL_MISSING, &question, Observed::Name(name));
                };
                cx.set_in(node, Part::approval, &["approved"], SinkValue::Bool(approved));
                if let Some(reason) = reason {
                    cx.set_in(node, Part::approval, &["reason"], SinkValue::Str(&reason.to_str()));
                }
                let data = CallData { executed, provider, ..CallData::default() };
                self.settle(at, PartState::ApprovalResponded, data, cx);
            }
            Wire::ToolOutputDenied { tool_call_id } => {
                if let Some(at) = self.called(&tool_call_id.to_str(), name, cx) {
                    let call = &mut self.calls.all[at];
                    call.end_input(cx);
                    cx.set(call.node, Part::state, PartState::OutputDenied.value());
                }
            }
            Wire::ToolOutputAvailable {
                tool_call_id,
                output,
                preliminary,
                provider_executed: executed,
                tool_metadata: tool,
                provider_metadata: provider,
                ..
            } => {
                let Some(at) = self.called(&tool_call_id.to_str(), name, cx) else { return };
                let call = &mut self.calls.all[at];
                call.end_input(cx);
                call.clear(
                    &[
                        Part::error_text,
                        Part::raw_input,
                        Part::input_encoding,
                        Part::preliminary,
                        Part::output,
                    ],
                    cx,
                );
                if let Some(output) = value(output) {
                    call.put(Part::output, output, cx);
                }
                if let Some(preliminary) = preliminary {
                    call.put(Part::preliminary, SinkValue::Bool(preliminary), cx);
                }
                self.settle(
                    at,
                    PartState::OutputAvailable,
                    CallData { executed, tool, provider, title: None },
                    cx,
                );
            }
            Wire::ToolOutputError {
                tool_call_id,
                error_text,
                provider_executed: executed,
                tool_metadata: tool,
                provider_metadata: provider,
                ..
            } => {
                let Some(at) = self.called(&tool_call_id.to_str(), name, cx) else { return };
                let call = &mut self.calls.all[at];
                call.end_input(cx);
                call.clear(&[Part::output, Part::preliminary, Part::input_encoding], cx);
                if call.dynamic {
                    call.clear(&[Part::raw_input], cx);
                }
                call.put(Part::error_text, SinkValue::Str(&error_text.to_str()), cx);
                self.settle(
                    at,
                    PartState::OutputError,
                    CallData { executed, tool, provider, title: None },
                    cx,
                );
            }
            _ => {}
        }
    }

    /// Sets the state of a call and what its chunk says about it.
    fn settle(&mut self, at: usize, state: PartState, data: CallData<'_, '_>, cx: &mut Context<'_>) {
        let node = self.calls.all[at].node;
        if let Some(title) = data.title {
            cx.set_text(node, Part::title, &title.to_str());
        }
        if let Some(executed) = data.executed {
            cx.set(node, Part::provider_executed, SinkValue::Bool(executed));
        }
        set_object(node, Part::tool_metadata, data.tool, cx);
        let is_output = matches!(state, PartState::OutputAvailable | PartState::OutputError);
        let key = if is_output { Part::result_provider_metadata } else { Part::call_provider_metadata };
        set_object(node, key, data.provider, cx);
        cx.set(node, Part::state, state.value());
    }

    /// Returns the call of a chunk with an input: in this step, or a new one.
    fn input_of(
        &mut self,
        id: &str,
        tool: Str<'_>,
        dynamic: Option<bool>,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let (dynamic, step) = (dynamic == Some(true), self.parts.step);
        let tool = tool.to_str();
        let Calls { all, by_id, refused, .. } = &mut self.calls;
        let known = by_id.get(id).map(Vec::as_slice).unwrap_or_default().iter().rev();
        let here = known.map(|at| (*at, &all[*at])).take_while(|(_, call)| call.step == step);
        let mut here = here.peekable();
        let is_changed = here.peek().is_some_and(|(_, call)| call.dynamic != dynamic);
        let found = here.find(|(_, call)| call.dynamic == dynamic).map(|(at, _)| at);
        let at = match found {
            Some(at) => at,
            None => {
                if is_changed {
                    cx.breach_of(&rules::CALL_CHANGED, id, Observed::Words("another value of `dynamic`"));
                }
                let kind = if dynamic { AiSdkDynamicTool::KIND } else { Part::KIND };
                let Some(node) = self.parts.open(kind, cx.next_owner(), cx) else {
                    refused.insert(id, ());
                    return None;
                };
                let owner = cx.own(id);
                cx.set_short(node, Part::tool_call_id, id);
                all.push(CallObject { node, owner, step, dynamic, input: None, set: Vec::new() });
                by_id.get_or_insert_default(id).push(all.len() - 1);
                all.len() - 1
            }
        };
        let node = all[at].node;
        if dynamic {
            cx.set_text(node, Part::tool_name, &tool);
        } else {
            cx.set_text(node, Part::r#type, &["tool-", &tool].concat());
        }
        Some(at)
    }

    /// Returns the call with an id: the first one of this step, or the last one of the earlier steps.
    fn find(&self, id: &str) -> Option<usize> {
        let Calls { all, by_id, .. } = &self.calls;
        let mut there = by_id.get(id)?.iter().copied().rev();
        let last = there.next()?;
        let is_here = |at: &usize| all[*at].step == self.parts.step;
        Some(if is_here(&last) { there.take_while(is_here).last().unwrap_or(last) } else { last })
    }

    /// Returns the call of a chunk that needs one. (V5.)
    fn called(&self, id: &str, name: &str, cx: &mut Context<'_>) -> Option<usize> {
        let found = self.find(id);
        if found.is_none() && self.calls.refused.get(id).is_none() {
            cx.breach_of(&rules::CALL_MISSING, id, Observed::Name(name));
        }
        found
    }
}

/// The members that a new input replaces.
const VOLATILE: &[Key] =
    &[Part::input, Part::raw_input, Part::input_encoding, Part::output, Part::preliminary, Part::error_text];

impl Calls {
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

    /// Reports the calls without an input at the end of the message.
    pub fn judge_open(&self, cx: &mut Context<'_>) {
        for call in self.all.iter().filter(|call| call.input.is_some()) {
            cx.breach_in(
                &rules::INPUT_NOT_ENDED,
                call.owner,
                None,
                Observed::Words("the end of the message"),
            );
        }
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
