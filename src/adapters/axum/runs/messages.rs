//! The messages of a thread: those that the history shows, and those that the agent receives in
//! later runs.

use std::borrow::ToOwned;
use std::format;
use std::string::String;
use std::vec::Vec;

use super::retention::for_each;
use crate::core::json_patch::Tree;
use crate::core::limits::Limits;
use crate::core::request::to_json;
use crate::emit::AnyError;
use crate::json::{Member, ObjectWriter, Value, write_list};
use crate::protocols::ag_ui::{AgUi, Message, Role};
use crate::protocols::runs::request::{InputMessage, InputPart, RunInput, UserContent};
use crate::read::reader::Reader;
use crate::threads::{NewEvent, StoredMessage, ThreadLog, iso8601_of, object};

/// The maximum number of bytes of the earlier messages that an agent receives.
const LIMIT: usize = 1024 * 1024;

/// Returns the new messages of a request. Instructions are not stored: they are part of their
/// request.
pub(super) async fn messages_in(
    log: &ThreadLog,
    input: &RunInput,
    at: u64,
) -> Result<Vec<StoredMessage>, AnyError> {
    let mut messages = Vec::new();
    for given in &input.messages {
        let (id, role, content) = match given {
            InputMessage::User { id, content } => (id, "user", text_of(content)),
            InputMessage::Tool { id, content, .. } => (id, "tool", content.clone()),
            InputMessage::Assistant { id, content, .. } => {
                (id, "assistant", content.clone().unwrap_or_default())
            }
            InputMessage::System { .. } | InputMessage::Developer { .. } => continue,
        };
        let message = to_json(given, true);
        if is_known(log, input, given, (id, role, &message)).await? {
            continue;
        }
        let (id, is_shown) = (id.clone(), role != "assistant");
        let role = role.to_owned();
        messages.push(StoredMessage {
            seq: 0,
            id,
            role,
            content,
            extra: attachments_in(given),
            message,
            is_shown,
            at,
        });
    }
    Ok(messages)
}

/// Returns whether a message of a request repeats one of the thread.
async fn is_known(
    log: &ThreadLog,
    input: &RunInput,
    given: &InputMessage,
    (id, role, message): (&str, &str, &String),
) -> Result<bool, AnyError> {
    let InputMessage::Assistant { tool_calls, .. } = given else {
        // A message of the user without such a context is new, whatever its id: otherwise the run
        // would have nothing to answer.
        return Ok((role != "user" || input.continues())
            && log.messages_of(id, role).await?.contains(message));
    };
    let mut is_stored = !tool_calls.is_empty();
    for call in tool_calls {
        is_stored = is_stored
            && match call.text("id") {
                Some(id) => log.has_call(id).await,
                None => false,
            };
    }
    Ok(is_stored || log.has_message(id, role).await)
}

/// Returns a message of the history.
pub(super) fn shown(message: StoredMessage) -> Value {
    let time = iso8601_of(message.at);
    let mut shown = Value::Null;
    shown.insert("id", message.id.into());
    shown.insert("seq", (message.seq as i64).into());
    shown.insert("role", message.role.into());
    shown.insert("content", message.content.into());
    if let Ok(Value::Object(extra)) = Value::parse(&message.extra, Limits::DEEPEST) {
        extra.into_iter().for_each(|Member { key, value }| shown.insert(&key, value));
    }
    shown.insert("timestamp", time.into());
    shown
}

/// Returns the text of the first message of the user in the body of a request; empty without one.
pub(super) fn first_text(body: &str) -> String {
    let messages = RunInput::parse(body).map(|input| input.messages).unwrap_or_default();
    let text = messages.iter().find_map(|message| match message {
        InputMessage::User { content, .. } => Some(text_of(content)),
        _ => None,
    });
    text.unwrap_or_default()
}

fn text_of(content: &UserContent) -> String {
    match content {
        UserContent::Text(text) => text.clone(),
        UserContent::Parts(parts) => {
            let texts = parts.iter().filter_map(|part| match part {
                InputPart::Text { text } => Some(text.as_str()),
                _ => None,
            });
            texts.collect::<Vec<_>>().join("\n")
        }
    }
}

fn attachments_in(message: &InputMessage) -> String {
    let mut attachments = Vec::new();
    if let InputMessage::User { content: UserContent::Parts(parts), .. } = message {
        attachments.extend(parts.iter().filter_map(|part| match part {
            InputPart::Binary { mime_type, url: Some(url), .. } => Some((&**mime_type, url)),
            InputPart::Image { source } => {
                Some((source.mime_type.as_deref().unwrap_or("image/*"), &source.value))
            }
            _ => None,
        }));
    }
    object(|extra| {
        if !attachments.is_empty() {
            write_list(attachments, extra.member("attachments"), |(kind, url), out| {
                let mut one = ObjectWriter::open(out, true);
                one.string("mimeType", Some(kind));
                one.string("url", Some(url));
                one.close();
            });
        }
    })
}

/// Returns the messages of the events of a run, also of a run that was cut off; `latest` are events
/// that are not stored yet.
pub(super) async fn messages_of(
    log: &ThreadLog,
    run_id: &str,
    latest: &[NewEvent],
    at: u64,
) -> Result<Vec<StoredMessage>, AnyError> {
    let mut reader = Reader::new(AgUi::default());
    let mut has_snapshot = false;
    let mut read = |kind: &str, data: &str| {
        has_snapshot |= kind == "MESSAGES_SNAPSHOT";
        reader.push(format!("data: {data}\n\n").as_bytes());
    };
    for_each(log, run_id, |entry| read(&entry.kind, &entry.data)).await?;
    latest.iter().for_each(|event| read(&event.kind, &event.data));
    let mut messages = Vec::new();
    for message in reader.finish().snapshot.messages {
        let role = match message.role {
            Role::Assistant => "assistant",
            Role::Tool => "tool",
            _ => continue,
        };
        let content = message
            .content
            .as_ref()
            .map_or_else(String::new, |content| content.to_value().to_text().into());
        let has_text = !content.is_empty();
        if !has_text && role == "assistant" && message.tool_calls.is_none() {
            continue;
        }
        // A snapshot contains the messages of earlier runs, too.
        if has_snapshot && log.has_message(&message.id, role).await {
            continue;
        }
        let metadata = message.metadata.as_ref().map(Tree::to_value).unwrap_or_default();
        messages.push(StoredMessage {
            seq: 0,
            id: message.id.clone(),
            role: role.to_owned(),
            extra: extra_in(role, &metadata),
            is_shown: has_text && is_visible(&metadata),
            message: sent(&message, role, &content),
            content,
            at,
        });
    }
    Ok(messages)
}

/// Returns a message as the agent receives it in later runs.
fn sent(message: &Message, role: &str, content: &str) -> String {
    object(|sent| {
        sent.string("id", Some(&message.id));
        sent.string("role", Some(role));
        sent.string(
            "content",
            Some(content).filter(|content| role == "tool" || !content.is_empty()),
        );
        sent.string("toolCallId", message.tool_call_id.as_deref());
        sent.string("error", message.error.as_deref());
        if let Some(calls) = message.tool_calls.as_ref() {
            write_list(calls, sent.member("toolCalls"), |call, out| {
                let mut one = ObjectWriter::open(out, true);
                one.string("id", Some(&call.id));
                one.string("type", Some("function"));
                let mut function = ObjectWriter::open(one.member("function"), true);
                function.string("name", Some(&call.function.name));
                function.string("arguments", Some(&call.function.arguments));
                function.close();
                one.string("encryptedValue", call.encrypted_value.as_deref());
                one.close();
            });
        }
    })
}

/// Returns whether the history shows a message: unless its metadata has `ui.history: false`.
fn is_visible(metadata: &Value) -> bool {
    metadata.get("ui").and_then(|ui| ui.get("history")).and_then(Value::as_bool) != Some(false)
}

/// Returns the properties in the history: an assistant's suggestions for the user's next message,
/// and the UI schema of a tool's result.
fn extra_in(role: &str, metadata: &Value) -> String {
    object(|extra| {
        if role == "assistant" {
            if let Some(Value::Array(suggested)) = metadata.get("suggested_actions") {
                let texts: Vec<_> =
                    suggested.iter().filter_map(Value::as_str).map(Value::from).collect();
                extra.value(
                    "suggestedActions",
                    Some(&Value::Array(texts)).filter(|_| !suggested.is_empty()),
                );
            }
        } else {
            let hints = || metadata.get("tool_agent_output")?.get("ui_hints");
            let schema =
                metadata.get("ui_schema").filter(|schema| !schema.is_null()).or_else(hints);
            extra.value(
                "ui_schema",
                schema.filter(|one| matches!(one, Value::Object(_) | Value::Array(_))),
            );
        }
    })
}

/// Returns the messages of a run as its agent receives them: the instructions of the request, and
/// then the messages of the thread, which end with the request's own. If there are too many, the
/// earliest are omitted, up to a message of the user.
pub(super) async fn history_of(log: &ThreadLog, input: &RunInput) -> Result<Vec<Value>, AnyError> {
    let is_instruction = |message: &&InputMessage| {
        matches!(message, InputMessage::System { .. } | InputMessage::Developer { .. })
    };
    let parse = |message: &str| Value::parse(message, Limits::DEEPEST).unwrap_or_default();
    let instructions =
        input.messages.iter().filter(is_instruction).map(|message| parse(&to_json(message, true)));
    let stored = log.latest_messages(LIMIT).await?;
    let stored: Vec<_> = stored.messages.iter().map(|message| parse(message)).collect();
    let begin = stored.iter().position(|message| message.text("role") == Some("user")).unwrap_or(0);
    Ok(instructions.chain(stored.into_iter().skip(begin)).collect())
}
