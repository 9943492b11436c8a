//! Requests of AG-UI as conversations.
//!
//! | conversation | request |
//! |---|---|
//! | instructions, texts and media of the user | `system`, `developer` and `user` messages |
//! | reasoning, and what only a provider can read | `reasoning` messages |
//! | texts and calls of the assistant | `assistant` messages |
//! | results | `tool` messages |
//! | answers | `resume` |
//! | the context | instructions in front, which remember their entries |
//! | settings | members of `forwardedProps` |
//!
//! Members that only another protocol has are sealed in the `encryptedValue` of the message or
//! call, and in the metadata of a part of a message of the user. Metadata of messages and calls
//! also have the member `agentwire` ([`marks`]).
//!
//! Reasoning and messages of the assistant that follow each other are one turn: clients that know
//! no parent of a call have a message for each of several calls at once.

mod append;
mod marks;
mod part;
mod read;
mod requirements;
#[cfg(test)]
mod tests;
mod write;

use super::AgUi;
use crate::hub::ProtocolName as _;
use crate::hub::conversation::RequestCodec;

/// The name of the protocol.
const FORMAT: &str = AgUi::NAME;

/// The opaque member of a part that has the members of its message.
const MESSAGE: &str = "message";

/// The opaque member of the instructions that have the context: it repeats its entries.
const REPEATS: &str = "repeats";

/// The requests of AG-UI.
pub(crate) static REQUESTS: RequestCodec = RequestCodec {
    requirements: |_| &requirements::REQUIREMENTS,
    read: read::read,
    append: append::append,
    continues: |_| false,
    messages: "messages",
    write: write::write,
};
