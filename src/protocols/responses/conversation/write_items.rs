//! Writes items.

use alloc::string::String;

use super::content::{OF_MESSAGE, is_of_message, write_message_members, write_part};
use super::hosted::write_output;
use super::{MESSAGE, item_type};
use crate::core::id::IdSource;
use crate::hub::approval::question;
use crate::hub::conversation::members::{ListWriter, write_members};
use crate::hub::conversation::{
    Call, CallInput, Content, Opaque, Part, RunBy, ToolResult, Turn, TurnRole,
};
use crate::json::{Member, ObjectWriter, Value, write_list};

/// A list of items that is open.
pub(super) struct ItemWriter<'o> {
    list: ListWriter<'o>,
    /// Creates the ids of messages of the model, in a request of another protocol: by the types of
    /// the official clients, they have one.
    ids: Option<&'o mut dyn IdSource>,
    /// Whether the server stores items: only then it finds them by their ids.
    is_stored: bool,
}

impl<'o> ItemWriter<'o> {
    pub fn open(out: &'o mut String, ids: Option<&'o mut dyn IdSource>, is_stored: bool) -> Self {
        ItemWriter { list: ListWriter::open(out), ids, is_stored }
    }

    pub fn close(self) {
        self.list.close();
    }

    /// Writes the items of a turn, and then the results of its calls.
    pub fn turn(&mut self, turn: &Turn) {
        let keeps_ids = self.is_stored && turn.parts.iter().any(is_of_server);
        let mut parts = turn.parts.as_slice();
        while let Some((part, rest)) = parts.split_first() {
            if is_of_message(part) {
                let more =
                    rest.iter().take_while(|part| is_of_message(part) && !begins_message(part));
                let (message, after) = parts.split_at(1 + more.count());
                self.message(turn.role, message, keeps_ids);
                parts = after;
            } else {
                self.item(part, keeps_ids);
                parts = rest;
            }
        }
        for (part, call) in turn.parts.iter().filter_map(|part| Some((part, part.as_call()?))) {
            if let Some(result) = &call.result {
                self.result(part, call, result);
            }
        }
    }

    fn next(&mut self) -> ObjectWriter<'_> {
        ObjectWriter::open(self.list.item(), true)
    }

    fn message(&mut self, role: TurnRole, parts: &[Part], keeps_id: bool) {
        let Some(first) = parts.first() else { return };
        let new_id = self
            .ids
            .as_mut()
            .filter(|_| role == TurnRole::Assistant)
            .map(|ids| ids.next_id("msg_"));
        let mut message = self.next();
        message.string("type", Some(MESSAGE));
        message.string("role", Some(role_name(role)));
        let mut has_id = write_message_members(first, keeps_id, &mut message);
        if let Some(id) = new_id.filter(|_| !has_id) {
            message.string("id", Some(&id));
            has_id = true;
        }
        if has_id && role == TurnRole::Assistant {
            message.string("status", Some("completed"));
        }
        match parts {
            [only] if !has_id && is_plain(only) => message.string("content", only.as_text()),
            _ => write_list(parts, message.member("content"), |part, out| {
                write_part(part, role, out)
            }),
        }
        message.close();
    }

    /// Writes a part that is an item of its own.
    fn item(&mut self, part: &Part, keeps_ids: bool) {
        match &part.content {
            Content::Reasoning { text, .. } => {
                if let Some(own) = &part.opaque {
                    self.reasoning(text, own);
                }
            }
            Content::Call(call) if item_type(part.opaque.as_ref()).is_none() => {
                let mut item = self.next();
                write_call(call, part, keeps_ids, &mut item);
                item.close();
            }
            Content::Result(result) => {
                let kind = item_type(result.opaque.as_ref()).unwrap_or("function_call_output");
                self.output(kind, &result.call, result);
            }
            Content::Call(_)
            | Content::Native
            | Content::Tools(_)
            | Content::Question { .. }
            | Content::Answer { .. }
                if item_type(part.opaque.as_ref()).is_some() =>
            {
                let mut item = self.next();
                write_members(part.opaque.as_ref().map_or(&[], |own| &own.members), &mut item);
                item.close();
            }
            Content::Question { id, payload, .. } => {
                let [name, arguments, server] = question(payload);
                let mut item = self.next();
                item.string("type", Some("mcp_approval_request"));
                item.string("id", Some(id));
                item.string("name", Some(&name));
                item.string("arguments", Some(&arguments));
                item.string("server_label", Some(&server));
                item.close();
            }
            Content::Answer { id, approved, reason, .. } => {
                let mut item = self.next();
                item.string("type", Some("mcp_approval_response"));
                item.string("approval_request_id", Some(id));
                item.bool("approve", Some(*approved == Some(true)));
                item.string("reason", reason.as_deref());
                item.close();
            }
            _ => {}
        }
    }

    /// Writes a reasoning item, if the server can read it: with its encrypted content, or by its
    /// id.
    fn reasoning(&mut self, text: &str, own: &Opaque) {
        let id = own.get("id").and_then(Value::as_str);
        let id = id.filter(|id| self.is_stored && id.starts_with("rs_"));
        if id.is_none() && !has_encrypted_content(own) {
            return;
        }
        let mut item = self.next();
        item.string("type", Some("reasoning"));
        item.string("id", id);
        // It is required.
        if own.get("summary").is_none() {
            let told = (!text.is_empty()).then_some(text);
            write_list(told, item.member("summary"), |text, out| {
                let mut part = ObjectWriter::open(out, true);
                part.string("type", Some("summary_text"));
                part.string("text", Some(text));
                part.close();
            });
        }
        let others = own.members.iter().filter(|member| !matches!(&*member.key, "type" | "id"));
        others.for_each(|member| item.value(&member.key, Some(&member.value)));
        item.close();
    }

    /// Writes the result of a call.
    fn result(&mut self, part: &Part, call: &Call, result: &ToolResult) {
        match (item_type(part.opaque.as_ref()), &call.input) {
            // The item of the call has it.
            (Some(_), _) if call.by == RunBy::Provider => {}
            (Some(_), _) if result.opaque.as_ref().is_some_and(is_whole) => {
                self.output("", &call.id, result);
            }
            (Some(kind), _) => {
                let text = result.parts.iter().find_map(Part::as_text).unwrap_or_default();
                let id =
                    part.opaque.as_ref().and_then(|own| own.get("call_id")).and_then(Value::as_str);
                let mut item = self.next();
                write_output(kind, id.unwrap_or(&call.id), result, text, &mut item);
                item.close();
            }
            (None, CallInput::Text(_)) => self.output("custom_tool_call_output", &call.id, result),
            (None, CallInput::Json(_)) => self.output("function_call_output", &call.id, result),
        }
    }

    /// Writes an item with a result.
    fn output(&mut self, kind: &str, call: &str, result: &ToolResult) {
        let own = result.opaque.as_ref().map_or(&[][..], |own| &own.members);
        let mut item = self.next();
        if result.opaque.as_ref().is_some_and(is_whole) {
            write_members(own, &mut item);
            return item.close();
        }
        item.string("type", Some(kind));
        item.string("call_id", Some(call));
        match result.parts.as_slice() {
            [] => item.string("output", Some("")),
            [only] if is_plain(only) => item.string("output", only.as_text()),
            parts => write_list(parts, item.member("output"), |part, out| {
                write_part(part, TurnRole::User, out)
            }),
        }
        let own = own.iter().filter(|member| member.key != "type");
        own.for_each(|member| item.value(&member.key, Some(&member.value)));
        item.close();
    }
}

fn role_name(role: TurnRole) -> &'static str {
    match role {
        TurnRole::System => "system",
        TurnRole::Developer => "developer",
        TurnRole::User => "user",
        TurnRole::Assistant => "assistant",
    }
}

/// Whether a part is a text and nothing else, so that it needs no list around it.
fn is_plain(part: &Part) -> bool {
    let is_of_message = |member: &Member| OF_MESSAGE.contains(&&*member.key);
    part.as_text().is_some() && part.cache.is_none() && part.own_members().iter().all(is_of_message)
}

/// Whether a part is the first of its message.
fn begins_message(part: &Part) -> bool {
    part.own_members().iter().any(|member| member.key == MESSAGE)
}

/// Whether a part shows that its answer is one of the server, and not one that a client has with
/// ids of its own.
fn is_of_server(part: &Part) -> bool {
    let is_id = |member: &Member| match &member.value {
        Value::Object(inner) => {
            member.key == MESSAGE && inner.iter().all(|inner| inner.key == "id")
        }
        _ => member.key == "id",
    };
    !part.own_members().iter().all(is_id)
}

fn has_encrypted_content(own: &Opaque) -> bool {
    own.get("encrypted_content").and_then(Value::as_str).is_some_and(|content| !content.is_empty())
}

/// Whether the opaque members of a result are a whole item. Those of a function or a custom tool
/// are not.
fn is_whole(own: &Opaque) -> bool {
    !matches!(item_type(Some(own)), None | Some("function_call_output" | "custom_tool_call_output"))
}

/// Writes the members of a call of a function or a custom tool.
fn write_call(call: &Call, part: &Part, keeps_id: bool, item: &mut ObjectWriter<'_>) {
    let (kind, prefix, key, input) = match &call.input {
        CallInput::Json(json) => ("function_call", "fc_", "arguments", json),
        CallInput::Text(text) => ("custom_tool_call", "ctc_", "input", text),
    };
    let id = part.opaque.as_ref().and_then(|own| own.get("id")).and_then(Value::as_str);
    item.string("type", Some(kind));
    item.string("id", id.filter(|id| keeps_id && id.starts_with(prefix)));
    item.string("call_id", Some(&call.id));
    item.string("name", Some(&call.name));
    item.string("namespace", call.namespace.as_deref());
    item.string(key, Some(input));
    part.write_opaque_except(&["id", "type", "status"], item);
}
