//! Reads requests, contents and responses.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;

use super::schema::{rename_members, to_json_schema};
use super::{CODE_EXECUTION, FORMAT, RESPONSE_MEMBERS, SETTINGS, SHOWS_THOUGHTS};
use crate::hub::conversation::google::{PROVIDER, is_uploaded, is_video};
use crate::hub::conversation::members::{
    into_text, put, put_some, rest, take, take_bool, take_list, take_string, take_text,
};
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Function, Media, MediaForm, MediaSource, Opaque,
    Output, Part, RunBy, SettingKey, Settings, Tool, ToolChoice, ToolResult, Turn, TurnRole,
};
use crate::json::{Member, Value, decimal};

/// Reads a request.
pub(super) fn request(mut request: Value) -> Conversation {
    let inner = [
        "generationConfig",
        "thinkingConfig",
        "toolConfig",
        "functionCallingConfig",
        "systemInstruction",
    ];
    rename_members(&mut request, &inner);
    let mut conversation = Conversation::new(FORMAT);
    conversation.settings = settings(&mut request);
    conversation.tools = take_list(&mut request, "tools").into_iter().flat_map(tools).collect();
    match take(&mut request, "systemInstruction") {
        Some(Value::Object(members)) => {
            let parts = take_list(&mut Value::Object(members), "parts").into_iter();
            let parts = parts.map(|block| part(block, String::new)).collect();
            conversation.turns.push(Turn::new(TurnRole::System, parts));
        }
        Some(text) => conversation
            .turns
            .push(Turn::new(TurnRole::System, [Part::text(into_text(text))].into())),
        None => {}
    }
    for (at, value) in take_list(&mut request, "contents").into_iter().enumerate() {
        content(&mut conversation, value, at);
    }
    conversation.more = rest(request);
    conversation
}

/// Adds a content, a list of contents, or a response: its first candidate.
pub(super) fn append(conversation: &mut Conversation, value: Value) {
    match value {
        Value::Array(list) => list.into_iter().for_each(|value| append(conversation, value)),
        mut response if response.get("candidates").is_some() => {
            let first = take_list(&mut response, "candidates").into_iter().next();
            if let Some(mut content) =
                first.and_then(|mut candidate| take(&mut candidate, "content"))
            {
                answer(conversation, &mut content, &take_string(&mut response, "responseId"));
            }
        }
        value => {
            let at = conversation.turns.len();
            content(conversation, value, at);
            conversation.join_new_results(at);
        }
    }
}

fn settings(request: &mut Value) -> Settings {
    let mut settings = Settings::read(request, SETTINGS);
    if let Some(model) = take_text(request, "model") {
        settings.set(SettingKey::Model, model.strip_prefix("models/").unwrap_or(&model));
    }
    if let Some(level) = settings.text(SettingKey::Effort).map(str::to_ascii_lowercase) {
        settings.set(SettingKey::Effort, level);
    }
    if take_bool(request, SHOWS_THOUGHTS) == Some(true) {
        settings.set(SettingKey::Summary, "auto");
    }
    settings.output = output(request);
    settings.choice = choice(request);
    settings
}

/// Takes the format of the answer. The schema in Gemini's own form stays in the request: it is sent
/// back as it is.
fn output(request: &mut Value) -> Option<Output> {
    const TYPE: &str = "generationConfig.responseMimeType";
    match take_text(request, TYPE)? {
        json if json == "application/json" => {
            let own = take(request, "generationConfig.responseSchema");
            put_some(request, "generationConfig.responseSchema", own.clone());
            let schema = take(request, "generationConfig.responseJsonSchema");
            Some(Output { schema: schema.or(own.map(to_json_schema)), ..Output::default() })
        }
        other => {
            put(request, TYPE, other);
            None
        }
    }
}

fn choice(request: &mut Value) -> Option<ToolChoice> {
    const MODE: &str = "toolConfig.functionCallingConfig.mode";
    const NAMES: &str = "toolConfig.functionCallingConfig.allowedFunctionNames";
    let mode = take_text(request, MODE)?;
    let names = take_list(request, NAMES).into_iter().map(into_text);
    let mut names: Vec<String> = names.collect();
    match (&*mode, names.len()) {
        ("AUTO", 0) => Some(ToolChoice::Auto),
        ("NONE", _) => Some(ToolChoice::None),
        ("ANY", 0) => Some(ToolChoice::Required),
        ("ANY", 1) => names.pop().map(ToolChoice::Named),
        ("ANY", _) => Some(ToolChoice::Allowed { required: true, names }),
        ("VALIDATED", 1..) => Some(ToolChoice::Allowed { required: false, names }),
        _ => {
            put(request, MODE, mode);
            if !names.is_empty() {
                put(request, NAMES, Value::Array(names.into_iter().map(Value::from).collect()));
            }
            None
        }
    }
}

/// Returns the tools of an entry: its functions, and a tool of the server for each other member.
fn tools(mut entry: Value) -> Vec<Tool> {
    rename_members(&mut entry, &[]);
    let functions = take_list(&mut entry, "functionDeclarations").into_iter();
    let mut tools: Vec<Tool> =
        functions.map(|declared| Tool::Function(function(declared))).collect();
    for Member { key, value } in rest(entry) {
        let purpose = match &*key {
            "googleSearch" | "googleSearchRetrieval" | "enterpriseWebSearch" => Some("search"),
            "codeExecution" => Some("code"),
            _ => None,
        };
        let value = Value::Object([Member { key, value }].into());
        tools.push(Tool::Hosted { purpose, format: FORMAT.into(), value });
    }
    tools
}

fn function(mut declared: Value) -> Function {
    rename_members(&mut declared, &[]);
    let schema = match take(&mut declared, "parametersJsonSchema") {
        // The own form stays among the further members: it is sent back as it is.
        None => {
            declared.get("parameters").filter(|own| !own.is_null()).cloned().map(to_json_schema)
        }
        schema => schema,
    };
    Function {
        name: take_string(&mut declared, "name"),
        description: take_text(&mut declared, "description"),
        schema,
        more: rest(declared),
        format: FORMAT.into(),
        ..Function::default()
    }
}

/// Adds a content of a request. The ids of its calls depend on its place, so that they are the same
/// in the next request.
fn content(conversation: &mut Conversation, mut content: Value, at: usize) {
    if let Value::String(text) = content {
        return conversation.turns.push(Turn::new(TurnRole::User, [Part::text(text)].into()));
    }
    let role = match content.text("role") {
        Some("model") => TurnRole::Assistant,
        _ => TurnRole::User,
    };
    let mut blocks = take_list(&mut content, "parts");
    blocks.iter_mut().for_each(|block| rename_members(block, &INNER));
    if let Some(before) = conversation.turns.last() {
        name_results(before, &mut blocks);
    }
    let id = |place: usize| ["call_", &*decimal(at as i64), "_", &*decimal(place as i64)].concat();
    let parts = blocks.into_iter().enumerate();
    let mut parts = parts.map(|(place, block)| part(block, || id(place))).collect();
    join_outcomes(&mut parts);
    conversation.turns.push(Turn::new(role, parts));
}

/// Sets the ids of results without one: those of the calls of the same name before them, in order.
fn name_results(before: &Turn, blocks: &mut [Value]) {
    let mut waiting: BTreeMap<&str, VecDeque<&str>> = BTreeMap::new();
    for call in before.calls().filter(|call| call.by == RunBy::Client) {
        waiting.entry(&call.name).or_default().push_back(&call.id);
    }
    for result in blocks.iter_mut().filter_map(|block| member_mut(block, "functionResponse")) {
        let name = result.text("name").unwrap_or_default();
        if result.get("id").is_none_or(Value::is_null)
            && let Some(id) = waiting.get_mut(name).and_then(VecDeque::pop_front)
        {
            result.insert("id", id.into());
        }
    }
}

fn member_mut<'v>(object: &'v mut Value, name: &str) -> Option<&'v mut Value> {
    match object {
        Value::Object(members) => {
            members.iter_mut().find(|member| member.key == name).map(|member| &mut member.value)
        }
        _ => None,
    }
}

/// Adds the content of a response. Calls without an id have the ids that the stream of the answer
/// gives them.
fn answer(conversation: &mut Conversation, content: &mut Value, response: &str) {
    let mut calls = 0;
    let mut parts = Vec::new();
    for block in take_list(content, "parts") {
        let is_call = ["functionCall", "executableCode", "toolCall"]
            .iter()
            .any(|name| block.get(name).is_some());
        calls += i64::from(is_call);
        let is_empty = matches!(&block, Value::Object(members) if members.iter().all(is_nothing));
        let call = block.get("functionCall");
        let is_open =
            call.and_then(|call| call.get("willContinue")).and_then(Value::as_bool) == Some(true);
        // The stream was cut off in the middle of the call.
        if is_empty || is_open {
            continue;
        }
        parts.push(part(block, || [response, "-", &*decimal(calls)].concat()));
    }
    join_outcomes(&mut parts);
    if !parts.is_empty() {
        conversation.turns.push(Turn::new(TurnRole::Assistant, parts));
    }
}

/// Whether a member of a block is none, or an empty text.
fn is_nothing(member: &Member) -> bool {
    member.value.is_null() || member.key == "text" && member.value.as_str() == Some("")
}

/// Moves the result of a tool of the server into its call, if it follows it.
fn join_outcomes(parts: &mut Vec<Part>) {
    let mut joined: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts.drain(..) {
        match part.content {
            Content::Result(result) if result.opaque.as_ref().is_some_and(is_outcome) => {
                let call = joined.last_mut().and_then(Part::as_call_mut);
                match call.filter(|call| call.by == RunBy::Provider && call.result.is_none()) {
                    Some(call) => {
                        call.result = Some(ToolResult { call: call.id.clone(), ..result })
                    }
                    None => joined.push(Part::new(Content::Native).with_opaque(result.opaque)),
                }
            }
            _ => joined.push(part),
        }
    }
    *parts = joined;
}

/// Whether opaque members are the result of a tool of the server.
fn is_outcome(opaque: &Opaque) -> bool {
    opaque.get("codeExecutionResult").or(opaque.get("toolResponse")).is_some()
}

/// The objects in a part whose members are renamed.
const INNER: [&str; 7] = [
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
];

fn part(mut block: Value, id: impl FnOnce() -> String) -> Part {
    if let Value::String(text) = block {
        return Part::text(text);
    }
    if block.get("executableCode").or(block.get("toolCall")).is_some() {
        return server_call(block, id);
    }
    if block.get("codeExecutionResult").or(block.get("toolResponse")).is_some() {
        return outcome(block);
    }
    let content = if let Some(call) = take(&mut block, "functionCall") {
        Content::Call(function_call(call, &mut block, id))
    } else if let Some(response) = take(&mut block, "functionResponse") {
        Content::Result(function_response(response))
    } else if let Some(data) = take(&mut block, "inlineData") {
        Content::Media(media(data, "inlineData", &mut block))
    } else if let Some(file) = take(&mut block, "fileData") {
        Content::Media(media(file, "fileData", &mut block))
    } else {
        text(&mut block)
    };
    Part::new(content).with_rest(FORMAT, block)
}

/// Takes a text. An empty one that has a signature, or is a thought, is nothing that others have.
fn text(block: &mut Value) -> Content {
    let has_more = matches!(&*block, Value::Object(members) if members.len() > 1);
    match block.text("text") {
        None => return Content::Native,
        Some("") if has_more => return Content::Native,
        Some(_) => {}
    }
    let text = take_string(block, "text");
    match take_bool(block, "thought") {
        Some(true) => {
            // The flag stays: it makes the thought one of this protocol.
            put(block, "thought", true);
            Content::Reasoning { text, summary: true }
        }
        _ => Content::Text(text),
    }
}

/// Takes the members of a call. Its own id stays in the block, because only ids of the server are
/// sent back.
fn function_call(mut call: Value, block: &mut Value, id: impl FnOnce() -> String) -> Call {
    let own = call.text("id").filter(|id| !id.is_empty()).map(String::from);
    if own.is_none() {
        take(&mut call, "id");
    }
    let args = take(&mut call, "args").map_or_else(|| "{}".into(), |args| args.to_json());
    // Members of streams.
    ["willContinue", "partialArgs"].iter().for_each(|name| drop(take(&mut call, name)));
    let read = Call::function(own.unwrap_or_else(id), take_string(&mut call, "name"), args);
    keep(block, "functionCall", call);
    read
}

/// Puts the members of an object that were not taken back into its block.
fn keep(block: &mut Value, name: &str, object: Value) {
    let left = rest(object);
    if !left.is_empty() {
        block.insert(name, Value::Object(left));
    }
}

/// Reads the result of a function. Without an id, it belongs to a call of its name.
fn function_response(mut result: Value) -> ToolResult {
    let name = take_string(&mut result, "name");
    let call = take_text(&mut result, "id").unwrap_or(name);
    let response = take(&mut result, "response").unwrap_or_default();
    let error = response.get("error").is_some_and(|error| !error.is_null());
    let (text, own) = response_text(response);
    let media = take_list(&mut result, "parts").into_iter().map(|block| part(block, String::new));
    let parts = [Part::text(text)].into_iter().chain(media).collect();
    put_some(&mut result, "response", own);
    let opaque = Opaque::new(FORMAT, rest(result));
    ToolResult { error, opaque, ..ToolResult::new(call, parts) }
}

/// Returns a response as text, and also as it is if it would not be written like this.
fn response_text(mut response: Value) -> (String, Option<Value>) {
    let Value::Object(members) = &response else { return (into_text(response), None) };
    let wrapper = match members.as_slice() {
        [only] => RESPONSE_MEMBERS.iter().find(|name| **name == only.key),
        _ => None,
    };
    let Some(wrapper) = wrapper else {
        let is_same = !members.iter().any(|member| RESPONSE_MEMBERS.contains(&&*member.key));
        return (response.to_json(), (!is_same).then_some(response));
    };
    let text = response.text(wrapper).unwrap_or("{");
    if *wrapper == "error" && text != "{" || *wrapper == "output" && !text.starts_with('{') {
        return (take_string(&mut response, wrapper), None);
    }
    let text = response.get(wrapper).map(|value| value.to_text().into_owned());
    (text.unwrap_or_default(), Some(response))
}

fn media(mut data: Value, name: &str, block: &mut Value) -> Media {
    let media_type = take_text(&mut data, "mimeType");
    let source = match take_text(&mut data, "fileUri") {
        Some(uri) if is_uploaded(&uri) => MediaSource::File { provider: PROVIDER.into(), id: uri },
        Some(uri) => MediaSource::Url(uri),
        None => MediaSource::Base64(take_string(&mut data, "data")),
    };
    let mut media = Media::new(MediaForm::of_type(media_type.as_deref()), source);
    if matches!(&media.source, MediaSource::Url(url) if is_video(url)) {
        media.kind = MediaForm::Video;
    }
    media.media_type = media_type;
    media.name = take_text(&mut data, "displayName");
    keep(block, name, data);
    media
}

/// Reads the call of a tool of the server. Its block stays as it is.
fn server_call(block: Value, id: impl FnOnce() -> String) -> Part {
    let is_code = block.get("executableCode").is_some();
    let call = block.get(if is_code { "executableCode" } else { "toolCall" });
    let given = |key: &str| call.and_then(|call| call.get(key)).filter(|value| !value.is_null());
    let arguments = match is_code {
        true => Value::from([("code", given("code").cloned().unwrap_or_default())]).to_json(),
        false => given("args").map_or_else(|| "{}".into(), Value::to_json),
    };
    let own = given("id").and_then(Value::as_str).map(String::from);
    let kind = given("toolType").and_then(Value::as_str);
    let name: String = match kind {
        Some(kind) => kind.to_ascii_lowercase(),
        None => CODE_EXECUTION.into(),
    };
    let mut read = Call::function(own.unwrap_or_else(id), name, String::new());
    read.input = CallInput::Json(arguments);
    read.by = RunBy::Provider;
    Part::new(Content::Call(read)).with_rest(FORMAT, block)
}

/// Reads the result of a tool of the server. Its block stays as it is.
fn outcome(block: Value) -> Part {
    let code = block.get("codeExecutionResult");
    let output = match code {
        Some(code) => code.get("output"),
        None => block.get("toolResponse").and_then(|result| result.get("response")),
    };
    let text = output.map(|output| output.to_text().into_owned()).unwrap_or_default();
    let outcome = code.and_then(|code| code.text("outcome"));
    let mut result = ToolResult::new("", [Part::text(text)].into());
    result.error = outcome.is_some_and(|outcome| outcome != "OUTCOME_OK");
    result.opaque = Opaque::new(FORMAT, rest(block));
    Part::new(Content::Result(result))
}
