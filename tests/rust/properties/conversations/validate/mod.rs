//! What the APIs of models refuse in a request.
//!
//! The rules are those of documents and of error messages in public issue trackers, which are cited
//! at the rules. Where sources disagree, the milder one holds.

mod anthropic;
mod chat;
mod chat_parts;
mod gemini;
mod interactions;
mod members;
mod responses;
mod responses_items;

use agentwire::ProtocolKind;
use serde_json::Value;

/// `Err` is what the API answers.
pub type Verdict = Result<(), String>;

/// Returns the error if the condition holds.
macro_rules! refuse {
    ($condition:expr, $($message:tt)+) => {{
        let is_refused: bool = $condition;
        if is_refused {
            return Err(format!($($message)+));
        }
    }};
}
pub(crate) use refuse;

/// A model, and what its server refuses.
pub struct Model {
    pub protocol: ProtocolKind,
    pub name: &'static str,
    rules: fn(&Value, &Server<'_>) -> Verdict,
}

/// What a server knows beside the request.
pub struct Server<'a> {
    /// Whether it has issued a text that only it can read: a signature, encrypted reasoning.
    pub issued: &'a dyn Fn(&str) -> bool,
    /// The name of the model.
    pub model: &'a str,
}

impl Server<'_> {
    fn has(&self, state: Option<&Value>) -> bool {
        state.and_then(Value::as_str).is_some_and(|state| (self.issued)(state))
    }
}

/// Models of all families that differ in their requirements.
pub const MODELS: &[Model] = &[
    Model { protocol: ProtocolKind::Chat, name: "gpt-5.1", rules: chat::openai },
    Model { protocol: ProtocolKind::Chat, name: "gpt-4o", rules: chat::openai },
    Model { protocol: ProtocolKind::Chat, name: "o3", rules: chat::openai },
    Model { protocol: ProtocolKind::Chat, name: "deepseek-reasoner", rules: chat::deepseek },
    Model { protocol: ProtocolKind::Chat, name: "kimi-k2-thinking", rules: chat::deepseek },
    Model { protocol: ProtocolKind::Chat, name: "mistral-large-latest", rules: chat::mistral },
    Model { protocol: ProtocolKind::Chat, name: "gemini-3-flash-preview", rules: chat::gemini },
    Model { protocol: ProtocolKind::Chat, name: "qwen3-max", rules: chat::compatible },
    Model { protocol: ProtocolKind::Responses, name: "gpt-5.3", rules: responses::rules },
    Model { protocol: ProtocolKind::Responses, name: "gpt-4.1", rules: responses::rules },
    Model { protocol: ProtocolKind::Anthropic, name: "claude-opus-5", rules: anthropic::rules },
    Model { protocol: ProtocolKind::Anthropic, name: "claude-opus-4-6", rules: anthropic::rules },
    Model { protocol: ProtocolKind::Anthropic, name: "claude-sonnet-4-5", rules: anthropic::rules },
    Model {
        protocol: ProtocolKind::Anthropic,
        name: "claude-3-5-haiku-latest",
        rules: anthropic::rules,
    },
    Model { protocol: ProtocolKind::Gemini, name: "gemini-3-flash-preview", rules: gemini::rules },
    Model { protocol: ProtocolKind::Gemini, name: "gemini-2.5-flash", rules: gemini::rules },
    Model {
        protocol: ProtocolKind::Interactions,
        name: "gemini-3-flash-preview",
        rules: interactions::rules,
    },
];

/// A model of each protocol with what any of them has.
pub const ANY: &[Model] = &[
    Model { protocol: ProtocolKind::Chat, name: "m", rules: chat::compatible },
    Model { protocol: ProtocolKind::Responses, name: "m", rules: responses::rules },
    Model { protocol: ProtocolKind::Anthropic, name: "m", rules: anthropic::rules },
    Model { protocol: ProtocolKind::Gemini, name: "m", rules: gemini::rules },
    Model { protocol: ProtocolKind::Interactions, name: "m", rules: interactions::rules },
];

impl Model {
    /// Checks a request. `issued` are the texts that the model's server can read.
    pub fn validate(&self, request: &str, issued: &dyn Fn(&str) -> bool) -> Verdict {
        members::no_repeated_members(request)?;
        let request = serde_json::from_str(request).map_err(|error| error.to_string())?;
        (self.rules)(&request, &Server { issued, model: self.name })
    }
}

/// Returns the items of a list; of anything else none.
fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns a text; of anything else an empty one.
fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Whether a name has only ASCII letters, digits, `_` and `-`, and this length.
fn is_plain(name: &str, max: usize) -> bool {
    let is_legal = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    (1..=max).contains(&name.len()) && name.chars().all(is_legal)
}

/// Whether a text is base64 in the usual alphabet.
fn is_base64(data: &str) -> bool {
    let body = data.trim_end_matches('=');
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/');
    !body.is_empty() && data.len() - body.len() <= 2 && body.chars().all(is_letter)
}
