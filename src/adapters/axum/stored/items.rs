//! The turns before an OpenAI response: the items of the responses that it continues, and those of
//! its own request.

use std::string::{String, ToString as _};
use std::vec;
use std::vec::Vec;

use super::answers::AnswerCall;
use crate::json::Value;
use crate::threads::parsed;

/// Returns the body of a request with the items before it, which are a JSON list.
pub(super) fn with_turns(body: &str, before: Option<&str>) -> String {
    let mut members = parsed(body);
    // An input that is not valid stays unchanged, and is refused as it is.
    match (before, items_of(members.get("input"))) {
        (Some(before), Some(own)) => {
            let mut items = parsed(before).items().to_vec();
            items.extend(own);
            members.insert("input", Value::Array(items));
            members.to_json()
        }
        _ => body.into(),
    }
}

/// Returns the items of a request in the form of OpenAI's server: each with an id, and the content
/// in parts.
pub(super) fn input_items(body: &str, before: Option<&str>, name: &str) -> Vec<Value> {
    let mut items = before.map(|before| parsed(before).items().to_vec()).unwrap_or_default();
    let own = items_of(parsed(body).get("input")).unwrap_or_default();
    let start = &name[..name.len().min(48)];
    let listed = |(at, item): (usize, Value)| listed_item(item, &[start, &at.to_string()].concat());
    items.extend(own.into_iter().enumerate().map(listed));
    items
}

/// Returns one page of a list in the form of OpenAI's server.
///
/// # Errors
///
/// The name of the parameter that is not valid.
pub(super) fn page_of(mut items: Vec<Value>, call: &AnswerCall) -> Result<Value, &'static str> {
    let limit = call.query("limit").map_or(Ok(20), |limit| limit.parse::<usize>());
    let limit = limit.ok().filter(|limit| (1..=100).contains(limit)).ok_or("limit")?;
    match call.query("order").as_deref() {
        None | Some("desc") => items.reverse(),
        Some("asc") => {}
        Some(_) => return Err("order"),
    }
    let first = match call.query("after") {
        None => 0,
        Some(after) => {
            let is_after = |item: &Value| item.text("id") == Some(&after);
            items.iter().position(is_after).ok_or("after")? + 1
        }
    };
    let data: Vec<Value> = items.iter().skip(first).take(limit).cloned().collect();
    let has_more = first + data.len() < items.len();
    let id = |item: Option<&Value>| item.and_then(|item| item.get("id")).cloned();
    Ok([
        ("object", Value::from("list")),
        ("first_id", id(data.first()).unwrap_or_default()),
        ("last_id", id(data.last()).unwrap_or_default()),
        ("has_more", has_more.into()),
        ("data", Value::Array(data)),
    ]
    .into())
}

/// Returns the items of an input; `None` if the input is not valid.
fn items_of(input: Option<&Value>) -> Option<Vec<Value>> {
    match input {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(Value::Array(items)) => Some(items.clone()),
        Some(text @ Value::String(_)) => {
            Some(vec![[("role", Value::from("user")), ("content", text.clone())].into()])
        }
        Some(_) => None,
    }
}

fn listed_item(item: Value, number: &str) -> Value {
    let is_message = matches!(item, Value::Object(_))
        && matches!(item.get("type"), None | Some(Value::Null))
        || item.text("type") == Some("message");
    let prefix = if is_message { "msg_" } else { "item_" };
    let mut listed = Value::from([("id", Value::from([prefix, number].concat()))]);
    if is_message {
        listed.insert("status", "completed".into());
    }
    for member in item.members() {
        listed.insert(&member.key, member.value.clone());
    }
    if is_message {
        let content = match item.get("content") {
            Some(text @ Value::String(_)) if item.text("role") == Some("assistant") => {
                Value::Array(vec![
                    [
                        ("type", Value::from("output_text")),
                        ("text", text.clone()),
                        ("annotations", Value::Array(Vec::new())),
                        ("logprobs", Value::Array(Vec::new())),
                    ]
                    .into(),
                ])
            }
            Some(text @ Value::String(_)) => Value::Array(vec![
                [("type", Value::from("input_text")), ("text", text.clone())].into(),
            ]),
            Some(Value::Null) | None => Value::Array(Vec::new()),
            Some(content) => content.clone(),
        };
        listed.insert("type", "message".into());
        listed.insert("content", content);
    }
    listed
}
