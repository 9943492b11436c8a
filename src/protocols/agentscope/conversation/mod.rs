//! Requests as conversations, both ways.
//!
//! AgentScope's servers keep the conversation: a request has only the new messages, or the answers
//! or results that a reply waits for.

mod read;
mod write;

use super::AgentScope;
use crate::hub::ProtocolName as _;
use crate::hub::conversation::requirements::{
    Instructions, Reasoning, Requirements, SENT_MEDIA, Strict, ToolKinds,
};
use crate::hub::conversation::{RequestCodec, SettingKey};

/// The requests of AgentScope.
pub(crate) static REQUESTS: RequestCodec = RequestCodec {
    requirements: |_| &REQUIREMENTS,
    read: read::read,
    append: read::append,
    continues: |_| false,
    messages: "input",
    write: write::write,
};

const FORMAT: &str = AgentScope::NAME;

static REQUIREMENTS: Requirements = Requirements {
    format: FORMAT,
    carries_opaque: false,
    new_turns_only: Some("AgentScope's servers keep the conversation: only new messages are sent"),
    resumes: true,
    takes_history: false,
    // The agent has a model of its own.
    settings: &[("agent_id", SettingKey::Model)],
    developer: false,
    // Those of the agent are a setting of the server.
    instructions: Instructions::Nowhere,
    tools: ToolKinds { functions: false, strict: Strict::Unknown, ..Requirements::AGENT.tools },
    reasoning: Reasoning::Never,
    media: SENT_MEDIA,
    result_media: SENT_MEDIA,
    decisions: true,
    asked: false,
    data: false,
    ..Requirements::AGENT
};

#[cfg(test)]
mod tests;
