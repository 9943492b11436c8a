//! What travels in the `data` of tool messages. (Spec 1.2, the payload models.)
//!
//! The protocol does not tie a message type to one of these, and real servers add members: reading one leaves the
//! [`Value`] it was read from as it is, and members that are not declared are passed over, as the runtime does.
//!
//! The structs can be written as literals; a new member would be a change of the protocol.

use alloc::string::String;
use alloc::vec::Vec;

use super::coerce;
use super::error::RequestError;
use crate::core::request::Fault;
use crate::core::request::read::{self, Diagnostics, Fields};
use crate::json::Value;

/// Declares the payload models: a struct, its reading and its writing from one list of members.
macro_rules! payloads {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($(#[$field_meta:meta])* $field:ident: $type:ty,)+
        }
    )+) => {$(
        #[derive(Clone, Debug, Default, PartialEq)]
        #[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
        $(#[$meta])*
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)+
        }

        impl $name {
            /// Reads the payload from the `data` of a content, with the coercions of the runtime.
            pub fn from_value(data: &Value) -> Result<Self, RequestError> {
                let mut diagnostics = Diagnostics::default();
                match Self::read(data.clone(), &mut diagnostics) {
                    Some(payload) if diagnostics.found.is_empty() => Ok(payload),
                    _ => Err(RequestError::new(stringify!($name), diagnostics.found)),
                }
            }

            /// The payload as `data`: every member, null when unset, in the order of their declaration.
            pub fn to_value(&self) -> Value {
                let members = [$((stringify!($field), self.$field.to_member())),+];
                Value::from(members)
            }

            fn read(value: Value, diagnostics: &mut Diagnostics) -> Option<Self> {
                let members = [$((stringify!($field), <$type as Field>::REQUIRED)),+];
                let required = members.into_iter().filter(|m| m.1).map(|m| m.0);
                let fault = Fault::ModelType(stringify!($name));
                let required: Vec<_> = required.collect();
                let mut fields = Fields::open(value, &required, fault, diagnostics)?;
                Some($name { $($field: Field::take(&mut fields, stringify!($field))),+ })
            }
        }
    )+};
}

payloads! {
    /// The call of a function: types `function_call`, `plugin_call`, `component_call`.
    pub struct FunctionCall {
        /// Matches the output (R35).
        #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
        call_id: Option<String>,
        /// The function.
        #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
        name: Option<String>,
        /// JSON text, as the model wrote it: not always valid (R36).
        #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
        arguments: Option<String>,
    }

    /// What a function returned.
    pub struct FunctionCallOutput {
        /// The call's.
        call_id: String,
        /// The function.
        #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
        name: Option<String>,
        /// The result as text.
        output: String,
    }

    /// The call of an MCP tool: type `mcp_call`.
    pub struct McpCall {
        /// Matches the output (R35).
        #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
        call_id: Option<String>,
        /// JSON text.
        #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
        arguments: Option<String>,
        /// The tool.
        #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
        name: Option<String>,
        /// The MCP server.
        #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
        server_label: Option<String>,
    }

    /// What an MCP tool returned: type `mcp_call_output`.
    pub struct McpCallOutput {
        /// The call's.
        call_id: String,
        /// The tool.
        #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
        name: Option<String>,
        /// The result as text.
        output: String,
    }

    /// One tool of an MCP server.
    pub struct McpListToolsTool {
        /// What it takes: any JSON.
        #[cfg_attr(feature = "typescript", tsify(type = "unknown"))]
        input_schema: Value,
        /// Its name.
        name: String,
        /// Hints: any JSON.
        #[cfg_attr(feature = "typescript", tsify(type = "unknown", optional))]
        annotations: Option<Value>,
        /// What it does.
        #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
        description: Option<String>,
    }

    /// The tools of an MCP server: type `mcp_list_tools`.
    pub struct McpListTools {
        /// Of this list.
        id: String,
        /// The MCP server.
        server_label: String,
        /// Its tools.
        tools: Vec<McpListToolsTool>,
        /// Why they could not be listed.
        #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
        error: Option<String>,
    }

    /// The question whether an MCP tool may be called: type `mcp_approval_request`.
    pub struct McpApprovalRequest {
        /// Matches the answer's `approval_request_id` (R37).
        id: String,
        /// JSON text.
        arguments: String,
        /// The tool.
        name: String,
        /// The MCP server.
        server_label: String,
    }

    /// The answer to it: type `mcp_approval_response`.
    pub struct McpApprovalResponse {
        /// The question's `id` (R37).
        approval_request_id: String,
        /// Whether it may.
        approve: bool,
        /// Of this answer.
        #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
        id: Option<String>,
        /// Why.
        #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
        reason: Option<String>,
    }

    /// A call with everything given.
    #[cfg_attr(feature = "typescript", tsify(rename = "ToolCallPayload"))]
    pub struct ToolCall {
        /// JSON text.
        arguments: String,
        /// Matches the output.
        call_id: String,
        /// The tool.
        name: String,
    }

    /// What a tool returned.
    #[cfg_attr(feature = "typescript", tsify(rename = "ToolCallOutputPayload"))]
    pub struct ToolCallOutput {
        /// The call's.
        call_id: String,
        /// The result as text.
        output: String,
    }
}

/// A type that members of payloads have.
trait Field: Sized {
    const REQUIRED: bool;
    fn take(fields: &mut Fields<'_>, name: &'static str) -> Self;
    fn to_member(&self) -> Value;
}

/// Members of this type have to be there; with `Option` around it they may be left out or null.
macro_rules! field {
    ($type:ty, $read:expr, |$value:ident| $write:expr) => {
        impl Field for $type {
            const REQUIRED: bool = true;

            fn take(fields: &mut Fields<'_>, name: &'static str) -> Self {
                fields.required(name, $read)
            }

            fn to_member(&self) -> Value {
                let $value = self;
                $write
            }
        }

        impl Field for Option<$type> {
            const REQUIRED: bool = false;

            fn take(fields: &mut Fields<'_>, name: &'static str) -> Self {
                fields.optional(name, $read)
            }

            fn to_member(&self) -> Value {
                self.as_ref().map_or(Value::Null, Field::to_member)
            }
        }
    };
}

field!(String, read::string, |text| text.as_str().into());
field!(bool, coerce::boolean, |value| (*value).into());
field!(Value, read::any, |value| value.clone());
field!(Vec<McpListToolsTool>, mcp_tools, |tools| {
    Value::Array(tools.iter().map(McpListToolsTool::to_value).collect())
});

fn mcp_tools(value: Value, diagnostics: &mut Diagnostics) -> Option<Vec<McpListToolsTool>> {
    read::list(value, diagnostics, McpListToolsTool::read)
}
