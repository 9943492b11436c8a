//! Events as they stand on the wire: borrowed, open, and read leniently.
//!
//! ```
//! use agentwire::anthropic::events::Event;
//!
//! let event = Event::decode(r#"{"type":"content_block_stop","index":2}"#, 128)?;
//! assert_eq!(event, Event::ContentBlockStop { index: Some(2) });
//! # Ok::<(), agentwire::DecodeError>(())
//! ```

use crate::core::declare::lazy_objects;
use crate::core::events;

events! {
    /// One event of a stream.
    Event by "type";

    /// The start of the message. (C10.)
    MessageStart = "message_start" {
        /// The message, without content.
        message: Object of MessageHead,
    }
    /// The start of a block.
    ContentBlockStart = "content_block_start" {
        /// The block's index.
        index: Number,
        /// The block, without the parts that its deltas have.
        content_block: Object of BlockStart,
    }
    /// A delta of a block.
    ContentBlockDelta = "content_block_delta" {
        /// The block's index.
        index: Number,
        /// The delta.
        delta: Object of BlockDelta,
    }
    /// The end of a block.
    ContentBlockStop = "content_block_stop" {
        /// The block's index.
        index: Number,
    }
    /// The stop reason, and the token usage so far. (C14.)
    MessageDelta = "message_delta" {
        /// The properties that have changed.
        delta: Object of MessageChange,
        /// The token usage so far.
        usage: Json,
    }
    /// The end of the message.
    MessageStop = "message_stop" {}
    /// A sign that the connection is alive.
    Ping = "ping" {}
    /// An error, which ends the stream. (C13.)
    Error = "error" {
        /// The error: `type` and `message`.
        error: Json,
    }
}

lazy_objects! {
    /// A message at its start.
    MessageHead as "AnthropicMessageStart" {
        /// The message's id.
        id: Nullable<Id>,
        /// The role: `assistant`.
        role: Nullable<Text>,
        /// The model.
        model: Nullable<Text>,
        /// The token usage so far.
        usage: Json,
    }
    /// A block at its start. Its other properties depend on its type.
    BlockStart as "AnthropicBlockStart" {
        /// The type: `text`, `thinking`, `redacted_thinking`, `tool_use`, `server_tool_use`, …
        r#type as "type": Nullable<Text>,
    }
    /// A delta of a block. Its other properties depend on its type.
    BlockDelta as "AnthropicBlockDelta" {
        /// The type: `text_delta`, `input_json_delta`, `thinking_delta`, `signature_delta`,
        /// `citations_delta` or `compaction_delta`.
        r#type as "type": Nullable<Text>,
        /// The next piece of a text.
        text: Nullable<Text>,
        /// The next piece of the input of a tool: JSON text.
        partial_json: Nullable<Text>,
        /// The next piece of the thinking.
        thinking: Nullable<Text>,
        /// The signature of the thinking.
        signature: Nullable<Text>,
        /// A new citation of a text.
        citation: Json,
    }
    /// The properties of a message that are known at its end.
    MessageChange as "AnthropicMessageChange" {
        /// Why the model stopped.
        stop_reason: Nullable<Text>,
        /// The text at which it stopped.
        stop_sequence: Nullable<Text>,
    }
}
