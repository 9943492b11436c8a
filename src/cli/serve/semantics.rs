//! The names of OpenTelemetry's conventions for generative AI that spans and metrics share.

use agentwire::ProtocolKind;
use agentwire::model::Model;

/// The hosts of providers, whose subdomains count too, with the names of the conventions.
const PROVIDERS: [(&str, &str); 13] = [
    ("anthropic.com", "anthropic"),
    ("openai.com", "openai"),
    ("openai.azure.com", "azure.ai.openai"),
    ("inference.ai.azure.com", "azure.ai.inference"),
    ("generativelanguage.googleapis.com", "gcp.gemini"),
    ("aiplatform.googleapis.com", "gcp.vertex_ai"),
    ("amazonaws.com", "aws.bedrock"),
    ("cohere.com", "cohere"),
    ("deepseek.com", "deepseek"),
    ("groq.com", "groq"),
    ("mistral.ai", "mistral_ai"),
    ("perplexity.ai", "perplexity"),
    ("x.ai", "x_ai"),
];

/// Returns `gen_ai.provider.name`: that of the host, or the one whose protocol the upstream has.
pub fn provider(protocol: ProtocolKind, host: &str) -> &'static str {
    let is_of = |domain: &str| {
        let rest = host.strip_suffix(domain);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    if let Some((_, name)) = PROVIDERS.iter().find(|(domain, _)| is_of(domain)) {
        return name;
    }
    match protocol {
        ProtocolKind::Chat | ProtocolKind::Responses => "openai",
        ProtocolKind::Anthropic => "anthropic",
        ProtocolKind::Gemini | ProtocolKind::Interactions => "gcp.gemini",
        other => other.as_str(),
    }
}

/// Returns `gen_ai.operation.name` of a request to an upstream.
pub fn operation(protocol: ProtocolKind) -> &'static str {
    if Model::is_of(protocol) { "chat" } else { "invoke_agent" }
}

/// The methods of HTTP, as the conventions list them.
const METHODS: [&str; 10] =
    ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY"];

/// Returns `http.request.method`: a method of HTTP, or `_OTHER`.
pub fn method(method: &str) -> &'static str {
    METHODS.iter().find(|known| **known == method).copied().unwrap_or("_OTHER")
}

/// The code of a request whose client has gone.
pub const DISCONNECTED: &str = "client_disconnected";

/// The codes of the gateway.
const CODES: [&str; 32] = [
    DISCONNECTED,
    "body_timeout",
    "body_too_long",
    "body_unreadable",
    "content_type",
    "context_length_exceeded",
    "gateway_stopping",
    "head_too_long",
    "history_missing",
    "host_missing",
    "host_not_allowed",
    "insufficient_quota",
    "invalid_api_key",
    "invalid_request",
    "method_not_allowed",
    "metrics_not_allowed",
    "model_not_allowed",
    "model_not_found",
    "not_found",
    "previous_response_not_found",
    "rate_limit_exceeded",
    "request_losses",
    "server_is_overloaded",
    "too_many_clients",
    "too_many_requests",
    "unsupported",
    "upstream_cut_off",
    "upstream_failed",
    "upstream_invalid",
    "upstream_missing",
    "upstream_timeout",
    "upstream_unreachable",
];

/// Returns `error.type` for the code of an error, with a small number of values: what an upstream
/// calls its error is not one.
pub fn error_type(code: &str) -> String {
    let is_status = code.strip_prefix("upstream_").is_some_and(|status| {
        status.len() == 3 && status.bytes().all(|digit| digit.is_ascii_digit())
    });
    match is_status || CODES.contains(&code) {
        true => code.into(),
        false => "_OTHER".into(),
    }
}
