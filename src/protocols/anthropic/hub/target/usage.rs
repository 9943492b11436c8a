//! The token usage: `input_tokens` does not include the cached ones here.

use alloc::vec::Vec;

use super::WireOutput;
use super::opaque::is_readable;
use crate::json::{Member, Value};

/// The counts that other protocols have as a part of the input tokens: their names here, at the hub
/// and in the details of the input tokens.
const CACHED: [(&str, &str, &str); 2] = [
    ("cache_creation_input_tokens", "cache_write_input_tokens", "cache_write_tokens"),
    ("cache_read_input_tokens", "cached_input_tokens", "cached_tokens"),
];

/// The members of the hub that are not members of the usage here.
const OTHERS: [&str; 5] =
    ["input_tokens", "output_tokens", "total_tokens", "input_tokens_details", "models"];

/// Returns the usage of an object of the hub, whose counts may come from any protocol.
pub(super) fn of_hub(usage: Option<&Value>, out: &mut WireOutput<'_>) -> Value {
    let none = Value::Null;
    let usage = usage.unwrap_or(&none);
    let count = |names: &[&str]| {
        names.iter().find_map(|name| usage.get(name)?.integer::<u64>()).unwrap_or(0)
    };
    let details = usage.get("input_tokens_details");
    let cached = CACHED.map(|(_, at_hub, detail)| {
        let detail = || details?.get(detail)?.integer::<u64>();
        usage.get(at_hub).and_then(Value::integer).or_else(detail)
    });
    let known = cached.iter().flatten().fold(0, |sum: u64, count| sum.saturating_add(*count));
    let input = count(&["input_tokens", "prompt_tokens"]).saturating_sub(known);
    let number = |count: u64| Value::from(i64::try_from(count).unwrap_or(i64::MAX));
    let mut members = Vec::from([Member::new("input_tokens", number(input))]);
    for ((here, ..), count) in CACHED.iter().zip(cached) {
        members.extend(count.map(|count| Member::new(here, number(count))));
    }
    let output = count(&["output_tokens", "completion_tokens"]);
    members.push(Member::new("output_tokens", number(output)));
    let total = usage.get("total_tokens").and_then(Value::integer::<u64>);
    let has_total = total.is_some_and(|total| {
        total != count(&["input_tokens", "prompt_tokens"]).saturating_add(output)
    });
    if has_total || usage.get("models").is_some() {
        out.lose("usage", "", "the tokens are those of input and output");
    }
    let more = usage.members().iter().filter(|member| {
        !OTHERS.contains(&&*member.key)
            && is_readable(&member.value)
            && CACHED.iter().all(|(here, at_hub, _)| *here != member.key && *at_hub != member.key)
    });
    members.extend(more.cloned());
    Value::Object(members)
}
