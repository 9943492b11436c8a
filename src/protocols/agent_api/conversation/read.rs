//! From requests, and from the messages of answers.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;

use super::content;
use super::head::ConversationHead;
use super::tool::{read_answer, read_call, read_question, read_results, type_of};
use super::{FORMAT, MESSAGE};
use crate::hub::conversation::members::{rest, take, take_list, take_text};
use crate::hub::conversation::openai::{read_choice, read_output};
use crate::hub::conversation::settings::CHAT_NAMES;
use crate::hub::conversation::tools::read_tool;
use crate::hub::conversation::{
    Content, Conversation, Opaque, Part, Sealed, SettingKey, Settings, Tool, Turn, TurnRole,
};
use crate::json::{Member, Value};

/// Reads a request.
pub(super) fn read(mut request: Value) -> Conversation {
    let mut conversation = Conversation::new(FORMAT);
    conversation.id = take_text(&mut request, "session_id").filter(|id| !id.is_empty());
    let tools = take_list(&mut request, "tools");
    conversation.tools = tools.into_iter().map(|tool| read_tool(tool, FORMAT)).collect();
    let messages = take_list(&mut request, "input");
    let mut reader = MessageReader::new(&mut conversation);
    messages.into_iter().for_each(|message| reader.message(message));
    let mut settings = Settings::read(&mut request, CHAT_NAMES);
    // The default, which typed requests have.
    if settings.number(SettingKey::Count) == Some(1.0) {
        settings.remove(SettingKey::Count);
    }
    let mut more = Vec::new();
    match take(&mut request, "response_format").map(read_output) {
        Some(Ok(output)) => settings.output = output,
        Some(Err(other)) => more.push(Member { key: "response_format".into(), value: other }),
        None => {}
    }
    match take(&mut request, "tool_choice").map(read_choice) {
        Some(Ok(choice)) => settings.choice = Some(choice),
        Some(Err(other)) => more.push(Member { key: "tool_choice".into(), value: other }),
        None => {}
    }
    more.extend(rest(request));
    conversation.settings = settings;
    conversation.more = more;
    conversation
}

/// Reads a response, the snapshot of a reader, or a message.
pub(super) fn append(conversation: &mut Conversation, mut answer: Value) {
    let output = take(&mut answer, "response.output").or_else(|| take(&mut answer, "output"));
    let mut reader = MessageReader::new(conversation);
    match output {
        Some(Value::Array(messages)) => {
            reader.is_closed = true;
            messages.into_iter().for_each(|message| reader.message(message));
        }
        _ => reader.message(answer),
    }
}

/// Reads messages, one after the other.
struct MessageReader<'c> {
    conversation: &'c mut Conversation,
    /// The names of the client's tools, each with whether its input is a text.
    declared: BTreeMap<String, bool>,
    /// Whether the next message of the assistant begins a turn: the last one has its results.
    is_closed: bool,
    /// Turn and part of each call and result, by the id of the call and whether it is the result.
    places: BTreeMap<(String, bool), (usize, usize)>,
    /// The opaque members of those that were not read yet.
    of_calls: BTreeMap<(String, bool), Sealed>,
    /// Where the parts of the last message begin, in the last turn.
    last_message: usize,
}

impl<'c> MessageReader<'c> {
    fn new(conversation: &'c mut Conversation) -> Self {
        let mut declared = BTreeMap::new();
        conversation.tools.iter().for_each(|tool| declare(tool, &mut declared));
        let last = conversation.turns.last();
        let has_result = |part: &Part| part.as_call().is_some_and(|call| call.result.is_some());
        let is_closed = last.is_some_and(|turn| turn.parts.iter().any(has_result));
        MessageReader {
            conversation,
            declared,
            is_closed,
            places: BTreeMap::new(),
            of_calls: BTreeMap::new(),
            last_message: usize::MAX,
        }
    }

    fn message(&mut self, mut message: Value) {
        if let Value::String(text) = message {
            return self
                .conversation
                .turns
                .push(Turn::new(TurnRole::User, [Part::text(text)].into()));
        }
        let is_text =
            |content: &Value| content.text("text").is_some() || content.text("refusal").is_some();
        let has_text =
            matches!(message.get("content"), Some(Value::Array(list)) if list.iter().any(is_text));
        let has_content =
            matches!(message.get("content"), Some(Value::Array(list)) if !list.is_empty());
        let is_agents = matches!(message.text("role"), None | Some("assistant"));
        let kind = String::from(message.text("type").unwrap_or("message"));
        match &*kind {
            "reasoning" => self.reasoning(message),
            "function_call" | "plugin_call" | "component_call" | "mcp_call" => {
                self.calls(&kind, message)
            }
            "function_call_output"
            | "plugin_call_output"
            | "component_call_output"
            | "mcp_call_output" => {
                self.results(&kind, message);
            }
            "mcp_approval_request" => self.question(message),
            "mcp_approval_response" => self.answer(message),
            // A sign of life.
            "heartbeat" if !has_content => {}
            "message" | "heartbeat" => {
                take(&mut message, "type");
                self.said(message);
            }
            _ if has_text || !is_agents => self.said(message),
            // What no other protocol has.
            _ => {
                let member = Member { key: MESSAGE.into(), value: message };
                let opaque = Opaque::new(FORMAT, [member].into());
                self.turn(TurnRole::Assistant, &mut ConversationHead::default())
                    .parts
                    .push(Part::new(Content::Native).with_opaque(opaque));
            }
        }
    }

    /// Returns the turn of a message: that of the message before it, or a new one.
    fn turn(&mut self, role: TurnRole, head: &mut ConversationHead) -> &mut Turn {
        let last = self.conversation.turns.last().filter(|last| last.role == role);
        let is_same = last.is_some()
            && head.begins.map_or(role == TurnRole::Assistant && !self.is_closed, |begins| !begins);
        self.is_closed &= role != TurnRole::Assistant;
        if !is_same {
            let (id, name) = (head.id.take(), head.name.take());
            self.conversation.turns.push(Turn { id, name, ..Turn::new(role, Vec::new()) });
        }
        self.conversation.turn(role)
    }

    /// Adds the parts of a message to its turn, which is the last one.
    fn push(&mut self, role: TurnRole, mut parts: Vec<Part>) {
        let turn = self.conversation.turn(role);
        self.last_message = turn.parts.len();
        turn.parts.append(&mut parts);
        self.index();
    }

    /// Notes where the calls and results of the last message are.
    fn index(&mut self) {
        let turn = self.conversation.turns.len().saturating_sub(1);
        let Some(last) = self.conversation.turns.last() else { return };
        for (at, part) in last.parts.iter().enumerate().skip(self.last_message) {
            let key = match &part.content {
                Content::Call(call) => (call.id.clone(), false),
                Content::Result(result) => (result.call.clone(), true),
                _ => continue,
            };
            self.places.insert(key, (turn, at));
        }
    }

    /// Reads texts, media and data.
    fn said(&mut self, mut message: Value) {
        let mut head = ConversationHead::take(&mut message);
        let role = match take_text(&mut message, "role").as_deref() {
            Some("assistant") => TurnRole::Assistant,
            Some("system") if head.is_developer => TurnRole::Developer,
            Some("system") => TurnRole::System,
            _ => TurnRole::User,
        };
        let contents = take_list(&mut message, "content");
        self.set_aside(&mut head);
        self.turn(role, &mut head);
        let mut parts: Vec<Part> = contents.into_iter().map(content::read).collect();
        if parts.is_empty() && !head.sealed.is_empty() {
            parts.push(Part::new(Content::Native));
        }
        head.give(&mut parts, message);
        self.push(role, parts);
    }

    fn reasoning(&mut self, mut message: Value) {
        let mut head = ConversationHead::take(&mut message);
        ["type", "role"].iter().for_each(|name| drop(take(&mut message, name)));
        let contents = take_list(&mut message, "content");
        self.set_aside(&mut head);
        if contents.is_empty() {
            self.give_to_last(&mut head);
            if head.sealed.is_empty() {
                return;
            }
        }
        self.turn(TurnRole::Assistant, &mut head);
        // Several texts are paragraphs of one reasoning, which has the members.
        let parts: Vec<Part> = contents.into_iter().map(content::read).collect();
        let texts: Vec<&str> = parts.iter().filter_map(Part::as_text).collect();
        let content = Content::Reasoning { text: texts.join("\n\n"), summary: head.is_summary };
        let first = parts.into_iter().next();
        let part = Part { content, ..first.unwrap_or_else(|| Part::new(Content::Native)) };
        head.sealed.truncate(1);
        head.sealed.iter_mut().for_each(|sealed| sealed.part = None);
        let mut parts = Vec::from([part]);
        head.give(&mut parts, message);
        self.push(TurnRole::Assistant, parts);
    }

    fn calls(&mut self, kind: &str, mut message: Value) {
        let mut head = ConversationHead::take(&mut message);
        ["type", "role"].iter().for_each(|name| drop(take(&mut message, name)));
        let contents = take_list(&mut message, "content");
        self.set_aside(&mut head);
        self.turn(TurnRole::Assistant, &mut head);
        let read = |content| read_call(kind, content, &self.declared);
        let mut parts: Vec<Part> = contents.into_iter().map(read).collect();
        for part in &mut parts {
            if let Some(call) = part.as_call()
                && let Some(sealed) = self.of_calls.remove(&(call.id.clone(), false))
            {
                drop(sealed.restore(part));
            }
        }
        let left = with_kind(message, &parts, kind);
        head.give(&mut parts, left);
        self.push(TurnRole::Assistant, parts);
    }

    /// Gives members that follow their message to its parts.
    fn give_to_last(&mut self, head: &mut ConversationHead) {
        let (mut after, others): (VecDeque<_>, VecDeque<_>) =
            head.sealed.drain(..).partition(|sealed| sealed.part.is_some());
        head.sealed = others;
        let turn = self.conversation.turns.last_mut().filter(|_| !after.is_empty());
        let Some(turn) = turn.filter(|turn| turn.parts.len() > self.last_message) else { return };
        let mut parts = turn.parts.split_off(self.last_message);
        core::mem::swap(&mut head.sealed, &mut after);
        head.give(&mut parts, Value::Null);
        head.sealed = after;
        turn.parts.append(&mut parts);
        self.index();
    }

    /// Gives members that name their call to this call or its result. Those of later ones are set
    /// aside.
    fn set_aside(&mut self, head: &mut ConversationHead) {
        for sealed in core::mem::take(&mut head.sealed) {
            let Some(id) = sealed.call.clone() else {
                head.sealed.push_back(sealed);
                continue;
            };
            let key = (id, sealed.result);
            let place = self.places.get(&key);
            let turns = &mut self.conversation.turns;
            match place.and_then(|(turn, part)| turns.get_mut(*turn)?.parts.get_mut(*part)) {
                Some(Part { content: Content::Result(result), .. }) => {
                    result.opaque = Some(sealed.opaque)
                }
                Some(part) => drop(sealed.restore(part)),
                None => drop(self.of_calls.insert(key, sealed)),
            }
        }
    }

    fn results(&mut self, kind: &str, mut message: Value) {
        let mut head = ConversationHead::take(&mut message);
        let is_failed = message.text("status") == Some("failed") || message.get("error").is_some();
        let (mut results, is_providers) =
            read_results(take_list(&mut message, "content"), is_failed);
        ["type", "role", "status"].iter().for_each(|name| drop(take(&mut message, name)));
        if let (Some(error), Some(first)) = (take(&mut message, "error"), results.first_mut()) {
            if first.parts.is_empty() {
                first.parts.extend(error.text("message").map(Part::text));
            }
            message.insert("error", error);
        }
        self.set_aside(&mut head);
        let is_block = head.sealed.iter().any(|sealed| sealed.block);
        let is_providers = is_providers || is_block;
        let usual = if is_providers { "plugin_call_output" } else { "function_call_output" };
        if kind != usual {
            message.insert("type", kind.into());
        }
        // The results of a provider are in the middle of an answer.
        let last = self.conversation.turns.last();
        let role = match is_providers && last.is_some_and(|last| last.role == TurnRole::Assistant) {
            true => TurnRole::Assistant,
            false => self.answers(&mut head),
        };
        for result in &mut results {
            if let Some(sealed) = self.of_calls.remove(&(result.call.clone(), true)) {
                result.opaque = Some(sealed.opaque);
            }
        }
        if let Some(first) = results.first_mut() {
            let mut part = Vec::from([Part::new(Content::Native).with_opaque(first.opaque.take())]);
            head.sealed.truncate(1);
            head.give(&mut part, message);
            first.opaque = part.pop().and_then(|part| part.opaque);
        }
        let results = results.into_iter().map(|result| Part::new(Content::Result(result)));
        self.push(role, results.collect());
    }

    fn question(&mut self, mut message: Value) {
        self.single(TurnRole::Assistant, &mut message, |content, _| read_question(content));
    }

    fn answer(&mut self, mut message: Value) {
        self.single(TurnRole::User, &mut message, |content, head| {
            read_answer(content, head.is_undecided)
        });
    }

    /// Reads the parts of a message, each from one content.
    fn single(
        &mut self,
        role: TurnRole,
        message: &mut Value,
        read: impl Fn(Value, &ConversationHead) -> Part,
    ) {
        let mut head = ConversationHead::take(message);
        ["type", "role"].iter().for_each(|name| drop(take(message, name)));
        let contents = take_list(message, "content");
        match role {
            TurnRole::User => drop(self.answers(&mut head)),
            _ => drop(self.turn(role, &mut head)),
        }
        let mut parts: Vec<Part> =
            contents.into_iter().map(|content| read(content, &head)).collect();
        head.give(&mut parts, core::mem::take(message));
        self.push(role, parts);
    }

    /// Continues the user's turn with results and answers, or begins one. Returns its role.
    fn answers(&mut self, head: &mut ConversationHead) -> TurnRole {
        let is_answer =
            |part: &Part| matches!(part.content, Content::Result(_) | Content::Answer { .. });
        let last = self.conversation.turns.last().and_then(|last| last.parts.last());
        if last.is_some_and(is_answer) {
            head.begins.get_or_insert(false);
        }
        self.turn(TurnRole::User, head);
        TurnRole::User
    }
}

/// Returns the members of a message of calls, with its type unless it follows from who runs the
/// tool.
fn with_kind(mut message: Value, parts: &[Part], kind: &str) -> Value {
    if parts.first().and_then(Part::as_call).is_some_and(|call| type_of(call.by) != kind) {
        message.insert("type", kind.into());
    }
    message
}

/// Adds the names of a tool, each with whether its input is a text.
fn declare(tool: &Tool, names: &mut BTreeMap<String, bool>) {
    match tool {
        Tool::Function(function) => drop(names.insert(function.name.clone(), false)),
        Tool::Custom { name, .. } => drop(names.insert(name.clone(), true)),
        Tool::Namespace { tools, .. } => tools.iter().for_each(|tool| declare(tool, names)),
        Tool::Hosted { .. } => {}
    }
}
