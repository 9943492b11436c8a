//! Requests: what a client sends to `send-message`, read leniently and written strictly. (A.3, K14,
//! K15.)
//!
//! [`SendMessageInput::parse`] accepts both spellings of members (`toolCallId`, `tool_call_id`), null for optional
//! members, texts as strings or as parts, and any JSON as tool parameters and resume payloads.
//! [`InvalidRequest::detail`](crate::request::InvalidRequest::detail) is the error in the form of the official server.
//! [`SendMessageInput::to_json`] writes the documented form only.
//!
//! A conversation continues with **new** messages; the server keeps the others.
//! [`SendMessageInput::tool_answers`] and
//! [`SendMessageInput::resuming`] create the request after a turn with open calls or interrupts.
//!
//! ```
//! use agentwire::ag_kit::request::{InputMessage, SendMessageInput};
//!
//! let input = SendMessageInput::parse(
//!     r#"{"conversation_id":"c","messages":[{"role":"tool","tool_call_id":"a","content":"ok"}],"tools":null}"#,
//! )?;
//! assert_eq!(input.messages, [InputMessage::Tool { tool_call_id: "a".into(), content: "ok".into() }]);
//!
//! let refused = SendMessageInput::parse(r#"{"messages":[]}"#).unwrap_err();
//! assert_eq!(
//!     refused.detail(),
//!     r#"{"detail":[{"type":"missing","loc":["body","conversationId"],"msg":"Field required","input":{"messages":[]}}]}"#,
//! );
//! # Ok::<(), agentwire::request::InvalidRequest>(())
//! ```

mod input;

pub use input::{AssistantToolCall, InputMessage, Resume, SendMessageInput, Tool};

use crate::core::requests;

requests! {
    types { SendMessageInput InputMessage AssistantToolCall Tool Resume }
}
