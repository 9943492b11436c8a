//! Emits items and their parts.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::ResponsesSource;
use super::objects::{ObjectPlace, SourceObject};
use super::opaque::EventItems;
use crate::engine::{Field, ObjectId};
use crate::hub::approval::{TEXT, question_payload, split_text};
use crate::hub::{
    EndStatus, Hub, InputFormat, MessageEnd, MessageKind, MessagePhase, Note, Payload, Role, Step,
    ToolKind, present_members,
};
use crate::json::{Member, Value};
use crate::protocols::responses::hub::FORMAT;
use crate::protocols::responses::model::{
    ResponsesApplyPatchCall, ResponsesCodeInterpreterCall, ResponsesFileSearchCall,
    ResponsesFunctionCall, ResponsesImageGenerationCall, ResponsesMcpApprovalResponse,
    ResponsesMcpCall, ResponsesMcpListTools, ResponsesMessage, ResponsesShellCall,
};
use crate::protocols::responses::{Item, ItemType, Part};

/// The part of a call's message that contains the call.
const CALL: u32 = 0;

impl ResponsesSource {
    /// Emits the changes of the event.
    pub(super) fn emit_changed(&mut self, items: &mut EventItems<'_>, hub: &mut Hub<'_>) {
        let changed = core::mem::take(&mut self.changed);
        let mut last_item = None;
        for &node in &changed {
            self.objects[node as usize].changed = false;
            match self.objects[node as usize].place {
                ObjectPlace::Part { .. } => self.emit_part(node, hub),
                place => {
                    // What an item of the last response has at its end precedes the next item.
                    if self.is_last
                        && place == ObjectPlace::Item
                        && let Some(before) = last_item.replace(node)
                    {
                        self.close(before, items, hub);
                    }
                    self.emit_item(node, hub);
                }
            }
        }
        for node in changed {
            let object = &self.objects[node as usize];
            if object.place == ObjectPlace::Item && object.done {
                self.close(node, items, hub);
            }
        }
    }

    /// Emits the content that was held back, if the stream ends before the response.
    pub(super) fn emit_delayed(&mut self, hub: &mut Hub<'_>) {
        for node in 1..self.objects.len() as ObjectId {
            match self.objects[node as usize].place {
                ObjectPlace::Item => drop(self.emit_arguments(node, hub)),
                _ => drop(self.end_pieces(node, None, hub)),
            }
        }
    }

    /// Closes the open items when the response has ended.
    pub(super) fn emit_rest(&mut self, items: &mut EventItems<'_>, hub: &mut Hub<'_>) {
        for node in 1..self.objects.len() {
            if self.objects[node].place == ObjectPlace::Item {
                self.emit_arguments(node as ObjectId, hub);
                self.close(node as ObjectId, items, hub);
            }
        }
    }

    /// Begins the message of an item. Returns its number.
    fn begin(&mut self, node: ObjectId, hub: &mut Hub<'_>) -> u32 {
        let item = &mut self.objects[node as usize];
        if !item.phase.is_waiting() || self.emit_carried(node, hub) {
            // The content of an item that is not emitted is in message 0.
            return self.objects[node as usize].phase.number().unwrap_or_default();
        }
        self.messages += 1;
        let message = self.messages;
        let item = &mut self.objects[node as usize];
        item.phase = MessagePhase::Open(message);
        item.known_extra = item.members.undeclared.len();
        item.status = item.members.word(Item::status).into();
        let item = &self.objects[node as usize];
        let id = item.members.filled(Item::id);
        let Some(kind) = item.message_kind() else { return message };
        let role = match item.members.filled(ResponsesMessage::role) {
            None | Some("assistant") => kind.default_role(),
            Some("user") => Role::User,
            Some("system" | "developer") => Role::System,
            Some(other) => Role::Other(other),
        };
        if item.kind.is_none() && kind != MessageKind::Reasoning {
            hub.lose(
                "item-type",
                item.name(),
                "the hub has nothing like it: it became a call of the agent's tools",
            );
        }
        hub.emit(&Step::open(message, kind, role, id));
        if let Some(tool) = item.tool() {
            self.emit_opaque_call(node, message, hub);
            let is_text = matches!(
                item.kind,
                Some(ItemType::CustomToolCall | ItemType::CodeInterpreterCall | ItemType::Program)
            );
            let name = match tool {
                ToolKind::Plugin if item.kind != Some(ItemType::CustomToolCall) => item.name(),
                _ => item.members.word(ResponsesFunctionCall::name),
            };
            let label = item.members.get(ResponsesMcpCall::server_label).cloned();
            let question = item.members.given(ResponsesMcpCall::approval_request_id).cloned();
            let more =
                present_members([("server_label", label), ("approval_request_id", question)]);
            let input = if is_text { InputFormat::Text } else { InputFormat::Json };
            hub.emit(&Step::Call {
                message,
                part: CALL,
                id: item.call(),
                name,
                input,
                more: &more,
            });
        }
        message
    }

    /// Begins the message of an item, and emits the arguments that were set. Returns its number.
    fn emit_arguments(&mut self, node: ObjectId, hub: &mut Hub<'_>) -> u32 {
        let message = self.begin(node, hub);
        let item = &mut self.objects[node as usize];
        if let (Some(text), Some(_), MessagePhase::Open(_)) =
            (item.text.take(), item.tool(), item.phase)
        {
            if item.is_emitted {
                let call = Some(item.call());
                hub.note(Note::Replace { message, part: CALL, text: &text, call });
            } else if !text.is_empty() {
                item.is_emitted = true;
                hub.emit(&Step::Arguments { message, part: CALL, piece: &text });
            }
        }
        message
    }

    /// Emits the known content of an item, except its parts.
    fn emit_item(&mut self, node: ObjectId, hub: &mut Hub<'_>) {
        // The id and the name of a call may be set after its arguments: a call that the last
        // response adds is emitted before the text of the next item, or when the whole event was
        // applied.
        if self.objects[node as usize].may_change() && !self.is_last {
            return;
        }
        let message = self.emit_arguments(node, hub);
        let item = &mut self.objects[node as usize];
        let MessagePhase::Open(_) = item.phase else { return };
        if item.tool().is_some() && item.status != item.members.word(Item::status) && !item.done {
            item.status = item.members.word(Item::status).into();
            let item = &self.objects[node as usize];
            // The end of the item reports the others.
            if !matches!(&*item.status, "" | "completed" | "failed" | "incomplete") {
                hub.note(Note::Progress { id: item.call(), status: &item.status, data: None });
            }
        }
        let item = &self.objects[node as usize];
        if item.is_image() && !item.done {
            let image = item.members.filled(ResponsesImageGenerationCall::partial_image_b64);
            if let Some(url) = image.map(|image| data_url(item, image)) {
                let payload = Payload::Image { url: Some(&url) };
                hub.emit(&Step::Whole { message, part: 0, payload, preview: true });
            }
        }
    }

    /// Emits the text of a part that was set, and its annotations.
    fn emit_part(&mut self, node: ObjectId, hub: &mut Hub<'_>) {
        let part = &mut self.objects[node as usize];
        let ObjectPlace::Part { item, number, .. } = part.place else { return };
        let (text, is_emitted) = (part.text.take(), part.is_emitted);
        if let Some(text) = text.filter(|text| is_emitted || !text.is_empty()) {
            if self.end_pieces(node, Some(&text), hub) {
                // The text had been held back.
            } else if is_emitted {
                let message = self.objects[item as usize].phase.number().unwrap_or_default();
                hub.note(Note::Replace { message, part: number, text: &text, call: None });
            } else {
                self.emit_piece(node, &text, hub);
            }
        }
        let part = &mut self.objects[node as usize];
        let logprobs = part.members.get(Part::logprobs);
        let has_logprobs = logprobs.is_some_and(|list| !list.items().is_empty());
        if has_logprobs && !core::mem::replace(&mut part.logprobs_reported, true) {
            hub.lose("logprobs", "", "the hub has no place for probabilities");
        }
        let Some(Value::Array(annotations)) = part.members.get(Part::annotations).cloned() else {
            return;
        };
        let known = core::mem::replace(&mut part.annotations, annotations.len());
        for annotation in annotations.iter().skip(known) {
            let message = self.begin(item, hub);
            hub.note(Note::Annotation { message, part: Some(number), annotation });
        }
    }

    /// Ends the pieces of a part: emits the text that was held back. Returns whether this completes
    /// the text of the part.
    fn end_pieces(&mut self, node: ObjectId, whole: Option<&str>, hub: &mut Hub<'_>) -> bool {
        let Some((delayed, is_whole)) = self.objects[node as usize].pieces.end(whole) else {
            return false;
        };
        self.emit_text(node, &delayed, hub);
        is_whole
    }

    /// Emits the next piece of a part's text, or of a call's arguments.
    pub(super) fn emit_piece(&mut self, node: ObjectId, piece: &str, hub: &mut Hub<'_>) {
        let Some(object) = self.objects.get_mut(node as usize) else { return };
        let mut delayed = String::new();
        match object.place {
            ObjectPlace::Part { .. } => {
                if let Some(piece) = object.pieces.next(piece, &mut delayed) {
                    self.emit_text(node, piece, hub);
                }
            }
            _ => {
                self.emit_arguments(node, hub);
                self.emit_text(node, piece, hub);
            }
        }
    }

    fn emit_text(&mut self, node: ObjectId, piece: &str, hub: &mut Hub<'_>) {
        let Some(object) = self.objects.get(node as usize) else { return };
        let (item, part, is_summary) = match object.place {
            ObjectPlace::Part { item, number, is_summary } => (item, number, is_summary),
            _ => (node, CALL, false),
        };
        let message = self.begin(item, hub);
        self.objects[node as usize].is_emitted = true;
        let is_refusal = self.objects[node as usize].is_refusal;
        let step = match self.objects[item as usize].message_kind() {
            Some(MessageKind::Call(_)) => Step::Arguments { message, part, piece },
            Some(MessageKind::Reasoning)
                if self.objects[item as usize].kind == Some(ItemType::Reasoning) =>
            {
                Step::Reasoning { message, part, piece, summary: is_summary }
            }
            Some(MessageKind::Reasoning) | None => return,
            _ if is_refusal => Step::Refusal { message, part, piece },
            _ => Step::Text { message, part, piece },
        };
        hub.emit(&step);
    }

    /// Ends the message of an item.
    fn close(&mut self, node: ObjectId, items: &mut EventItems<'_>, hub: &mut Hub<'_>) {
        let item = &mut self.objects[node as usize];
        let kind = item.message_kind();
        let Some(message) = item.phase.end() else { return };
        self.emit_members(node, hub);
        let item = &self.objects[node as usize];
        let (status, is_known) = item.end_status();
        if !is_known {
            let reason = "Responses has no such status: the item is not taken for whole";
            hub.lose("status", item.members.word(Item::status), reason);
        }
        let whole = status != EndStatus::Incomplete;
        let member = |key: Field| item.members.get(key).cloned().unwrap_or_default();
        match kind {
            Some(MessageKind::Call(_)) => {
                let arguments = arguments(item).filter(|_| !item.is_emitted);
                if let Some(piece) = &arguments {
                    hub.emit(&Step::Arguments { message, part: CALL, piece });
                }
                self.emit_opaque(node, status, items, hub);
                hub.emit(&Step::EndPart { message, part: CALL, whole });
            }
            Some(MessageKind::Result(_)) => self.emit_result(node, message, &[], hub),
            Some(MessageKind::Other(_)) => {
                let tools = member(ResponsesMcpListTools::tools);
                let label = member(ResponsesMcpListTools::server_label);
                let list = Value::from([("server_label", label), ("tools", tools)]);
                self.emit_opaque(node, status, items, hub);
                hub.emit(&Step::whole(message, 0, Payload::Data(&list)));
            }
            Some(MessageKind::Interrupt) => {
                let text = |key| Value::from(item.members.word(key));
                let payload = Value::from([
                    ("name", text(ResponsesFunctionCall::name)),
                    ("arguments", text(ResponsesFunctionCall::arguments)),
                    ("server_label", text(ResponsesMcpCall::server_label)),
                ]);
                let text = item.members.undeclared(TEXT).and_then(Value::as_str);
                let (payload, text) = match question_payload(&payload) {
                    Some(payload) => split_text(payload, text),
                    None => (payload, text.map(ToOwned::to_owned)),
                };
                let question =
                    Step::interrupt(message, 0, item.members.word(Item::id), None, &payload);
                hub.emit(&question.with_text(text.as_deref()));
            }
            Some(MessageKind::Answer) => {
                let payload = member(ResponsesMcpApprovalResponse::approve);
                hub.emit(&Step::Answer {
                    message,
                    part: 0,
                    id: item.members.word(ResponsesMcpApprovalResponse::approval_request_id),
                    approved: payload.as_bool(),
                    reason: item.members.filled(ResponsesMcpApprovalResponse::reason),
                    payload: &payload,
                });
            }
            _ if item.is_image() => {
                // An empty text is an image, too.
                if let Some(image) =
                    item.members.get(ResponsesImageGenerationCall::result).and_then(Value::as_str)
                {
                    let url = data_url(item, image);
                    hub.emit(&Step::whole(message, 0, Payload::Image { url: Some(&url) }));
                }
            }
            _ => self.end_parts(node, message, status, items, hub),
        }
        hub.emit(&Step::Close { message, end: &MessageEnd::new(status) });
        if let Some(MessageKind::Call(tool)) = kind {
            self.emit_outcome(node, tool, hub);
        }
    }

    fn end_parts(
        &mut self,
        node: ObjectId,
        message: u32,
        status: EndStatus,
        items: &mut EventItems<'_>,
        hub: &mut Hub<'_>,
    ) {
        for part in self.objects[node as usize].parts.clone() {
            self.end_pieces(part, None, hub);
        }
        self.emit_opaque(node, status, items, hub);
        let whole = status != EndStatus::Incomplete;
        for part in &self.objects[node as usize].parts {
            let part = &self.objects[*part as usize];
            let ObjectPlace::Part { number, .. } = part.place else { continue };
            if part.is_emitted {
                hub.emit(&Step::EndPart { message, part: number, whole });
            } else if part.keeps_extra() && part.phase.is_waiting() {
                let mut members = alloc::vec![Member::new("type", part.name())];
                members.extend(part.members.undeclared.iter().cloned());
                hub.emit(&Step::whole(message, number, Payload::Data(&Value::Object(members))));
            }
        }
    }
}

impl ResponsesSource {
    /// Emits the further members of the item of a tool of the server, and the failure of a call
    /// without an error.
    pub(super) fn emit_members(&mut self, node: ObjectId, hub: &mut Hub<'_>) {
        let item = &self.objects[node as usize];
        if item.is_of_server() {
            let container = item.members.given(ResponsesCodeInterpreterCall::container_id);
            let mut more = present_members([("container_id", container.cloned())]);
            more.extend(item.members.undeclared.iter().cloned());
            if !more.is_empty() {
                let value = &Value::Object(more);
                hub.note(Note::Metadata { value, message: item.phase.number(), call: None });
            }
        }
        let no_error = item.members.given(ResponsesMcpCall::error).is_none();
        if item.tool().is_some() && item.members.word(Item::status) == "failed" && no_error {
            hub.note(Note::Progress { id: item.call(), status: "failed", data: None });
        }
    }

    /// Emits the result of a call whose own item has it, such as that of a tool of the server.
    pub(super) fn emit_outcome(&mut self, node: ObjectId, tool: ToolKind, hub: &mut Hub<'_>) {
        let item = &self.objects[node as usize];
        let error = item.members.given(ResponsesMcpCall::error);
        if let Some(error) = error {
            let text = ["message", "content"].iter().find_map(|name| error.text(name));
            let text = error.as_str().or(text);
            let text = text.map_or_else(|| error.to_json(), Into::into);
            hub.note(Note::ToolError { id: item.call(), cause: Some("tool"), text: &text });
            return;
        }
        let keys = [
            ResponsesMcpCall::output,
            ResponsesFileSearchCall::results,
            ResponsesCodeInterpreterCall::outputs,
        ];
        if !keys.iter().any(|key| item.members.given(*key).is_some()) {
            return;
        }
        self.messages += 1;
        let message = self.messages;
        let kind = MessageKind::Result(tool);
        hub.emit(&Step::open(message, kind, kind.default_role(), None));
        self.emit_result(node, message, &keys, hub);
        hub.close(message);
    }

    /// Emits the result of a tool: the first of these members that is present. If `keys` is empty,
    /// the members of output items are used.
    pub(super) fn emit_result(
        &self,
        node: ObjectId,
        message: u32,
        keys: &[Field],
        hub: &mut Hub<'_>,
    ) {
        let item = &self.objects[node as usize];
        let default = [
            ResponsesMcpCall::output,
            ResponsesImageGenerationCall::result,
            ResponsesMcpListTools::tools,
        ];
        let keys = if keys.is_empty() { &default[..] } else { keys };
        let value = keys.iter().find_map(|key| item.members.given(*key));
        let output = value.map(Value::to_text).unwrap_or_default();
        hub.emit(&Step::result(message, 0, item.call(), &output));
    }
}

/// Returns the arguments of a tool of the server as JSON.
pub(super) fn arguments(item: &SourceObject) -> Option<String> {
    let value = |key| item.members.given(key);
    if let Some(queries) = value(ResponsesFileSearchCall::queries) {
        return Some(Value::from([("queries", queries.clone())]).to_json());
    }
    let whole = [
        ResponsesShellCall::action,
        ResponsesApplyPatchCall::operation,
        ResponsesFunctionCall::arguments,
    ];
    let known = whole.iter().find_map(|key| value(*key));
    let is_known = item.kind.is_some() || item.members.undeclared.is_empty();
    known
        .map(Value::to_json)
        .or_else(|| (!is_known).then(|| Value::Object(item.members.undeclared.clone()).to_json()))
}

/// Returns an image as a data URL.
pub(super) fn data_url(item: &SourceObject, image: &str) -> String {
    let format = item.members.undeclared(FORMAT).and_then(Value::as_str).unwrap_or("png");
    let format = if format == "svg" { "svg+xml" } else { format };
    ["data:image/", format, ";base64,", image].concat()
}
