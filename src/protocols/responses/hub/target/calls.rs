//! Calls and their results: of functions, of custom tools and of MCP servers.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::server_tools::ServerTool;
use super::{ToResponses, UNREADABLE, WireOutput, WrittenPlace, add};
use crate::bytes::string_map::pair;
use crate::hub::{ITEM_TYPE, InputFormat, MessageKind, NAMESPACE, Step, ToolKind};
use crate::json::{Member, Value};

/// The call that an item is.
#[derive(Debug)]
pub(super) struct WrittenCall {
    pub id: String,
    pub kind: ToolKind,
    /// The format of its item, if it is a call of a tool of Responses' own server.
    pub server: Option<&'static ServerTool>,
    pub has_failed: bool,
    /// Further members, which are known at its end.
    pub more: Value,
    /// Its sealed members, which follow it.
    pub carriers: Vec<String>,
}

impl WrittenCall {
    /// Returns whether its item is that of a tool of the server with this type.
    pub fn is_item_of(&self, r#type: &str) -> bool {
        self.server.is_some_and(|server| server.call == r#type)
    }
}

impl ToResponses {
    /// Writes a call as one item: that of a function, of a custom tool, of a tool of the server, or
    /// of an MCP server, whose result is a member of the same item. Other calls that the agent runs
    /// itself become MCP calls: clients run those of functions and custom tools.
    pub(super) fn call(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Call { message, part, id, name, input, more } = *step else { return };
        let id = self.call_ids.of(id, out).to_owned();
        let mut kind =
            if let MessageKind::Call(kind) = out.kind(message) { kind } else { ToolKind::Function };
        if (kind, input) == (ToolKind::Function, InputFormat::Text) {
            kind = ToolKind::Plugin;
            out.lose("tool-family", &id, "what takes plain text is a custom tool in Responses");
        }
        let given = |key: &str| more.iter().find(|member| member.key == key)?.value.as_str();
        let of_client = given(ITEM_TYPE).and_then(ServerTool::of);
        if of_client.is_some() {
            kind = ToolKind::Plugin;
        }
        let server = ServerTool::of(name).filter(|_| kind == ToolKind::Plugin).or(of_client);
        if kind == ToolKind::Component
            || (kind, input, server.is_some()) == (ToolKind::Plugin, InputFormat::Json, false)
        {
            kind = ToolKind::Mcp;
            out.lose("tool-family", &id, "a tool that the agent runs became one of an MCP server");
        }
        let mut members = Value::from([("name", name.into())]);
        let mut lost = false;
        for Member { key, value } in more {
            match key.as_str() {
                "server_label" | "approval_request_id"
                    if kind == ToolKind::Mcp && matches!(value, Value::String(_) | Value::Null) =>
                {
                    members.insert(key, value.clone())
                }
                NAMESPACE if matches!(kind, ToolKind::Function | ToolKind::Plugin) => {
                    members.insert(key, value.clone())
                }
                ITEM_TYPE if of_client.is_some() => {}
                _ => lost = true,
            }
        }
        if lost {
            out.lose(
                "call-members",
                &id,
                "calls of Responses have an id, a name and what they are given",
            );
        }
        let further = self.early_members.get_mut(&id).map(core::mem::take).unwrap_or_default();
        let own = self.next_id(message);
        let begun = if let Some(server) = server {
            self.server_call(server, &id, own, out)
        } else if kind == ToolKind::Mcp {
            if members.get("server_label").is_none() {
                members.insert("server_label", "agent".into());
            }
            let own = self.named(&id, out);
            self.item("mcp_call", own, members, out)
        } else {
            members.insert("call_id", id.as_str().into());
            add(&mut members, further);
            let r#type =
                if kind == ToolKind::Function { "function_call" } else { "custom_tool_call" };
            self.item(r#type, own.as_deref(), members, out)
        };
        if let Some(item) = begun {
            self.calls.insert(&id, item);
            self.parts.insert(pair(message, part), WrittenPlace::Call { item });
            let more = of_client.map_or(Value::Null, ServerTool::members_of_client);
            let (has_failed, carriers) = (false, Vec::new());
            self.items[item].call =
                Some(WrittenCall { id, kind, server, has_failed, more, carriers });
        }
    }

    /// Returns the item of a call, by the id that the call has in the source.
    pub(super) fn item_of_call(&mut self, id: &str, out: &mut WireOutput<'_>) -> Option<usize> {
        self.calls.get(self.call_ids.of(id, out)).copied()
    }

    /// Appends a piece to the arguments of a call. An item that has no event for them gets them at
    /// its end.
    pub(super) fn arguments(
        &mut self,
        (message, part): (u32, u32),
        piece: &str,
        out: &mut WireOutput<'_>,
    ) {
        let Some(&WrittenPlace::Call { item: at }) = self.parts.get(pair(message, part)) else {
            return;
        };
        let item = &mut self.items[at];
        if item.done.is_some() {
            // The result of an MCP call came before the end of its arguments.
            return out.lose("refused", "", UNREADABLE);
        }
        item.text.push_str(piece);
        if item.row.streamed.is_some() {
            self.events.piece(item, None, piece, out);
        }
    }

    /// Replaces the arguments of a call. Clients receive the new ones when they end. (O9.)
    pub(super) fn replace_arguments(&mut self, id: &str, all: &str, out: &mut WireOutput<'_>) {
        let item = self.item_of_call(id, out).map(|at| &mut self.items[at]);
        match item.filter(|item| item.done.is_none() && !item.is_text_ended) {
            Some(item) => item.text = all.to_owned(),
            None => out.lose("arguments-replaced", id, "they were whole"),
        }
    }

    /// Ends the streamed arguments of an open item, if it has them.
    pub(super) fn end_arguments(&mut self, at: usize, out: &mut WireOutput<'_>) {
        let item = &mut self.items[at];
        let Some(streamed) = item.row.streamed.filter(|_| !item.is_text_ended) else { return };
        item.is_text_ended = true;
        self.events.write_of(item, [streamed.events, "done"], out, |object| {
            // Typed clients require the name.
            if item.row.name == "function_call" {
                object.value("name", item.members.get("name"));
            }
            object.string(streamed.member, Some(&item.text));
        });
    }

    /// Ends the arguments of a call, which are complete (`whole`) or cut off. The item of an MCP
    /// call with complete arguments waits for the result.
    pub(super) fn end_call(&mut self, at: usize, whole: bool, out: &mut WireOutput<'_>) {
        let Some(&mut WrittenCall { kind, server, .. }) = self.items[at].open_call() else {
            return;
        };
        if let Some(server) = server {
            return self.end_server_call(server, at, whole, out);
        }
        if whole && kind == ToolKind::Mcp {
            return self.end_arguments(at, out);
        }
        self.end_item(at, if whole { "completed" } else { "incomplete" }, Value::Null, out);
    }

    pub(super) fn result(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Result { message, id, output, content, more, .. } = *step else { return };
        if !more.is_empty() {
            out.lose("call-members", id, "the result of a call has an id and an output");
        }
        let is_input = |part: &Value| {
            part.get("type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("input_"))
        };
        let Some(at) = self.item_of_call(id, out) else { return };
        let Some(WrittenCall { id, kind, server, .. }) = &self.items[at].call else { return };
        let (id, server) = (id.clone(), *server);
        // The output of an MCP call is a text.
        let list = match content {
            Some(Value::Array(parts)) if *kind != ToolKind::Mcp && parts.iter().all(is_input) => {
                content
            }
            Some(_) => {
                out.lose("result-parts", &id, "results of Responses have no parts: the text stays");
                None
            }
            None => None,
        };
        if let Some(server) = server
            && self.server_result(server, at, message, output, out)
        {
            return;
        }
        let output = list.cloned().unwrap_or_else(|| output.into());
        let own = self.next_id(message);
        self.call_result(at, own.as_deref(), output, out);
    }

    /// Writes the result of a call: an item, or a member of the call's item.
    fn call_result(
        &mut self,
        at: usize,
        own: Option<&str>,
        output: Value,
        out: &mut WireOutput<'_>,
    ) {
        let item = &self.items[at];
        let Some(WrittenCall { id, kind, server, .. }) = &item.call else { return };
        if server.is_some() {
            out.lose(
                "tool-family",
                id,
                "the server's tool has no such result: it became a custom tool's",
            );
        }
        if *kind == ToolKind::Mcp && item.done.is_none() {
            self.progress(at, "completed", out);
            return self.end_item(at, "completed", Value::from([("output", output)]), out);
        }
        let r#type = match kind {
            ToolKind::Function => "function_call_output",
            _ => "custom_tool_call_output",
        };
        let members = Value::from([("call_id", id.as_str().into()), ("output", output)]);
        self.whole_item(r#type, own, members, out);
    }

    /// Writes the failure of a call: an MCP call has a member for the error, a call of a tool of
    /// the server only a status. For any other call, the error becomes the result.
    pub(super) fn tool_error(&mut self, id: &str, text: &str, out: &mut WireOutput<'_>) {
        let Some(at) = self.item_of_call(id, out) else { return };
        let item = &mut self.items[at];
        if let Some(call) = item.open_call() {
            if call.server.is_some() {
                call.has_failed = true;
                let reason = "items of the server's tools have the failure, not its reason";
                return out.lose("tool-error", &call.id, reason);
            }
            if call.kind == ToolKind::Mcp {
                call.has_failed = true;
                self.progress(at, "failed", out);
                return self.end_item(at, "failed", Value::from([("error", text.into())]), out);
            }
        }
        let place = item.call.as_ref().map_or("", |call| &call.id);
        out.lose("tool-error", place, "Responses has no event for it: it became the result");
        self.call_result(at, None, text.into(), out);
    }

    /// Writes the progress of a call, if its item has an event for that word.
    pub(super) fn advance(&mut self, id: &str, word: &str, out: &mut WireOutput<'_>) {
        let at = self.item_of_call(id, out);
        let open = at.and_then(|at| Some((at, self.items[at].open_call()?)));
        let Some((at, call)) = open else {
            return out.lose("progress", id, "Responses has no event for it");
        };
        call.has_failed |= word == "failed";
        // The end of the item reports the failure.
        if !self.progress(at, word, out) && word != "failed" {
            out.lose("progress", id, "Responses has no event for it");
        }
    }
}
