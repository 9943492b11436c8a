//! Requests as conversations, both ways. (2.4.)
//!
//! A message of A2A contains only the new input of a conversation, which the server keeps. A
//! message to a task that waits is the answer to its question: data or a text that approves or
//! declines. The settings of the answer are members of the metadata of the request.

mod read;
#[cfg(test)]
mod tests;
mod write;

use super::A2a;
use crate::hub::ProtocolName as _;
use crate::hub::conversation::RequestCodec;
use crate::hub::conversation::requirements::{
    ChoiceKinds, Instructions, OutputKinds, Reasoning, Requirements, SENT_MEDIA, ToolKinds,
};
use crate::hub::conversation::settings::{SettingPaths, client_settings};

/// The requests of A2A.
pub(crate) static REQUESTS: RequestCodec = RequestCodec {
    requirements: |_| &REQUIREMENTS,
    read: read::request,
    append: read::append,
    continues: |_| false,
    // A request has one message: what is added to it is another request.
    messages: "messages",
    write: write::request,
};

/// The name of the protocol.
const FORMAT: &str = A2a::NAME;

/// The object that has the settings.
const PLACE: &str = "metadata.";

/// Where the settings are.
const SETTINGS: SettingPaths = client_settings!("metadata.");

/// The media type of data, for clients that display parts by their media types.
const JSON: &str = "application/json";

/// The metadata of a message or part that have the sealed members of other protocols.
const SEALED: &str = "metadata.opaque";

/// The opaque member of a part that has the members of its message.
const MESSAGE: &str = "message";

/// The opaque member of a part that has further members of its data.
const DATA: &str = "data";

static REQUIREMENTS: Requirements = Requirements {
    format: FORMAT,
    new_turns_only: Some("A2A's servers keep the conversation: only the new message is sent"),
    // A request has one message.
    takes_history: false,
    settings: SETTINGS,
    // They are members of the metadata, unless they stand for messages or shape the answer of
    // another protocol.
    keeps_member: |name| {
        let is_left_out = Requirements::AGENT.of_answer.contains(&name)
            || matches!(name, "previous_response_id" | "prompt");
        name == "id" || !is_left_out
    },
    author_names: None,
    developer: false,
    instructions: Instructions::Nowhere,
    tools: ToolKinds { functions: false, ..Requirements::AGENT.tools },
    reasoning: Reasoning::Never,
    media: SENT_MEDIA,
    media_detail: false,
    asked: false,
    output: OutputKinds::SchemaOrObject,
    choices: ChoiceKinds::None,
    ..Requirements::AGENT
};
