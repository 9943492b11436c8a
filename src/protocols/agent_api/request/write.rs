//! Requests as JSON, in the runtime's own order of members. (Spec 1.2, R5.)

use alloc::string::String;

use super::agent::{AgentRequest, Stop};
use super::message::{InputContent, InputMessage};
use super::tool::{FunctionParameters, FunctionTool, Tool, ToolEntry, ToolParameters};
use crate::core::declare::member::Writing;
use crate::json::float::Spelling;
use crate::json::{Member, Object, write_list, write_string};
use crate::protocols::agent_api::write::{Style, write_error};

impl AgentRequest {
    /// The request as JSON.
    ///
    /// [`Style::Wire`] writes every declared member, null when unset, except where the runtime does not take null: those
    /// are written with their default, and the `id` of a message, which has none, is left out. [`Style::Compact`] leaves
    /// out what is unset; that is what a client sends.
    pub fn to_json(&self, style: Style) -> String {
        let mut out = String::new();
        let mut object = Object::open(&mut out, style == Style::Compact);
        write_list(&self.input, object.member("input"), |message, out| message.write(out, style));
        object.bool("stream", Some(self.stream));
        object.string("id", self.id.as_deref());
        object.string("model", self.model.as_deref());
        number(&mut object, "top_p", self.top_p);
        number(&mut object, "temperature", self.temperature);
        number(&mut object, "frequency_penalty", self.frequency_penalty);
        number(&mut object, "presence_penalty", self.presence_penalty);
        object.integer("max_tokens", self.max_tokens);
        match &self.stop {
            None => object.value("stop", None),
            Some(Stop::One(text)) => object.string("stop", Some(text)),
            Some(Stop::Many(texts)) => strings(object.member("stop"), texts),
        }
        match self.n {
            // Left out it would mean 1.
            None => null(&mut object, "n"),
            n => object.integer("n", n),
        }
        object.integer("seed", self.seed);
        match &self.tools {
            None => object.value("tools", None),
            Some(tools) => write_list(tools, object.member("tools"), |tool, out| tool.write(out, style)),
        }
        object.string("session_id", self.session_id.as_deref());
        object.string("user_id", self.user_id.as_deref());
        close(object, &self.extra);
        out
    }
}

impl InputMessage {
    /// The message as JSON.
    pub fn to_json(&self, style: Style) -> String {
        let mut out = String::new();
        self.write(&mut out, style);
        out
    }

    fn write(&self, out: &mut String, style: Style) {
        let mut object = Object::open(out, style == Style::Compact);
        object.integer("sequence_number", self.sequence_number);
        not_null(&mut object, "object", self.object.as_deref(), "message", style);
        let status = self.status.as_ref().map(|status| status.as_str());
        not_null(&mut object, "status", status, "created", style);
        write_error(&mut object, &self.error);
        if let Some(id) = &self.id {
            object.string("id", Some(id));
        }
        object.string("type", Some(self.r#type.as_str()));
        object.string("role", self.role.as_ref().map(|role| role.as_str()));
        match &self.content {
            None => object.value("content", None),
            Some(parts) => write_list(parts, object.member("content"), |part, out| part.write(out, style)),
        }
        object.string("code", self.code.as_deref());
        object.string("message", self.message.as_deref());
        object.value("usage", self.usage.as_ref());
        object.value("metadata", self.metadata.as_ref());
        close(object, &self.extra);
    }
}

impl InputContent {
    /// The content as JSON.
    pub fn to_json(&self, style: Style) -> String {
        let mut out = String::new();
        self.write(&mut out, style);
        out
    }

    fn write(&self, out: &mut String, style: Style) {
        let mut object = Object::open(out, style == Style::Compact);
        object.integer("sequence_number", self.sequence_number);
        not_null(&mut object, "object", self.object.as_deref(), "content", style);
        object.string("status", self.status.as_ref().map(|status| status.as_str()));
        write_error(&mut object, &self.error);
        object.string("type", Some(self.payload.content_type().as_str()));
        object.integer("index", self.index);
        match self.delta {
            // Left out it would mean false.
            None => null(&mut object, "delta"),
            Some(false) if style == Style::Compact => {}
            delta => object.bool("delta", delta),
        }
        object.string("msg_id", self.msg_id.as_deref());
        self.payload.write_members(&mut object, Writing::default());
        close(object, &self.extra);
    }
}

impl ToolEntry {
    pub(super) fn write(&self, out: &mut String, style: Style) {
        match self {
            ToolEntry::Tool(tool) => tool.write(out, style),
            ToolEntry::Object(value) => value.write(out),
        }
    }
}

impl Tool {
    fn write(&self, out: &mut String, style: Style) {
        let mut object = Object::open(out, style == Style::Compact);
        match &self.r#type {
            // Left out it would mean "function".
            None => null(&mut object, "type"),
            Some(name) => object.string("type", Some(name)),
        }
        match &self.function {
            None => object.value("function", None),
            Some(function) => function.write(object.member("function")),
        }
        close(object, &self.extra);
    }
}

impl FunctionTool {
    fn write(&self, out: &mut String) {
        let mut object = Object::open(out, false);
        object.string("name", Some(&self.name));
        object.string("description", Some(&self.description));
        match &self.parameters {
            ToolParameters::Schema(schema) => schema.write(object.member("parameters")),
            ToolParameters::Object(value) => object.value("parameters", Some(value)),
        }
        close(object, &self.extra);
    }
}

impl FunctionParameters {
    /// `required` is written in any style: left out, this would be another alternative.
    fn write(&self, out: &mut String) {
        let mut object = Object::open(out, false);
        object.string("type", Some(&self.r#type));
        object.value("properties", Some(&self.properties));
        match &self.required {
            None => object.value("required", None),
            Some(names) => strings(object.member("required"), names),
        }
        close(object, &self.extra);
    }
}

/// Null in any style, where leaving the member out would mean something else.
fn null(object: &mut Object<'_>, name: &str) {
    object.member(name).push_str("null");
}

/// A member that the runtime takes absent, but not null.
fn not_null(object: &mut Object<'_>, name: &str, value: Option<&str>, default: &str, style: Style) {
    match (value, style) {
        (None, Style::Wire) => object.string(name, Some(default)),
        (value, _) => object.string(name, value),
    }
}

/// As the runtime writes floats: 0.00001 and 1.5e-7.
const FLOATS: Spelling = Spelling { plain_from: 1e-5, wide: false };

fn number(object: &mut Object<'_>, name: &str, value: Option<f64>) {
    match value.filter(|value| value.is_finite()) {
        Some(value) => object.member(name).push_str(&FLOATS.of(value)),
        None => object.value(name, None),
    }
}

fn strings(out: &mut String, texts: &[String]) {
    write_list(texts, out, |text, out| write_string(text, out));
}

fn close(mut object: Object<'_>, extra: &[Member]) {
    for Member { key, value } in extra {
        object.member(key).push_str(&value.to_json());
    }
    object.close();
}
