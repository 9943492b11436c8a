//! The parts of turns and of results, as the target takes them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::take;

use super::back::BackNames;
use super::names::{Unique, legal};
use super::tools::{TEXT_ARGUMENT, full_name};
use super::{Back, media, request};
use crate::hub::approval;
use crate::hub::conversation::envelope::STALE;
use crate::hub::conversation::members::{is_json_object, put};
use crate::hub::conversation::requirements::{MessageIds, Placeholder, Reasoning, Requirements};
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Function, Opaque, Part, RunBy, Tool, ToolResult, Turn,
    TurnRole,
};
use crate::hub::loss::{LossClass, Losses};
use crate::json::{Member, Value};

/// Checks the parts of all turns.
pub(super) fn check(
    conversation: &mut Conversation,
    to: &Requirements,
    scope: Option<&str>,
    back: &Back,
    losses: &mut Losses,
) {
    let is_own = conversation.format == to.format;
    let keeps_cache = to.cache || is_own;
    let back = BackNames::new(back);
    let mut custom = BTreeSet::new();
    if to.tools.custom {
        add_custom(&conversation.tools, &mut custom);
    }
    let ids = Unique::default();
    let mut check = PartCheck {
        to,
        scope,
        back,
        custom,
        is_own,
        keeps_cache,
        ids,
        renamed: BTreeMap::new(),
        answers: 0,
        losses,
    };
    for turn in &mut conversation.turns {
        if to.message_ids == MessageIds::None {
            turn.id = None;
        }
        let parts = take(&mut turn.parts);
        turn.parts = parts.into_iter().filter_map(|part| check.part(part, turn.role)).collect();
    }
}

/// Adds the names of the custom tools that are offered.
fn add_custom<'a>(tools: &'a [Tool], names: &mut BTreeSet<&'a str>) {
    for tool in tools {
        match tool {
            Tool::Custom { name, .. } => drop(names.insert(name)),
            Tool::Namespace { tools, .. } => add_custom(tools, names),
            _ => {}
        }
    }
}

struct PartCheck<'a> {
    to: &'a Requirements,
    scope: Option<&'a str>,
    back: BackNames<'a>,
    /// The names of the custom tools that are offered.
    custom: BTreeSet<&'a str>,
    /// Whether the request is one of the target's protocol.
    is_own: bool,
    /// Whether cache breakpoints are kept.
    keeps_cache: bool,
    ids: Unique,
    /// The new id of the last call of each id that was changed.
    renamed: BTreeMap<String, String>,
    /// The number of answers to questions.
    answers: usize,
    losses: &'a mut Losses,
}

impl PartCheck<'_> {
    /// Returns the part as the target takes it.
    fn part(&mut self, mut part: Part, role: TurnRole) -> Option<Part> {
        if !self.to.tools.in_turns && matches!(part.content, Content::Tools(_)) {
            // They are offered.
            return None;
        }
        let was_opaque = part.opaque.is_some();
        self.opaque(&mut part);
        // A target that carries them has the members of other protocols, too.
        let has_opaque = part.opaque.is_some();
        let is_own = part.opaque.as_ref().is_some_and(|own| own.format == self.to.format);
        let is_block = part.is_own_block();
        if part.cache.is_some() && !self.keeps_cache {
            part.cache = None;
            let reason = "the target has no cache breakpoints";
            self.losses.add(LossClass::Quality, "cache", "", reason);
        }
        if let Content::Question { call: Some(id), .. } | Content::Answer { id, .. } =
            &mut part.content
            && let Some(new) = self.renamed.get(id)
        {
            id.clone_from(new);
        }
        match &mut part.content {
            Content::Text(text) | Content::Refusal(text)
                if self.to.refuses_blank && !is_block && text.trim().is_empty() =>
            {
                self.losses.add(
                    LossClass::Cosmetic,
                    "blank-text",
                    "",
                    "the target refuses blank texts",
                );
                return None;
            }
            Content::Reasoning { text, .. } if !is_own => match self.to.reasoning {
                Reasoning::Text => {}
                Reasoning::Member(key) => {
                    part.opaque = Some(Opaque::of_member(self.to.format, key, text.as_str()));
                }
                Reasoning::Never => {
                    if !was_opaque {
                        let reason = "the target takes only its own reasoning";
                        self.losses.add(LossClass::Quality, "reasoning", "", reason);
                    }
                    return None;
                }
            },
            Content::Reasoning { text, .. } => {
                if let (Reasoning::Member(key), Some(own)) = (self.to.reasoning, &mut part.opaque)
                    && own.get(key).is_none()
                {
                    own.members.push(Member { key: key.into(), value: text.as_str().into() });
                }
            }
            // Servers ignore empty texts of the assistant.
            Content::Text(text) | Content::Refusal(text)
                if text.is_empty()
                    && role == TurnRole::Assistant
                    && self.to.needs_content
                    && !self.is_own
                    && !has_opaque =>
            {
                return None;
            }
            Content::Native if !has_opaque => return None,
            Content::Question { id, .. } | Content::Answer { id, .. }
                if !is_own && !self.to.questions =>
            {
                let reason = "the target has no questions to the user";
                self.losses.add(LossClass::Contract, "part", id, reason);
                return None;
            }
            Content::Answer { id, approved, payload, .. } => {
                self.answers += 1;
                let is_undecided = approved.is_none() && (self.to.decisions || payload.is_null());
                if !is_own && (is_undecided || approval::is_denied(*approved, payload)) {
                    let reason = "the answer neither approves nor declines, or contradicts itself: it becomes a denial";
                    let place = if payload.is_null() { id.clone() } else { payload.to_json() };
                    self.losses.add(LossClass::Contract, "approval-not-understood", &place, reason);
                }
                if self.answers > self.to.max_answers {
                    let reason = "the target takes fewer answers in one request";
                    self.losses.add(LossClass::Contract, "approval", id, reason);
                    return None;
                }
            }
            Content::Question { id, .. } if !is_own && !self.to.asked => {
                let reason = "the server that has asked it knows it";
                self.losses.add(LossClass::Cosmetic, "history", id, reason);
                return None;
            }
            // The model has not said what the agent has shown.
            Content::Data(_) if !is_own && !self.to.data && role == TurnRole::Assistant => {
                self.losses.add(
                    LossClass::Quality,
                    "data",
                    "",
                    "the target has no data of the assistant",
                );
                return None;
            }
            Content::Data(value) if !is_own && !self.to.data => {
                let reason = "the target has no data: its JSON is sent as text";
                self.losses.add(LossClass::Cosmetic, "data", "", reason);
                part.content = Content::Text(value.to_json());
            }
            Content::Refusal(text) if role != TurnRole::Assistant => {
                part.content = Content::Text(take(text))
            }
            Content::Media(_) => {
                let is_allowed = role == TurnRole::User || self.to.media_of_all;
                let allowed = if is_allowed { self.to.media } else { &[] };
                return Some(media::check(part, self.to, allowed, self.is_own, self.losses));
            }
            Content::Call(_) => return self.call(part),
            Content::Result(result) => self.result(result, self.to.result_errors),
            _ => {}
        }
        Some(part)
    }

    /// Leaves out the opaque members that the target does not take back.
    fn opaque(&mut self, part: &mut Part) {
        // The members of a call that the provider runs are the call itself.
        let is_call = part.as_call().is_some_and(|call| call.by == RunBy::Provider);
        if let Some(opaque) = take_foreign(&mut part.opaque, self.to, self.scope)
            && !is_call
            && opaque.members.iter().any(|member| !is_trivial(member))
        {
            let class = match part.content {
                Content::Text(_) | Content::Media(_) => LossClass::Cosmetic,
                _ => LossClass::Quality,
            };
            let kind = opaque.get("type").and_then(Value::as_str);
            if let Some((kind, reason)) = kind.and_then(request::memory_of_block) {
                let place = opaque.get("id").and_then(Value::as_str).unwrap_or_default();
                return self.losses.add(LossClass::Contract, kind, place, reason);
            }
            let place = kind.or_else(|| opaque.members.first().map(|member| &*member.key));
            let reason = if opaque.format == STALE {
                "the content that it belongs to was changed"
            } else {
                "only its own provider understands it"
            };
            self.losses.add(class, "opaque", place.unwrap_or_default(), reason);
        }
    }

    fn call(&mut self, mut part: Part) -> Option<Part> {
        let is_own = part.opaque.as_ref().is_some_and(|own| own.format == self.to.format);
        let Content::Call(call) = &mut part.content else { return Some(part) };
        if call.by != RunBy::Client && is_own {
            let is_of_provider = self.to.result_blocks && call.by == RunBy::Provider;
            let mut has_block = true;
            if let Some(result) = &mut call.result {
                drop(take_foreign(&mut result.opaque, self.to, self.scope));
                has_block = result.opaque.is_some();
                // The block is the result: the parts are not sent.
                if !is_of_provider {
                    self.result(result, true);
                }
            }
            if has_block || !is_of_provider {
                return Some(part);
            }
            // The provider does not take the call without the block of its result.
            part.opaque = None;
        }
        if call.by == RunBy::Provider && call.result.is_none() && self.to.needs_results {
            let reason =
                "the target has no such tool, and the call has no result that it can be given";
            self.losses.add(LossClass::Quality, "hosted-call", &call.name, reason);
            return None;
        }
        if call.by == RunBy::Provider && self.to.needs_results {
            let reason = "it is sent as a call of a function";
            self.losses.add(LossClass::Cosmetic, "hosted-call", &call.name, reason);
        }
        if self.to.needs_results {
            call.by = RunBy::Client;
        }
        let given = take(&mut call.id);
        call.id = self.ids.legal(if given.is_empty() { "call" } else { &given }, self.to.call_ids);
        if call.id == given {
            self.renamed.remove(&given);
        } else {
            self.renamed.insert(given, call.id.clone());
        }
        self.name(call);
        self.input(call);
        let id = call.id.clone();
        if let Some(result) = &mut call.result {
            result.call = id;
            self.result(result, self.to.result_errors);
        }
        Some(part)
    }

    /// Sets the name that the tool has at the target.
    fn name(&mut self, call: &mut Call) {
        if call.name.is_empty() && self.to.needs_results {
            let reason = "the target requires a name: it is `unknown`";
            self.losses.add(LossClass::Quality, "call-name-missing", &call.id, reason);
            call.name = "unknown".into();
        }
        let of_tool = self.back.get(&call.name, call.namespace.as_deref());
        let keeps_namespace = self.to.tools.namespaces;
        call.name = match of_tool {
            Some(tool) => {
                if tool.is_text {
                    wrap_text(call);
                }
                tool.sent.clone()
            }
            None => match call.namespace.as_deref().filter(|_| !keeps_namespace) {
                Some(namespace) => {
                    legal(&[namespace, "__", &call.name].concat(), self.to.tool_names)
                }
                None => legal(&call.name, self.to.tool_names),
            },
        };
        if !keeps_namespace {
            call.namespace = None;
        }
    }

    fn input(&mut self, call: &mut Call) {
        // Servers with custom tools accept their calls, and others with the same API may not.
        let is_offered =
            || self.is_own || !self.to.needs_results || self.custom.contains(&*call.name);
        if !self.to.tools.custom || !is_offered() {
            wrap_text(call);
        }
        let CallInput::Json(json) = &mut call.input else { return };
        if json.trim().is_empty() {
            *json = "{}".into();
        } else if (self.to.object_input || self.to.needs_results && !self.is_own)
            && !is_json_object(json)
        {
            let reason = "arguments are an object";
            self.losses.add(LossClass::Cosmetic, "call-input", &call.id, reason);
            *json = text_argument(take(json));
        }
    }

    /// Returns tools that were found, by the names that they have at the target:
    /// `[{"name","description"}]`.
    fn found(&self, tools: &[Tool]) -> String {
        let mut list = Vec::new();
        self.add_found(tools, None, &mut list);
        Value::Array(list).to_json()
    }

    fn add_found(&self, tools: &[Tool], namespace: Option<&str>, list: &mut Vec<Value>) {
        for tool in tools {
            let (name, description) = match tool {
                Tool::Namespace { name, tools, .. } => {
                    self.add_found(tools, Some(&full_name(name, namespace)), list);
                    continue;
                }
                Tool::Function(Function { name, description, .. })
                | Tool::Custom { name, description, .. } => (name, description.as_deref()),
                Tool::Hosted { .. } => continue,
            };
            let sent = self.back.get(name, namespace).map_or(name, |tool| &tool.sent);
            list.push(Value::from([
                ("name", Value::from(sent.as_str())),
                ("description", description.map_or(Value::Null, Value::from)),
            ]));
        }
    }

    /// Checks a result. `has_errors` is whether its call is one whose results have a flag for
    /// errors.
    fn result(&mut self, result: &mut ToolResult, has_errors: bool) {
        drop(take_foreign(&mut result.opaque, self.to, self.scope));
        if result.error && !has_errors {
            let reason = "results have no flag for errors";
            self.losses.add(LossClass::Cosmetic, "tool-error", &result.call, reason);
            result.error = false;
        }
        if result.cache.is_some() && !self.keeps_cache {
            result.cache = None;
            let reason = "the target has no cache breakpoints";
            self.losses.add(LossClass::Quality, "cache", &result.call, reason);
        }
        let only_text = result.error && !self.to.error_media && !self.is_own;
        let allowed = if only_text { &[] } else { self.to.result_media };
        let mut parts = Vec::with_capacity(result.parts.len());
        for mut part in take(&mut result.parts) {
            self.opaque(&mut part);
            match &part.content {
                Content::Tools(tools) if !self.to.tools.in_turns => {
                    parts.push(Part::text(self.found(tools)));
                }
                Content::Media(_) => {
                    parts.push(media::check(part, self.to, allowed, self.is_own, self.losses));
                }
                Content::Text(text)
                    if self.to.refuses_blank && !part.is_own_block() && text.trim().is_empty() => {}
                _ => parts.extend(self.part(part, TurnRole::User)),
            }
        }
        result.parts = parts;
    }
}

/// Takes the opaque members that the target does not take back.
fn take_foreign(
    opaque: &mut Option<Opaque>,
    to: &Requirements,
    scope: Option<&str>,
) -> Option<Opaque> {
    opaque.take_if(|own| {
        let is_own = own.format == to.format
            && (own.scope.is_none() || scope.is_none() || own.scope.as_deref() == scope);
        !(is_own || to.carries_opaque && own.format != STALE)
    })
}

/// Ids, the starts of messages, empty values, and what repeats the content in the form of its
/// protocol, are no loss.
fn is_trivial(member: &Member) -> bool {
    let is_id = |key: &str| {
        matches!(key, "id" | "status" | "index" | "prompt_cache_breakpoint" | "repeats")
    };
    is_id(&member.key)
        || match &member.value {
            Value::Object(inner) => inner.iter().all(|member| is_id(&member.key)),
            Value::Array(list) => list.is_empty(),
            Value::String(text) => text.is_empty(),
            _ => false,
        }
}

/// Writes the input of a custom tool as the argument of a function.
fn wrap_text(call: &mut Call) {
    if let CallInput::Text(text) = &mut call.input {
        call.input = CallInput::Json(text_argument(take(text)));
    }
}

fn text_argument(text: String) -> String {
    Value::from([(TEXT_ARGUMENT, Value::from(text))]).to_json()
}

/// Adds what stands for the state of calls that another model has made.
pub(super) fn placeholders(turns: &mut [Turn], to: &Requirements) {
    if let Reasoning::Member(key) = to.reasoning {
        for turn in turns.iter_mut() {
            let is_reasoning = |part: &Part| matches!(part.content, Content::Reasoning { .. });
            if turn.parts.iter().any(is_client_call) && !turn.parts.iter().any(is_reasoning) {
                let opaque = Opaque::of_member(to.format, key, "");
                turn.parts.insert(0, Part::reasoning("").with_opaque(Some(opaque)));
            }
        }
    }
    let Some((key, value)) = to.placeholder else { return };
    let current = turns.iter_mut().rev().take_while(|turn| turn.role != TurnRole::User);
    for turn in current.filter(|turn| turn.role == TurnRole::Assistant) {
        let Some(at) = without_state(turn, key, value) else { continue };
        let value = match value {
            Placeholder::Text(text) => Value::from(text),
            Placeholder::At(path, text) => {
                let mut value = Value::default();
                put(&mut value, path, text);
                value
            }
            Placeholder::OfMessage(_, item) => {
                let id = turn.parts.get(at).and_then(Part::as_call).map_or("", |call| &call.id);
                let list = Value::Array([item(id)].into());
                let opaque = Opaque::of_member(to.format, key, list);
                turn.parts.insert(0, Part::new(Content::Native).with_opaque(Some(opaque)));
                continue;
            }
        };
        let Some(part) = turn.parts.get_mut(at) else { continue };
        let opaque = part.opaque.get_or_insert_with(|| Opaque {
            format: to.format.into(),
            scope: None,
            members: Vec::new(),
        });
        opaque.members.push(Member { key: key.into(), value });
    }
}

fn is_client_call(part: &Part) -> bool {
    part.as_call().is_some_and(|call| call.by != RunBy::Provider)
}

/// Returns the place of the first call of a turn, if the turn does not have the state of its calls.
fn without_state(turn: &Turn, key: &str, value: Placeholder) -> Option<usize> {
    let at = turn.parts.iter().position(is_client_call)?;
    let own = |part: &Part| part.opaque.as_ref().and_then(|own| own.get(key)).cloned();
    let has_state = match value {
        Placeholder::OfMessage(kind, _) => turn
            .parts
            .iter()
            .filter_map(own)
            .any(|list| list.items().iter().any(|item| item.text("type") == Some(kind))),
        _ => turn.parts.get(at).and_then(own).is_some(),
    };
    (!has_state).then_some(at)
}

/// Whether the model refuses a conversation, as it was read, because a client has left out the state
/// of calls.
pub(crate) fn lack_state(turns: &[Turn], to: &Requirements) -> bool {
    let Some((key, value)) = to.placeholder else { return false };
    let is_result = |part: &Part| matches!(part.content, Content::Result(_));
    let is_question =
        |turn: &Turn| turn.role == TurnRole::User && !turn.parts.iter().all(is_result);
    let current = turns.iter().rev().take_while(|turn| !is_question(turn));
    let mut answers = current.filter(|turn| turn.role == TurnRole::Assistant);
    answers.any(|turn| without_state(turn, key, value).is_some())
}
