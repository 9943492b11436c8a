//! Steps for parts and messages that an event has changed.

use alloc::{borrow::ToOwned, string::String};

use super::{PartState, Phase, State, more, note_name};
use crate::core::Limits;
use crate::core::request::decision::decision;
use crate::engine::Node;
use crate::hub::metadata::{OPAQUE, sealed_in};
use crate::hub::steps::emit_note;
use crate::hub::{Hub, MessageEnd, Note, OpaquePlace, Step};
use crate::json::{self, Value, decimal};
use crate::protocols::agent_api::hub::{data_members, end_error, hub_payload};
use crate::protocols::agent_api::model::{DataContent, RefusalContent, TextContent};
use crate::protocols::agent_api::{Content, Payload, RunStatus, ToolFamily, ToolSide};

/// Returns the text of a text or refusal.
pub(super) fn text(content: &Content) -> Option<&str> {
    match &content.payload {
        Payload::Text { text } => text.as_deref(),
        Payload::Refusal { refusal } => refusal.as_deref(),
        _ => None,
    }
}

/// Emits a further piece of a text. After the end of the text, the hub makes the piece a message of
/// its own.
pub(super) fn piece(part: &mut PartState, node: Node, piece: &str, hub: &mut Hub<'_>) {
    if part.phase == Phase::Silent {
        part.phase = Phase::Open;
    }
    let message = part.message;
    hub.emit(&match part.kind {
        RefusalContent::KIND => Step::Refusal { message, part: node, piece },
        _ => Step::Text { message, part: node, piece },
    });
}

/// Emits the difference between a whole text and the held one: its rest, or a note of the
/// replacement after the end.
pub(super) fn whole_text(
    part: &mut PartState,
    node: Node,
    current: &str,
    value: &str,
    hub: &mut Hub<'_>,
) {
    if let Some(rest) = more(part, current, value) {
        piece(part, node, rest, hub);
    } else if part.other.is_some() && part.phase == Phase::Ended {
        part.other = None;
        replaced(part, node, value, hub);
    }
}

/// Emits the beginning or the end of a changed message.
pub(super) fn message(state: &mut State, node: Node, hub: &mut Hub<'_>) {
    let (Some(message), Some(message_state)) =
        (state.snapshot.message_of(node), state.objects.message(node))
    else {
        return;
    };
    if message_state.closed || !message_state.announced {
        return;
    }
    if !message.status.is_terminal() {
        return state.announce(node, hub);
    }
    let parts = message_state.parts.clone();
    state.announce(node, hub);
    for node in parts {
        part(state, node, false, hub);
    }
    let Some(message) = state.snapshot.message_of(node) else { return };
    if !state.objects.message(node).is_some_and(|message_state| message_state.opened) {
        return;
    }
    let mut end = MessageEnd::new(message.status.as_str().into());
    end.error = message.error.as_ref().map(end_error);
    end.code.clone_from(&message.code);
    end.message.clone_from(&message.message);
    end.usage.clone_from(&message.usage);
    end.metadata.clone_from(&message.metadata);
    emit_carried(state, node, &mut end, hub);
    hub.emit(&Step::Close { message: node, end: &end });
    if let Some(message_state) = state.objects.message(node) {
        message_state.closed = true;
    }
}

/// Emits the opaque members that a target has sealed in the metadata of a message, in place of
/// them.
fn emit_carried(state: &mut State, node: Node, end: &mut MessageEnd, hub: &mut Hub<'_>) {
    let Some(sealed) = end.metadata.as_ref().and_then(sealed_in) else { return };
    let rest = end
        .metadata
        .as_ref()
        .map(|metadata| metadata.members_without(&[OPAQUE]))
        .unwrap_or_default();
    end.metadata = (!rest.is_empty()).then_some(Value::Object(rest));
    let parts =
        state.objects.message(node).map(|message| message.parts.clone()).unwrap_or_default();
    let first = parts.first().copied().unwrap_or_default();
    let call = state.objects.part(first).map(|part| part.id.clone()).unwrap_or_default();
    let content = state.snapshot.content_of(first);
    let answered = content.and_then(|content| result_id(state, first, content)).unwrap_or_default();
    let side = state.snapshot.message_of(node).and_then(|message| message.r#type.tool());
    for (text, sealed) in &sealed {
        let part = sealed.part.map_or(Some(&first), |part| parts.get(part as usize));
        let place = match side {
            Some((_, ToolSide::Call)) => OpaquePlace::call(node, &call),
            Some((_, ToolSide::Output)) => OpaquePlace::result(Some(node), answered),
            None => OpaquePlace::part(node, part.copied().unwrap_or_default()),
        };
        hub.carried(text, &Value::Null, place);
    }
}

/// Emits the new value of a changed part, and its end. `last` means that the run has ended.
pub(super) fn part(state: &mut State, node: Node, last: bool, hub: &mut Hub<'_>) {
    let Some(part_state) = state.objects.part(node).filter(|part| part.phase != Phase::Ended)
    else {
        return;
    };
    let (owner, kind) = (part_state.message, part_state.kind);
    let Some(content) = state.snapshot.content_of(node) else { return };
    let Some(message) = state.snapshot.message_of(owner) else { return };
    let Some(announced) = state.objects.message(owner).map(|message| message.announced) else {
        return;
    };
    let ended = content.status.is_terminal();
    if content.error.is_some() && (ended || last) {
        hub.lose("content-error", &message.id, "the hub has errors of messages and runs");
    }
    let whole = content.status == RunStatus::Completed;
    if kind == TextContent::KIND || kind == RefusalContent::KIND {
        if ended || last {
            end_text(state, node, whole, hub);
        }
        return;
    }
    // The meaning of data depends on the type of its message.
    if !announced && !last {
        return;
    }
    match message.r#type.tool() {
        Some((family, ToolSide::Call))
            if family != ToolFamily::McpApproval && kind == DataContent::KIND =>
        {
            let end = match (ended, last) {
                (true, _) => CallEnd::Ended { whole },
                (false, true) => CallEnd::RunOver,
                (false, false) => CallEnd::NotYet,
            };
            call(state, node, end, hub);
        }
        _ if ended || last => {
            begin_named(state, owner, node, hub);
            emit_whole(state, owner, node, hub);
            if let Some(part) = state.objects.part(node) {
                part.phase = Phase::Ended;
            }
        }
        _ => {}
    }
}

fn end_text(state: &mut State, node: Node, whole: bool, hub: &mut Hub<'_>) {
    let final_text = state.snapshot.content_of(node).and_then(text).unwrap_or("");
    let Some(part) = state.objects.part(node) else { return };
    let mut lost = false;
    if part.other.is_some() {
        if let Some(rest) = more(part, "", final_text) {
            piece(part, node, rest, hub);
        }
        lost = part.other.is_some();
    }
    let before = core::mem::replace(&mut part.phase, Phase::Ended);
    if lost {
        replaced(part, node, final_text, hub);
    }
    if before == Phase::Open {
        hub.emit(&Step::EndPart { message: part.message, part: node, whole });
    }
}

/// Notes that a text replaces another one, which has been emitted.
fn replaced(part: &PartState, node: Node, text: &str, hub: &mut Hub<'_>) {
    hub.note(Note::Replace { message: part.message, part: node, text, call: None });
}

/// Begins the call that a part refers to, because a step of the part must follow it. A call that
/// waits for its name begins without it.
fn begin_named(state: &mut State, owner: Node, node: Node, hub: &mut Hub<'_>) {
    let Some(content) = state.snapshot.content_of(node) else { return };
    let named = match state.snapshot.message_of(owner).and_then(note_name) {
        Some(_) => content.data().and_then(|data| data.text("id")),
        None => result_id(state, node, content),
    };
    let Some(&waiting) = named.and_then(|id| state.waiting.get(id)) else { return };
    if state.objects.part(waiting).is_some_and(|part| part.phase == Phase::Silent) {
        call(state, waiting, CallEnd::Mentioned, hub);
    }
}

/// Emits a part as one step, or the step that the part stands for.
fn emit_whole(state: &mut State, owner: Node, node: Node, hub: &mut Hub<'_>) {
    let Some(data) = state.snapshot.content_of(node).map(Content::data) else { return };
    let note = state.snapshot.message_of(owner).and_then(note_name).zip(data);
    if !note.is_some_and(|(name, members)| emit_note(name, members, hub)) {
        state.open_message(owner, hub);
        emit_one_step(state, owner, node, hub);
    }
}

/// Returns the id of the call whose result a part is.
fn result_id<'s>(state: &'s State, node: Node, content: &'s Content) -> Option<&'s str> {
    let known = state.calls.of(node, ToolSide::Output, &state.snapshot);
    known.and_then(|call| call.call_id.as_deref()).or_else(|| content.data()?.text("call_id"))
}

/// Emits a part as one step.
fn emit_one_step(state: &State, owner: Node, node: Node, hub: &mut Hub<'_>) {
    let Some(content) = state.snapshot.content_of(node) else { return };
    let Some(message) = state.snapshot.message_of(owner) else { return };
    let data = content.data();
    let text = |name: &str| data.and_then(|data| data.text(name));
    match (message.r#type.tool(), data) {
        (Some((ToolFamily::McpApproval, ToolSide::Call)), Some(data)) => {
            let own;
            hub.emit(&match data.get("payload") {
                // The other members of the question are next to a payload of its own.
                Some(payload) => Step::question(owner, node, data, payload),
                None => {
                    own = Value::Object(data.members_without(&["id"]));
                    Step::interrupt(owner, node, text("id").unwrap_or(""), None, &own)
                }
            });
        }
        (Some((family, ToolSide::Output)), Some(data)) if family != ToolFamily::McpApproval => {
            let output = data.get("output").map(Value::to_text).unwrap_or_default();
            let more = data_members(Some(content), &["call_id", "name", "output"]);
            hub.emit(&Step::Result {
                message: owner,
                part: node,
                id: result_id(state, node, content).unwrap_or(""),
                name: text("name"),
                output: &output,
                content: None,
                preview: false,
                more: &more,
            });
        }
        (Some((ToolFamily::McpApproval, ToolSide::Output)), Some(data)) => {
            hub.emit(&Step::Answer {
                message: owner,
                part: node,
                id: text("approval_request_id").unwrap_or(""),
                approved: decision(data),
                reason: text("reason"),
                payload: data,
            })
        }
        _ => match (hub_payload(&content.payload), &content.payload) {
            (Some(payload), _) => hub.emit(&Step::whole(owner, node, payload)),
            (None, Payload::Other { .. }) => {
                hub.lose("content-type", &message.id, "the hub has no parts of that type");
            }
            (None, _) => {}
        },
    }
}

/// The end of a call.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum CallEnd {
    NotYet,
    /// Not yet, but a step that refers to the call follows.
    Mentioned,
    Ended {
        whole: bool,
    },
    /// The run ended without an end of the call.
    RunOver,
}

/// Emits the steps of a tool call, which begins when its id and name are known.
/// [`State::arguments`] emits arguments in pieces immediately; all others are emitted here, when the call ends.
pub(super) fn call(state: &mut State, node: Node, end: CallEnd, hub: &mut Hub<'_>) {
    let Some(data) = state.snapshot.content_of(node).map(Content::data) else { return };
    let Some(part_state) = state.objects.part(node) else { return };
    let member = |name: &str| data.and_then(|data| data.text(name)).unwrap_or("");
    // The list of tool calls has the first id and name: pieces that repeat a name make it longer in
    // the data.
    let unnamed = part_state.id.is_empty() || part_state.name.is_empty();
    let known = unnamed.then(|| state.calls.of(node, ToolSide::Call, &state.snapshot)).flatten();
    if part_state.id.is_empty() {
        part_state.id =
            known.and_then(|call| call.call_id.as_deref()).unwrap_or(member("call_id")).to_owned();
    }
    if part_state.name.is_empty() {
        part_state.name =
            known.and_then(|call| call.name.as_deref()).unwrap_or(member("name")).to_owned();
    }
    let (message, silent) = (part_state.message, part_state.phase == Phase::Silent);
    if silent {
        if (part_state.id.is_empty() || part_state.name.is_empty()) && end == CallEnd::NotYet {
            if !part_state.id.is_empty() {
                state.waiting.insert(&part_state.id, node);
            }
            return;
        }
        // A part without data is not a call.
        if data.is_none() {
            part_state.phase = Phase::Ended;
            return;
        }
        if part_state.id.is_empty() {
            part_state.id = String::from("call_") + &decimal(node.into());
            hub.lose("call-id-missing", "", "a call needs an id: one was made");
        }
        if part_state.name.is_empty() {
            hub.lose(
                "call-name-missing",
                &part_state.id,
                "a call needs the name of its tool: it has an empty one",
            );
        }
        part_state.phase = Phase::Open;
        state.open_message(message, hub);
        let Some(part_state) = state.objects.part(node) else { return };
        let more = data_members(state.snapshot.content_of(node), &["call_id", "name", "arguments"]);
        hub.emit(&Step::call(message, node, &part_state.id, &part_state.name, &more));
    }
    if !matches!(end, CallEnd::NotYet | CallEnd::Mentioned) {
        end_call(state, node, end, hub);
    }
}

fn end_call(state: &mut State, node: Node, end: CallEnd, hub: &mut Hub<'_>) {
    let completed = state.snapshot.response.status == RunStatus::Completed;
    let data = state.snapshot.content_of(node).and_then(Content::data);
    let Some(part_state) = state.objects.part(node) else { return };
    let arguments =
        data.and_then(|data| data.get("arguments")).map(Value::to_text).unwrap_or_default();
    let arguments = &*arguments;
    let message = part_state.message;
    // After a replacement of the value, `other` contains the emitted arguments.
    if let Some(piece) = more(part_state, arguments, arguments) {
        hub.emit(&Step::Arguments { message, part: node, piece });
    }
    if part_state.other.take().is_some() {
        let call = Some(part_state.id.as_str());
        hub.note(Note::Replace { message, part: node, text: arguments, call });
    }
    part_state.phase = Phase::Ended;
    // Some servers complete runs without ending their messages: a call is then complete if its
    // arguments are JSON.
    // Otherwise its end is not emitted here.
    let whole = match end {
        CallEnd::Ended { whole } => Some(whole),
        CallEnd::NotYet | CallEnd::Mentioned | CallEnd::RunOver => {
            let is_json = || json::read_any(arguments, Limits::default().json_depth).is_ok();
            (completed && is_json()).then_some(true)
        }
    };
    if let Some(whole) = whole {
        hub.emit(&Step::EndPart { message, part: node, whole });
    }
}
