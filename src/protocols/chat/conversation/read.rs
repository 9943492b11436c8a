//! Reads requests, messages and answers.

use alloc::string::String;
use alloc::vec::Vec;

use super::carried::CarriedState;
use super::content::{self, AUDIO, MESSAGE};
use super::requirements::{ALL_SETTINGS, FORMAT, REASONING};
use crate::hub::conversation::members::{
    into_text, put, rest, take, take_list, take_string, take_text,
};
use crate::hub::conversation::openai;
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Opaque, Part, RunBy, Settings, Tool, ToolResult, Turn,
    TurnRole,
};
use crate::json::{Member, Value};

/// The option of a request that has the model search the web.
pub(super) const WEB_SEARCH: &str = "web_search_options";

pub(super) fn read(mut request: Value) -> Conversation {
    let mut conversation = Conversation::new(FORMAT);
    conversation.settings = Settings::read(&mut request, ALL_SETTINGS);
    if let Some(format) = take(&mut request, "response_format") {
        match openai::read_output(format) {
            Ok(output) => conversation.settings.output = output,
            Err(other) => request.insert("response_format", other),
        }
    }
    if let Some(choice) = take(&mut request, "tool_choice").or_else(|| older_choice(&mut request)) {
        match openai::read_choice(choice) {
            Ok(choice) => conversation.settings.choice = Some(choice),
            Err(other) => request.insert("tool_choice", other),
        }
    }
    conversation.tools = take_list(&mut request, "tools").into_iter().map(tool).collect();
    let functions = take_list(&mut request, "functions").into_iter();
    conversation
        .tools
        .extend(functions.map(|function| Tool::Function(openai::read_function(function, FORMAT))));
    if let Some(options) = take(&mut request, WEB_SEARCH) {
        let value = search_options(options);
        conversation.tools.push(Tool::Hosted {
            purpose: Some("search"),
            format: FORMAT.into(),
            value,
        });
    }
    for message in take_list(&mut request, "messages") {
        append(&mut conversation, message);
    }
    conversation.more = rest(request);
    conversation
}

/// Takes the choice of a function in the older spelling: a name without a type, or a text.
fn older_choice(request: &mut Value) -> Option<Value> {
    let choice = take(request, "function_call")?;
    if choice.as_str().is_some() {
        return Some(choice);
    }
    Some(Value::from([("type", "function".into()), ("function", choice)]))
}

/// Returns the options of a search as those of a tool: the place of the user is one level deeper
/// here.
fn search_options(mut options: Value) -> Value {
    if let Some(place) = take(&mut options, "user_location.approximate") {
        for member in rest(place) {
            put(&mut options, &["user_location.", &member.key].concat(), member.value);
        }
    }
    options.insert("type", WEB_SEARCH.into());
    options
}

fn tool(mut tool: Value) -> Tool {
    let kind = tool.text("type").unwrap_or("function");
    match kind {
        "function" if tool.get("function").is_some() => {
            let described = take(&mut tool, "function").unwrap_or_default();
            let mut function = openai::read_function(described, FORMAT);
            function.cache = function.cache.or_else(|| take(&mut tool, "cache_control"));
            Tool::Function(function)
        }
        "custom" if tool.get("custom").is_some() => {
            openai::read_custom(take(&mut tool, "custom").unwrap_or_default())
        }
        kind => {
            let is_search =
                tool.get("function").and_then(|tool| tool.text("name")) == Some("$web_search");
            let purpose = if is_search { Some("search") } else { openai::purpose(kind) };
            Tool::Hosted { purpose, format: FORMAT.into(), value: tool }
        }
    }
}

pub(super) fn append(conversation: &mut Conversation, message: Value) {
    let Some(mut message) = message_of(message) else { return };
    let role = take_string(&mut message, "role");
    let content = take(&mut message, "content");
    match &*role {
        "tool" | "function" => {
            let result = result(&role, content, message);
            conversation.turn(TurnRole::User).parts.push(Part::new(Content::Result(result)));
        }
        "assistant" => conversation.turns.extend(answer(content, message)),
        _ => {
            let role = match &*role {
                "system" => TurnRole::System,
                "developer" => TurnRole::Developer,
                _ => TurnRole::User,
            };
            let mut turn = Turn::new(role, content::read(content));
            turn.name = take_text(&mut message, "name");
            keep_rest(&mut turn, message);
            conversation.turns.push(turn);
        }
    }
}

/// Returns the message: of an answer, that of its first choice. A text is one of the user.
fn message_of(value: Value) -> Option<Value> {
    match value {
        Value::String(_) => Some(Value::from([("role", "user".into()), ("content", value)])),
        Value::Object(_) if value.get("choices").is_some() => {
            let mut answer = value;
            let mut choices = take_list(&mut answer, "choices").into_iter();
            let mut message = take(&mut choices.next()?, "message")?;
            if message.text("role").is_none_or(str::is_empty) {
                message.insert("role", "assistant".into());
            }
            // Answers have it, and messages of requests do not.
            take(&mut message, "annotations");
            Some(message)
        }
        Value::Object(_) => Some(value),
        _ => None,
    }
}

fn result(role: &str, content: Option<Value>, mut message: Value) -> ToolResult {
    let call = take_string(&mut message, "tool_call_id");
    if role == "function" {
        // The older spelling has the name of the function in place of the call's id: results follow
        // their calls.
        take(&mut message, "name");
    }
    let mut result = ToolResult::new(call, content::read(content));
    result.opaque = Opaque::new(FORMAT, rest(message));
    result
}

/// Reads a message of the assistant: a turn, and one more after each round of calls that the agent
/// has run.
fn answer(mut content: Option<Value>, mut message: Value) -> Vec<Turn> {
    let mut turn = Turn::new(TurnRole::Assistant, Vec::new());
    turn.name = take_text(&mut message, "name");
    let mut carried = CarriedState::take(&mut message);
    turn.parts = carried.reasoning(reasoning(&mut message), &mut content, call);
    let content = content.filter(|content| content.as_str() != Some(""));
    turn.parts.extend(content::read(content));
    if let Some(audio) = take(&mut message, "audio") {
        let is_told = turn.parts.iter().any(|part| part.as_text().is_some());
        turn.parts.extend(spoken(audio, is_told));
    }
    let refusal = take_text(&mut message, "refusal").filter(|text| !text.is_empty());
    turn.parts.extend(refusal.map(|text| Part::new(Content::Refusal(text))));
    turn.parts.extend(take_list(&mut message, "tool_calls").into_iter().map(call));
    if let Some(mut function) = take(&mut message, "function_call") {
        let (name, arguments) =
            (take_string(&mut function, "name"), take_string(&mut function, "arguments"));
        turn.parts.push(Part::new(Content::Call(Call::function("", name, arguments))));
    }
    keep_rest(&mut turn, message);
    carried.restore(&mut turn.parts);
    rounds(turn)
}

fn rounds(mut turn: Turn) -> Vec<Turn> {
    let is_run = |part: &Part| part.as_call().is_some_and(|call| call.result.is_some());
    let (mut turns, mut after_call) = (Vec::new(), false);
    for part in core::mem::take(&mut turn.parts) {
        if after_call && !is_run(&part) {
            let parts = core::mem::take(&mut turn.parts);
            turns.push(Turn { name: turn.name.clone(), ..Turn::new(TurnRole::Assistant, parts) });
        }
        after_call = is_run(&part);
        turn.parts.push(part);
    }
    turns.push(turn);
    turns
}

/// Takes the reasoning of a message. The server expects its members back as they are.
fn reasoning(message: &mut Value) -> Option<Part> {
    let found = REASONING.iter().filter_map(|name| {
        let value = take(message, name)?;
        Some(Member { key: (*name).into(), value })
    });
    let members: Vec<Member> = found.collect();
    let text = members.iter().find_map(|member| member.value.as_str()).map(String::from);
    let text = text.or_else(|| Some(text_of_details(&members.first()?.value)));
    Some(Part::reasoning(text?).with_opaque(Opaque::new(FORMAT, members)))
}

/// Returns the text in a list of details.
pub(super) fn text_of_details(details: &Value) -> String {
    let Value::Array(list) = details else { return String::new() };
    list.iter().filter_map(|item| item.text("text").or_else(|| item.text("summary"))).collect()
}

/// Returns a spoken answer. Requests refer to it by its id; for other servers it is its transcript.
fn spoken(mut audio: Value, is_told: bool) -> Option<Part> {
    let transcript =
        take_text(&mut audio, "transcript").filter(|text| !is_told && !text.is_empty());
    let id = take(&mut audio, "id").map(|id| Value::from([("id", id)]));
    let opaque = id.map(|id| Opaque::of_member(FORMAT, AUDIO, id));
    match (transcript, opaque) {
        (Some(text), opaque) => {
            let members = opaque
                .map(|opaque| Opaque::of_member(FORMAT, MESSAGE, Value::Object(opaque.members)));
            Some(Part::text(text).with_opaque(members))
        }
        (None, opaque) => opaque.map(|opaque| Part::new(Content::Native).with_opaque(Some(opaque))),
    }
}

fn call(mut call: Value) -> Part {
    let id = take_string(&mut call, "id");
    // The number of the call in an answer.
    take(&mut call, "index");
    let mut name = String::new();
    let input = match call.get("custom") {
        Some(_) => {
            name = take_string(&mut call, "custom.name");
            CallInput::Text(take_string(&mut call, "custom.input"))
        }
        None => {
            name.push_str(&take_string(&mut call, "function.name"));
            CallInput::Json(
                take(&mut call, "function.arguments").map(into_text).unwrap_or_default(),
            )
        }
    };
    // The server has tools of other types that the client runs.
    let by = match call.text("type") {
        None | Some("function" | "custom" | "") => {
            take(&mut call, "type");
            RunBy::Client
        }
        Some(_) => RunBy::ClientBuiltin,
    };
    let content = Content::Call(Call { input, by, ..Call::function(id, name, "") });
    Part::new(content).with_rest(FORMAT, call)
}

/// Keeps what is left of a message: at its first text, or as a part of its own.
fn keep_rest(turn: &mut Turn, message: Value) {
    let mut members = rest(message);
    members.retain(|member| !matches!(&member.value, Value::Array(list) if list.is_empty()));
    if members.is_empty() {
        return;
    }
    let is_text = |part: &&mut Part| part.as_text().is_some() && !part.is_own_block();
    let Some(part) = turn.parts.iter_mut().find(is_text) else {
        return turn
            .parts
            .push(Part::new(Content::Native).with_opaque(Opaque::new(FORMAT, members)));
    };
    let opaque = part.opaque.get_or_insert_with(|| Opaque {
        format: FORMAT.into(),
        scope: None,
        members: Vec::new(),
    });
    match opaque.members.iter_mut().find(|member| member.key == MESSAGE) {
        Some(Member { value: Value::Object(known), .. }) => known.append(&mut members),
        _ => opaque.members.push(Member { key: MESSAGE.into(), value: Value::Object(members) }),
    }
}
