//! Requests of the AI SDK as conversations.
//!
//! | conversation | message |
//! |---|---|
//! | turns of the assistant that follow each other | one message; each begins with `step-start` |
//! | texts, reasoning, media, data | parts `text`, `reasoning`, `file`, `data-<name>` |
//! | what only a provider can read | a reasoning without a text |
//! | call, with its result, question and answer | a tool part |
//! | settings and tools | members of the body |
//!
//! Members that only another protocol has are sealed in `agentwire.state` of the metadata of a
//! part; what else has no place is beside it ([`meta`]).
//!
//! Messages without `step-start` have a new turn after the result of a tool.

mod meta;
mod part;
mod read;
mod requirements;
#[cfg(test)]
mod tests;
mod tool;
mod write;

use super::AiSdk;
use crate::hub::ProtocolName as _;
use crate::hub::conversation::RequestCodec;

/// The name of the protocol.
const FORMAT: &str = AiSdk::NAME;

/// The opaque member of a part that has the members of its message.
const MESSAGE: &str = "message";

/// The opaque member that has a part which only repeats what others say.
const REPEATS: &str = "repeats";

/// The requests of the AI SDK.
pub(crate) static REQUESTS: RequestCodec = RequestCodec {
    requirements: |_| &requirements::REQUIREMENTS,
    read: read::read,
    append: read::append,
    continues: |_| false,
    messages: "messages",
    write: write::write,
};
