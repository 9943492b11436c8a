//! Writes requests.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::content::{self, ContentStyle, MESSAGE};
use super::read::WEB_SEARCH;
use super::requirements::{ALL_SETTINGS, FORMAT, REASONING, requirements};
use crate::core::id::IdSource;
use crate::hub::conversation::members::{ListWriter, put, write_members};
use crate::hub::conversation::openai::{self, PROVIDER, ToolNesting};
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Part, Requirements, SettingKey, Tool, ToolResult, Turn,
    TurnRole,
};
use crate::json::{Member, ObjectWriter, Value, write_string};

pub(super) fn write(conversation: &Conversation, _ids: &mut dyn IdSource) -> String {
    let to = requirements(conversation.settings.text(SettingKey::Model));
    let mut out = String::new();
    let mut request = ObjectWriter::open(&mut out, true);
    let (known, others) = settings(conversation, to);
    request.value("model", known.get("model"));
    let mut messages = ListWriter::open(request.member("messages"));
    let writer = MessageWriter::new(conversation, to);
    conversation.turns.iter().for_each(|turn| writer.turn(turn, &mut messages));
    messages.close();
    write_tools(conversation, &mut request);
    if let Value::Object(members) = &known {
        let left = members.iter().filter(|member| member.key != "model");
        left.for_each(|member| request.value(&member.key, Some(&member.value)));
    }
    others.into_iter().for_each(|member| request.value(&member.key, Some(&member.value)));
    request.close();
    out
}

/// Returns the settings as members, and the other members of the request.
fn settings<'c>(conversation: &'c Conversation, to: &Requirements) -> (Value, Vec<&'c Member>) {
    let is_setting = |member: &&Member| {
        ALL_SETTINGS.iter().any(|(path, _)| path.split('.').next() == Some(&member.key))
    };
    let (of_settings, others): (Vec<_>, Vec<_>) = conversation.more.iter().partition(is_setting);
    let mut known = Value::Object(of_settings.into_iter().cloned().collect());
    conversation.settings.write_known(&mut known, to.spellings, ALL_SETTINGS);
    let is_given = |key: &str| conversation.more.iter().any(|member| member.key == key);
    // Numbers of alternatives are only accepted together with the probabilities.
    if is_given("top_logprobs") && !is_given("logprobs") {
        known.insert("logprobs", true.into());
    }
    // A stream ends with the token usage if the request says so, as other protocols do by
    // themselves.
    let is_stream = conversation.settings.get(SettingKey::Stream) == Some(&Value::Bool(true));
    if is_stream && conversation.format != FORMAT && !is_given("stream_options") {
        put(&mut known, "stream_options.include_usage", true);
    }
    (known, others)
}

fn write_tools(conversation: &Conversation, request: &mut ObjectWriter<'_>) {
    let options = |tool: &&Tool| matches!(tool, Tool::Hosted { value, .. } if value.text("type") == Some(WEB_SEARCH));
    let mut listed = conversation.tools.iter().filter(|tool| !options(tool)).peekable();
    if listed.peek().is_some() {
        let mut tools = ListWriter::open(request.member("tools"));
        listed.for_each(|tool| write_tool(tool, &mut tools));
        tools.close();
    }
    if let Some(Tool::Hosted { value, .. }) = conversation.tools.iter().find(options) {
        write_search_options(value, request.member(WEB_SEARCH));
    }
    if let Some(choice) = &conversation.settings.choice {
        openai::write_choice(
            choice,
            &conversation.tools,
            ToolNesting::Nested,
            request.member("tool_choice"),
        );
    }
    if let Some(output) = &conversation.settings.output {
        openai::write_output(output, ToolNesting::Nested, request.member("response_format"));
    }
}

fn write_tool(tool: &Tool, tools: &mut ListWriter<'_>) {
    match tool {
        Tool::Function(function) => ToolNesting::Nested.write_typed(
            "function",
            tools.item(),
            |described| openai::write_function(function, described),
            |tool| tool.value("cache_control", function.cache.as_ref()),
        ),
        Tool::Custom { name, description, format } => {
            ToolNesting::Nested.write("custom", tools.item(), |described| {
                openai::write_custom(
                    name,
                    description.as_deref(),
                    format.as_ref(),
                    ToolNesting::Nested,
                    described,
                );
            });
        }
        Tool::Hosted { value, .. } => value.write(tools.item()),
        // The normaliser has left none.
        Tool::Namespace { tools: inner, .. } => {
            inner.iter().for_each(|tool| write_tool(tool, tools))
        }
    }
}

fn write_search_options(tool: &Value, out: &mut String) {
    let mut options = ObjectWriter::open(out, true);
    let Value::Object(members) = tool else { return options.close() };
    for member in members.iter().filter(|member| member.key != "type") {
        match (&*member.key, &member.value) {
            ("user_location", Value::Object(place)) => {
                let mut location = ObjectWriter::open(options.member("user_location"), true);
                location.value("type", member.value.get("type"));
                let mut approximate = ObjectWriter::open(location.member("approximate"), true);
                let left = place.iter().filter(|member| member.key != "type");
                left.for_each(|member| approximate.value(&member.key, Some(&member.value)));
                approximate.close();
                location.close();
            }
            (key, value) => options.value(key, Some(value)),
        }
    }
    options.close();
}

struct MessageWriter {
    /// Whether the conversation is of this protocol.
    is_own: bool,
    /// Whether it is sent to OpenAI, or to a server that is not known.
    is_openai: bool,
    breakpoints: bool,
}

impl MessageWriter {
    fn new(conversation: &Conversation, to: &Requirements) -> Self {
        let is_openai = to.provider == PROVIDER;
        MessageWriter {
            is_own: conversation.format == FORMAT,
            is_openai,
            breakpoints: is_openai && to.cache,
        }
    }

    /// Returns how a content is written. Other servers take several texts only as one.
    fn style(&self, is_listed: bool, between: &'static str) -> ContentStyle {
        ContentStyle { lists: is_listed && self.is_openai, breakpoints: self.breakpoints, between }
    }

    /// Writes the message of a turn, and those with the results of its calls.
    fn turn(&self, turn: &Turn, messages: &mut ListWriter<'_>) {
        let own = self.is_own;
        let (role, style) = match turn.role {
            TurnRole::System => ("system", self.style(own, "\n\n")),
            TurnRole::Developer => ("developer", self.style(own, "\n\n")),
            TurnRole::User => ("user", self.style(true, "\n\n")),
            TurnRole::Assistant => ("assistant", self.style(true, "")),
        };
        let is_result = |part: &Part| matches!(part.content, Content::Result(_));
        if turn.parts.is_empty() || !turn.parts.iter().all(is_result) {
            self.message(role, turn, style, messages.item());
        }
        for part in &turn.parts {
            let result = match &part.content {
                Content::Call(call) => call.result.as_ref(),
                Content::Result(result) => Some(result),
                _ => None,
            };
            if let Some(result) = result {
                self.result(result, messages.item());
            }
        }
    }

    fn message(&self, role: &str, turn: &Turn, style: ContentStyle, out: &mut String) {
        let mut message = ObjectWriter::open(out, true);
        message.string("role", Some(role));
        message.string("name", turn.name.as_deref());
        let mut blocks: Vec<&Part> =
            turn.parts.iter().filter(|part| content::is_block(part)).collect();
        // One refusal is a member of the message.
        let is_only = blocks.iter().filter(|part| refusal_of(part).is_some()).count() == 1;
        let at =
            blocks.iter().position(|part| is_only && self.is_openai && refusal_of(part).is_some());
        let refusal = at.map(|at| blocks.remove(at)).and_then(refusal_of);
        let calls = || turn.parts.iter().filter_map(|part| Some((part, part.as_call()?)));
        let has_calls = calls().next().is_some();
        let own: Vec<&Member> = turn.parts.iter().flat_map(message_members).collect();
        let is_spoken = own.iter().any(|member| member.key == content::AUDIO);
        if !blocks.is_empty() {
            content::write(&blocks, style, message.member("content"));
        } else if has_calls || refusal.is_some() || is_spoken {
            message.member("content").push_str("null");
        } else {
            // Servers refuse messages without content.
            message.string("content", Some(""));
        }
        message.string("refusal", refusal);
        write_own_members(&own, &mut message);
        if has_calls {
            let mut list = ListWriter::open(message.member("tool_calls"));
            calls().for_each(|(part, call)| write_call(part, call, list.item()));
            list.close();
        }
        message.close();
    }

    fn result(&self, result: &ToolResult, out: &mut String) {
        let mut message = ObjectWriter::open(out, true);
        message.string("role", Some("tool"));
        message.string("tool_call_id", Some(&result.call));
        let blocks: Vec<&Part> =
            result.parts.iter().filter(|part| content::is_block(part)).collect();
        if blocks.is_empty() {
            message.string("content", Some(""));
        } else {
            content::write(&blocks, self.style(self.is_own, "\n"), message.member("content"));
        }
        write_members(result.opaque.as_ref().map_or(&[], |opaque| &opaque.members), &mut message);
        message.close();
    }
}

fn refusal_of(part: &Part) -> Option<&str> {
    match &part.content {
        Content::Refusal(text) if part.opaque.is_none() && part.cache.is_none() => Some(text),
        _ => None,
    }
}

/// Returns the opaque members of a part that are members of its message.
fn message_members(part: &Part) -> &[Member] {
    match &part.content {
        Content::Reasoning { .. } | Content::Native if !part.is_own_block() => part.own_members(),
        _ => part.own_members_in(MESSAGE),
    }
}

/// Writes members of a message, each once. The reasoning of several parts is one.
fn write_own_members(members: &[&Member], message: &mut ObjectWriter<'_>) {
    let mut written = BTreeSet::from(["role", "name", "content", "refusal", "tool_calls"]);
    for key in REASONING {
        written.insert(key);
        let found: Vec<&Value> =
            members.iter().filter(|member| member.key == key).map(|member| &member.value).collect();
        match found[..] {
            [] => {}
            [one] => message.value(key, Some(one)),
            _ if found.iter().all(|value| value.as_str().is_some()) => {
                let texts: Vec<&str> = found.iter().filter_map(|value| value.as_str()).collect();
                write_string(&texts.join("\n\n"), message.member(key));
            }
            _ => {
                let mut list = ListWriter::open(message.member(key));
                for value in found {
                    match value {
                        Value::Array(items) => {
                            items.iter().for_each(|item| item.write(list.item()))
                        }
                        other => other.write(list.item()),
                    }
                }
                list.close();
            }
        }
    }
    for member in members {
        if written.insert(&member.key) {
            message.value(&member.key, Some(&member.value));
        }
    }
}

fn write_call(part: &Part, call: &Call, out: &mut String) {
    let mut written = ObjectWriter::open(out, true);
    written.string("id", Some(&call.id));
    let (kind, member, text) = match &call.input {
        CallInput::Json(json) => ("function", "arguments", json),
        CallInput::Text(text) => ("custom", "input", text),
    };
    if !part.is_own_block() {
        written.string("type", Some(kind));
    }
    ToolNesting::Nested.write_in(kind, &mut written, |described| {
        described.string("name", Some(&call.name));
        described.string(member, Some(text));
        write_members(part.own_members_in(kind), described);
    });
    part.write_opaque_except(&["id", kind], &mut written);
    written.close();
}
