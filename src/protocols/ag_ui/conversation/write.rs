//! To requests.

use alloc::string::String;
use alloc::vec::Vec;

use super::marks::Marks;
use super::read::context_text;
use super::requirements::{PLACE, SETTINGS};
use super::{FORMAT, MESSAGE, REPEATS, part};
use crate::core::id::IdSource;
use crate::hub::approval::answer_payload;
use crate::hub::conversation::members::write_members;
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Opaque, Part, RunBy, Sealed, Tool, ToolResult, Turn,
    TurnRole,
};
use crate::json::{Member, ObjectWriter, Value, decimal, write_list};
use crate::protocols::ag_ui::PROTOCOL_VERSION;

/// Writes a request.
pub(super) fn write(conversation: &Conversation, ids: &mut dyn IdSource) -> String {
    let Conversation { id, turns, tools, settings, more, .. } = conversation;
    let given =
        |name: &str| more.iter().find(|member| member.key == name).map(|member| &member.value);
    let mut out = String::new();
    let mut request = ObjectWriter::open(&mut out, true);
    let made = |id: Option<&str>, prefix: &str, ids: &mut dyn IdSource| {
        id.map_or_else(|| ids.next_id(prefix), String::from)
    };
    request.string("threadId", Some(&made(id.as_deref(), "thread_", ids)));
    let run = given("id").and_then(Value::as_str);
    request.string("runId", Some(&made(run, "run_", ids)));
    request.string("protocolVersion", Some(PROTOCOL_VERSION));
    request.string("parentRunId", given("parentRunId").and_then(Value::as_str));
    let none = Value::Object(Vec::new());
    request.value("state", Some(given("state").unwrap_or(&none)));
    let context = turns.first().and_then(context);
    let mut writer = MessageWriter::new(request.member("messages"));
    turns.iter().skip(usize::from(context.is_some())).for_each(|turn| writer.turn(turn));
    let resume = writer.close();
    write_list(tools, request.member("tools"), write_tool);
    write_list(context.unwrap_or_default(), request.member("context"), Value::write);
    let props = given("forwardedProps").unwrap_or(&none).clone();
    let mut with_settings = Value::from([("forwardedProps", props)]);
    settings.write_of_client(tools, &mut with_settings, SETTINGS, PLACE);
    request.value("forwardedProps", Some(with_settings.get("forwardedProps").unwrap_or(&none)));
    if !resume.is_empty() {
        write_list(resume, request.member("resume"), write_answer);
    }
    let written = ["id", "parentRunId", "state", "forwardedProps"];
    let others = more.iter().filter(|member| !written.contains(&&*member.key));
    others.for_each(|member| request.value(&member.key, Some(&member.value)));
    request.close();
    out
}

/// Returns the context that instructions repeat, unless an agent has changed them.
fn context(turn: &Turn) -> Option<&[Value]> {
    let [Part { content: Content::Text(text), opaque: Some(own), .. }] = &turn.parts[..] else {
        return None;
    };
    let Some(Value::Array(context)) = own.get(REPEATS).and_then(|repeated| repeated.get("context"))
    else {
        return None;
    };
    let is_own = own.format == FORMAT && turn.role == TurnRole::System;
    (is_own && context_text(context) == *text).then_some(context)
}

fn write_tool(tool: &Tool, out: &mut String) {
    // Other tools were left out.
    let Tool::Function(function) = tool else { return out.push_str("{}") };
    let mut written = ObjectWriter::open(out, true);
    written.string("name", Some(&function.name));
    written.string("description", Some(function.description.as_deref().unwrap_or_default()));
    written.value("parameters", function.schema.as_ref());
    write_members(&function.more, &mut written);
    written.close();
}

fn write_answer(part: &Part, out: &mut String) {
    let Content::Answer { id, approved, reason, payload } = &part.content else {
        return out.push_str("{}");
    };
    let own = own(part.opaque.as_ref()).unwrap_or_default();
    let status = own.iter().find(|member| member.key == "status");
    let mut entry = ObjectWriter::open(out, true);
    entry.string("interruptId", Some(id));
    entry.string(
        "status",
        Some(status.and_then(|status| status.value.as_str()).unwrap_or("resolved")),
    );
    if status.is_none() || !payload.is_null() {
        entry.member("payload").push_str(&answer_payload(*approved, reason.as_deref(), payload));
    }
    let others = own.iter().filter(|member| member.key != "status");
    others.for_each(|member| entry.value(&member.key, Some(&member.value)));
    entry.close();
}

/// Returns the opaque members that are AG-UI's own.
fn own(opaque: Option<&Opaque>) -> Option<&[Member]> {
    opaque.filter(|opaque| opaque.format == FORMAT).map(|opaque| &opaque.members[..])
}

/// Returns the members of the message of a part.
fn of_message(opaque: Option<&Opaque>) -> Option<&Value> {
    opaque.filter(|opaque| opaque.format == FORMAT).and_then(|opaque| opaque.get(MESSAGE))
}

/// Whether the parts of a turn are put in one with those of the last message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Assistant,
    Results,
    Other,
}

/// Writes messages, one after the other.
struct MessageWriter<'o, 'c> {
    out: &'o mut String,
    count: usize,
    last: Last,
    resume: Vec<&'c Part>,
}

/// The turn that is being written.
struct OfTurn<'c> {
    turn: &'c Turn,
    /// The number of its messages.
    count: usize,
    /// Whether a message has its id and name.
    is_named: bool,
}

/// A message of the assistant: a text, and calls after it.
#[derive(Default)]
struct AssistantMessage<'c> {
    text: Option<&'c Part>,
    calls: Vec<(&'c Part, &'c Call)>,
}

impl<'o, 'c> MessageWriter<'o, 'c> {
    fn new(out: &'o mut String) -> Self {
        out.push('[');
        MessageWriter { out, count: 0, last: Last::Other, resume: Vec::new() }
    }

    /// Ends the messages. Returns the answers.
    fn close(self) -> Vec<&'c Part> {
        self.out.push(']');
        self.resume
    }

    fn turn(&mut self, turn: &'c Turn) {
        let mut of_turn = OfTurn { turn, count: 0, is_named: false };
        match turn.role {
            TurnRole::Assistant => self.assistant(&mut of_turn),
            TurnRole::User => self.user(&mut of_turn),
            TurnRole::System | TurnRole::Developer => {
                turn.parts.iter().for_each(|part| self.instruction(part, &mut of_turn));
            }
        }
    }

    /// Opens a message.
    fn open<'w>(
        &'w mut self,
        of_turn: &mut OfTurn<'c>,
        kind: WrittenKind<'_>,
        marks: Marks,
        opaque: Option<&'c Opaque>,
    ) -> ObjectWriter<'w> {
        let OfTurn { turn, count, is_named } = of_turn;
        *count += 1;
        if self.count > 0 {
            self.out.push(',');
        }
        self.count += 1;
        let takes_id = matches!(kind, WrittenKind::Assistant | WrittenKind::Said(_))
            && !core::mem::replace(is_named, true);
        let own = of_message(opaque);
        let known =
            turn.id.as_deref().filter(|_| takes_id).or_else(|| own.and_then(|own| own.text("id")));
        let id = match (known, kind, &turn.id) {
            (Some(id), ..) => id.into(),
            (None, WrittenKind::Result(call), _) => [call, "-result"].concat(),
            (None, _, Some(id)) => [&**id, "-", &decimal(*count as i64)].concat(),
            (None, _, None) => ["msg_", &decimal(self.count as i64)].concat(),
        };
        let mut message = ObjectWriter::open(self.out, true);
        message.string("id", Some(&id));
        message.string("role", Some(kind.role()));
        message.string("name", turn.name.as_deref().filter(|_| takes_id));
        marks.write(own.and_then(|own| own.get("metadata")), &mut message);
        let members = own.map(Value::members).unwrap_or_default();
        let others =
            members.iter().filter(|member| !matches!(&*member.key, "id" | "metadata" | "error"));
        others.for_each(|member| message.value(&member.key, Some(&member.value)));
        message
    }

    /// Returns whether the next message of a turn has to say that it begins the turn, or goes on
    /// with it.
    fn begins(&mut self, of_turn: &OfTurn<'_>, kind: WrittenKind<'_>) -> Option<bool> {
        let is_first = of_turn.count == 0;
        let goes_on = match kind {
            WrittenKind::Reasoning | WrittenKind::Assistant => self.last == Last::Assistant,
            WrittenKind::Result(_) => self.last == Last::Results,
            WrittenKind::Said(_) => false,
        };
        // A reader puts results after the turn that goes on.
        if self.last != Last::Results || is_first {
            self.last = match kind {
                WrittenKind::Reasoning | WrittenKind::Assistant => Last::Assistant,
                WrittenKind::Result(_) => Last::Results,
                WrittenKind::Said(_) => Last::Other,
            };
        }
        (goes_on == is_first).then_some(is_first)
    }
}

/// What a message is.
#[derive(Clone, Copy)]
enum WrittenKind<'c> {
    Reasoning,
    Assistant,
    /// The result of this call.
    Result(&'c str),
    /// Of the user, or instructions.
    Said(TurnRole),
}

impl WrittenKind<'_> {
    fn role(self) -> &'static str {
        match self {
            WrittenKind::Reasoning => "reasoning",
            WrittenKind::Assistant => "assistant",
            WrittenKind::Result(_) => "tool",
            WrittenKind::Said(TurnRole::Developer) => "developer",
            WrittenKind::Said(TurnRole::System) => "system",
            WrittenKind::Said(_) => "user",
        }
    }
}

/// Writes the opaque members of a part that are those of another protocol.
fn write_sealed(part: &Part, message: &mut ObjectWriter<'_>) {
    if let Some(foreign) = part.opaque.as_ref().filter(|opaque| opaque.format != FORMAT) {
        message.string("encryptedValue", Some(&foreign.sealed_for(&part.content)));
    }
}

impl<'c> MessageWriter<'_, 'c> {
    fn assistant(&mut self, of_turn: &mut OfTurn<'c>) {
        let turn = of_turn.turn;
        let mut answer = AssistantMessage::default();
        for part in &turn.parts {
            let begins = of_message(part.opaque.as_ref()).is_some();
            match &part.content {
                Content::Text(_) | Content::Refusal(_) => {
                    self.flush(&mut answer, of_turn);
                    answer.text = Some(part);
                }
                Content::Call(call) => {
                    if begins {
                        self.flush(&mut answer, of_turn);
                    }
                    answer.calls.push((part, call));
                    if call.by == RunBy::Provider && call.result.is_some() {
                        self.flush(&mut answer, of_turn);
                    }
                }
                Content::Result(result) => {
                    self.flush(&mut answer, of_turn);
                    self.result(result, RunBy::Provider, of_turn);
                }
                Content::Answer { .. } => self.resume.push(part),
                _ => {
                    self.flush(&mut answer, of_turn);
                    self.reasoning(part, of_turn);
                }
            }
        }
        if of_turn.count == 0 && answer.text.is_none() && answer.calls.is_empty() {
            let marks =
                Marks { begins: self.begins(of_turn, WrittenKind::Assistant), ..Marks::default() };
            let mut message = self.open(of_turn, WrittenKind::Assistant, marks, None);
            message.string("content", Some(""));
            message.close();
        }
        self.flush(&mut answer, of_turn);
    }

    /// Writes a message of the assistant, and the results of its calls: other agents expect them
    /// after the message.
    fn flush(&mut self, answer: &mut AssistantMessage<'c>, of_turn: &mut OfTurn<'c>) {
        let AssistantMessage { text, calls } = core::mem::take(answer);
        let Some(first) = text.or_else(|| calls.first().map(|(part, _)| *part)) else { return };
        let marks =
            Marks { begins: self.begins(of_turn, WrittenKind::Assistant), ..Marks::default() };
        let mut message = self.open(of_turn, WrittenKind::Assistant, marks, first.opaque.as_ref());
        if let Some(Part { content: Content::Text(content) | Content::Refusal(content), .. }) = text
        {
            message.string("content", Some(content));
            write_sealed(first, &mut message);
        }
        if !calls.is_empty() {
            write_list(&calls, message.member("toolCalls"), |(part, call), out| {
                write_call(part, call, out)
            });
        }
        message.close();
        for (_, call) in calls {
            if let Some(result) = &call.result {
                self.result(result, call.by, of_turn);
            }
        }
    }

    /// Writes a reasoning, or what only its provider can read.
    fn reasoning(&mut self, part: &'c Part, of_turn: &mut OfTurn<'c>) {
        let (text, is_summary) = match &part.content {
            Content::Reasoning { text, summary } => (&**text, *summary),
            Content::Native => ("", false),
            _ => return,
        };
        let marks = Marks {
            begins: self.begins(of_turn, WrittenKind::Reasoning),
            is_summary,
            ..Marks::default()
        };
        let mut message = self.open(of_turn, WrittenKind::Reasoning, marks, part.opaque.as_ref());
        message.string("content", Some(text));
        write_sealed(part, &mut message);
        message.close();
    }

    /// Writes a result. It is in the turn of the assistant if the provider has run the tool.
    fn result(&mut self, result: &'c ToolResult, by: RunBy, of_turn: &mut OfTurn<'c>) {
        let kind = WrittenKind::Result(&result.call);
        let is_answer = of_turn.turn.role == TurnRole::Assistant;
        let by = if is_answer && by == RunBy::Provider { by } else { RunBy::Client };
        let begins = match is_answer {
            false => self.begins(of_turn, kind),
            true => {
                self.last = if by == RunBy::Provider { self.last } else { Last::Results };
                None
            }
        };
        let own = result.opaque.as_ref();
        let mut message = self.open(of_turn, kind, Marks { begins, by, ..Marks::default() }, own);
        let text = match &result.parts[..] {
            [] => Some(""),
            [part] if part::is_string(part) => part.as_text(),
            _ => None,
        };
        match text {
            Some(text) => message.string("content", Some(text)),
            None => {
                write_list(&result.parts, message.member("content"), part::write);
            }
        }
        message.string("toolCallId", Some(&result.call));
        if result.error {
            let last = result.parts.iter().rev().find_map(Part::as_text);
            message.string("error", Some(last.unwrap_or("error")));
        }
        if let Some(foreign) = own.filter(|own| own.format != FORMAT) {
            message.string("encryptedValue", Some(&Sealed::new(foreign.clone()).seal()));
        }
        message.close();
    }

    /// Writes instructions: a message for each part, because its content is a text.
    fn instruction(&mut self, part: &'c Part, of_turn: &mut OfTurn<'c>) {
        let kind = WrittenKind::Said(of_turn.turn.role);
        let marks = Marks { begins: self.begins(of_turn, kind), ..Marks::default() };
        let mut message = self.open(of_turn, kind, marks, part.opaque.as_ref());
        message.string("content", Some(part.as_text().unwrap_or_default()));
        write_sealed(part, &mut message);
        message.close();
    }

    fn user(&mut self, of_turn: &mut OfTurn<'c>) {
        let mut parts = &of_turn.turn.parts[..];
        if parts.is_empty() {
            self.said(parts, of_turn);
        }
        let is_said =
            |part: &&Part| !matches!(part.content, Content::Result(_) | Content::Answer { .. });
        while let [part, rest @ ..] = parts {
            let (group, left) = parts.split_at(parts.iter().take_while(is_said).count());
            if !group.is_empty() {
                self.said(group, of_turn);
                parts = left;
                continue;
            }
            match &part.content {
                Content::Result(result) => self.result(result, RunBy::Client, of_turn),
                _ => self.resume.push(part),
            }
            parts = rest;
        }
    }

    /// Writes a message of the user.
    fn said(&mut self, parts: &'c [Part], of_turn: &mut OfTurn<'c>) {
        let kind = WrittenKind::Said(TurnRole::User);
        let marks = Marks { begins: self.begins(of_turn, kind), ..Marks::default() };
        let first = parts.first();
        let mut message =
            self.open(of_turn, kind, marks, first.and_then(|part| part.opaque.as_ref()));
        match parts {
            [part] if matches!(part.content, Content::Text(_)) && part::is_plain(part) => {
                message.string("content", part.as_text());
                write_sealed(part, &mut message);
            }
            parts => write_list(parts, message.member("content"), part::write),
        }
        message.close();
    }
}

fn write_call(part: &Part, call: &Call, out: &mut String) {
    let mut written = ObjectWriter::open(out, true);
    written.string("id", Some(&call.id));
    written.string("type", Some("function"));
    let mut function = ObjectWriter::open(written.member("function"), true);
    function.string("name", Some(&call.name));
    // The input of a custom tool was made the argument of a function.
    let (CallInput::Json(arguments) | CallInput::Text(arguments)) = &call.input;
    function.string("arguments", Some(arguments));
    function.close();
    let own = own(part.opaque.as_ref()).unwrap_or_default();
    let metadata = own.iter().find(|member| member.key == "metadata").map(|member| &member.value);
    Marks { by: call.by, ..Marks::default() }.write(metadata, &mut written);
    let others = own.iter().filter(|member| member.key != "metadata" && member.key != MESSAGE);
    others.for_each(|member| written.value(&member.key, Some(&member.value)));
    write_sealed(part, &mut written);
    written.close();
}
