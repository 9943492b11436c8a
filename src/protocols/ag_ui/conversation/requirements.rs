//! What agents of AG-UI require of a request.

use super::FORMAT;
use crate::hub::conversation::requirements::{
    ChoiceKinds, LOCATED_MEDIA, OutputKinds, Requirements, Strict, ToolKinds,
};
use crate::hub::conversation::settings::{SettingPaths, client_settings};

/// Where the settings are.
pub(super) const SETTINGS: SettingPaths = client_settings!("forwardedProps.");

/// The object that has them.
pub(super) const PLACE: &str = "forwardedProps.";

pub(super) const REQUIREMENTS: Requirements = Requirements {
    format: FORMAT,
    settings: SETTINGS,
    keeps_member: |name| matches!(name, "id" | "parentRunId" | "state" | "forwardedProps"),
    tools: ToolKinds { strict: Strict::Unknown, ..Requirements::AGENT.tools },
    media: LOCATED_MEDIA,
    media_of_all: false,
    result_media: LOCATED_MEDIA,
    asked: false,
    data: false,
    output: OutputKinds::SchemaOrObject,
    choices: ChoiceKinds::Allowed,
    ..Requirements::AGENT
};
