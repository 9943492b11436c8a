//! Conversions of requests from and to the hub.

use alloc::{borrow::ToOwned, vec::Vec};

use super::{hub_payload, message_type, to_payload};
use crate::core::request::decision::decision;
use crate::core::request::object::Object;
use crate::core::request::{Diagnostics, to_json};
use crate::hub::payload::{audio_format, data_url};
use crate::hub::request::{self as hub, HubRequest, RequestMessage, RequestPart, set_members};
use crate::hub::{Approval, Losses, MediaKind, MessageKind, Role as HubRole};
use crate::json::{Member, Raw, Value};
use crate::protocols::agent_api::request::{
    AgentRequest, FunctionTool, InputContent, InputMessage, Tool, ToolEntry, ToolParameters,
};
use crate::protocols::agent_api::{Payload, Role};

impl HubRequest for AgentRequest {
    fn to_hub(&self, _: &mut Losses) -> hub::Request<'_> {
        hub::Request {
            conversation: self.session_id.as_deref(),
            messages: self.input.iter().map(message).collect(),
            tools: self.tools.iter().flatten().map(tool).collect(),
            parameters: parameters(self),
        }
    }

    fn from_hub(request: hub::Request<'_>, losses: &mut Losses) -> Self {
        let mut converted = AgentRequest::new(request.messages.into_iter().map(input).collect());
        converted.session_id = request.conversation.map(ToOwned::to_owned);
        for Member { key, value } in request.parameters {
            if let Some(value) = declared(&mut converted, &key, value, losses) {
                converted.extra.push(Member { key, value });
            }
        }
        let tools: Vec<_> = request.tools.into_iter().map(|tool| entry(tool, losses)).collect();
        converted.tools = Some(tools).filter(|tools| !tools.is_empty());
        converted
    }
}

/// Sets the parameter with this name, if the Agent API declares it; returns the value otherwise.
fn declared(converted: &mut AgentRequest, key: &str, value: Value, losses: &mut Losses) -> Option<Value> {
    let at = converted.rows().iter().position(|row| row.name == key && !TAKEN.contains(&key));
    let Some(field) = at.and_then(|at| converted.fields_mut().into_iter().nth(at)) else {
        return Some(value);
    };
    let mut diagnostics = Diagnostics::at(None);
    field.read(value, &mut diagnostics);
    if !diagnostics.into_problems().is_empty() {
        losses.note("parameter", key, "in the Agent API it is of another type");
    }
    None
}

/// Members that are not parameters in the hub.
const TAKEN: &[&str] = &["input", "tools", "session_id"];

/// Returns the members without an equivalent in the hub.
fn parameters(request: &AgentRequest) -> Vec<Member> {
    let is_default = |key| key == "stream" || key == "n" && request.n == Some(1);
    let set = set_members(request, TAKEN).filter(|(key, _)| !is_default(*key));
    set.map(|(key, value)| Member::new(key, value)).chain(request.extra.iter().cloned()).collect()
}

fn message(message: &InputMessage) -> RequestMessage<'_> {
    let kind = MessageKind::from(message.r#type.as_str());
    let role = message.role.as_ref().map_or(HubRole::User, |role| HubRole::from(role.as_str()));
    let parts = message.content.iter().flatten().filter_map(|content| part(content, kind)).collect();
    RequestMessage::new(kind, role, parts).with_id(message.id.as_deref())
}

/// Converts a part. The meaning of data depends on the kind of its message; other parts of a tool message are ignored.
fn part<'a>(content: &'a InputContent, kind: MessageKind<'_>) -> Option<RequestPart<'a>> {
    let Payload::Data { data: Some(data) } = &content.payload else {
        return Some(match (&content.payload, hub_payload(&content.payload)) {
            _ if kind.is_tool() => return None,
            (Payload::Text { text }, _) => RequestPart::Text(text.as_deref().unwrap_or("")),
            (_, Some(payload)) => RequestPart::Whole(payload),
            (Payload::Refusal { refusal }, _) => RequestPart::Refusal(refusal.as_deref().unwrap_or("")),
            (Payload::Other { r#type }, _) => RequestPart::Other(r#type),
            (_, None) => RequestPart::Other("data"),
        });
    };
    let text = |name: &str| data.text(name);
    let any = |name: &str| data.get(name).map(Value::to_text).unwrap_or_default();
    let id = || text("call_id").unwrap_or("");
    Some(match kind {
        MessageKind::Call(_) => {
            RequestPart::Call { id: id(), name: text("name").unwrap_or(""), arguments: any("arguments") }
        }
        MessageKind::Result(_) => RequestPart::Result { id: id(), name: text("name"), output: any("output") },
        MessageKind::Answer => {
            let approved = decision(data);
            let (reason, payload) = (data.get("reason").cloned(), data.get("payload").cloned());
            RequestPart::Answer(Approval { id: text("approval_request_id"), approved, reason, payload })
        }
        _ => RequestPart::Whole(crate::hub::Payload::Data(data)),
    })
}

fn input(message: RequestMessage<'_>) -> InputMessage {
    let role = Role::known(message.role.as_str()).unwrap_or(Role::Assistant);
    let mut input = InputMessage::new(role, message.parts.into_iter().map(content).collect());
    input.id = message.id.map(ToOwned::to_owned);
    input.r#type = message_type(message.kind);
    input
}

fn content(part: RequestPart<'_>) -> InputContent {
    let of_data = |data: Value| Payload::Data { data: Some(data) };
    InputContent::new(match part {
        RequestPart::Text(text) => Payload::Text { text: Some(text.to_owned()) },
        RequestPart::Whole(payload) => to_payload(payload),
        RequestPart::Inline { kind, media_type, data } => inline(kind, media_type, data),
        RequestPart::Refusal(text) => Payload::Refusal { refusal: Some(text.to_owned()) },
        RequestPart::Data(value) => of_data(value),
        RequestPart::Other(name) => Payload::Other { r#type: name.to_owned() },
        RequestPart::Call { id, name, arguments } => of_data(Value::from([
            ("call_id", id.into()),
            ("name", name.into()),
            ("arguments", arguments.into_owned().into()),
        ])),
        RequestPart::Result { id, name, output } => of_data(Value::from([
            ("call_id", id.into()),
            ("name", name.map_or(Value::Null, Value::from)),
            ("output", output.into_owned().into()),
        ])),
        RequestPart::Answer(answer) => of_data(Value::from([
            ("approval_request_id", answer.id.unwrap_or("").into()),
            // An answer that is neither yes nor no declines.
            ("approve", (answer.approved == Some(true)).into()),
            ("id", Value::Null),
            ("reason", answer.reason.unwrap_or_default()),
            ("payload", answer.payload.unwrap_or_default()),
        ])),
    })
}

/// Returns a content with these bytes: an image and a video have only a URL for them.
fn inline(kind: MediaKind, media_type: &str, data: &str) -> Payload {
    let address = || Some(data_url(media_type, data));
    match kind {
        MediaKind::Image => Payload::Image { image_url: address() },
        MediaKind::Video => Payload::Video { video_url: address() },
        MediaKind::Audio => {
            let format = audio_format(media_type).map(ToOwned::to_owned);
            Payload::Audio { data: Some(data.to_owned()), format }
        }
        MediaKind::File => {
            Payload::File { file_url: None, file_id: None, filename: None, file_data: Some(data.to_owned()) }
        }
    }
}

fn tool(entry: &ToolEntry) -> hub::Tool<'_> {
    match entry {
        ToolEntry::Tool(Tool { function: Some(function), .. }) => hub::Tool::Function {
            name: &function.name,
            description: &function.description,
            parameters: schema(&function.parameters),
            more: function.extra.clone(),
        },
        ToolEntry::Tool(tool) => hub::Tool::Other(Value::from_raw(Raw(&to_json(tool, true)))),
        ToolEntry::Object(value) => hub::Tool::Other(value.clone()),
    }
}

fn schema(parameters: &ToolParameters) -> Value {
    let schema = match parameters {
        ToolParameters::Object(value) => return value.clone(),
        ToolParameters::Schema(schema) => schema,
    };
    let mut value =
        Value::from([("type", schema.r#type.as_str().into()), ("properties", schema.properties.clone())]);
    if let Some(names) = &schema.required {
        value.insert("required", Value::Array(names.iter().map(|name| name.as_str().into()).collect()));
    }
    schema.extra.iter().for_each(|member| value.insert(&member.key, member.value.clone()));
    value
}

fn entry(tool: hub::Tool<'_>, losses: &mut Losses) -> ToolEntry {
    let (name, description, parameters, more) = match tool {
        hub::Tool::Function { name, description, parameters, more } => (name, description, parameters, more),
        hub::Tool::Other(value) => return ToolEntry::Object(value),
    };
    let parameters = match parameters {
        object @ Value::Object(_) => ToolParameters::from(object),
        _ => {
            let reason = "they are not a JSON object: they became an empty one";
            losses.note("tool-parameters", name, reason);
            ToolParameters::default()
        }
    };
    let mut function = FunctionTool::new(name, description, parameters);
    function.extra = more;
    ToolEntry::Tool(Tool::function(function))
}
