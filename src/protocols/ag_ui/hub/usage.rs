//! Token usage: AG-UI's list by provider and model, and the hub's single object.

use alloc::vec::Vec;

use crate::json::{Member, Value, add};

/// The names of the counts in AG-UI and at the hub.
const COUNTS: [(&str, &str); 6] = [
    ("inputTokens", "input_tokens"),
    ("outputTokens", "output_tokens"),
    ("totalTokens", "total_tokens"),
    ("reasoningTokens", "reasoning_tokens"),
    ("cachedInputTokens", "cached_input_tokens"),
    ("cacheWriteInputTokens", "cache_write_input_tokens"),
];
/// Counts that some protocols have as a detail of another count: the member that has the details,
/// the hub's name of the count, and the name of the detail.
const DETAILS: [(&str, &str, &str); 2] = [
    ("input_tokens_details", "cached_input_tokens", "cached_tokens"),
    ("output_tokens_details", "reasoning_tokens", "reasoning_tokens"),
];
/// The hub's member that contains the original list.
const LIST: &str = "models";

/// Returns the sums of a list, and the list itself if it contains more.
pub(super) fn of(usage: &Value) -> Option<Value> {
    let Value::Array(entries) = usage else { return None };
    let mut sums = Value::Object(Vec::new());
    for (theirs, ours) in COUNTS {
        let counts = entries.iter().filter_map(|entry| match entry.get(theirs)? {
            Value::Number(digits) => Some(digits.clone()),
            _ => None,
        });
        if let Some(sum) = counts.reduce(|sum, more| add(&sum, &more).into()) {
            sums.insert(ours, Value::Number(sum));
        }
    }
    let is_named = |entry: &Value| entry.get("provider").or(entry.get("model")).is_some();
    if entries.len() > 1 || entries.iter().any(is_named) {
        sums.insert(LIST, usage.clone());
    }
    Some(sums)
}

/// Returns the list for an object of the hub, whose counts may come from any protocol.
pub(super) fn list(usage: &Value) -> Value {
    if let Some(list @ Value::Array(_)) = usage.get(LIST) {
        return list.clone();
    }
    let mut entry = Value::Object(Vec::new());
    for (theirs, ours) in COUNTS {
        if let Some(count) = count(usage, ours) {
            entry.insert(theirs, count.clone());
        }
    }
    Value::Array([entry].into())
}

/// Returns the usage of a message, which may have any form: a list if that contains everything,
/// otherwise the object.
pub(super) fn of_message(usage: &Value) -> Value {
    if is_listed(usage) { list(usage) } else { usage.clone() }
}

/// Returns a count, also if it is a detail of another count.
fn count<'v>(usage: &'v Value, name: &str) -> Option<&'v Value> {
    let detail = DETAILS.iter().find(|(_, known, _)| *known == name);
    let detail = detail.and_then(|(group, _, member)| usage.get(group)?.get(member));
    usage.get(name).or(detail).filter(|count| matches!(count, Value::Number(_)))
}

/// Returns whether the list for an object contains everything in it.
pub(super) fn is_listed(usage: &Value) -> bool {
    let is_known = |group: &str, name: &str| match group {
        "" => name == LIST || COUNTS.iter().any(|(_, ours)| *ours == name),
        group => DETAILS.iter().any(|(known, _, member)| (*known, *member) == (group, name)),
    };
    usage.members().iter().all(|Member { key, value }| match value {
        Value::Object(details) => details.iter().all(|detail| {
            let is_zero = matches!(&detail.value, Value::Number(digits) if digits == "0");
            is_zero || is_known(key, &detail.key)
        }),
        _ => value.is_null() || is_known("", key),
    })
}
