//! Steps for parts and messages that an event has changed.

use alloc::{borrow::ToOwned, string::String};

use super::objects::{EmissionPhase, EmittedMessage, MessageId, PartId, SourceObjects};
use super::{CallParts, note_name};
use crate::bytes::string_map::StringMap;
use crate::core::Limits;
use crate::core::request::decision::decision;
use crate::engine::ObjectId;
use crate::hub::metadata::{OPAQUE, sealed_in};
use crate::hub::steps::emit_note;
use crate::hub::{Hub, MessageEnd, MessageKind, Note, OpaquePlace, Role, Step};
use crate::json::{self, Value, decimal};
use crate::protocols::agent_api::hub::{MODEL, PARENT, end_error, hub_payload, kind};
use crate::protocols::agent_api::model::DataContent;
use crate::protocols::agent_api::{
    Content, Message, Payload, RunStatus, Snapshot, ToolFamily, ToolSide,
};

/// Emits the difference between the answer and what has been emitted of it.
pub(super) struct PartEmission<'s, 'o> {
    pub answer: &'s Snapshot,
    pub calls: &'s CallParts,
    pub objects: &'s mut SourceObjects,
    /// The calls that wait for their names, by id.
    pub waiting: &'s mut StringMap<PartId>,
    pub started: &'s mut bool,
    pub hub: &'s mut Hub<'o>,
}

/// A part that the answer has: the methods that take one need not look it up.
#[derive(Clone, Copy)]
pub(super) struct AnswerPart<'s> {
    id: PartId,
    node: ObjectId,
    content: &'s Content,
    /// The message that contains it.
    owner: MessageId,
    message: &'s Message,
}

/// The end of a call.
#[derive(Clone, Copy, PartialEq)]
enum CallEnd {
    NotYet,
    /// Not yet, but a step that refers to the call follows.
    Mentioned,
    Ended {
        whole: bool,
    },
    /// The run ended without an end of the call.
    RunOver,
}

/// Returns the text of a text or refusal.
pub(super) fn text_of(content: &Content) -> Option<&str> {
    match &content.payload {
        Payload::Text { text } => text.as_deref(),
        Payload::Refusal { refusal } => refusal.as_deref(),
        _ => None,
    }
}

impl<'s> PartEmission<'s, '_> {
    /// Returns a part, unless it was taken out of the answer.
    fn in_answer(&self, id: PartId) -> Option<AnswerPart<'s>> {
        let part = &self.objects[id];
        let content = self.answer.content_of(part.node)?;
        let message = self.answer.message_of(part.message)?;
        Some(AnswerPart { id, node: part.node, content, owner: part.owner, message })
    }

    /// Emits the start of the run, unless it was emitted.
    pub fn start(&mut self) {
        if core::mem::replace(self.started, true) {
            return;
        }
        let response = &self.answer.response;
        let id = Some(response.id.as_str()).filter(|id| !id.is_empty());
        let member =
            |name: &str| response.extra.iter().find(|member| member.key == name)?.value.as_str();
        self.hub.emit(&Step::Start {
            id,
            session_id: response.session_id.as_deref(),
            parent_id: member(PARENT),
            model: member(MODEL),
            created_at: None,
        });
    }

    /// Emits the beginning of a message. One that stands for a step is emitted as that step, when
    /// it is complete.
    pub fn announce(&mut self, id: MessageId) {
        self.start();
        if self.answer.message_of(self.objects[id].node).and_then(note_name).is_none() {
            self.open_message(id);
        }
    }

    /// Emits the beginning of a message, with its current type, unless it was emitted.
    pub fn open_message(&mut self, id: MessageId) {
        self.start();
        let state = &mut self.objects[id];
        let Some(message) = self.answer.message_of(state.node) else { return };
        if state.phase == EmissionPhase::Silent {
            state.phase = EmissionPhase::Open;
            let kind = kind(&message.r#type);
            let role =
                message.role.as_ref().map_or(default_role(kind), |role| Role::from(role.as_str()));
            let id = Some(message.id.as_str()).filter(|id| !id.is_empty());
            self.hub.emit(&Step::open(state.node, kind, role, id));
        }
    }

    /// Emits the beginning or the end of a changed message.
    pub fn emit_message(&mut self, id: MessageId) {
        let state = &self.objects[id];
        let node = state.node;
        let Some(message) = self.answer.message_of(node) else { return };
        if state.phase == EmissionPhase::Ended || !state.is_announced {
            return;
        }
        self.announce(id);
        if !message.status.is_terminal() {
            return;
        }
        for part in self.objects[id].parts.clone() {
            self.emit_part(part, false);
        }
        // One that stands for a step has no beginning and no end.
        if self.objects[id].phase != EmissionPhase::Open {
            return;
        }
        let mut end = MessageEnd::new(message.status.as_str().into());
        end.error = message.error.as_ref().map(end_error);
        end.code.clone_from(&message.code);
        end.message.clone_from(&message.message);
        end.usage.clone_from(&message.usage);
        end.metadata.clone_from(&message.metadata);
        self.emit_carried(id, message, &mut end);
        self.hub.emit(&Step::Close { message: node, end: &end });
        self.objects[id].phase = EmissionPhase::Ended;
    }

    /// Emits the opaque members that a target has sealed in the metadata of a message, in place of
    /// them.
    fn emit_carried(&mut self, id: MessageId, message: &Message, end: &mut MessageEnd) {
        let Some(metadata) = &end.metadata else { return };
        let Some(sealed) = sealed_in(metadata) else { return };
        let rest = metadata.members_without(&[OPAQUE]);
        end.metadata = (!rest.is_empty()).then_some(Value::Object(rest));
        let EmittedMessage { node, parts, .. } = &self.objects[id];
        let first = parts.first().copied();
        let call = first.map_or("", |part| self.objects[part].id.as_str());
        let answer = first.and_then(|part| self.in_answer(part));
        let answered = answer.and_then(|part| self.result_id(part)).unwrap_or_default();
        let side = message.r#type.tool();
        for (text, sealed) in &sealed {
            let part = sealed.part.map_or(first, |part| parts.get(part as usize).copied());
            let place = match side {
                Some((_, ToolSide::Call)) => OpaquePlace::call(*node, call),
                Some((_, ToolSide::Output)) => OpaquePlace::result(Some(*node), answered),
                None => OpaquePlace::part(*node, part.map_or(0, |part| self.objects[part].node)),
            };
            self.hub.carried(text, &Value::Null, place);
        }
    }

    /// Emits the new value of a changed part, and its end. `last` means that the run has ended.
    pub fn emit_part(&mut self, id: PartId, last: bool) {
        let state = &self.objects[id];
        if state.phase == EmissionPhase::Ended {
            return;
        }
        let Some(part) = self.in_answer(id) else { return };
        let AnswerPart { content, message, .. } = part;
        let ended = content.status.is_terminal();
        if content.error.is_some() && (ended || last) {
            let reason = "the hub has errors of messages and runs";
            self.hub.lose("content-error", &message.id, reason);
        }
        let whole = content.status == RunStatus::Completed;
        if state.is_text() {
            self.emit_waiting_text(part);
            if ended || last {
                self.end_text(part, whole);
            }
            return;
        }
        // The meaning of data depends on the type of its message.
        if !self.objects[part.owner].is_announced && !last {
            return;
        }
        match message.r#type.tool() {
            Some((family, ToolSide::Call))
                if family != ToolFamily::McpApproval && state.kind == DataContent::KIND =>
            {
                let end = match (ended, last) {
                    (true, _) => CallEnd::Ended { whole },
                    (false, true) => CallEnd::RunOver,
                    (false, false) => CallEnd::NotYet,
                };
                self.emit_call(part, end);
            }
            _ if ended || last => {
                self.begin_named(part);
                self.emit_whole(part);
                self.objects[id].phase = EmissionPhase::Ended;
            }
            _ => {}
        }
    }

    /// Emits a text that has waited for the end of the event.
    fn emit_waiting_text(&mut self, part: AnswerPart<'s>) {
        let text = text_of(part.content).unwrap_or("");
        if self.objects[part.id].phase == EmissionPhase::Silent && !text.is_empty() {
            self.open_message(part.owner);
            self.objects[part.id].emit_whole_text("", text, self.hub);
        }
    }

    fn end_text(&mut self, part: AnswerPart<'s>, whole: bool) {
        let PartEmission { objects, hub, .. } = self;
        let final_text = text_of(part.content).unwrap_or("");
        let state = &mut objects[part.id];
        let mut is_other = false;
        if state.other.is_some() {
            if let Some(rest) = state.rest_of("", final_text) {
                state.emit_piece(rest, hub);
            }
            is_other = state.other.is_some();
        }
        let before = core::mem::replace(&mut state.phase, EmissionPhase::Ended);
        if is_other {
            state.emit_replacement(final_text, hub);
        }
        if before == EmissionPhase::Open {
            hub.emit(&Step::EndPart { message: state.message, part: part.node, whole });
        }
    }

    /// Begins the call that a part refers to, because a step of the part must follow it. A call
    /// that waits for its name begins without it.
    fn begin_named(&mut self, part: AnswerPart<'s>) {
        let named = match note_name(part.message) {
            Some(_) => part.content.data().and_then(|data| data.text("id")),
            None => self.result_id(part),
        };
        if let Some(&waiting) = named.and_then(|id| self.waiting.get(id))
            && self.objects[waiting].phase == EmissionPhase::Silent
            && let Some(call) = self.in_answer(waiting)
        {
            self.emit_call(call, CallEnd::Mentioned);
        }
    }

    /// Emits a part as one step, or the step that the part stands for.
    fn emit_whole(&mut self, part: AnswerPart<'s>) {
        let note = note_name(part.message).zip(part.content.data());
        if !note.is_some_and(|(name, members)| emit_note(name, members, self.hub)) {
            self.open_message(part.owner);
            self.emit_one_step(part);
        }
    }

    /// Returns the id of the call whose result a part is.
    fn result_id(&self, part: AnswerPart<'s>) -> Option<&'s str> {
        let known = self.calls.of(part.node, ToolSide::Output, self.answer);
        let known = known.and_then(|call| call.call_id.as_deref());
        known.or_else(|| part.content.data()?.text("call_id"))
    }

    /// Emits a part as one step.
    fn emit_one_step(&mut self, part: AnswerPart<'s>) {
        let AnswerPart { node, content, .. } = part;
        let message = self.objects[part.owner].node;
        let data = content.data();
        let text = |name: &str| data.and_then(|data| data.text(name));
        match (part.message.r#type.tool(), data) {
            (Some((ToolFamily::McpApproval, ToolSide::Call)), Some(data)) => {
                let own;
                self.hub.emit(&match data.get("payload") {
                    // The other members of the question are next to a payload of its own.
                    Some(payload) => Step::question(message, node, data, payload),
                    None => {
                        own = Value::Object(data.members_without(&["id"]));
                        Step::interrupt(message, node, text("id").unwrap_or(""), None, &own)
                    }
                });
            }
            (Some((family, ToolSide::Output)), Some(data)) if family != ToolFamily::McpApproval => {
                let output = data.get("output").map(Value::to_text).unwrap_or_default();
                let more = data.members_without(&["call_id", "name", "output"]);
                let id = self.result_id(part).unwrap_or("");
                self.hub.emit(&Step::Result {
                    message,
                    part: node,
                    id,
                    name: text("name"),
                    output: &output,
                    content: None,
                    preview: false,
                    more: &more,
                });
            }
            (Some((ToolFamily::McpApproval, ToolSide::Output)), Some(data)) => {
                self.hub.emit(&Step::Answer {
                    message,
                    part: node,
                    id: text("approval_request_id").unwrap_or(""),
                    approved: decision(data),
                    reason: text("reason"),
                    payload: data,
                });
            }
            _ => match (hub_payload(&content.payload), &content.payload) {
                (Some(payload), _) => self.hub.emit(&Step::whole(message, node, payload)),
                (None, Payload::Other { .. }) => {
                    let reason = "the hub has no parts of that type";
                    self.hub.lose("content-type", &part.message.id, reason);
                }
                (None, _) => {}
            },
        }
    }

    /// Emits the steps of a tool call, which begins when its id and name are known. Arguments in
    /// pieces are emitted [immediately](super::State::arguments); all others are emitted here, when
    /// the call ends.
    fn emit_call(&mut self, part: AnswerPart<'s>, end: CallEnd) {
        self.name_call(part);
        let has_begun =
            self.objects[part.id].phase != EmissionPhase::Silent || self.begin_call(part, end);
        if has_begun && !matches!(end, CallEnd::NotYet | CallEnd::Mentioned) {
            self.end_call(part, end);
        }
    }

    /// Sets the id and the name of a call. The list of tool calls has the first ones: pieces that
    /// repeat a name make it longer in the data.
    fn name_call(&mut self, part: AnswerPart<'s>) {
        let state = &mut self.objects[part.id];
        if !state.id.is_empty() && !state.name.is_empty() {
            return;
        }
        let data = part.content.data();
        let member = |name: &str| data.and_then(|data| data.text(name)).unwrap_or("");
        let known = self.calls.of(part.node, ToolSide::Call, self.answer);
        if state.id.is_empty() {
            let id = known.and_then(|call| call.call_id.as_deref());
            state.id = id.unwrap_or(member("call_id")).to_owned();
        }
        if state.name.is_empty() {
            let name = known.and_then(|call| call.name.as_deref());
            state.name = name.unwrap_or(member("name")).to_owned();
        }
    }

    /// Begins a call, unless it has to wait for its id or its name. Returns whether it has begun.
    fn begin_call(&mut self, part: AnswerPart<'s>, end: CallEnd) -> bool {
        let state = &mut self.objects[part.id];
        if end == CallEnd::NotYet && (state.id.is_empty() || state.name.is_empty()) {
            if !state.id.is_empty() {
                self.waiting.insert(&state.id, part.id);
            }
            return false;
        }
        let Some(data) = part.content.data() else {
            // A part without data is not a call.
            state.phase = EmissionPhase::Ended;
            return false;
        };
        if state.id.is_empty() {
            state.id = String::from("call_") + &decimal(part.node.into());
            self.hub.lose("call-id-missing", "", "a call needs an id: one was made");
        }
        if state.name.is_empty() {
            let reason = "a call needs the name of its tool: it has an empty one";
            self.hub.lose("call-name-missing", &state.id, reason);
        }
        state.phase = EmissionPhase::Open;
        self.open_message(part.owner);
        let state = &self.objects[part.id];
        let more = data.members_without(&["call_id", "name", "arguments"]);
        self.hub.emit(&Step::call(state.message, part.node, &state.id, &state.name, &more));
        true
    }

    fn end_call(&mut self, part: AnswerPart<'s>, end: CallEnd) {
        let PartEmission { objects, hub, .. } = self;
        let state = &mut objects[part.id];
        let data = part.content.data();
        let arguments = data.and_then(|data| data.get("arguments"));
        let arguments = arguments.map(Value::to_text).unwrap_or_default();
        let arguments = &*arguments;
        let (message, node) = (state.message, part.node);
        // After a replacement of the value, `other` contains the emitted arguments.
        if let Some(piece) = state.rest_of(arguments, arguments) {
            hub.emit(&Step::Arguments { message, part: node, piece });
        }
        if state.other.take().is_some() {
            let call = Some(state.id.as_str());
            hub.note(Note::Replace { message, part: node, text: arguments, call });
        }
        state.phase = EmissionPhase::Ended;
        // Some servers complete runs without ending their messages: a call is then complete if its
        // arguments are JSON. Otherwise its end is not emitted here.
        let whole = match end {
            CallEnd::Ended { whole } => Some(whole),
            CallEnd::NotYet | CallEnd::Mentioned | CallEnd::RunOver => {
                let has_completed = self.answer.response.status == RunStatus::Completed;
                let is_json = || json::read_any(arguments, Limits::default().json_depth).is_ok();
                (has_completed && is_json()).then_some(true)
            }
        };
        if let Some(whole) = whole {
            hub.emit(&Step::EndPart { message, part: node, whole });
        }
    }
}

/// Returns the role of a message without one: for an answer to a question the agent, otherwise the
/// default of its kind.
fn default_role(kind: MessageKind<'_>) -> Role<'static> {
    match kind {
        MessageKind::Answer => Role::Assistant,
        kind => kind.default_role(),
    }
}
