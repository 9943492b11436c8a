//! Writes calls of tools of Responses' own server in the format of that server.

use alloc::string::String;
use alloc::vec::Vec;

use super::{ToResponses, WireOutput, WrittenPlace, add};
use crate::bytes::string_map::pair;
use crate::hub::{MessageKind, Note, Step, ToolKind};
use crate::json::{Member, Value};

/// Members that are written from other data of the call.
const OWN: &[&str] = &["id", "type", "status", "call_id", "code"];

impl ToResponses {
    /// Begins the item of a call. Its arguments are complete only at its end.
    pub(super) fn server_call(
        &mut self,
        server: &ServerTool,
        id: &str,
        own: Option<String>,
        out: &mut WireOutput<'_>,
    ) -> Option<usize> {
        if server.output.is_some() {
            let members = Value::from([("call_id", id.into())]);
            return self.item(server.call, own.as_deref(), members, out);
        }
        let own = self.named(id, out);
        self.item(server.call, own, Value::Null, out)
    }

    /// Ends the arguments of a call, which are complete (`whole`) or cut off.
    pub(super) fn end_server_call(
        &mut self,
        server: &ServerTool,
        at: usize,
        whole: bool,
        out: &mut WireOutput<'_>,
    ) {
        if !whole {
            return self.end_server_item(server, at, "incomplete", Value::Null, out);
        }
        self.end_arguments(at, out);
        if self.items[at].call.as_ref().is_some_and(|call| !call.has_failed) {
            self.progress(at, "completed", out);
        }
        if server.result.is_some() {
            self.awaiting = Some(at);
        } else {
            self.end_server_item(server, at, "completed", Value::Null, out);
        }
    }

    /// Ends the call that waits for its result, unless this step can belong to that result.
    pub(super) fn end_awaiting(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Some(at) = self.awaiting else { return };
        let may_come = match *step {
            Step::Close { .. } | Step::Heartbeat => true,
            Step::Open { kind, .. } => kind == MessageKind::Result(ToolKind::Plugin),
            Step::Result { id: of, .. }
            | Step::Note(
                Note::ToolError { id: of, .. }
                | Note::Progress { id: of, .. }
                | Note::Opaque { call: Some(of), .. },
            ) => self.item_of_call(of, out) == Some(at),
            _ => false,
        };
        if !may_come && let Some(server) = self.items[at].call.as_ref().and_then(|call| call.server)
        {
            self.awaiting = None;
            self.end_server_item(server, at, "completed", Value::Null, out);
        }
    }

    /// Writes the result of a call: a member of the call, or an item. Returns false if the result
    /// can be neither.
    pub(super) fn server_result(
        &mut self,
        server: &ServerTool,
        at: usize,
        message: u32,
        output: &str,
        out: &mut WireOutput<'_>,
    ) -> bool {
        if let Some(member) = server.result
            && self.awaiting.take_if(|awaiting| *awaiting == at).is_some()
        {
            // An output that is not JSON cannot be a member: the call ends without it.
            let members = PayloadPlace::Json(member).members(output);
            let has_members = members.is_some();
            self.end_server_item(server, at, "completed", members.unwrap_or_default(), out);
            if has_members {
                return true;
            }
        }
        let Some((r#type, given)) = server.output else { return false };
        let Some(mut members) = given.members(output) else { return false };
        let id = self.items[at].call.as_ref().map_or("", |call| &call.id);
        members.insert("call_id", id.into());
        let own = self.next_id(message);
        if let Some(open) = self.messages.get_mut(message.into()) {
            add(&mut members, core::mem::take(&mut open.more));
        }
        let item = self.item(r#type, own.as_deref(), members, out);
        match (item, self.messages.get_mut(message.into())) {
            // The item ends with its message.
            (Some(item), Some(open)) => open.item = Some(item),
            (Some(item), None) => self.end_item(item, "completed", Value::Null, out),
            (None, _) => {}
        }
        true
    }

    fn end_server_item(
        &mut self,
        server: &ServerTool,
        at: usize,
        status: &'static str,
        result: Value,
        out: &mut WireOutput<'_>,
    ) {
        let item = &mut self.items[at];
        let Some(call) = &mut item.call else { return };
        let mut members = server.given.members(&item.text).unwrap_or_else(|| {
            let reason = "the arguments are not what the tool of the server takes";
            out.lose("call-members", &call.id, reason);
            Value::Null
        });
        if server.call == "local_shell_call"
            && let Value::Object(list) = &mut members
            && let Some(Member { value: action @ Value::Object(_), .. }) = list.first_mut()
        {
            for (key, value) in [("type", "exec".into()), ("env", Value::Object(Vec::new()))] {
                if action.get(key).is_none() {
                    action.insert(key, value);
                }
            }
        }
        if server.given == PayloadPlace::Members {
            members = own_left_out(members);
            // Null is not a result.
            if let (Value::Object(members), Some(result)) = (&mut members, server.result) {
                members.retain(|member| member.key != result || !member.value.is_null());
            }
        }
        add(&mut members, core::mem::take(&mut call.more));
        add(&mut members, result);
        self.end_item(at, status, members, out);
    }

    /// Keeps further members for the item of a call of a tool of the server, or for its result.
    /// Returns false if the message is neither.
    pub(super) fn server_members(
        &mut self,
        message: u32,
        members: &Value,
        out: &WireOutput<'_>,
    ) -> bool {
        if let Some(&WrittenPlace::Call { item }) = self.parts.get(pair(message, 0))
            && let Some(call) = self.items[item].open_call()
            && call.server.is_some()
        {
            add(&mut call.more, own_left_out(members.clone()));
            return true;
        }
        match self.messages.get_mut(message.into()) {
            Some(open)
                if out.kind(message) == MessageKind::Result(ToolKind::Plugin)
                    && open.item.is_none() =>
            {
                add(&mut open.more, own_left_out(members.clone()));
                true
            }
            _ => false,
        }
    }
}

fn own_left_out(members: Value) -> Value {
    Value::Object(members.members_without(OWN))
}

/// The format of the items of such a tool.
#[derive(Debug)]
pub(super) struct ServerTool {
    /// The type of its calls.
    pub call: &'static str,
    pub given: PayloadPlace,
    /// The member of the call that has the result.
    pub result: Option<&'static str>,
    /// The type of the item that has the result, if this is a separate item, and the place of the
    /// result in it. Call and result have the same `call_id`.
    pub output: Option<(&'static str, PayloadPlace)>,
}

/// The place of the arguments in a call, or of the result in an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PayloadPlace {
    /// It is streamed.
    Streamed,
    /// It is in a member, as JSON.
    Json(&'static str),
    /// It is in a member, as a text.
    Text(&'static str),
    /// Its members are members of the item.
    Members,
}

const fn tool(call: &'static str, given: PayloadPlace) -> ServerTool {
    ServerTool { call, given, result: None, output: None }
}

const fn with_output(
    call: &'static str,
    given: PayloadPlace,
    output: &'static str,
    member: PayloadPlace,
) -> ServerTool {
    ServerTool { output: Some((output, member)), ..tool(call, given) }
}

const TOOLS: &[ServerTool] = {
    use PayloadPlace::{Json, Members, Streamed, Text};
    &[
        with_output(
            "apply_patch_call",
            Json("operation"),
            "apply_patch_call_output",
            Text("output"),
        ),
        ServerTool { result: Some("outputs"), ..tool("code_interpreter_call", Streamed) },
        with_output("computer_call", Json("action"), "computer_call_output", Json("output")),
        ServerTool { result: Some("results"), ..tool("file_search_call", Members) },
        with_output("local_shell_call", Json("action"), "local_shell_call_output", Text("output")),
        with_output("program", Text("code"), "program_output", Text("result")),
        with_output("shell_call", Json("action"), "shell_call_output", Json("output")),
        with_output("tool_search_call", Json("arguments"), "tool_search_output", Json("tools")),
        tool("web_search_call", Json("action")),
    ]
};

impl ServerTool {
    /// Returns the tool whose calls have that type.
    pub fn of(name: &str) -> Option<&'static ServerTool> {
        TOOLS.iter().find(|tool| tool.call == name)
    }

    /// Returns the members of a call that the client runs.
    pub fn members_of_client(&self) -> Value {
        match self.call {
            "tool_search_call" => Value::from([("execution", "client".into())]),
            _ => Value::Null,
        }
    }
}

impl PayloadPlace {
    /// Returns the members of an item for arguments or a result. `None` if the text is not the
    /// necessary JSON.
    pub fn members(self, text: &str) -> Option<Value> {
        let member = |key, value| Some(Value::from([(key, value)]));
        match self {
            PayloadPlace::Streamed => Some(Value::Null),
            PayloadPlace::Text(key) => member(key, text.into()),
            _ if text.is_empty() => Some(Value::Null),
            PayloadPlace::Json(key) => member(key, json(text)?),
            PayloadPlace::Members => json(text).filter(|value| matches!(value, Value::Object(_))),
        }
    }
}

/// Parses a JSON text.
fn json(text: &str) -> Option<Value> {
    /// The maximum depth of a member of an item of a response in an event.
    const DEEPEST: u32 = 100;
    Value::parse(text, DEEPEST).ok()
}
