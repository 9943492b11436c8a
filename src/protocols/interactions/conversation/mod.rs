//! Requests as conversations, both ways.
//!
//! The input of a request is a list of steps. The outputs, thoughts and calls of an answer are the
//! parts of one turn; the result of a function, which is a step of the client, is inside of its
//! call. A step of a tool of the server stays as it is, as does a thought of which only the
//! signature is known.

mod read;
mod requirements;
mod steps;
#[cfg(test)]
mod tests;
mod tools;
mod write;

use crate::hub::conversation::settings::SettingPaths;
use crate::hub::conversation::{RequestCodec, SettingKey};

/// How requests are read and written.
pub(crate) static REQUESTS: RequestCodec = RequestCodec {
    requirements: requirements::of,
    read: read::request,
    append: read::append,
    continues: |_| false,
    messages: "input",
    write: write::request,
};

const FORMAT: &str = "interactions";

/// The settings.
const SETTINGS: SettingPaths = &[
    ("model", SettingKey::Model),
    ("stream", SettingKey::Stream),
    ("store", SettingKey::Store),
    ("service_tier", SettingKey::ServiceTier),
    ("generation_config.max_output_tokens", SettingKey::MaxTokens),
    ("generation_config.temperature", SettingKey::Temperature),
    ("generation_config.top_p", SettingKey::TopP),
    ("generation_config.stop_sequences", SettingKey::Stop),
    ("generation_config.seed", SettingKey::Seed),
    ("generation_config.thinking_level", SettingKey::Effort),
    ("generation_config.thinking_summaries", SettingKey::Summary),
];

/// The opaque member of the first part of a step with the members of the step that its parts do not
/// have.
const STEP: &str = "step";
