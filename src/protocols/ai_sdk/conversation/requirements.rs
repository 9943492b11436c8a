//! What agents with the AI SDK require of a request.

use super::FORMAT;
use crate::hub::conversation::requirements::{
    ChoiceKinds, LOCATED_MEDIA, OutputKinds, Requirements, ToolKinds,
};
use crate::hub::conversation::settings::{SettingPaths, client_settings};

/// Where the settings are: in the body.
pub(super) const SETTINGS: SettingPaths = client_settings!("");

pub(super) const REQUIREMENTS: Requirements = Requirements {
    format: FORMAT,
    settings: SETTINGS,
    // The body has the members that the application adds.
    keeps_member: |name| {
        !matches!(name, "id" | "messages" | "tools" | "tool_choice" | "response_format")
    },
    author_names: None,
    developer: false,
    tools: ToolKinds { custom: true, namespaces: true, foreign: true, ..Requirements::AGENT.tools },
    media: LOCATED_MEDIA,
    result_media: Requirements::AGENT.result_media,
    output: OutputKinds::SchemaOrObject,
    choices: ChoiceKinds::Allowed,
    decisions: true,
    ..Requirements::AGENT
};
