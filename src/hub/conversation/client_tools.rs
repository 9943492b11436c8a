//! Tools that the client runs in a form that its protocol declares: a shell, patches, the search for
//! further tools. Other models know them as functions.

use alloc::string::String;

use super::{FormatName, Function};
use crate::json::Value;

/// A tool of the client.
pub(crate) struct ClientTool {
    /// The type of its declaration, which is its name, too.
    kind: &'static str,
    /// The type of its calls.
    pub item: &'static str,
    /// The purpose, for the model, if the declaration has none.
    description: &'static str,
    /// The JSON Schema of the arguments, if the declaration has none.
    schema: &'static str,
}

/// The protocol that declares them.
const FORMAT: &str = "responses";

/// The arguments are the member of the call that has them: `action`, `operation`, `arguments`.
const TOOLS: &[ClientTool] = &[
    ClientTool {
        kind: "tool_search",
        item: "tool_search_call",
        description: "Searches for further tools, which can then be called.",
        schema: r#"{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}"#,
    },
    ClientTool {
        kind: "local_shell",
        item: "local_shell_call",
        description: "Runs a command on the computer of the user and returns its output.",
        schema: r#"{"type":"object","properties":{
            "command":{"type":"array","items":{"type":"string"},"description":"The program and its arguments."},
            "working_directory":{"type":"string"},
            "timeout_ms":{"type":"integer"},
            "env":{"type":"object","additionalProperties":{"type":"string"}}},"required":["command"]}"#,
    },
    ClientTool {
        kind: "shell",
        item: "shell_call",
        description: "Runs commands in a shell and returns their outputs.",
        schema: r#"{"type":"object","properties":{
            "commands":{"type":"array","items":{"type":"string"},"description":"The commands, each a line of the shell."},
            "timeout_ms":{"type":"integer"},
            "max_output_length":{"type":"integer"}},"required":["commands"]}"#,
    },
    ClientTool {
        kind: "apply_patch",
        item: "apply_patch_call",
        description: "Creates, updates or deletes a file.",
        schema: r#"{"type":"object","properties":{
            "type":{"type":"string","enum":["create_file","update_file","delete_file"]},
            "path":{"type":"string"},
            "diff":{"type":"string","description":"The change in the V4A format; not for delete_file."}},"required":["type","path"]}"#,
    },
];

impl ClientTool {
    /// Returns the tool of a declaration, unless the server runs it.
    pub fn of(declaration: &Value, format: &str) -> Option<&'static ClientTool> {
        let kind = declaration.text("type").filter(|_| format == FORMAT)?;
        let is_of_server = match kind {
            "tool_search" => declaration.text("execution") != Some("client"),
            "shell" => declaration
                .get("environment")
                .is_some_and(|place| place.text("type").is_some_and(|kind| kind != "local")),
            _ => false,
        };
        TOOLS.iter().find(|tool| tool.kind == kind && !is_of_server)
    }

    /// Returns the function that stands for the tool.
    pub fn function(&self, declaration: &Value) -> Function {
        let described = declaration.text("description").unwrap_or(self.description);
        let schema = declaration.get("parameters").filter(|schema| !schema.is_null()).cloned();
        Function {
            name: String::from(self.kind),
            description: Some(described.into()),
            schema: schema.or_else(|| Value::parse(self.schema, 8).ok()),
            strict: Some(false),
            format: FormatName::Borrowed(FORMAT),
            ..Function::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tool_is_a_function_with_a_schema() {
        for tool in TOOLS {
            let declaration = Value::from([("type", Value::from(tool.kind))]);
            let function = tool.function(&declaration);
            let schema = function.schema.expect("JSON");
            assert_eq!(schema.text("type"), Some("object"), "{}", tool.kind);
        }
    }

    #[test]
    fn tools_of_the_server_are_none() {
        for (declaration, is_of_client) in [
            (r#"{"type":"tool_search"}"#, false),
            (r#"{"type":"tool_search","execution":"server"}"#, false),
            (r#"{"type":"tool_search","execution":"client"}"#, true),
            (r#"{"type":"shell"}"#, true),
            (r#"{"type":"shell","environment":{"type":"local"}}"#, true),
            (r#"{"type":"shell","environment":{"type":"container_auto"}}"#, false),
            (r#"{"type":"local_shell"}"#, true),
            (r#"{"type":"apply_patch"}"#, true),
            (r#"{"type":"web_search"}"#, false),
        ] {
            let declaration = Value::parse(declaration, 8).expect("JSON");
            let tool = ClientTool::of(&declaration, FORMAT);
            assert_eq!(tool.is_some(), is_of_client, "{declaration:?}");
            assert!(ClientTool::of(&declaration, "anthropic").is_none());
        }
    }
}
