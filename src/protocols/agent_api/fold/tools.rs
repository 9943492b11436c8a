//! Tool calls and their outputs. (R35 to R37.)

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::{AgentApiFold, FoldedPart, ROOT, set_word};
use crate::bytes::string_map::StringMap;
use crate::core::violation::shorten;
use crate::core::{LIMIT_EXCEEDED, Observed};
use crate::engine::{Context, FieldValue, ObjectId, ObjectLimit};
use crate::json::{self, Element};
use crate::protocols::agent_api::lifecycle::ObjectPhase;
use crate::protocols::agent_api::{Content, Snapshot, ToolCall, ToolFamily, ToolSide, rules};

/// All calls of the run, in the order of their first appearance.
#[derive(Clone, Debug, Default)]
pub(super) struct FoldedCalls {
    calls: Vec<FoldedCall>,
    /// By call id: first the calls, then the questions. Both may have the same id, because an agent
    /// asks whether it may make a call.
    by_call_id: [StringMap<usize>; 2],
}

#[derive(Clone, Debug)]
struct FoldedCall {
    node: ObjectId,
    /// Empty until an id arrives; until then the name identifies the call.
    call_id: String,
    name: String,
    /// Whether only the output has arrived.
    orphan: bool,
    /// Whether it is a question instead of a call.
    asks: bool,
    state: &'static str,
}

/// The ids and the name in the data of a tool message. The type of the message determines which of
/// the ids counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Identity {
    /// The values of the members in [`IDENTITY`].
    texts: [Option<String>; 4],
    /// Whether one of them exceeded the maximum length of ids and was omitted.
    is_too_long: bool,
}

const IDENTITY: [&str; 4] = ["call_id", "id", "approval_request_id", "name"];

impl Identity {
    /// Reads the ids and the name in data, each of at most `longest` bytes.
    fn of(data: Element<'_, '_>, longest: usize) -> Self {
        let mut identity = Identity::default();
        for (key, value) in data.members() {
            let place =
                key.as_plain().and_then(|key| IDENTITY.iter().position(|name| *name == key));
            let (Some(place), Ok(text)) = (place, value.string()) else { continue };
            identity.is_too_long |= text.raw().len() > longest;
            let is_one = !text.raw().is_empty() && text.raw().len() <= longest;
            identity.texts[place] = is_one.then(|| text.to_str().into_owned());
        }
        identity
    }

    fn id(&self, family: ToolFamily, side: ToolSide) -> Option<&str> {
        let [call_id, id, approval_request_id, _] = &self.texts;
        match (family, side) {
            (ToolFamily::McpApproval, ToolSide::Call) => id.as_deref(),
            (ToolFamily::McpApproval, ToolSide::Output) => approval_request_id.as_deref(),
            _ => call_id.as_deref(),
        }
    }
}

impl AgentApiFold {
    /// Finds the call that new data belongs to, and opens or pairs it.
    pub(super) fn link_tool(
        &mut self,
        at: usize,
        place: usize,
        data: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let message = &self.messages[at];
        let call = message.parts[place].tool.map(|call| &self.tools.calls[call]);
        if call.is_some_and(|call| !call.call_id.is_empty() && !call.name.is_empty()) {
            return;
        }
        let identity = Identity::of(data, cx.options().limits.id_bytes);
        let (kind, phase) = (message.kind.tool(), message.phase);
        if identity.is_too_long && (kind.is_some() || phase == ObjectPhase::Absent) {
            let (index, most) = (message.parts[place].index, cx.options().limits.id_bytes as u64);
            self.record_in(cx, &LIMIT_EXCEEDED, at, Some(index), Observed::Over("id_bytes", most));
        }
        match (kind, phase) {
            (Some((family, side)), _) => self.link(at, place, &identity, family, side, cx),
            // An event about the message itself has not arrived, so that this may still be a call.
            (None, ObjectPhase::Absent) => {
                let known_identity =
                    self.messages[at].parts[place].identity.get_or_insert_default();
                for (known, new) in known_identity.texts.iter_mut().zip(identity.texts) {
                    *known = known.take().or(new);
                }
            }
            (None, _) => {}
        }
    }

    /// Links the parts of a message when its type becomes known: their data may be tool calls.
    pub(super) fn link_parts(&mut self, at: usize, cx: &mut Context<'_>) {
        let Some((family, side)) = self.messages[at].kind.tool() else { return };
        for place in 0..self.messages[at].parts.len() {
            let part = &mut self.messages[at].parts[place];
            if let Some(identity) = part.identity.take() {
                let ended = part.phase == ObjectPhase::Ended;
                self.link(at, place, &identity, family, side, cx);
                if ended {
                    self.end_tool(at, place, cx);
                }
            }
        }
    }

    fn link(
        &mut self,
        at: usize,
        place: usize,
        identity: &Identity,
        family: ToolFamily,
        side: ToolSide,
        cx: &mut Context<'_>,
    ) {
        let (id, name) = (identity.id(family, side), identity.texts[3].as_deref());
        if let Some(call) = self.part(at, place).tool {
            return self.name_call(call, id, name, cx);
        }
        let asks = family == ToolFamily::McpApproval;
        let known = match (id, side) {
            (Some(id), _) => self.tools.by_call_id[usize::from(asks)].get(id).copied(),
            // R35: without an id, the latest unanswered call with that name.
            (None, ToolSide::Output) => self.by_name(name),
            (None, ToolSide::Call) => None,
        };
        let call = match known {
            Some(call) if side == ToolSide::Output || self.tools.calls[call].orphan => Some(call),
            _ => self.open_call(at, id, (side, asks), cx),
        };
        let Some(call) = call else { return };
        self.messages[at].parts[place].tool = Some(call);
        self.name_call(call, id, name, cx);
        self.place_call(call, at, place, side, cx);
    }

    fn open_call(
        &mut self,
        at: usize,
        id: Option<&str>,
        (side, asks): (ToolSide, bool),
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let (kind, list) = (ToolCall::KIND, Snapshot::tool_calls);
        let node = cx.open(kind, ROOT, list, ObjectLimit::ToolCalls, self.messages[at].owner)?;
        let kind = self.messages[at].kind.as_str().to_owned();
        set_word(node, ToolCall::r#type, &kind, cx);
        let orphan = side == ToolSide::Output;
        if orphan {
            let rule =
                if asks { &rules::APPROVAL_WITHOUT_REQUEST } else { &rules::OUTPUT_WITHOUT_CALL };
            self.record_in(cx, rule, at, None, Observed::Text(id.unwrap_or("no id")));
        }
        self.tools.calls.push(FoldedCall {
            node,
            asks,
            call_id: String::new(),
            name: String::new(),
            orphan,
            state: "streaming",
        });
        Some(self.tools.calls.len() - 1)
    }

    fn name_call(
        &mut self,
        call: usize,
        id: Option<&str>,
        name: Option<&str>,
        cx: &mut Context<'_>,
    ) {
        let state = &mut self.tools.calls[call];
        if let Some(id) = id.filter(|_| state.call_id.is_empty()) {
            state.call_id = id.to_owned();
            cx.set_short(state.node, ToolCall::call_id, id);
            let named = &mut self.tools.by_call_id[usize::from(state.asks)];
            if named.get(id).is_none() {
                named.insert(id, call);
            }
        }
        if let Some(name) = name.filter(|_| state.name.is_empty()) {
            state.name = name.to_owned();
            cx.set_short(state.node, ToolCall::name, name);
        }
    }

    fn place_call(
        &mut self,
        call: usize,
        at: usize,
        place: usize,
        side: ToolSide,
        cx: &mut Context<'_>,
    ) {
        let message = &self.messages[at];
        let state = &mut self.tools.calls[call];
        let (id, index) = match side {
            ToolSide::Call => (ToolCall::message_id, Content::index),
            ToolSide::Output => (ToolCall::output_message_id, ToolCall::output_index),
        };
        cx.share(state.node, id, message.parts[place].node, Content::msg_id);
        cx.set(state.node, index, FieldValue::Int(message.parts[place].index.into()));
        if side == ToolSide::Call {
            state.orphan = false;
        }
    }

    fn by_name(&self, name: Option<&str>) -> Option<usize> {
        /// The number of latest calls among which an output without an id is matched.
        const NEAR: usize = 64;
        let name = name.filter(|name| !name.is_empty())?;
        let first = self.tools.calls.len().saturating_sub(NEAR);
        let near = self.tools.calls[first..]
            .iter()
            .rposition(|call| call.name == name && call.state != "answered");
        near.map(|at| first + at)
    }

    /// Ends a part that is a call or an output.
    pub(super) fn end_tool(&mut self, at: usize, place: usize, cx: &mut Context<'_>) {
        let (Some((_, side)), Some(call)) =
            (self.messages[at].kind.tool(), self.part(at, place).tool)
        else {
            return;
        };
        let state = &mut self.tools.calls[call];
        let ended = match side {
            ToolSide::Call if state.state == "streaming" => "called",
            ToolSide::Call => return,
            ToolSide::Output => "answered",
        };
        if state.state != ended {
            state.state = ended;
            let node = state.node;
            set_word(node, ToolCall::state, ended, cx);
        }
    }

    /// R36: checks that the arguments of an ended call are JSON; missing arguments are accepted.
    pub(super) fn check_arguments(
        &self,
        at: usize,
        place: usize,
        data: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        if !matches!(self.messages[at].kind.tool(), Some((_, ToolSide::Call))) {
            return;
        }
        let depth = cx.options().limits.json_depth;
        let mut bad = None;
        for (_, value) in data.members().filter(|(key, _)| *key == "arguments") {
            let Ok(text) = value.string() else { continue };
            let text = text.to_str();
            if json::read_any(&text, depth).is_err() {
                bad = Some(shorten(&text));
            }
        }
        if let Some(text) = bad {
            let index = self.part(at, place).index;
            self.record_in(cx, &rules::ARGUMENTS_NOT_JSON, at, Some(index), Observed::Text(&text));
        }
    }

    fn part(&self, at: usize, place: usize) -> &FoldedPart {
        &self.messages[at].parts[place]
    }
}
