//! Writes calls, results, questions and parts that are complete at once.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::server_tools::{PayloadPlace, ServerTool};
use super::{Out, ToResponses, Tool, send};
use crate::bytes::string_map::pair;
use crate::hub::approval::{TEXT, is_without_tool, question_with_text};
use crate::hub::{Input, MessageKind, Payload, Step, ToolKind, given};
use crate::json::{Member, Value};
use crate::protocols::responses::hub::FORMAT;

impl ToResponses {
    /// Writes a call as one item: that of a function, of a custom tool, of a tool of the server, or
    /// of an MCP server, whose result is a member of the same item. Other calls that the agent runs
    /// itself become MCP calls: clients run those of functions and custom tools.
    pub(super) fn call(&mut self, step: &Step<'_>, out: &mut Out<'_>) {
        let Step::Call { message, part, id, name, input, more } = *step else { return };
        let id = self.call_ids.of(id, out).to_owned();
        let mut kind =
            if let MessageKind::Call(kind) = out.kind(message) { kind } else { ToolKind::Function };
        if (kind, input) == (ToolKind::Function, Input::Text) {
            kind = ToolKind::Plugin;
            out.lose("tool-family", &id, "what takes plain text is a custom tool in Responses");
        }
        let server = ServerTool::of(name).filter(|_| kind == ToolKind::Plugin);
        if kind == ToolKind::Component
            || (kind, input, server.is_some()) == (ToolKind::Plugin, Input::Json, false)
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
        let further = self.own_calls.get_mut(&id).map(core::mem::take).unwrap_or_default();
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
            super::server_tools::add(&mut members, further);
            let r#type =
                if kind == ToolKind::Function { "function_call" } else { "custom_tool_call" };
            self.item(r#type, own.as_deref(), members, out)
        };
        if let Some(item) = begun {
            if kind == ToolKind::Mcp {
                self.pending.push(id.clone());
            }
            let (given, more, carriers) = (String::new(), Value::Null, Vec::new());
            let (is_done, failed) = (false, false);
            self.tools
                .insert(&id, Tool { item, kind, is_done, failed, server, given, more, carriers });
            self.calls.insert(pair(message, part), id);
        }
    }

    /// Returns the id of a call or question as the id of its item, if no other item has it.
    pub(super) fn named<'i>(&self, id: &'i str, out: &mut Out<'_>) -> Option<&'i str> {
        let free = Some(id).filter(|id| self.builder.is_free(id));
        if free.is_none() {
            out.lose("call-id", id, "an item cannot have it: it got another");
        }
        free
    }

    pub(super) fn arguments(&mut self, at: u64, piece: &str, out: &mut Out<'_>) {
        let Some(tool) = self.calls.get(at).and_then(|id| self.tools.get_mut(id)) else { return };
        match tool.server.filter(|server| server.given != PayloadPlace::Streamed) {
            Some(_) => tool.given.push_str(piece),
            None => send("", self.builder.arguments(tool.item, piece), out),
        }
    }

    /// Ends the arguments of a call, which are complete (`whole`) or cut off. The item of an MCP
    /// call with complete arguments waits for the result.
    pub(super) fn end_call(&mut self, id: &str, whole: bool, out: &mut Out<'_>) {
        let Some(&Tool { item, kind, is_done: false, server, .. }) = self.tools.get(id) else {
            return;
        };
        if let Some(server) = server {
            return self.end_server_call(server, id, whole, out);
        }
        if whole && kind == ToolKind::Mcp {
            return send(id, self.builder.end_arguments(item), out);
        }
        self.end_tool(id, if whole { "completed" } else { "incomplete" }, Value::Null, out);
    }

    /// Ends the item of a call.
    pub(super) fn end_tool(&mut self, id: &str, status: &str, more: Value, out: &mut Out<'_>) {
        let Some(tool) = self.tools.get_mut(id) else { return };
        if !core::mem::replace(&mut tool.is_done, true) {
            let item = tool.item;
            let status = if tool.failed && status == "completed" { "failed" } else { status };
            let (carriers, mut own) =
                (core::mem::take(&mut tool.carriers), core::mem::take(&mut tool.more));
            super::server_tools::add(&mut own, more);
            self.end_item(item, status, own, out);
            self.carriers(carriers, out);
        }
    }

    pub(super) fn result(&mut self, step: &Step<'_>, out: &mut Out<'_>) {
        let Step::Result { message, id, output, content, more, .. } = *step else { return };
        if !more.is_empty() {
            out.lose("call-members", id, "the result of a call has an id and an output");
        }
        let is_input = |part: &Value| {
            part.get("type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("input_"))
        };
        let id = self.call_ids.of(id, out).to_owned();
        // The output of an MCP call is a text.
        let is_item = self.tools.get(&id).is_some_and(|tool| tool.kind != ToolKind::Mcp);
        let list = match content {
            Some(Value::Array(parts)) if is_item && parts.iter().all(is_input) => content,
            Some(_) => {
                out.lose("result-parts", &id, "results of Responses have no parts: the text stays");
                None
            }
            None => None,
        };
        if let Some(server) = self.tools.get(&id).and_then(|tool| tool.server)
            && self.server_result(server, &id, message, output, out)
        {
            return;
        }
        let output = list.cloned().unwrap_or_else(|| output.into());
        let own = self.next_id(message);
        self.call_result(&id, own.as_deref(), output, out);
    }

    /// Writes the result of a call: an item, or a member of the call's item.
    fn call_result(&mut self, id: &str, own: Option<&str>, output: Value, out: &mut Out<'_>) {
        let Some(&Tool { kind, is_done, server, .. }) = self.tools.get(id) else { return };
        if server.is_some() {
            out.lose(
                "tool-family",
                id,
                "the server's tool has no such result: it became a custom tool's",
            );
        }
        if kind == ToolKind::Mcp && !is_done {
            self.advance(id, "completed", out);
            return self.end_tool(id, "completed", Value::from([("output", output)]), out);
        }
        let r#type = match kind {
            ToolKind::Function => "function_call_output",
            _ => "custom_tool_call_output",
        };
        let members = Value::from([("call_id", id.into()), ("output", output)]);
        self.whole_item(r#type, own, members, out);
    }

    /// Writes the failure of a call: an MCP call has a member for the error, a call of a tool of
    /// the server only a status. For any other call, the error becomes the result.
    pub(super) fn tool_error(&mut self, id: &str, text: &str, out: &mut Out<'_>) {
        let id = self.call_ids.of(id, out).to_owned();
        let Some(tool) = self.tools.get_mut(&id) else { return };
        let (kind, is_done) = (tool.kind, tool.is_done);
        if tool.server.is_some() && !is_done {
            tool.failed = true;
            return out.lose(
                "tool-error",
                &id,
                "items of the server's tools have the failure, not its reason",
            );
        }
        if kind == ToolKind::Mcp && !is_done {
            self.advance(&id, "failed", out);
            return self.end_tool(&id, "failed", Value::from([("error", text.into())]), out);
        }
        out.lose("tool-error", &id, "Responses has no event for it: it became the result");
        self.call_result(&id, None, text.into(), out);
    }

    /// Writes the progress of a call, if its item has an event for that word.
    pub(super) fn advance(&mut self, id: &str, word: &str, out: &mut Out<'_>) {
        let open = self.tools.get_mut(id).filter(|tool| !tool.is_done);
        let known = open.map(|tool| {
            tool.failed |= word == "failed";
            tool.item
        });
        match known.and_then(|item| self.builder.progress(item, word).ok()) {
            Some(event) => out.emit(event),
            // The end of the item reports the failure.
            None if known.is_some() && word == "failed" => {}
            None => out.lose("progress", id, "Responses has no event for it"),
        }
    }

    /// Writes a question: a tool call that has to be approved. The answer refers to the id of the
    /// item. Official clients show the arguments, and keep the member `text`.
    pub(super) fn ask(
        &mut self,
        message: u32,
        id: &str,
        (payload, text): (&Value, Option<&str>),
        out: &mut Out<'_>,
    ) {
        let ([name, arguments, server_label], is_added) = question_with_text(payload, text);
        // Beside the arguments, it shows that it is not a member of the payload.
        let beside = text.filter(|_| is_added || !is_without_tool(payload));
        let members = given([
            ("name", Some(name.into())),
            ("arguments", Some(arguments.into())),
            ("server_label", Some(server_label.into())),
            (TEXT, beside.map(Value::from)),
        ]);
        self.count_item(message);
        let own = self.named(id, out);
        self.whole_item("mcp_approval_request", own, Value::Object(members), out);
    }

    /// Writes a whole part. An image in a data URL becomes an item, and so does the list of an MCP
    /// server's tools.
    pub(super) fn whole(
        &mut self,
        message: u32,
        part: u32,
        payload: Payload<'_>,
        preview: bool,
        out: &mut Out<'_>,
    ) {
        let place = out.place(message).to_owned();
        let lists_tools = self.messages.get(message.into()).is_some_and(|open| open.lists_tools);
        let image = match payload {
            Payload::Image { url: Some(url) } => {
                url.strip_prefix("data:image/").and_then(|url| url.split_once(";base64,"))
            }
            Payload::Data(Value::Object(data)) if lists_tools => {
                let is_own = |member: &&Member| {
                    matches!(&*member.key, "id" | "type") || member.value.is_null()
                };
                let members = data.iter().filter(|member| !is_own(member));
                let own = self.next_id(message);
                let members = Value::Object(members.cloned().collect());
                self.whole_item("mcp_list_tools", own.as_deref(), members, out);
                return;
            }
            _ => None,
        };
        let Some((format, base64)) = image else {
            // The losses of the others are noted already.
            if matches!(payload, Payload::Image { .. } | Payload::Audio { .. } | Payload::Data(_)) {
                let reason = "messages of Responses are text, and images are items only where their bytes are here";
                out.lose(payload.name(), &place, reason);
            }
            return self.count_item(message);
        };
        let at = pair(message, part);
        let begun = match self.images.remove(at) {
            Some(begun) => Some(begun),
            None => {
                let own = self.next_id(message);
                // The protocol's name of the format differs from that in the media type.
                let format = if format == "svg+xml" { "svg" } else { format };
                let members = Value::from([("result", Value::Null), (FORMAT, format.into())]);
                self.item("image_generation_call", own.as_deref(), members, out)
                    .map(|item| (item, 0))
            }
        };
        let Some((item, number)) = begun else { return };
        if preview {
            send(&place, self.builder.partial_image(item, number, base64), out);
            self.images.insert(at, (item, number + 1));
        } else {
            send(&place, self.builder.progress(item, "completed"), out);
            self.end_item(item, "completed", Value::from([("result", base64.into())]), out);
        }
    }
}
