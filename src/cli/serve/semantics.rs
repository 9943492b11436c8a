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
        ProtocolKind::Gemini => "gcp.gemini",
        other => other.as_str(),
    }
}

/// Returns `gen_ai.operation.name` of a request to an upstream.
pub fn operation(protocol: ProtocolKind) -> &'static str {
    if Model::is_of(protocol) { "chat" } else { "invoke_agent" }
}

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
