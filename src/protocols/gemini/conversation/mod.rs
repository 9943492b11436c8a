//! Requests as conversations, both ways.
//!
//! A content is a turn. Calls of the developer API have no ids: the reader makes them from the
//! position of a call, and pairs results with calls by name and order, as the server does. The ids
//! of calls that have some are sent back.
//!
//! `parametersJsonSchema` and `responseJsonSchema` have JSON Schemas, `parameters` and
//! `responseSchema` have Gemini's own form of them: a request keeps its form, and other protocols
//! receive the JSON Schema.

mod read;
mod requirements;
mod schema;
#[cfg(test)]
mod tests;
mod write;

use crate::hub::conversation::settings::SettingPaths;
use crate::hub::conversation::{RequestCodec, SettingKey};

/// How requests are read and written.
pub(crate) static REQUESTS: RequestCodec = RequestCodec {
    requirements: requirements::of,
    read: read::request,
    append: read::append,
    continues: |_| false,
    messages: "contents",
    write: write::request,
};

const FORMAT: &str = "gemini";

/// The settings. Model and stream are in the URL; the summary of the reasoning is a yes or no.
const SETTINGS: SettingPaths = &[
    ("", SettingKey::Model),
    ("", SettingKey::Stream),
    ("", SettingKey::Summary),
    ("generationConfig.maxOutputTokens", SettingKey::MaxTokens),
    ("generationConfig.temperature", SettingKey::Temperature),
    ("generationConfig.topP", SettingKey::TopP),
    ("generationConfig.topK", SettingKey::TopK),
    ("generationConfig.stopSequences", SettingKey::Stop),
    ("generationConfig.seed", SettingKey::Seed),
    ("generationConfig.presencePenalty", SettingKey::Presence),
    ("generationConfig.frequencyPenalty", SettingKey::Frequency),
    ("generationConfig.candidateCount", SettingKey::Count),
    ("generationConfig.thinkingConfig.thinkingBudget", SettingKey::Budget),
    ("generationConfig.thinkingConfig.thinkingLevel", SettingKey::Effort),
    ("serviceTier", SettingKey::ServiceTier),
];

/// Where a request says whether the reasoning is shown.
const SHOWS_THOUGHTS: &str = "generationConfig.thinkingConfig.includeThoughts";

/// The name of the server's tool that runs code, in other protocols.
const CODE_EXECUTION: &str = "code_execution";

/// The members in which the response of a function has its output or its error, if it is not an
/// object of its own.
const RESPONSE_MEMBERS: [&str; 3] = ["output", "result", "error"];

/// The members of `generationConfig` that no setting has. Agents add them to their requests without
/// this object around them.
const CONFIG: &[&str] = &[
    "audioTimestamp",
    "enableAffectiveDialog",
    "enableEnhancedCivicAnswers",
    "imageConfig",
    "mediaResolution",
    "modelSelectionConfig",
    "responseJsonSchema",
    "responseLogprobs",
    "responseMimeType",
    "responseModalities",
    "responseSchema",
    "routingConfig",
    "speechConfig",
    "thinkingConfig",
];
