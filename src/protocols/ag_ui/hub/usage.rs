//! Tokens: AG-UI's list by provider and model, and the hub's one object.

use alloc::vec::Vec;

use crate::json::{Value, add};

/// AG-UI's counts and the hub's.
const COUNTS: [(&str, &str); 6] = [
    ("inputTokens", "input_tokens"),
    ("outputTokens", "output_tokens"),
    ("totalTokens", "total_tokens"),
    ("reasoningTokens", "reasoning_tokens"),
    ("cachedInputTokens", "cached_input_tokens"),
    ("cacheWriteInputTokens", "cache_write_input_tokens"),
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
        if let Some(count @ Value::Number(_)) = usage.get(ours) {
            entry.insert(theirs, count.clone());
        }
    }
    Value::Array([entry].into())
}
