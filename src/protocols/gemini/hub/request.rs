//! Requests, both ways.
//!
//! A request has the whole conversation. Instructions are `systemInstruction`; messages of one role that follow each other are
//! one content. `generationConfig` has the parameters of the model, of which some have other names at the hub. A call without
//! an id has its name as the id, as the API matches calls and results by their names.

use alloc::{borrow::Cow, string::String, vec::Vec};

use crate::core::Limits;
use crate::core::request::read;
use crate::hub::payload::of_data_url;
use crate::hub::request::{self as hub, HubRequest, RequestMessage as HubMessage, RequestPart as HubPart};
use crate::hub::{Losses, MediaKind, MessageKind, Payload, Role, ToolKind, given};
use crate::json::{Member, Value};
use crate::protocols::gemini::request::{
    FunctionDeclaration, GenerateContentRequest, RequestContent, RequestPart, Tool,
};

/// The members of `generationConfig`, with their names at the hub.
const CONFIG: &[(&str, &str)] = &[
    ("temperature", "temperature"),
    ("topP", "top_p"),
    ("topK", "top_k"),
    ("candidateCount", "n"),
    ("maxOutputTokens", "max_tokens"),
    ("stopSequences", "stop"),
    ("seed", "seed"),
    ("presencePenalty", "presence_penalty"),
    ("frequencyPenalty", "frequency_penalty"),
    ("responseLogprobs", "logprobs"),
    ("logprobs", "top_logprobs"),
];

/// The members of `generationConfig` that have the same name at the hub, because other protocols do not have them.
const OWN: &[&str] = &[
    "responseMimeType",
    "responseSchema",
    "responseJsonSchema",
    "responseModalities",
    "thinkingConfig",
    "speechConfig",
    "imageConfig",
    "mediaResolution",
];

/// The modes of function calling, here and at the hub.
const MODES: [(&str, &str); 3] = [("AUTO", "auto"), ("ANY", "required"), ("NONE", "none")];

const NO_MEMBER: &str = "requests of Gemini have no such member";
const PARTS: &str = "messages of Gemini have text, media and files";

impl HubRequest for GenerateContentRequest {
    fn to_hub(&self, losses: &mut Losses) -> hub::Request<'_> {
        let mut request = hub::Request::default();
        if let Some(system) = &self.system_instruction {
            let texts = system.parts.iter().filter_map(|part| part.text.as_deref());
            let parts = texts.map(HubPart::Text).collect();
            request.messages.push(HubMessage::new(MessageKind::Message, Role::System, parts));
        }
        self.contents.iter().for_each(|content| received(content, &mut request.messages, losses));
        for tool in &self.tools {
            request.tools.extend(tool.function_declarations.iter().flatten().map(offered));
            request.tools.extend(
                tool.extra.iter().map(|member| hub::Tool::Other(Value::Object([member.clone()].into()))),
            );
        }
        let model = self.model.as_deref().map(|model| model.strip_prefix("models/").unwrap_or(model));
        let text = |text: Option<&str>| text.map(Value::from);
        request.parameters = given([
            ("model", text(model)),
            ("safetySettings", self.safety_settings.clone()),
            ("cachedContent", text(self.cached_content.as_deref())),
        ]);
        for Member { key, value } in self.generation_config.iter().flat_map(Value::members) {
            let name = CONFIG.iter().find(|(here, _)| here == key).map_or(&**key, |(_, at_hub)| at_hub);
            request.parameters.push(Member::new(name, value.clone()));
        }
        for Member { key, value } in self.tool_config.iter().flat_map(Value::members) {
            let choice = match &**key {
                "functionCallingConfig" => at_hub(value),
                _ => None,
            };
            request.parameters.push(match choice {
                Some(choice) => Member::new("tool_choice", choice),
                None => Member::new("toolConfig", Value::from([(&**key, value.clone())])),
            });
        }
        request.parameters.extend(self.extra.iter().cloned());
        request
    }

    fn from_hub(request: hub::Request<'_>, losses: &mut Losses) -> Self {
        if let Some(id) = request.conversation {
            losses.note("conversation", id, "each request of Gemini has the whole conversation");
        }
        let mut converted = GenerateContentRequest::new(Vec::new());
        let mut config = Vec::new();
        for Member { key, value } in request.parameters {
            let known = CONFIG.iter().find(|(_, at_hub)| *at_hub == key).map(|(here, _)| *here);
            match (&*key, known) {
                // In the URL.
                ("stream", _) => {}
                ("model", _) => converted.model = value.as_str().map(Into::into),
                ("cachedContent", _) => converted.cached_content = value.as_str().map(Into::into),
                ("safetySettings", _) => converted.safety_settings = Some(value),
                ("toolConfig", _) => converted.tool_config = Some(value),
                ("tool_choice", _) => match tool_config(&value) {
                    Some(tool_config) => converted.tool_config = Some(tool_config),
                    None => losses.note("parameter", &key, NO_MEMBER),
                },
                ("stop", _) if value.as_str().is_some() => {
                    config.push(Member::new("stopSequences", Value::Array([value].into())));
                }
                (_, Some(name)) => config.push(Member::new(name, value)),
                (name, None) if OWN.contains(&name) => config.push(Member::new(name, value)),
                _ => losses.note("parameter", &key, NO_MEMBER),
            }
        }
        converted.generation_config = (!config.is_empty()).then_some(Value::Object(config));
        let mut system = Vec::new();
        // The names of the calls, for their results.
        let mut names: Vec<(&str, &str)> = Vec::new();
        for part in request.messages.iter().flat_map(|message| &message.parts) {
            if let HubPart::Call { id, name, .. } = part {
                names.push((id, name));
            }
        }
        names.sort_unstable();
        for message in request.messages {
            send(message, &names, &mut system, &mut converted.contents, losses);
        }
        converted.system_instruction = (!system.is_empty())
            .then(|| RequestContent { parts: system, ..crate::core::request::Typed::blank() });
        let mut functions = Vec::new();
        for tool in request.tools {
            match tool {
                hub::Tool::Function { name, description, parameters, more } => {
                    let mut function = FunctionDeclaration::new(name, description, parameters);
                    function.extra = more;
                    functions.push(function);
                }
                hub::Tool::Other(value) => match (value.get("type"), read::<Tool>(value.clone(), None)) {
                    (None, Ok(tool)) => converted.tools.push(tool),
                    _ => losses.note("tool", value.text("type").unwrap_or("tools"), NO_MEMBER),
                },
            }
        }
        if !functions.is_empty() {
            let function_declarations = Some(functions);
            converted.tools.insert(0, Tool { function_declarations, extra: Vec::new() });
        }
        converted
    }
}

/// Returns the tool choice of the hub; `None` if it has no equivalent.
fn at_hub(config: &Value) -> Option<Value> {
    let allowed = config.get("allowedFunctionNames").map(Value::items).unwrap_or_default();
    match (config.text("mode")?, allowed) {
        ("ANY", [name]) => {
            let function = Value::from([("name", name.clone())]);
            Some(Value::from([("type", "function".into()), ("function", function)]))
        }
        (mode, []) => MODES.iter().find(|(here, _)| *here == mode).map(|(_, at_hub)| Value::from(*at_hub)),
        _ => None,
    }
}

/// Returns the tool choice for the API; `None` if it has no equivalent.
fn tool_config(choice: &Value) -> Option<Value> {
    let known = MODES.iter().find(|(_, at_hub)| choice.as_str() == Some(at_hub));
    let config = match (known, choice.get("function").unwrap_or(choice).text("name")) {
        (Some((mode, _)), _) => Value::from([("mode", (*mode).into())]),
        (None, name) => {
            let names = Value::Array([name?.into()].into());
            Value::from([("mode", "ANY".into()), ("allowedFunctionNames", names)])
        }
    };
    Some(Value::from([("functionCallingConfig", config)]))
}

/// Adds the parts of a message to the last content of its role, or to a new one.
fn send(
    message: HubMessage<'_>,
    names: &[(&str, &str)],
    system: &mut Vec<RequestPart>,
    contents: &mut Vec<RequestContent>,
    losses: &mut Losses,
) {
    let place = message.place();
    if message.kind == MessageKind::Reasoning {
        return losses.note("reasoning", place, "the server requires its signature, which is not known");
    }
    for part in message.parts {
        let role = match message.role {
            Role::System => None,
            _ if matches!(part, HubPart::Call { .. }) => Some("model"),
            Role::Assistant if !matches!(part, HubPart::Result { .. }) => Some("model"),
            _ => Some("user"),
        };
        let name = String::from(part.name());
        let Some(part) = sent(part, names, losses) else {
            losses.note("part", &name, PARTS);
            continue;
        };
        match (role, contents.last_mut()) {
            (None, _) if part.text.is_some() => system.push(part),
            (None, _) => losses.note("part", &name, "instructions are text"),
            (Some(role), Some(last)) if last.role.as_deref() == Some(role) => last.parts.push(part),
            (Some(role), _) => contents.push(RequestContent::new(role, [part].into())),
        }
    }
}

/// Returns the object in a text, `None` for any other JSON or text.
fn object(text: &str) -> Option<Value> {
    let value = Value::parse(text, Limits::default().json_depth).ok()?;
    matches!(value, Value::Object(_)).then_some(value)
}

fn sent(part: HubPart<'_>, names: &[(&str, &str)], losses: &mut Losses) -> Option<RequestPart> {
    let blank = || RequestPart { text: None, ..RequestPart::text("") };
    let bytes = |media_type: &str, data: &str| {
        let inline_data = Some(Value::from([("mimeType", media_type.into()), ("data", data.into())]));
        RequestPart { inline_data, ..blank() }
    };
    let located = |media_type: Option<&str>, url: &str| match of_data_url(url) {
        Some((media_type, data)) => bytes(media_type, data),
        None => {
            let members = [("mimeType", media_type.map(Value::from)), ("fileUri", Some(url.into()))];
            RequestPart { file_data: Some(Value::Object(given(members))), ..blank() }
        }
    };
    Some(match part {
        HubPart::Text(text) | HubPart::Refusal(text) => RequestPart::text(text),
        HubPart::Call { id, name, arguments } => {
            let args = object(&arguments).unwrap_or_else(|| {
                if !arguments.is_empty() {
                    losses.note("call-input", id, "the arguments of a function are an object");
                }
                Value::Object(Vec::new())
            });
            let call = Value::from([("id", id.into()), ("name", name.into()), ("args", args)]);
            RequestPart { function_call: Some(call), ..blank() }
        }
        HubPart::Result { id, name, output } => {
            let known = names.binary_search_by_key(&id, |(id, _)| id).ok().map(|at| names[at].1);
            let name = name.or(known).unwrap_or(id);
            let response = object(&output).unwrap_or_else(|| Value::from([("output", (*output).into())]));
            let result = Value::from([("id", id.into()), ("name", name.into()), ("response", response)]);
            RequestPart { function_response: Some(result), ..blank() }
        }
        HubPart::Whole(Payload::Image { url: Some(url) } | Payload::Video { url: Some(url) }) => {
            located(None, url)
        }
        HubPart::Whole(Payload::Audio { data: Some(data), format }) => {
            bytes(&["audio/", format.unwrap_or("wav")].concat(), data)
        }
        HubPart::Whole(Payload::File { url: Some(url), .. }) => located(None, url),
        HubPart::Whole(Payload::File { data: Some(data), .. }) => match of_data_url(data) {
            Some((media_type, data)) => bytes(media_type, data),
            None => bytes("application/pdf", data),
        },
        HubPart::Inline { media_type, data, .. } => bytes(media_type, data),
        _ => return None,
    })
}

/// Adds the messages for a content: one for each run of texts and media, and one for each call and result.
fn received<'a>(content: &'a RequestContent, messages: &mut Vec<HubMessage<'a>>, losses: &mut Losses) {
    let role = match content.role.as_deref() {
        Some("model") => Role::Assistant,
        _ => Role::User,
    };
    let mut is_run = false;
    for part in &content.parts {
        if part.thought_signature.is_some() || part.thought == Some(true) {
            let place = if part.thought == Some(true) { "thought" } else { "thoughtSignature" };
            losses.note("opaque", place, "requests have no place at the hub for its signature");
            if part.thought == Some(true) {
                continue;
            }
        }
        let tool = |object: &'a Value| {
            let name = object.text("name").unwrap_or_default();
            (object.text("id").unwrap_or(name), name)
        };
        let part = match part {
            RequestPart { function_call: Some(call), .. } => {
                let (id, name) = tool(call);
                let args = call.get("args").map_or_else(|| "{}".into(), Value::to_json);
                messages.push(HubMessage::call(ToolKind::Function, id, name, args));
                is_run = false;
                continue;
            }
            RequestPart { function_response: Some(result), .. } => {
                let (id, name) = tool(result);
                let output = output(result.get("response").unwrap_or(&Value::Null));
                let parts = [HubPart::Result { id, name: Some(name), output }].into();
                messages.push(HubMessage::new(MessageKind::Result(ToolKind::Function), Role::Tool, parts));
                is_run = false;
                continue;
            }
            part => received_part(part),
        };
        match messages.last_mut().filter(|_| is_run) {
            Some(last) => last.parts.push(part),
            None => messages.push(HubMessage::new(MessageKind::Message, role, [part].into())),
        }
        is_run = true;
    }
}

fn received_part(part: &RequestPart) -> HubPart<'_> {
    let media_type = |media: &'_ Value| MediaKind::of_type(media.text("mimeType").unwrap_or_default());
    match part {
        RequestPart { text: Some(text), .. } => HubPart::Text(text),
        RequestPart { inline_data: Some(media), .. } => HubPart::Inline {
            kind: media_type(media),
            media_type: media.text("mimeType").unwrap_or_default(),
            data: media.text("data").unwrap_or_default(),
        },
        RequestPart { file_data: Some(file), .. } => {
            let url = file.text("fileUri");
            HubPart::Whole(match media_type(file) {
                MediaKind::Image => Payload::Image { url },
                MediaKind::Video => Payload::Video { url },
                MediaKind::Audio | MediaKind::File => {
                    Payload::File { url, id: None, name: file.text("displayName"), data: None }
                }
            })
        }
        part => HubPart::Other(part.extra.first().map_or("part", |member| &member.key)),
    }
}

/// Returns the result of a function as text: the text in `output`, or the whole object.
fn output(response: &Value) -> Cow<'_, str> {
    match (response.members(), response.text("output")) {
        ([_], Some(text)) => text.into(),
        _ => response.to_json().into(),
    }
}

fn offered(function: &FunctionDeclaration) -> hub::Tool<'_> {
    let schema = function.parameters_json_schema.as_ref().or(function.parameters.as_ref());
    hub::Tool::function(&function.name, function.description.as_deref(), schema, &function.extra)
}
