//! Writes requests.

use alloc::string::String;
use alloc::vec::Vec;

use super::requirements::{ALL_SETTINGS, FORMAT, requirements};
use super::{blocks, tools};
use crate::core::id::IdSource;
use crate::hub::conversation::members::{ListWriter, into_list, put, put_some};
use crate::hub::conversation::{
    Content, Conversation, Part, Requirements, RunBy, SettingKey, ToolResult, Turn, TurnRole,
};
use crate::json::{Member, ObjectWriter, Value, write_string};

pub(super) fn write(conversation: &Conversation, _ids: &mut dyn IdSource) -> String {
    let to = requirements(conversation.settings.text(SettingKey::Model));
    let mut out = String::new();
    let mut request = ObjectWriter::open(&mut out, true);
    let (known, others) = settings(conversation, to);
    for key in ["model", "max_tokens"] {
        if let Some(value) = known.get(key) {
            request.value(key, Some(value));
        }
    }
    let front = conversation.turns.iter().take_while(|turn| turn.is_instruction()).count();
    let (instructions, turns) = conversation.turns.split_at(front);
    write_system(instructions, conversation.format == FORMAT, &mut request);
    let mut messages = MessageWriter::open(request.member("messages"));
    turns.iter().for_each(|turn| messages.turn(turn));
    messages.close();
    tools::write(conversation, &mut request);
    if let Value::Object(members) = &known {
        let left = members.iter().filter(|member| !matches!(&*member.key, "model" | "max_tokens"));
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
    let (of_settings, mut others): (Vec<_>, Vec<_>) =
        conversation.more.iter().partition(is_setting);
    others.retain(|member| member.key != "mcp_servers");
    let mut known = Value::Object(of_settings.into_iter().cloned().collect());
    let settings = &conversation.settings;
    settings.write_known(&mut known, to.spellings, ALL_SETTINGS);
    if let Some(stop) = settings.get(SettingKey::Stop) {
        put(&mut known, "stop_sequences", Value::Array(into_list(stop.clone())));
    }
    if let Some(output) = &settings.output {
        put(&mut known, "output_config.format.type", "json_schema");
        put_some(&mut known, "output_config.format.schema", output.schema.clone());
    }
    // A summary is only shown if the model thinks.
    let thinks = !matches!(settings.text(SettingKey::Thinking), None | Some("disabled"));
    if thinks && settings.get(SettingKey::Summary).is_some() {
        put(&mut known, "thinking.display", "summarized");
    }
    (known, others)
}

/// Writes the instructions in front of all messages. Those of other protocols are one text.
fn write_system(turns: &[Turn], is_own: bool, request: &mut ObjectWriter<'_>) {
    let parts: Vec<&Part> =
        turns.iter().flat_map(|turn| &turn.parts).filter(|part| blocks::is_block(part)).collect();
    let is_plain =
        |part: &&Part| part.as_text().is_some() && part.cache.is_none() && part.opaque.is_none();
    if parts.is_empty() {
        return;
    }
    if parts.iter().all(is_plain) && (parts.len() == 1 || !is_own) {
        let texts: Vec<&str> = parts.iter().filter_map(|part| part.as_text()).collect();
        match texts[..] {
            [text] => write_string(text, request.member("system")),
            _ => write_string(&texts.join("\n\n"), request.member("system")),
        }
        return;
    }
    let mut list = ListWriter::open(request.member("system"));
    parts.into_iter().for_each(|part| blocks::write(part, list.item()));
    list.close();
}

/// The messages that are being written. Neighbours of one role are one message.
struct MessageWriter<'o> {
    list: ListWriter<'o>,
    role: Option<&'static str>,
    is_empty: bool,
}

impl<'o> MessageWriter<'o> {
    fn open(out: &'o mut String) -> Self {
        MessageWriter { list: ListWriter::open(out), role: None, is_empty: true }
    }

    /// Returns the text to which the next block of a role is appended.
    fn block(&mut self, role: &'static str) -> &mut String {
        if self.role != Some(role) {
            self.end();
            let out = self.list.item();
            out.push_str("{\"role\":");
            write_string(role, out);
            out.push_str(",\"content\":[");
            (self.role, self.is_empty) = (Some(role), true);
        }
        let is_first = core::mem::replace(&mut self.is_empty, false);
        let out = self.list.current();
        if !is_first {
            out.push(',');
        }
        out
    }

    /// Ends the last message.
    fn end(&mut self) {
        if self.role.take().is_some() {
            self.list.current().push_str("]}");
        }
    }

    fn close(mut self) {
        self.end();
        self.list.close();
    }

    fn turn(&mut self, turn: &Turn) {
        let role = match turn.role {
            TurnRole::System | TurnRole::Developer => "system",
            TurnRole::User => "user",
            TurnRole::Assistant => "assistant",
        };
        // The results of the calls before are first.
        for part in &turn.parts {
            if let Content::Result(result) = &part.content {
                blocks::write_result(result, self.block("user"));
            }
        }
        for part in turn.parts.iter().filter(|part| blocks::is_block(part)) {
            blocks::write(part, self.block(role));
            if let Some(result) = result(part, true).filter(|result| result.opaque.is_some()) {
                blocks::write_provider_result(result, self.block(role));
            }
        }
        for result in turn.parts.iter().filter_map(|part| result(part, false)) {
            blocks::write_result(result, self.block("user"));
        }
    }
}

/// Returns the result of a call, if the provider has run it or not.
fn result(part: &Part, by_provider: bool) -> Option<&ToolResult> {
    let call = part.as_call()?;
    let is_provider = part.is_own_block() && call.by == RunBy::Provider;
    call.result.as_ref().filter(|_| is_provider == by_provider)
}
