//! Payloads: the `data` of tool messages. (Spec 1.2, the payload models.)
//!
//! The protocol does not tie a message type to one of these, and real servers add members. Reading
//! a payload does not change its [`Value`], and undeclared members are ignored, as in the runtime.
//!
//! The structs can be written as literals, because a new member would be a change of the protocol.

use alloc::{string::String, vec::Vec};

use super::error::RequestError;
use crate::core::{request, requests};
use crate::json::{Raw, Value};

requests! {
    payloads {
        /// The call of a function: types `function_call`, `plugin_call`, `component_call`.
        FunctionCall as "FunctionCall" of "FunctionCall" {
            /// The call's id, which the output repeats. (R35.)
            call_id: Option<String>,
            /// The name of the function.
            name: Option<String>,
            /// The arguments as JSON text from the model, which is not always valid. (R36.)
            arguments: Option<String>,
        }
        /// The output of a function.
        FunctionCallOutput as "FunctionCallOutput" of "FunctionCallOutput" {
            /// The id of the call.
            call_id: String,
            /// The name of the function.
            name: Option<String>,
            /// The result as text.
            output: String,
        }
        /// The call of an MCP tool: type `mcp_call`.
        McpCall as "McpCall" of "McpCall" {
            /// The call's id, which the output repeats. (R35.)
            call_id: Option<String>,
            /// The arguments as JSON text.
            arguments: Option<String>,
            /// The name of the tool.
            name: Option<String>,
            /// The label of the MCP server.
            server_label: Option<String>,
        }
        /// The output of an MCP tool: type `mcp_call_output`.
        McpCallOutput as "McpCallOutput" of "McpCallOutput" {
            /// The id of the call.
            call_id: String,
            /// The name of the tool.
            name: Option<String>,
            /// The result as text.
            output: String,
        }
        /// One tool of an MCP server.
        McpListToolsTool as "McpListToolsTool" of "McpListToolsTool" {
            /// The input schema: any JSON.
            input_schema: Value,
            /// The name.
            name: String,
            /// The annotations: any JSON.
            annotations: Option<Value>,
            /// The purpose of the tool, for the model.
            description: Option<String>,
        }
        /// The tools of an MCP server: type `mcp_list_tools`.
        McpListTools as "McpListTools" of "McpListTools" {
            /// The id of the list.
            id: String,
            /// The label of the MCP server.
            server_label: String,
            /// The tools.
            tools: Vec<McpListToolsTool>,
            /// The error, if the tools could not be listed.
            error: Option<String>,
        }
        /// The question whether an MCP tool may be called: type `mcp_approval_request`.
        McpApprovalRequest as "McpApprovalRequest" of "McpApprovalRequest" {
            /// The id of the question, which the answer repeats as `approval_request_id`. (R37.)
            id: String,
            /// The arguments as JSON text.
            arguments: String,
            /// The name of the tool.
            name: String,
            /// The label of the MCP server.
            server_label: String,
        }
        /// The answer to an approval question: type `mcp_approval_response`.
        McpApprovalResponse as "McpApprovalResponse" of "McpApprovalResponse" {
            /// The `id` of the question. (R37.)
            approval_request_id: String,
            /// Whether the tool may be called.
            approve: bool,
            /// The id of the answer.
            id: Option<String>,
            /// The reason.
            reason: Option<String>,
        }
        /// A tool call with all properties.
        ToolCall as "ToolCallPayload" of "ToolCall" {
            /// The arguments as JSON text.
            arguments: String,
            /// The call's id, which the output repeats.
            call_id: String,
            /// The name of the tool.
            name: String,
        }
        /// The output of a tool.
        ToolCallOutput as "ToolCallOutputPayload" of "ToolCallOutput" {
            /// The id of the call.
            call_id: String,
            /// The result as text.
            output: String,
        }
    }
}

/// Implements reading and writing of each payload.
macro_rules! payloads {
    ($($name:ident)*) => {$(
        impl $name {
            /// Reads the payload from the `data` of a content, with the coercions of the runtime.
            pub fn from_value(data: &Value) -> Result<Self, RequestError> {
                request::read(data.clone(), None).map_err(|problems| RequestError::new(stringify!($name), problems))
            }

            /// Returns the payload as `data`: every member, null when unset, in the order of the
            /// declaration.
            pub fn to_value(&self) -> Value {
                Value::from_raw(Raw(&request::to_json(self, false)))
            }
        }
    )*};
}

payloads! {
    FunctionCall FunctionCallOutput McpCall McpCallOutput McpListToolsTool McpListTools McpApprovalRequest
    McpApprovalResponse ToolCall ToolCallOutput
}
