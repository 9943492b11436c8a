//! Tokens: AG-UI's list by provider and model, and the hub's one object.

use alloc::vec::Vec;

use crate::json::{Member, Value, add};

/// AG-UI's counts and the hub's.
const COUNTS: [(&str, &str); 6] = [
    ("inputTokens", "input_tokens"),
    ("outputTokens", "output_tokens"),
    ("totalTokens", "total_tokens"),
    ("reasoningTokens", "reasoning_tokens"),
    ("cachedInputTokens", "cached_input_tokens"),
    ("cacheWriteInputTokens", "cache_write_input_tokens"),
];
/// Counts that some protocols have as a detail of another one: the member that has the details, the hub's name, and that of the
/// detail.
const DETAILS: [(&str, &str, &str); 2] = [
    ("input_tokens_details", "cached_input_tokens", "cached_tokens"),
    ("output_tokens_details", "reasoning_tokens", "reasoning_tokens"),
];
/// The hub's member that has the list as it was.
const LIST: &str = "models";

/// The sums of a list; the list itself beside them, if there is more in it.
pub(super) fn of(usage: &Value) -> Option<Value> {
    let Value::Array(entries) = usage else { return None };
    let mut sums = Value::Object(Vec::new());
    for (theirs, ours) in COUNTS {
        let counts = entries.iter().filter_map(|entry| match entry.get(theirs)? {
            Value::Number(digits) => Some(digits.clone()),
            _ => None,
        });
        if let Some(sum) = counts.reduce(|sum, more| add(&sum, &more)) {
            sums.insert(ours, Value::Number(sum));
        }
    }
    let is_named = |entry: &Value| entry.get("provider").or(entry.get("model")).is_some();
    if entries.len() > 1 || entries.iter().any(is_named) {
        sums.insert(LIST, usage.clone());
    }
    Some(sums)
}

/// The list that an object of the hub is, of whatever protocol its counts are.
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

/// The usage of a message, which is free: the list where it says all.
pub(super) fn of_message(usage: &Value) -> Value {
    if is_listed(usage) { list(usage) } else { usage.clone() }
}

/// A count, also where it is a detail of another one.
fn count<'v>(usage: &'v Value, name: &str) -> Option<&'v Value> {
    let detail = DETAILS.iter().find(|(_, known, _)| *known == name);
    let detail = detail.and_then(|(group, _, member)| usage.get(group)?.get(member));
    usage.get(name).or(detail).filter(|count| matches!(count, Value::Number(_)))
}

/// Whether the list of an object has all of it.
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
