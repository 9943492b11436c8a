//! To requests.

use alloc::string::String;
use alloc::vec::Vec;

use super::head::WrittenHead;
use super::tool::{write_answer, write_call, write_question, write_result};
use super::{FORMAT, MESSAGE, content};
use crate::core::id::IdSource;
use crate::hub::conversation::members::write_members;
use crate::hub::conversation::openai::{ToolNesting, write_choice, write_output};
use crate::hub::conversation::settings::CHAT_NAMES;
use crate::hub::conversation::tools::write_tool;
use crate::hub::conversation::{
    Content, Conversation, Opaque, Part, RunBy, SettingKey, ToolResult, Turn, TurnRole,
};
use crate::json::{ObjectWriter, Value, write_list};

/// Writes a request.
pub(super) fn write(conversation: &Conversation, _ids: &mut dyn IdSource) -> String {
    let mut out = String::new();
    let mut request = ObjectWriter::open(&mut out, true);
    let input = request.member("input");
    input.push('[');
    let mut writer =
        MessageWriter { out: input, is_first: true, last: None, is_last_answer: false };
    conversation.turns.iter().for_each(|turn| writer.turn(turn));
    input.push(']');
    let Conversation { id, tools, settings, more, .. } = conversation;
    if !tools.is_empty() {
        write_list(tools, request.member("tools"), |tool, out| write_tool(tool, FORMAT, out));
    }
    let mut scalars = Value::Object(Vec::new());
    settings.write(&mut scalars, CHAT_NAMES);
    // In these protocols an answer is a stream if the request says so, in the Agent API unless it
    // says no.
    let is_silent = settings.get(SettingKey::Stream).is_none();
    if is_silent && matches!(&*conversation.format, "responses" | "chat" | "anthropic") {
        scalars.insert("stream", false.into());
    }
    if let Value::Object(members) = &scalars {
        write_members(members, &mut request);
    }
    if let Some(choice) = &settings.choice {
        write_choice(choice, tools, ToolNesting::Nested, request.member("tool_choice"));
    }
    if let Some(output) = &settings.output {
        write_output(output, ToolNesting::Nested, request.member("response_format"));
    }
    request.string("session_id", id.as_deref());
    write_members(more, &mut request);
    request.close();
    out
}

/// Writes messages, one after the other.
struct MessageWriter<'o> {
    out: &'o mut String,
    is_first: bool,
    /// The role of the last message.
    last: Option<TurnRole>,
    /// Whether the last message has results or answers.
    is_last_answer: bool,
}

impl MessageWriter<'_> {
    fn turn(&mut self, turn: &Turn) {
        let mut of_turn = OfTurn { turn, is_first: true };
        let mut results: Vec<(&ToolResult, RunBy)> = Vec::new();
        let mut parts = &turn.parts[..];
        while let [part, rest @ ..] = parts {
            let count = 1 + rest
                .iter()
                .take_while(|next| is_content(part, turn) && continues(next, turn))
                .count();
            let (group, left) = parts.split_at(count);
            parts = left;
            match &part.content {
                _ if is_content(part, turn) => self.said(group, &mut of_turn),
                Content::Call(call) => {
                    let head = self.head(&mut of_turn, TurnRole::Assistant, false);
                    write_call(part, call, &head, self.next());
                    match &call.result {
                        Some(result) if call.by == RunBy::Provider => {
                            self.result(result, call.by, &mut of_turn)
                        }
                        Some(result) => results.push((result, call.by)),
                        None => {}
                    }
                }
                Content::Result(result) => {
                    let is_providers = turn.role == TurnRole::Assistant;
                    let by = if is_providers { RunBy::Provider } else { RunBy::Client };
                    self.result(result, by, &mut of_turn);
                }
                Content::Question { .. } => {
                    let head = self.head(&mut of_turn, TurnRole::Assistant, false);
                    write_question(part, &head, self.next());
                }
                Content::Answer { .. } => {
                    let head = self.head(&mut of_turn, TurnRole::User, true);
                    write_answer(part, &head, self.next());
                }
                _ => self.reasoning(part, &mut of_turn),
            }
        }
        if of_turn.is_first {
            self.said(&[], &mut of_turn);
        }
        for (result, by) in results {
            let turn = &Turn::new(TurnRole::User, Vec::new());
            let mut of_turn = OfTurn { turn, is_first: !self.is_last_answer };
            self.result(result, by, &mut of_turn);
        }
    }
}

/// The turn that is being written.
struct OfTurn<'t> {
    turn: &'t Turn,
    is_first: bool,
}

/// Whether a part is one of the contents of a message.
fn is_content(part: &Part, turn: &Turn) -> bool {
    match &part.content {
        Content::Text(_) | Content::Refusal(_) | Content::Media(_) | Content::Data(_) => true,
        Content::Native => {
            let own = part.opaque.as_ref().filter(|opaque| opaque.format == FORMAT);
            own.map_or(turn.role != TurnRole::Assistant, |own| {
                own.get(MESSAGE).is_none() || own.members.len() > 1
            })
        }
        _ => false,
    }
}

/// Whether a part is in the message of the content before it.
fn continues(part: &Part, turn: &Turn) -> bool {
    let own = part.opaque.as_ref().filter(|opaque| opaque.format == FORMAT);
    is_content(part, turn) && own.is_none_or(|own| own.get(MESSAGE).is_none())
}

impl MessageWriter<'_> {
    /// Returns the text to which the next message is appended.
    fn next(&mut self) -> &mut String {
        if !core::mem::replace(&mut self.is_first, false) {
            self.out.push(',');
        }
        self.out
    }

    /// Returns what the next message of a turn says besides its contents. `role` is that of the
    /// turn that a reader puts it in.
    fn head<'t>(
        &mut self,
        of_turn: &mut OfTurn<'t>,
        role: TurnRole,
        is_answer: bool,
    ) -> WrittenHead<'t> {
        let OfTurn { turn, is_first } = of_turn;
        let turn: &Turn = turn;
        let is_first = core::mem::replace(is_first, false);
        let is_same = self.last == Some(role)
            && (role == TurnRole::Assistant || is_answer && self.is_last_answer);
        self.last = Some(role);
        self.is_last_answer = is_answer;
        WrittenHead {
            id: turn.id.as_deref().filter(|_| is_first),
            name: turn.name.as_deref().filter(|_| is_first),
            begins: (is_same == is_first).then_some(is_first),
            is_developer: role == TurnRole::Developer,
            ..WrittenHead::default()
        }
    }

    /// Writes the message of contents.
    fn said(&mut self, parts: &[Part], of_turn: &mut OfTurn<'_>) {
        let role = of_turn.turn.role;
        let head = self.head(of_turn, role, false);
        let is_one = parts.len() == 1;
        let is_own = |opaque: &&Opaque| is_one || opaque.format == FORMAT;
        let head = WrittenHead {
            kind: "message",
            role: match role {
                TurnRole::System | TurnRole::Developer => "system",
                TurnRole::User => "user",
                TurnRole::Assistant => "assistant",
            },
            opaque: parts.first().and_then(|part| part.opaque.as_ref()).filter(is_own),
            content: parts.first().map(|part| &part.content),
            ..head
        };
        head.write(self.next(), |out| {
            write_list(parts, out, |part, out| content::write(part, !is_one, out))
        });
    }

    /// Writes the message of a reasoning, or of what only its provider can read.
    fn reasoning(&mut self, part: &Part, of_turn: &mut OfTurn<'_>) {
        let head = self.head(of_turn, TurnRole::Assistant, false);
        let opaque = part.opaque.as_ref();
        let is_native = part.content == Content::Native;
        if is_native && opaque.is_some_and(|opaque| opaque.format == FORMAT) {
            // The whole message.
            if let Some(message) = opaque.and_then(|opaque| opaque.get(MESSAGE)) {
                message.write(self.next());
            }
            return;
        }
        let head = WrittenHead {
            kind: "reasoning",
            role: "assistant",
            opaque,
            content: Some(&part.content),
            is_summary: matches!(part.content, Content::Reasoning { summary: true, .. }),
            ..head
        };
        let has_content = !is_native || part.cache.is_some();
        let parts = if has_content { core::slice::from_ref(part) } else { &[] };
        head.write(self.next(), |out| {
            write_list(parts, out, |part, out| content::write(part, false, out))
        });
    }

    fn result(&mut self, result: &ToolResult, by: RunBy, of_turn: &mut OfTurn<'_>) {
        let is_inside = of_turn.turn.role == TurnRole::Assistant;
        let role = if is_inside { TurnRole::Assistant } else { TurnRole::User };
        let head = self.head(of_turn, role, !is_inside);
        write_result(result, by, &head, self.next());
    }
}
