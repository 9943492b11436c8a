//! Tools of Responses' own server: their items have types and members of their own. At the hub the type is the tool's name.

use crate::json::Value;

/// How such a tool's items are written.
#[derive(Debug)]
pub(super) struct ServerTool {
    /// The type of its calls.
    pub call: &'static str,
    pub given: Given,
    /// The member of the call that has what the tool came to.
    pub result: Option<&'static str>,
    /// The type of the item that has it, where it is an item of its own, and how it is there. The two have a `call_id`.
    pub output: Option<(&'static str, Given)>,
}

/// Where a call has what the tool is given, or an output what it came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// It is streamed.
    Streamed,
    /// A member has it, as JSON.
    Json(&'static str),
    /// A member has it, as a text.
    Text(&'static str),
    /// Its members are the item's.
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
    /// The tool whose calls have that type.
    pub fn of(name: &str) -> Option<&'static ServerTool> {
        TOOLS.iter().find(|tool| tool.call == name)
    }
}

impl Given {
    /// The members that say it; none where it is no JSON that could be one.
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

/// The value that a text is the JSON of.
fn json(text: &str) -> Option<Value> {
    /// A member of an item of a response in an event.
    const DEEPEST: u32 = 100;
    Value::parse(text, DEEPEST).ok()
}
