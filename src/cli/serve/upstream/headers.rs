//! The headers that pass between clients and upstreams: lists of names, and of beginnings of names
//! for those that grow.

use reqwest::header::{HeaderMap, HeaderName};

/// The headers of an upstream's response by which clients decide, or which its operator asks for.
const OF_RESPONSES: [&str; 6] = [
    "retry-after",
    "retry-after-ms",
    "x-should-retry",
    "request-id",
    "x-request-id",
    "x-models-etag",
];
const OF_RESPONSES_BEGIN: [&str; 5] =
    ["x-ratelimit-", "ratelimit", "anthropic-", "openai-", "x-codex-"];

/// The headers of a client's request for an upstream of its own protocol.
const OF_REQUESTS: [&str; 8] = [
    "user-agent",
    "idempotency-key",
    "originator",
    "version",
    "session_id",
    "session-id",
    "conversation_id",
    "x-client-request-id",
];
const OF_REQUESTS_BEGIN: [&str; 5] =
    ["anthropic-", "openai-", "x-stainless-", "x-claude-code-", "x-codex-"];

/// Headers that belong to the credentials, which are those of the gateway.
const OF_ACCOUNT: [&str; 3] =
    ["openai-organization", "openai-project", "anthropic-dangerous-direct-browser-access"];

/// Returns the headers of a response that a client receives.
pub fn of_response(headers: &HeaderMap) -> HeaderMap {
    chosen(headers, &OF_RESPONSES, &OF_RESPONSES_BEGIN)
}

/// Returns the headers of a request that an upstream of the same protocol receives.
pub fn of_request(headers: &HeaderMap) -> HeaderMap {
    chosen(headers, &OF_REQUESTS, &OF_REQUESTS_BEGIN)
}

fn chosen(headers: &HeaderMap, names: &[&str], beginnings: &[&str]) -> HeaderMap {
    let is_chosen = |name: &HeaderName| {
        let name = name.as_str();
        let begins = || beginnings.iter().any(|beginning| name.starts_with(beginning));
        (names.contains(&name) || begins()) && !OF_ACCOUNT.contains(&name)
    };
    let chosen = headers.iter().filter(|(name, _)| is_chosen(name));
    chosen.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Returns the parameters of a client's query without keys.
pub fn query_of(query: Option<&str>) -> Option<String> {
    const KEYS: [&str; 6] = ["key", "api-key", "api_key", "apikey", "token", "access_token"];
    let name = |pair: &str| pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
    let pairs = query?.split('&').filter(|pair| !KEYS.contains(&&*name(pair)));
    Some(pairs.collect::<Vec<_>>().join("&")).filter(|query| !query.is_empty())
}
