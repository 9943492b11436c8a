//! Requests of the Agent API as conversations.
//!
//! An `AgentRequest` is what agents receive, and what they pass on to models: it has everything
//! that the requests of other protocols have, and an agent may change it. So nothing depends on the
//! position of a message.
//!
//! | conversation | message |
//! |---|---|
//! | instructions, texts, media, data | `message`, one for those that follow each other |
//! | reasoning, and what only a provider can read | `reasoning` |
//! | call | `function_call`; `plugin_call` if the provider runs the tool |
//! | result | `function_call_output`, after the calls of its turn; its contents after the data are its parts |
//! | question, answer | `mcp_approval_request`, `mcp_approval_response` |
//!
//! Members of a message or content that only another protocol has are a sealed string:
//! `metadata.opaque` of the message, and `opaque` of a content if the message has several. What
//! else has no place is in `metadata.agentwire` ([`head`]).
//!
//! Messages of the assistant that follow each other are one turn. After the result of a tool that
//! the client runs, a new one begins.

mod content;
mod head;
mod read;
mod requirements;
#[cfg(test)]
mod tests;
mod tool;
mod write;

use super::AgentApi;
use crate::hub::ProtocolName as _;
use crate::hub::conversation::RequestCodec;

/// The name of the protocol.
const FORMAT: &str = AgentApi::NAME;

/// The requests of the Agent API.
pub(crate) static REQUESTS: RequestCodec = RequestCodec {
    requirements: |_| &requirements::REQUIREMENTS,
    read: read::read,
    append: read::append,
    continues: |_| false,
    messages: "input",
    write: write::write,
};

/// The opaque member of a part that has the members of its message.
const MESSAGE: &str = "message";

/// The opaque member of a call, result, question or answer that has further members of its data.
const DATA: &str = "data";
