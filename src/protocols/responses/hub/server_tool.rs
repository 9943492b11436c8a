//! Tools of Responses' own server. Their items have their own types and members. At the hub, the type is the tool's
//! name.

use crate::json::Value;

/// The format of the items of such a tool.
#[derive(Debug)]
pub(super) struct ServerTool {
    /// The type of its calls.
    pub call: &'static str,
    pub given: Given,
    /// The member of the call that has the result.
    pub result: Option<&'static str>,
    /// The type of the item that has the result, if this is a separate item, and the place of the result in it. Call
    /// and result have the same `call_id`.
    pub output: Option<(&'static str, Given)>,
}

/// The place of the arguments in a call, or of the result in an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// It is streamed.
    Streamed,
    /// It is in a member, as JSON.
    Json(&'static str),
    /// It is in a member, as a text.
    Text(&'static str),
    /// Its members are members of the item.
    Members,
}

const fn tool(call: &'static str, given: Given) -> ServerTool {
    ServerTool { call, given, result: None, output: None }
}

const fn with_output(call: &'static str, given: Given, output: &'static str, member: Given) -> ServerTool {
    ServerTool { output: Some((output, member)), ..tool(call, given) }
}

const TOOLS: &[ServerTool] = {
    use Given::{Json, Members, Streamed, Text};
    &[
        with_output("apply_patch_call", Json("operation"), "apply_patch_call_output", Text("output")),
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
}

impl Given {
    /// Returns the members of an item for arguments or a result. `None` if the text is not the necessary JSON.
    pub fn members(self, said: &str) -> Option<Value> {
        let member = |key, value| Some(Value::from([(key, value)]));
        match self {
            Given::Streamed => Some(Value::Null),
            Given::Text(key) => member(key, said.into()),
            _ if said.is_empty() => Some(Value::Null),
            Given::Json(key) => member(key, json(said)?),
            Given::Members => json(said).filter(|value| matches!(value, Value::Object(_))),
        }
    }
}

/// Parses a JSON text.
fn json(text: &str) -> Option<Value> {
    /// The maximum depth of a member of an item of a response in an event.
    const DEEPEST: u32 = 100;
    Value::parse(text, DEEPEST).ok()
}
