//! Requests as conversations, both ways.
//!
//! AG-Kit's servers keep the conversation: a request has only the new messages, those after the
//! last answer. Its messages are text.

use alloc::string::String;
use alloc::vec::Vec;

use super::AgKit;
use crate::core::Limits;
use crate::core::id::IdSource;
use crate::core::request::decision;
use crate::hub::ProtocolName as _;
use crate::hub::approval::answer_payload;
use crate::hub::conversation::members::{
    into_list, into_text, rest, take, take_list, take_string, take_text, write_members,
};
use crate::hub::conversation::requirements::{
    Instructions, MessageIds, Reasoning, Requirements, Strict, ToolKinds,
};
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Function, Part, RequestCodec, Tool, ToolResult, Turn,
    TurnRole,
};
use crate::json::{ObjectWriter, Value, write_list};

/// The requests of AG-Kit.
pub(crate) static REQUESTS: RequestCodec = RequestCodec {
    requirements: |_| &REQUIREMENTS,
    read,
    append,
    continues: |_| false,
    messages: "messages",
    write,
};

const FORMAT: &str = AgKit::NAME;

static REQUIREMENTS: Requirements = Requirements {
    format: FORMAT,
    carries_opaque: false,
    new_turns_only: Some("AG-Kit's servers keep the conversation: only new messages are sent"),
    message_ids: MessageIds::None,
    author_names: None,
    developer: false,
    instructions: Instructions::Anywhere,
    tools: ToolKinds { strict: Strict::Unknown, ..Requirements::AGENT.tools },
    reasoning: Reasoning::Never,
    media: &[],
    result_media: &[],
    result_errors: false,
    max_answers: 1,
    asked: false,
    data: false,
    ..Requirements::AGENT
};

/// Takes a member that servers also accept in another spelling.
fn take_either(object: &mut Value, name: &str, other: &str) -> Option<Value> {
    take(object, name).or_else(|| take(object, other))
}

fn read(mut request: Value) -> Conversation {
    let mut conversation = Conversation::new(FORMAT);
    let id = take_either(&mut request, "conversationId", "conversation_id").map(into_text);
    // An empty id would be the conversation of everybody.
    conversation.id = id.filter(|id| !id.is_empty());
    conversation.tools = take_list(&mut request, "tools").into_iter().map(tool).collect();
    for message in take_list(&mut request, "messages") {
        append(&mut conversation, message);
    }
    if let Some(resume) = take(&mut request, "resume") {
        conversation.turn(TurnRole::User).parts.push(answer(resume));
    }
    conversation.more = rest(request);
    conversation
}

fn tool(mut tool: Value) -> Tool {
    let (name, description) = (take_string(&mut tool, "name"), take_text(&mut tool, "description"));
    let schema = match take(&mut tool, "parameters") {
        Some(Value::String(text)) => Some(json_or_text(text)),
        schema => schema,
    };
    let (more, format) = (rest(tool), FORMAT.into());
    Tool::Function(Function { name, description, schema, more, format, ..Function::default() })
}

/// Reads JSON text. A decision that contradicts itself declines.
fn json_or_text(text: String) -> Value {
    decision::parse(&text, Limits::default().json_depth).unwrap_or(Value::String(text))
}

/// Reads the answer to an interrupt. Its payload is JSON text.
fn answer(mut resume: Value) -> Part {
    let id =
        take_either(&mut resume, "interruptId", "interrupt_id").map(into_text).unwrap_or_default();
    let payload = match take(&mut resume, "payload") {
        Some(Value::String(text)) => json_or_text(text),
        payload => payload.unwrap_or_default(),
    };
    let reason = payload.text("reason").map(String::from);
    Part::new(Content::Answer { id, approved: decision::decision(&payload), reason, payload })
}

/// Adds a message of a request, or the snapshot of a turn of the agent.
fn append(conversation: &mut Conversation, mut message: Value) {
    if message.get("parts").is_some() {
        return append_turn(conversation, message);
    }
    let role = take_string(&mut message, "role");
    let text = content(&mut message);
    match &*role {
        "assistant" => {
            let id = take_text(&mut message, "id");
            let calls = take_either(&mut message, "toolCalls", "tool_calls")
                .map(into_list)
                .unwrap_or_default();
            let texts = Some(text).filter(|text| !text.is_empty()).map(Part::text);
            let parts = texts.into_iter().chain(calls.into_iter().map(call)).collect();
            conversation.turns.push(Turn { id, ..Turn::new(TurnRole::Assistant, parts) });
        }
        "tool" => {
            let call = take_either(&mut message, "toolCallId", "tool_call_id").map(into_text);
            let result = ToolResult::new(call.unwrap_or_default(), [Part::text(text)].into());
            conversation.turn(TurnRole::User).parts.push(Part::new(Content::Result(result)));
        }
        role => {
            let role = if role == "system" { TurnRole::System } else { TurnRole::User };
            conversation.turns.push(Turn::new(role, [Part::text(text)].into()));
        }
    }
}

/// Returns the text of a message: a string, or a list of parts with text.
fn content(message: &mut Value) -> String {
    match take(message, "content") {
        Some(Value::Array(parts)) => {
            parts.into_iter().map(|mut part| take_string(&mut part, "text")).collect()
        }
        content => content.map(into_text).unwrap_or_default(),
    }
}

fn call(mut call: Value) -> Part {
    let id = take_string(&mut call, "id");
    let name = take_string(&mut call, "function.name");
    let arguments = take_string(&mut call, "function.arguments");
    Part::new(Content::Call(Call::function(id, name, arguments)))
}

fn append_turn(conversation: &mut Conversation, mut snapshot: Value) {
    let mut turn = Turn::new(TurnRole::Assistant, Vec::new());
    for mut part in take_list(&mut snapshot, "parts") {
        match part.text("type") {
            Some("text") => turn.parts.push(Part::text(take_string(&mut part, "text"))),
            Some("tool-call") => {
                let id = take_string(&mut part, "toolCallId");
                let name = take_string(&mut part, "toolCallName");
                let mut call = Call::function(id, name, take_string(&mut part, "arguments"));
                call.result = take_text(&mut part, "result")
                    .map(|result| ToolResult::new(call.id.as_str(), [Part::text(result)].into()));
                turn.parts.push(Part::new(Content::Call(call)));
            }
            Some("interrupt") => {
                let (id, payload) = (take_string(&mut part, "id"), take(&mut part, "payload"));
                let payload = payload.unwrap_or_default();
                turn.parts.push(Part::new(Content::Question { id, call: None, payload }));
            }
            _ => {}
        }
    }
    if !turn.parts.is_empty() {
        conversation.turns.push(turn);
    }
}

fn write(conversation: &Conversation, ids: &mut dyn IdSource) -> String {
    let mut out = String::new();
    let mut request = ObjectWriter::open(&mut out, true);
    let mut messages = Vec::new();
    let mut resume = None;
    for turn in &conversation.turns {
        resume = write_turn(turn, &mut messages, ids).or(resume);
    }
    write_list(messages, request.member("messages"), |message, out| out.push_str(&message));
    if !conversation.tools.is_empty() {
        write_list(&conversation.tools, request.member("tools"), write_tool);
    }
    if let Some((id, payload)) = resume {
        let mut answer = ObjectWriter::open(request.member("resume"), true);
        answer.string("interruptId", Some(id));
        answer.string("payload", Some(&payload));
        answer.close();
    }
    let made = || ids.next_id("conversation_");
    request.string("conversationId", Some(&conversation.id.clone().unwrap_or_else(made)));
    write_members(&conversation.more, &mut request);
    request.close();
    out
}

fn write_tool(tool: &Tool, out: &mut String) {
    let mut written = ObjectWriter::open(out, true);
    // Other tools were left out.
    if let Tool::Function(function) = tool {
        written.string("name", Some(&function.name));
        written.string("description", Some(function.description.as_deref().unwrap_or_default()));
        let schema = function.schema.as_ref().map_or_else(|| "{}".into(), Value::to_json);
        written.string("parameters", Some(&schema));
        write_members(&function.more, &mut written);
    }
    written.close();
}

/// Writes the messages of a turn. Returns the answer to an interrupt, with its payload as JSON
/// text.
fn write_turn<'c>(
    turn: &'c Turn,
    messages: &mut Vec<String>,
    ids: &mut dyn IdSource,
) -> Option<(&'c str, String)> {
    let (mut text, mut calls, mut results, mut resume) =
        (String::new(), Vec::new(), Vec::new(), None);
    for part in &turn.parts {
        match &part.content {
            Content::Text(piece) | Content::Refusal(piece) => text += piece,
            Content::Call(call) => {
                calls.push(call);
                results.extend(&call.result);
            }
            Content::Result(result) => results.push(result),
            Content::Answer { id, approved, reason, payload } => {
                resume = Some((&**id, answer_payload(*approved, reason.as_deref(), payload)));
            }
            _ => {}
        }
    }
    let is_assistant = turn.role == TurnRole::Assistant;
    if !text.is_empty() || !calls.is_empty() || turn.parts.is_empty() {
        let mut out = String::new();
        let mut message = ObjectWriter::open(&mut out, true);
        let role = match turn.role {
            TurnRole::Assistant => "assistant",
            TurnRole::System | TurnRole::Developer => "system",
            TurnRole::User => "user",
        };
        message.string("role", Some(role));
        if is_assistant {
            message.string("id", Some(&turn.id.clone().unwrap_or_else(|| ids.next_id("msg_"))));
        }
        message.string(
            "content",
            Some(&text).filter(|text| !is_assistant || !text.is_empty()).map(|text| &**text),
        );
        if !calls.is_empty() {
            write_list(calls, message.member("toolCalls"), write_call);
        }
        message.close();
        messages.push(out);
    }
    messages.extend(results.into_iter().map(result));
    resume
}

fn write_call(call: &Call, out: &mut String) {
    let (CallInput::Json(arguments) | CallInput::Text(arguments)) = &call.input;
    let mut written = ObjectWriter::open(out, true);
    written.string("id", Some(&call.id));
    written.string("type", Some("function"));
    let mut function = ObjectWriter::open(written.member("function"), true);
    function.string("name", Some(&call.name));
    function.string("arguments", Some(arguments));
    function.close();
    written.close();
}

fn result(result: &ToolResult) -> String {
    let texts = result.parts.iter().filter_map(Part::as_text);
    let mut out = String::new();
    let mut message = ObjectWriter::open(&mut out, true);
    message.string("role", Some("tool"));
    message.string("content", Some(&texts.collect::<Vec<_>>().join("\n")));
    message.string("toolCallId", Some(&result.call));
    message.close();
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::conversation::testing::{assert_at, assert_identity, converted, parsed, sent};

    #[test]
    fn a_request_is_written_as_it_was_read() {
        assert_identity(
            &REQUESTS,
            r#"{"messages":[{"role":"user","content":"hi"},{"role":"tool","content":"18","toolCallId":"c"}],
            "tools":[{"name":"n","description":"d","parameters":"{\"type\":\"object\"}"}],
            "resume":{"interruptId":"i","payload":"{\"approved\":true}"},"conversationId":"c"}"#,
        );
    }

    #[test]
    fn a_turn_of_the_agent_is_appended_with_its_calls() {
        let mut conversation = Conversation::new(FORMAT);
        let turn = r#"{"parts":[{"type":"text","text":"a"},{"type":"tool-call","toolCallId":"c","toolCallName":"n",
            "state":"input-available","arguments":"{}"}],"status":"complete"}"#;
        append(&mut conversation, parsed(turn));
        append(&mut conversation, parsed(r#"{"role":"tool","toolCallId":"c","content":"18"}"#));
        assert_eq!(conversation.turns[0].parts[0].as_text(), Some("a"));
        assert_eq!(
            conversation.pending().next().map(|call| call.name.clone()).as_deref(),
            Some("n")
        );
    }

    #[test]
    fn results_that_the_server_does_not_have_are_sent() {
        let read = || {
            let mut conversation = (REQUESTS.read)(parsed(
                r#"{"conversationId":"c","messages":[{"role":"user","content":"hi"}],
                "tools":[{"name":"n","description":"d","parameters":"{}"}]}"#,
            ));
            append(
                &mut conversation,
                parsed(
                    r#"{"parts":[{"type":"text","text":"a"},{"type":"tool-call","toolCallId":"c","toolCallName":"n",
                    "state":"input-available","arguments":"{}"}]}"#,
                ),
            );
            for call in conversation.pending() {
                call.result = Some(ToolResult::new("c", [Part::text("18")].into()));
            }
            conversation
        };
        let expected = Some(r#"{"role":"tool","content":"18","toolCallId":"c"}"#);
        let written = sent(read(), &REQUESTS);
        assert_at(&written.request, "messages.0", expected);
        assert_at(&written.request, "messages.1", None);

        let mut asked = read();
        asked.turns.push(Turn::new(TurnRole::User, [Part::text("and?")].into()));
        let written = sent(asked, &REQUESTS);
        assert_at(&written.request, "messages.0", expected);
        assert_at(&written.request, "messages.1.content", Some(r#""and?""#));

        // The answer that follows the result shows that the server has it.
        let mut answered = read();
        answered.turn(TurnRole::Assistant).parts.push(Part::text("18 degrees"));
        answered.turns.push(Turn::new(TurnRole::User, [Part::text("and?")].into()));
        let written = sent(answered, &REQUESTS);
        assert_at(&written.request, "messages.0.content", Some(r#""and?""#));
        assert_at(&written.request, "messages.1", None);
    }

    #[test]
    fn a_server_that_does_not_know_the_conversation_receives_its_history() {
        let request = r#"{"messages":[{"role":"user","content":"hi"},{"role":"assistant","id":"a","content":"Hi"},
            {"role":"user","content":"and?"}]CONVERSATION}"#;
        for (id, messages, losses) in [("", 3, 0), (r#","conversationId":"c""#, 1, 2)] {
            let sent = converted(&REQUESTS, &request.replace("CONVERSATION", id), &REQUESTS);
            let Some(Value::Array(list)) = sent.request.get("messages") else { panic!("messages") };
            assert_eq!((list.len(), sent.losses.len()), (messages, losses), "{:?}", sent.losses);
        }
    }
}
