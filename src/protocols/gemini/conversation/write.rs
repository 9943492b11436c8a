//! Writes requests.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::requirements::has_text_results;
use super::{CONFIG, FORMAT, RESPONSE_MEMBERS, SETTINGS, SHOWS_THOUGHTS};
use crate::core::Limits;
use crate::core::id::IdSource;
use crate::hub::conversation::members::{into_list, is_json_object, put, put_some, write_members};
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Function, Media, MediaSource, Opaque, Part, RunBy,
    SettingKey, Tool, ToolChoice, ToolResult, Turn, TurnRole,
};
use crate::json::{Document, Member, ObjectWriter, Raw, Value, write_list, write_string};

/// Writes a request. Its model is in the URL.
pub(super) fn request(conversation: &Conversation, _: &mut dyn IdSource) -> String {
    let mut out = String::new();
    let mut request = ObjectWriter::open(&mut out, true);
    let first = conversation.turns.iter().position(|turn| !turn.is_instruction());
    let (front, turns) = conversation.turns.split_at(first.unwrap_or(conversation.turns.len()));
    let instructions =
        front.iter().flat_map(|turn| &turn.parts).filter(|part| part.as_text().is_some());
    let mut instructions = instructions.peekable();
    if instructions.peek().is_some() {
        let mut system = ObjectWriter::open(request.member("systemInstruction"), true);
        write_list(instructions, system.member("parts"), |part, out| block(part, true, out));
        system.close();
    }
    let mut contents = Contents {
        out: request.member("contents"),
        role: None,
        is_own: conversation.format == FORMAT,
        has_text_results: has_text_results(conversation.settings.text(SettingKey::Model)),
    };
    contents.out.push('[');
    turns.iter().for_each(|turn| contents.turn(turn));
    contents.end();
    tools(conversation, &mut request);
    if let Value::Object(members) = head(conversation) {
        write_members(&members, &mut request);
    }
    request.close();
    out
}

/// Returns the members of a request that are not messages or tools.
fn head(conversation: &Conversation) -> Value {
    let mut head = Value::Object(Vec::with_capacity(conversation.more.len() + 2));
    for Member { key, value } in &conversation.more {
        let path = if CONFIG.contains(&&**key) {
            ["generationConfig.", key].concat()
        } else {
            key.clone()
        };
        put(&mut head, &path, value.clone());
    }
    let settings = &conversation.settings;
    settings.write(&mut head, SETTINGS);
    if let Some(stop) = settings.get(SettingKey::Stop) {
        put(&mut head, "generationConfig.stopSequences", Value::Array(into_list(stop.clone())));
    }
    if settings.text(SettingKey::Summary).is_some_and(|summary| summary != "none") {
        put(&mut head, SHOWS_THOUGHTS, true);
    }
    if let Some(output) = &settings.output {
        put(&mut head, "generationConfig.responseMimeType", "application/json");
        let own = head.get("generationConfig").and_then(|config| config.get("responseSchema"));
        if own.is_none() {
            put_some(&mut head, "generationConfig.responseJsonSchema", output.schema.clone());
        }
    }
    let has_tools_of_both = has_tools_of_both(conversation);
    if has_tools_of_both && conversation.format != FORMAT {
        // https://ai.google.dev/gemini-api/docs/tool-combination
        put(&mut head, "toolConfig.includeServerSideToolInvocations", true);
    }
    let (mode, names) = match &settings.choice {
        None => return head,
        // It is not allowed there.
        Some(ToolChoice::Auto) if has_tools_of_both => return head,
        Some(ToolChoice::Auto) => ("AUTO", None),
        Some(ToolChoice::None) => ("NONE", None),
        Some(ToolChoice::Required) => ("ANY", None),
        Some(ToolChoice::Named(name)) => ("ANY", Some(core::slice::from_ref(name))),
        Some(ToolChoice::Allowed { required: true, names }) => ("ANY", Some(names.as_slice())),
        Some(ToolChoice::Allowed { required: false, names }) => {
            ("VALIDATED", Some(names.as_slice()))
        }
    };
    put(&mut head, "toolConfig.functionCallingConfig.mode", mode);
    if let Some(names) = names {
        let names = names.iter().map(|name| name.as_str().into()).collect();
        put(
            &mut head,
            "toolConfig.functionCallingConfig.allowedFunctionNames",
            Value::Array(names),
        );
    }
    head
}

fn has_tools_of_both(conversation: &Conversation) -> bool {
    let has = |is_hosted: bool| {
        conversation.tools.iter().any(|tool| matches!(tool, Tool::Hosted { .. }) == is_hosted)
    };
    has(true) && has(false)
}

fn tools(conversation: &Conversation, request: &mut ObjectWriter<'_>) {
    let tools = &conversation.tools;
    if tools.is_empty() {
        return;
    }
    let functions = tools.iter().filter_map(|tool| match tool {
        Tool::Function(function) => Some(function),
        _ => None,
    });
    let functions: Vec<&Function> = functions.collect();
    let hosted = tools.iter().filter_map(|tool| match tool {
        Tool::Hosted { format, value, .. } => Some(ToolEntry::Hosted(format, value)),
        _ => None,
    });
    let first = (!functions.is_empty()).then_some(ToolEntry::Functions(functions));
    write_list(first.into_iter().chain(hosted), request.member("tools"), |entry, out| {
        let mut written = ObjectWriter::open(out, true);
        match entry {
            ToolEntry::Functions(functions) => {
                write_list(functions, written.member("functionDeclarations"), declare);
            }
            ToolEntry::Hosted(FORMAT, Value::Object(members)) => {
                write_members(members, &mut written)
            }
            // The declarations of others have the name that this protocol has for the tool as their
            // format.
            ToolEntry::Hosted(name, _) => written.value(name, Some(&Value::Object(Vec::new()))),
        }
        written.close();
    });
}

/// An entry of the list of tools.
enum ToolEntry<'a> {
    Functions(Vec<&'a Function>),
    Hosted(&'a str, &'a Value),
}

fn declare(function: &Function, out: &mut String) {
    let mut declared = ObjectWriter::open(out, true);
    declared.string("name", Some(&function.name));
    // Functions of others may have no description, which the API requires.
    let usual = (function.format != FORMAT).then_some("");
    declared.string("description", function.description.as_deref().or(usual));
    let has_own_form = function.more.iter().any(|member| member.key == "parameters");
    if !has_own_form {
        declared.value("parametersJsonSchema", function.schema.as_ref());
    }
    write_members(&function.more, &mut declared);
    declared.close();
}

/// The contents: turns of one role that follow each other are one.
struct Contents<'o> {
    out: &'o mut String,
    role: Option<&'static str>,
    /// Whether the request is one of this protocol: then media can have names.
    is_own: bool,
    has_text_results: bool,
}

impl Contents<'_> {
    fn turn(&mut self, turn: &Turn) {
        let is_own = self.is_own;
        let role = if turn.role == TurnRole::Assistant { "model" } else { "user" };
        for part in turn.parts.iter().filter(|part| is_written(part)) {
            block(part, is_own, self.next(role));
            if let Some(outcome) = outcome(part) {
                let mut written = ObjectWriter::open(self.next(role), true);
                write_members(&outcome.members, &mut written);
                written.close();
            }
        }
        let results = || turn.parts.iter().filter_map(answered);
        for (part, call, result) in results() {
            let id = has_own_id(part).then_some(&*call.id);
            let has_media = !self.has_text_results;
            let mut written = ObjectWriter::open(self.next("user"), true);
            write_response(
                id,
                &call.name,
                result,
                has_media,
                is_own,
                written.member("functionResponse"),
            );
            written.close();
        }
        if self.has_text_results {
            for part in results().flat_map(|(_, _, result)| result.parts.iter().filter(is_media)) {
                block(part, is_own, self.next("user"));
            }
        }
    }

    /// Returns the text to which the next part of a role is appended.
    fn next(&mut self, role: &'static str) -> &mut String {
        match self.role.replace(role) {
            Some(before) if before == role => self.out.push(','),
            before => {
                self.out.push_str(if before.is_some() { "]},{\"role\":" } else { "{\"role\":" });
                write_string(role, self.out);
                self.out.push_str(",\"parts\":[");
            }
        }
        self.out
    }

    fn end(self) {
        self.out.push_str(if self.role.is_some() { "]}]" } else { "]" });
    }
}

/// Whether a part has a block. Questions, answers and data have none.
fn is_written(part: &Part) -> bool {
    match part.content {
        Content::Native
        | Content::Question { .. }
        | Content::Answer { .. }
        | Content::Tools(_)
        | Content::Data(_) => part.opaque.is_some(),
        _ => true,
    }
}

/// Returns a call of the client with its result.
fn answered(part: &Part) -> Option<(&Part, &Call, &ToolResult)> {
    let call = part.as_call().filter(|call| !is_of_server(part, call))?;
    Some((part, call, call.result.as_ref()?))
}

/// Whether the block of a call is that of a tool of the server.
fn is_of_server(part: &Part, call: &Call) -> bool {
    call.by == RunBy::Provider && part.opaque.is_some()
}

/// Returns the block of the result of a tool of the server.
fn outcome(part: &Part) -> Option<&Opaque> {
    let call = part.as_call().filter(|call| is_of_server(part, call))?;
    call.result.as_ref()?.opaque.as_ref()
}

/// Whether the server has given a call its id.
fn has_own_id(part: &Part) -> bool {
    part.own_members_in("functionCall").iter().any(is_id)
}

fn is_id(member: &Member) -> bool {
    member.key == "id" && member.value.as_str().is_some()
}

fn is_media(part: &&Part) -> bool {
    matches!(part.content, Content::Media(_))
}

/// Writes a part.
fn block(part: &Part, is_own: bool, out: &mut String) {
    let mut block = ObjectWriter::open(out, true);
    let mut inner = "";
    match &part.content {
        Content::Text(text) | Content::Refusal(text) => block.string("text", Some(text)),
        Content::Reasoning { text, .. } => {
            block.string("text", Some(text));
            let has_flag = part.own_members().iter().any(|member| member.key == "thought");
            // Of an empty one, only the signature is known.
            block.bool("thought", (!has_flag && !text.is_empty()).then_some(true));
        }
        Content::Media(media) => {
            inner =
                if let MediaSource::Base64(_) = media.source { "inlineData" } else { "fileData" };
            let mut data = ObjectWriter::open(block.member(inner), true);
            write_media(media, &mut data);
            data.string("displayName", media.name.as_deref().filter(|_| is_own));
            write_members(part.own_members_in(inner), &mut data);
            data.close();
        }
        Content::Call(call) if !is_of_server(part, call) => {
            inner = "functionCall";
            let mut written = ObjectWriter::open(block.member(inner), true);
            written.string("name", Some(&call.name));
            write_arguments(&call.input, &mut written);
            for member in part.own_members_in(inner) {
                match is_id(member) {
                    // Each call of a tool loop has its own.
                    true => written.string(&member.key, Some(&call.id)),
                    false => written.value(&member.key, Some(&member.value)),
                }
            }
            written.close();
        }
        Content::Result(result) => {
            write_response(
                None,
                &result.call,
                result,
                true,
                is_own,
                block.member("functionResponse"),
            );
        }
        Content::Call(_)
        | Content::Native
        | Content::Question { .. }
        | Content::Answer { .. }
        | Content::Tools(_)
        | Content::Data(_) => {}
    }
    part.write_opaque_except(&[inner], &mut block);
    block.close();
}

fn write_media(media: &Media, data: &mut ObjectWriter<'_>) {
    data.string("mimeType", Some(media.type_or_usual()));
    match &media.source {
        MediaSource::Base64(bytes) => data.string("data", Some(bytes)),
        MediaSource::Url(uri) | MediaSource::File { id: uri, .. } | MediaSource::Text(uri) => {
            data.string("fileUri", Some(uri));
        }
    }
}

/// Writes the arguments of a call: an object.
fn write_arguments(input: &CallInput, call: &mut ObjectWriter<'_>) {
    match input {
        CallInput::Json(json) if is_json_object(json) => call.raw("args", Some(Raw(json.trim()))),
        CallInput::Json(text) | CallInput::Text(text) => {
            let mut args = ObjectWriter::open(call.member("args"), true);
            args.string("input", Some(text).filter(|text| !text.is_empty()).map(String::as_str));
            args.close();
        }
    }
}

/// Writes the response of a function. An object is its own response, unless a member of it would be
/// taken for the output.
fn write_response(
    id: Option<&str>,
    name: &str,
    result: &ToolResult,
    has_media: bool,
    is_own: bool,
    out: &mut String,
) {
    let mut written = ObjectWriter::open(out, true);
    written.string("id", id);
    written.string("name", Some(name));
    let own = result.opaque.as_ref().map_or(&[][..], |own| &own.members);
    if !own.iter().any(|member| member.key == "response") {
        let text = joined(&result.parts);
        if result.error || !is_response(&text) {
            let mut response = ObjectWriter::open(written.member("response"), true);
            response.string(if result.error { "error" } else { "output" }, Some(&text));
            response.close();
        } else {
            written.raw("response", Some(Raw(text.trim())));
        }
    }
    let mut media =
        result.parts.iter().filter(|part| has_media && part.as_text().is_none()).peekable();
    if media.peek().is_some() {
        write_list(media, written.member("parts"), |part, out| block(part, is_own, out));
    }
    // The name and the id are those of the call.
    let own = own.iter().filter(|member| !matches!(&*member.key, "id" | "name"));
    own.for_each(|member| written.value(&member.key, Some(&member.value)));
    written.close();
}

/// Returns the texts of a result as one.
fn joined(parts: &[Part]) -> Cow<'_, str> {
    let mut texts = parts.iter().filter_map(Part::as_text);
    match (texts.next(), texts.next()) {
        (None, _) => Cow::Borrowed(""),
        (Some(only), None) => Cow::Borrowed(only),
        (Some(first), Some(second)) => {
            let mut all = [first, "\n", second].concat();
            for text in texts {
                all.push('\n');
                all.push_str(text);
            }
            Cow::Owned(all)
        }
    }
}

/// Whether a text is an object that is read as it was written.
fn is_response(text: &str) -> bool {
    if !text.trim_start().starts_with('{') {
        return false;
    }
    let Ok(document) = Document::read(text, Limits::default().json_depth) else { return false };
    match document.root().object() {
        Ok(mut members) => members.all(|(key, _)| !RESPONSE_MEMBERS.contains(&&*key.to_str())),
        Err(_) => false,
    }
}
