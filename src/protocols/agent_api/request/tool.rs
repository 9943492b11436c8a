//! Tools that a request offers to the agent.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::core::request::Fault;
use crate::core::request::read::{self, Diagnostics, Fields};
use crate::json::{Member, Value};

/// One entry of `tools`. (Spec 1.2.)
///
/// The runtime tries [`Tool`] first and keeps any other object as it came; it never refuses an object.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(type = "Tool | Record<string, unknown>"))]
#[non_exhaustive]
pub enum ToolEntry {
    /// An object that is a tool by the schema.
    Tool(Tool),
    /// An object that is none, verbatim.
    Object(Value),
}

/// A tool. (Spec 1.2, `Tool`.)
///
/// The runtime drops members that it does not declare from tools; they are kept here, because what is passed on should
/// not lose any.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[non_exhaustive]
pub struct Tool {
    /// Only `"function"` means something; that is what absent stands for, while null stays null.
    #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
    pub r#type: Option<String>,
    /// The function.
    #[cfg_attr(feature = "typescript", tsify(type = "FunctionTool | null", optional))]
    pub function: Option<FunctionTool>,
    /// Members the protocol does not declare, verbatim.
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown>"), serde(flatten))]
    pub extra: Vec<Member>,
}

/// A function that the agent may call. (Spec 1.2, `FunctionTool`; R41.)
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[non_exhaustive]
pub struct FunctionTool {
    /// Its name.
    pub name: String,
    /// What it does, for the model. Null is not accepted.
    pub description: String,
    /// What it takes.
    pub parameters: ToolParameters,
    /// Members the protocol does not declare, verbatim.
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown>"), serde(flatten))]
    pub extra: Vec<Member>,
}

/// What a function takes. (Spec 1.2.)
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "typescript",
    derive(tsify::Tsify),
    tsify(type = "FunctionParameters | Record<string, unknown>")
)]
#[non_exhaustive]
pub enum ToolParameters {
    /// A JSON Schema that says `type`, `properties` and `required`.
    Schema(FunctionParameters),
    /// Any other object, verbatim: a schema without `required` is one.
    Object(Value),
}

/// The schema of a function's parameters. (Spec 1.2, `FunctionParameters`.)
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[non_exhaustive]
pub struct FunctionParameters {
    /// `"object"`
    pub r#type: String,
    /// An object with a schema for each parameter.
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown>"))]
    pub properties: Value,
    /// The names of those that must be given. Has to be said, but may be null.
    #[cfg_attr(feature = "typescript", tsify(type = "string[] | null"))]
    pub required: Option<Vec<String>>,
    /// Members the protocol does not declare, verbatim.
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown>"), serde(flatten))]
    pub extra: Vec<Member>,
}

impl Tool {
    /// A tool that is this function.
    pub fn function(function: FunctionTool) -> Self {
        Tool { r#type: Some("function".to_owned()), function: Some(function), extra: Vec::new() }
    }

    fn read(value: Value, diagnostics: &mut Diagnostics) -> Option<Self> {
        let mut fields = Fields::open(value, &[], Fault::ModelType("Tool"), diagnostics)?;
        let r#type = match fields.take("type") {
            None => Some("function".to_owned()),
            Some(Value::Null) => None,
            Some(value) => fields.also("type", value, read::string),
        };
        Some(Tool { r#type, function: fields.optional("function", FunctionTool::read), extra: fields.rest() })
    }
}

impl FunctionTool {
    /// A function; `parameters` is a JSON Schema.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: impl Into<ToolParameters>,
    ) -> Self {
        FunctionTool {
            name: name.into(),
            description: description.into(),
            parameters: parameters.into(),
            extra: Vec::new(),
        }
    }

    fn read(value: Value, diagnostics: &mut Diagnostics) -> Option<Self> {
        let required = ["name", "description", "parameters"];
        let fault = Fault::ModelType("FunctionTool");
        let mut fields = Fields::open(value, &required, fault, diagnostics)?;
        Some(FunctionTool {
            name: fields.required("name", read::string),
            description: fields.required("description", read::string),
            parameters: fields.required("parameters", ToolParameters::read),
            extra: fields.rest(),
        })
    }
}

impl ToolParameters {
    fn read(value: Value, diagnostics: &mut Diagnostics) -> Option<Self> {
        // The second alternative takes every object, so what the first one found wrong does not matter.
        match FunctionParameters::read(value.clone(), &mut Diagnostics::default()) {
            Some(schema) => Some(ToolParameters::Schema(schema)),
            None => read::object(value, diagnostics).map(ToolParameters::Object),
        }
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

/// A schema that says everything [`FunctionParameters`] wants becomes one; anything else stays as it is.
impl From<Value> for ToolParameters {
    fn from(value: Value) -> Self {
        match FunctionParameters::read(value.clone(), &mut Diagnostics::default()) {
            Some(schema) => ToolParameters::Schema(schema),
            None => ToolParameters::Object(value),
        }
    }
}

impl FunctionParameters {
    /// The schema of an object with these properties.
    pub fn new(properties: Value, required: Vec<String>) -> Self {
        FunctionParameters {
            r#type: "object".to_owned(),
            properties,
            required: Some(required),
            extra: Vec::new(),
        }
    }

    /// Reads it whole or not at all.
    fn read(value: Value, diagnostics: &mut Diagnostics) -> Option<Self> {
        let required = ["type", "properties", "required"];
        let fault = Fault::ModelType("FunctionParameters");
        let mut fields = Fields::open(value, &required, fault, diagnostics)?;
        if !fields.is_whole() {
            return None;
        }
        let read = FunctionParameters {
            r#type: fields.defaulted("type", read::string)?,
            properties: fields.defaulted("properties", read::object)?,
            required: fields.optional("required", read::strings),
            extra: fields.rest(),
        };
        diagnostics.found.is_empty().then_some(read)
    }
}

/// An entry of `tools`: only something that is no object is refused, once for each alternative.
pub(super) fn entry(value: Value, diagnostics: &mut Diagnostics) -> Option<ToolEntry> {
    let Value::Object(members) = &value else {
        diagnostics
            .inside("Tool", |diagnostics| diagnostics.report::<()>(Fault::ModelType("Tool"), value.clone()));
        return diagnostics.inside("dict[any,any]", |diagnostics| diagnostics.report(Fault::DictType, value));
    };
    // An empty object is no tool to the runtime.
    if members.is_empty() {
        return Some(ToolEntry::Object(value));
    }
    let mut tried = Diagnostics::default();
    match Tool::read(value.clone(), &mut tried) {
        Some(tool) if tried.found.is_empty() => Some(ToolEntry::Tool(tool)),
        _ => Some(ToolEntry::Object(value)),
    }
}
