//! Token usage, with the names of AgentScope and of the hub.

use crate::json::Value;

const NAMES: [(&str, &str); 4] = [
    ("input_tokens", "input_tokens"),
    ("output_tokens", "output_tokens"),
    ("cache_input_tokens", "cached_input_tokens"),
    ("cache_creation_input_tokens", "cache_write_input_tokens"),
];

/// Returns the usage with the names of the hub, without counts that are zero.
pub(super) fn to_hub(usage: &Value) -> Value {
    let mut named = usage
        .renamed(|name| NAMES.iter().find(|(here, _)| *here == name).map(|(_, at_hub)| *at_hub));
    let count = |name: &str| usage.get(name).and_then(Value::integer::<i64>).unwrap_or(0);
    named.insert(
        "total_tokens",
        count("input_tokens").saturating_add(count("output_tokens")).into(),
    );
    let is_cache = |name: &str| name.starts_with("cache");
    if let Value::Object(members) = &mut named {
        members.retain(|member| {
            !is_cache(&member.key) || member.value.integer::<i64>().is_some_and(|count| count != 0)
        });
    }
    named
}

/// The tokens of a reply, in the order of the members of `MODEL_CALL_END`.
pub(super) type Tokens = [i64; 4];

/// Returns the tokens that a usage of the hub has.
pub(super) fn from_hub(usage: &Value) -> Tokens {
    let count = |names: &[&str]| {
        let found = names.iter().find_map(|path| {
            let mut value = usage;
            for name in path.split('.') {
                value = value.get(name)?;
            }
            value.integer::<i64>()
        });
        found.unwrap_or(0).max(0)
    };
    [
        count(&["input_tokens", "prompt_tokens"]),
        count(&["output_tokens", "completion_tokens"]),
        count(&[
            "cached_input_tokens",
            "cache_read_input_tokens",
            "input_tokens_details.cached_tokens",
            "prompt_tokens_details.cached_tokens",
        ]),
        count(&["cache_write_input_tokens", "cache_creation_input_tokens"]),
    ]
}
