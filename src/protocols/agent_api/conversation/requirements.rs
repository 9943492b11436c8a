//! What agents require of a request: they receive the conversation as the client has it.

use super::FORMAT;
use crate::hub::conversation::requirements::{ChoiceKinds, OutputKinds, Requirements, ToolKinds};
use crate::hub::conversation::settings::CHAT_NAMES;

pub(super) const REQUIREMENTS: Requirements = Requirements {
    format: FORMAT,
    settings: CHAT_NAMES,
    keeps_member: |name| {
        !matches!(
            name,
            "input" | "response_format" | "session_id" | "thinking" | "tool_choice" | "tools"
        ) && !CHAT_NAMES.iter().any(|(path, _)| *path == name)
    },
    tools: ToolKinds {
        custom: true,
        namespaces: true,
        cache: true,
        foreign: true,
        ..Requirements::AGENT.tools
    },
    cache: true,
    output: OutputKinds::SchemaOrObject,
    choices: ChoiceKinds::Allowed,
    // The protocol allows 1 to 5.
    max_count: 5,
    decisions: true,
    ..Requirements::AGENT
};
