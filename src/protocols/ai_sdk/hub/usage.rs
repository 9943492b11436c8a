//! Token usage, with the names of the AI SDK and of the hub.

use crate::json::Value;

const NAMES: [(&str, &str); 5] = [
    ("inputTokens", "input_tokens"),
    ("outputTokens", "output_tokens"),
    ("totalTokens", "total_tokens"),
    ("cachedInputTokens", "cached_input_tokens"),
    ("reasoningTokens", "reasoning_tokens"),
];

/// Returns the usage with the names of the hub.
pub(super) fn to_hub(usage: &Value) -> Value {
    usage.renamed(|name| NAMES.iter().find(|(here, _)| *here == name).map(|(_, at_hub)| *at_hub))
}

/// Returns the usage with the names of the AI SDK.
pub(super) fn from_hub(usage: &Value) -> Value {
    usage.renamed(|name| NAMES.iter().find(|(_, at_hub)| *at_hub == name).map(|(here, _)| *here))
}
