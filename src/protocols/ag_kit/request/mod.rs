//! Requests: what a client sends to `send-message`, read leniently and written strictly. (A.3, K14, K15.)
//!
//! [`SendMessageInput::parse`] takes both spellings of members (`toolCallId`, `tool_call_id`), null for what may be left
//! out, texts as strings or as parts, tool parameters and resume payloads as any JSON; what is refused is said as the
//! server says it ([`RequestError::detail`](crate::request::RequestError::detail)). [`SendMessageInput::to_json`] writes the documented form only.
//!
//! A conversation goes on with **new** messages; the server keeps the others. What a turn leaves to do becomes the next
//! request by [`SendMessageInput::tool_answers`] and [`SendMessageInput::resuming`].
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
//! # Ok::<(), agentwire::request::RequestError>(())
//! ```

mod input;

pub use input::{AssistantToolCall, InputMessage, Resume, SendMessageInput, Tool};

use crate::core::requests;

requests! {
    types { SendMessageInput InputMessage AssistantToolCall Tool Resume }
}
