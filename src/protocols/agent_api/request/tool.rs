//! Tools that a request offers to the agent.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use crate::core::request::{self, Diagnostics, Fault};
use crate::core::requests;
use crate::json::{Raw, Value};

requests! {
    objects {
        /// A tool. (Spec 1.2, `Tool`.)
        ///
        /// The runtime removes undeclared properties from tools. They are kept here, so that forwarding a request loses nothing.
        Tool as "Tool" of "Tool" {
            /// The type of the tool. Only `"function"` is defined, which is also the meaning of absent. Null stays null.
            r#type as "type": Option<String> [Default] = Some("function".to_owned()),
            /// The function.
            function: Option<FunctionTool>,
            .. extra
        }
        /// A function that the agent may call. (Spec 1.2, `FunctionTool`; R41.)
        FunctionTool as "FunctionTool" of "FunctionTool" made by new {
            /// The name.
            name: String,
            /// The purpose of the function, for the model. Null is not accepted.
            description: String,
            /// The parameters of the function.
            parameters: ToolParameters,
            .. extra
        }
        /// The schema of a function's parameters. (Spec 1.2, `FunctionParameters`.)
        FunctionParameters as "FunctionParameters" of "FunctionParameters" {
            /// The type of the schema: `"object"`.
            r#type as "type": String = "object".to_owned(),
            /// An object with a schema for each parameter.
            properties: Value [Object],
            /// The names of the required parameters. The property must be present, but can be null.
            required: Option<Vec<String>> [RequiredNullable],
            .. extra
        }
    }
    alternatives {
        /// One entry of `tools`. (Spec 1.2.)
        ///
        /// The runtime tries `Tool` first and keeps any other object unchanged; it never rejects an object.
        ToolEntry as "ToolEntry" with check_understood {
            /// An object that is a tool by the schema. An empty one is none to the runtime.
            Tool(Tool) = "Tool" [NonEmpty],
            /// An object that is none, verbatim.
            Object(Value) = "dict[any,any]" [Object],
        }
        /// The parameters of a function. (Spec 1.2.)
        ToolParameters as "ToolParameters" with check_type {
            /// A JSON Schema that says `type`, `properties` and `required`.
            Schema(FunctionParameters) = "FunctionParameters",
            /// Any other object, verbatim: a schema without `required` is one.
            Object(Value) = "dict[str,any]" [Object],
        }
    }
}

impl Tool {
    /// Creates a tool from this function.
    pub fn function(function: FunctionTool) -> Self {
        Tool { function: Some(function), ..Self::empty() }
    }
}

impl FunctionParameters {
    /// Creates the schema of an object with these properties.
    pub fn new(properties: Value, required: Vec<String>) -> Self {
        FunctionParameters { properties, required: Some(required), ..Self::empty() }
    }
}

impl Default for ToolParameters {
    fn default() -> Self {
        ToolParameters::Object(Value::Object(Vec::new()))
    }
}

impl From<FunctionParameters> for ToolParameters {
    fn from(schema: FunctionParameters) -> Self {
        ToolParameters::Schema(schema)
    }
}

/// Converts a value with all members that [`FunctionParameters`] requires into a schema; keeps any other value
/// unchanged.
impl From<Value> for ToolParameters {
    fn from(value: Value) -> Self {
        match request::read(value.clone(), None) {
            Ok(schema) => ToolParameters::Schema(schema),
            Err(_) => ToolParameters::Object(value),
        }
    }
}

impl ToolEntry {
    fn check_understood(&self, diagnostics: &mut Diagnostics) {
        let understood = match self {
            ToolEntry::Tool(tool) => tool.function.is_some() && tool.r#type.as_deref() == Some("function"),
            ToolEntry::Object(_) => false,
        };
        if !understood {
            let got = Value::from_raw(Raw(&request::to_json(self, true)));
            diagnostics.note(Fault::UselessTool, &got);
        }
    }
}

impl ToolParameters {
    /// Reports a schema with a `type` other than `object`, because the parameters of a function form an object. A
    /// schema without `type` is accepted.
    fn check_type(&self, diagnostics: &mut Diagnostics) {
        let r#type = match self {
            ToolParameters::Schema(schema) => schema.r#type.as_str().into(),
            ToolParameters::Object(value) => value.get("type").cloned().unwrap_or_else(|| "object".into()),
        };
        if r#type.as_str() != Some("object") {
            diagnostics.note_member("type", Fault::OneOf(&["object"]), &r#type);
        }
    }
}
