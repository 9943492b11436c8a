//! To requests.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use super::requirements::SETTINGS;
use super::{FORMAT, MESSAGE, part, tool};
use crate::core::id::IdSource;
use crate::hub::conversation::members::{gathered, write_members};
use crate::hub::conversation::tools::write_tool;
use crate::hub::conversation::{Call, Content, Conversation, Part, Turn, TurnRole};
use crate::json::{ObjectWriter, Value, decimal, write_list, write_string};

/// Writes a request.
pub(super) fn write(conversation: &Conversation, ids: &mut dyn IdSource) -> String {
    let Conversation { id, turns, tools, settings, more, .. } = conversation;
    let mut out = String::new();
    let mut request = ObjectWriter::open(&mut out, true);
    let id = id.clone().unwrap_or_else(|| ids.next_id("chat_"));
    request.string("id", Some(&id));
    MessageWriter::new(turns, request.member("messages")).write(turns);
    if !tools.is_empty() {
        write_list(tools, request.member("tools"), |tool, out| write_tool(tool, FORMAT, out));
    }
    let mut body = Value::Object(Vec::new());
    settings.write_of_client(tools, &mut body, SETTINGS, "");
    write_members(body.members(), &mut request);
    if more.iter().all(|member| member.key != "trigger") {
        request.string("trigger", Some("submit-message"));
    }
    write_members(more, &mut request);
    request.close();
    out
}

/// Writes messages, one after the other.
struct MessageWriter<'o, 'c> {
    out: &'o mut String,
    /// The number of messages.
    count: usize,
    /// The role of the message whose parts are being written.
    open: Option<TurnRole>,
    has_parts: bool,
    /// The answers, by the ids of their questions.
    answers: BTreeMap<&'c str, &'c Part>,
    /// The questions about calls of their turn.
    asked: BTreeSet<&'c str>,
}

impl<'o, 'c> MessageWriter<'o, 'c> {
    fn new(turns: &'c [Turn], out: &'o mut String) -> Self {
        let parts = || turns.iter().flat_map(|turn| &turn.parts);
        let answers = parts().filter_map(|part| match &part.content {
            Content::Answer { id, .. } => Some((&**id, part)),
            _ => None,
        });
        let asked = turns.iter().flat_map(|turn| questions(turn).into_values()).filter_map(id_of);
        MessageWriter {
            out,
            count: 0,
            open: None,
            has_parts: false,
            answers: gathered(answers),
            asked: gathered(asked),
        }
    }

    fn write(mut self, turns: &'c [Turn]) {
        self.out.push('[');
        for turn in turns {
            self.turn(turn);
        }
        self.close();
        self.out.push(']');
    }

    fn turn(&mut self, turn: &'c Turn) {
        // Answers to questions about calls are in the parts of the calls.
        let is_told = |part: &Part| matches!(&part.content, Content::Answer { id, .. } if self.asked.contains(&**id));
        if !turn.parts.is_empty() && turn.parts.iter().all(is_told) {
            return;
        }
        let goes_on = turn.role == TurnRole::Assistant
            && turn.id.is_none()
            && self.open == Some(TurnRole::Assistant);
        if !goes_on {
            self.begin(turn.role, turn);
        }
        if turn.role == TurnRole::Assistant && !turn.parts.is_empty() {
            self.next().push_str(r#"{"type":"step-start"}"#);
        }
        let questions = questions(turn);
        for part in &turn.parts {
            match &part.content {
                Content::Call(call) => {
                    let question = questions.get(&*call.id).copied();
                    let answer =
                        question.and_then(id_of).and_then(|id| self.answers.get(id).copied());
                    self.of_answer(turn);
                    tool::write(part, call, question, answer, self.next());
                }
                Content::Question { id, .. } if self.asked.contains(&**id) => {}
                Content::Answer { id, .. } if self.asked.contains(&**id) => {}
                // A question about something else, and an answer to it, are a call of their own.
                Content::Question { id, payload, .. } => {
                    let [name, arguments, _] = crate::hub::approval::question(payload);
                    let call = Call::function(&**id, name, arguments);
                    self.of_answer(turn);
                    tool::write(&plain(&call), &call, Some(part), None, self.next());
                }
                Content::Answer { id, .. } => {
                    let call = Call::function(&**id, "interrupt", "{}");
                    self.of_answer(turn);
                    tool::write(&plain(&call), &call, None, Some(part), self.next());
                }
                Content::Result(result) => {
                    self.of_answer(turn);
                    tool::write_lone(result, self.next());
                }
                _ => {
                    self.of_role(turn);
                    part::write(part, self.next());
                }
            }
        }
    }
}

/// Returns the questions about calls of a turn, by the ids of the calls.
fn questions(turn: &Turn) -> BTreeMap<&str, &Part> {
    let questions = turn.parts.iter().filter_map(|part| match &part.content {
        Content::Question { call: Some(call), .. } => Some((&**call, part)),
        _ => None,
    });
    let mut questions: BTreeMap<&str, &Part> = gathered(questions);
    if !questions.is_empty() {
        let calls: BTreeSet<&str> = gathered(turn.calls().map(|call| &*call.id));
        questions.retain(|call, _| calls.contains(call));
    }
    questions
}

/// Returns the id of a question or answer.
fn id_of(part: &Part) -> Option<&str> {
    match &part.content {
        Content::Question { id, .. } | Content::Answer { id, .. } => Some(id),
        _ => None,
    }
}

fn plain(call: &Call) -> Part {
    Part::new(Content::Call(call.clone()))
}

impl<'c> MessageWriter<'_, 'c> {
    /// Returns the text to which the next part is appended.
    fn next(&mut self) -> &mut String {
        if core::mem::replace(&mut self.has_parts, true) {
            self.out.push(',');
        }
        self.out
    }

    /// Begins a message.
    fn begin(&mut self, role: TurnRole, turn: &'c Turn) {
        self.close();
        if self.count > 0 {
            self.out.push(',');
        }
        self.count += 1;
        let made = || ["msg_", &decimal(self.count as i64)].concat();
        let id = turn.id.clone().filter(|_| role == turn.role).unwrap_or_else(made);
        self.out.push_str(r#"{"id":"#);
        write_string(&id, self.out);
        self.out.push_str(match role {
            TurnRole::System | TurnRole::Developer => r#","role":"system""#,
            TurnRole::User => r#","role":"user""#,
            TurnRole::Assistant => r#","role":"assistant""#,
        });
        let own = turn.parts.first().and_then(|part| part.opaque.as_ref());
        let own = own
            .filter(|own| own.format == FORMAT && role == turn.role)
            .and_then(|own| own.get(MESSAGE));
        for member in own.map(Value::members).unwrap_or_default() {
            self.out.push(',');
            write_string(&member.key, self.out);
            self.out.push(':');
            member.value.write(self.out);
        }
        self.out.push_str(r#","parts":["#);
        (self.open, self.has_parts) = (Some(role), false);
    }

    fn close(&mut self) {
        if self.open.take().is_some() {
            self.out.push_str("]}");
        }
    }

    /// The next part is a tool's: only messages of the assistant have them.
    fn of_answer(&mut self, turn: &'c Turn) {
        if self.open != Some(TurnRole::Assistant) {
            self.begin(TurnRole::Assistant, turn);
        }
    }

    /// The next part is one of the turn's role.
    fn of_role(&mut self, turn: &'c Turn) {
        if self.open != Some(turn.role) {
            self.begin(turn.role, turn);
        }
    }
}
