//! Events as they stand on the wire: borrowed, open, read leniently and written strictly. (M2.)
//!
//! ```
//! use agentwire::agentscope::events::Event;
//!
//! let event = Event::decode(r#"{"type":"TEXT_BLOCK_DELTA","reply_id":"r","block_id":"b","delta":"你"}"#, 128)?;
//! assert_eq!(event.name(), Some("TEXT_BLOCK_DELTA"));
//! assert!(matches!(event, Event::TextBlockDelta { ref delta, .. } if delta == "你"));
//! # Ok::<(), agentwire::DecodeError>(())
//! ```

use crate::core::declare::events::events_with;

events_with! {
    {
        /// One event of a stream.
        ///
        /// Texts are characters: half of a surrogate pair that a server cut in two became U+FFFD
        /// here. A
        /// [`Reader`](crate::Reader) joins the halves.
        Event by "type";
    }
    all {
        /// The id of the event. The library creates one where it is absent.
        id: Nullable<Id>,
        /// The time of the event, in ISO 8601.
        created_at: Nullable<Id>,
        /// Further data: an object.
        metadata: Nullable<Json>,
    }
    most {
        /// The id of the reply that the event belongs to.
        reply_id: Id,
    }

    /// The start of a reply, or its continuation after a confirmation or an execution. (M3, M8.)
    ReplyStart = "REPLY_START" most {
        /// The id of the session.
        session_id: Id,
        /// The name of the agent.
        name: Text,
        /// The role of the agent. Absent means `assistant`.
        role: Nullable<Text>,
    }
    /// The end of a reply. (M4.)
    ReplyEnd = "REPLY_END" most {
        /// The id of the session.
        session_id: Id,
        /// Why the reply ended: `completed`, `interrupted`, `exceed_max_iters`, `error`. Absent
        /// means `completed`.
        finished_reason: Nullable<Text>,
        /// The error of a reply that failed: an object with `type` and `message`.
        error: Nullable<Json>,
    }
    /// The start of a call of the model.
    ModelCallStart = "MODEL_CALL_START" most {
        /// The name of the model.
        model_name: Text,
    }
    /// The end of a call of the model. (M9.)
    ModelCallEnd = "MODEL_CALL_END" most {
        /// The number of input tokens.
        input_tokens: Integer,
        /// The number of output tokens.
        output_tokens: Integer,
        /// The number of input tokens that were read from a cache. Absent means 0.
        cache_input_tokens: Nullable<Integer>,
        /// The number of input tokens that were written to a cache. Absent means 0.
        cache_creation_input_tokens: Nullable<Integer>,
        /// `completed` or `interrupted`. Absent means `completed`.
        finished_reason: Nullable<Text>,
    }
    /// The start of a text.
    TextBlockStart = "TEXT_BLOCK_START" most {
        /// The id of the block.
        block_id: Id,
    }
    /// A text delta.
    TextBlockDelta = "TEXT_BLOCK_DELTA" most {
        /// The id of the block.
        block_id: Id,
        /// The delta.
        delta: Text,
    }
    /// The end of a text.
    TextBlockEnd = "TEXT_BLOCK_END" most {
        /// The id of the block.
        block_id: Id,
        /// The final text, if it is not the deltas. (M5.)
        text: Nullable<Text>,
    }
    /// The start of media.
    DataBlockStart = "DATA_BLOCK_START" most {
        /// The id of the block.
        block_id: Id,
        /// The media type.
        media_type: Text,
        /// The name, such as that of a file.
        name: Nullable<Text>,
    }
    /// The next piece of media, or their URL. (M6.)
    DataBlockDelta = "DATA_BLOCK_DELTA" most {
        /// The id of the block.
        block_id: Id,
        /// The media type.
        media_type: Text,
        /// A piece, which is base64 by itself.
        data: Nullable<Text>,
        /// The URL.
        url: Nullable<Text>,
    }
    /// The end of media.
    DataBlockEnd = "DATA_BLOCK_END" most {
        /// The id of the block.
        block_id: Id,
    }
    /// The start of reasoning.
    ThinkingBlockStart = "THINKING_BLOCK_START" most {
        /// The id of the block.
        block_id: Id,
    }
    /// A delta of reasoning.
    ThinkingBlockDelta = "THINKING_BLOCK_DELTA" most {
        /// The id of the block.
        block_id: Id,
        /// The delta.
        delta: Text,
    }
    /// The end of reasoning.
    ThinkingBlockEnd = "THINKING_BLOCK_END" most {
        /// The id of the block.
        block_id: Id,
    }
    /// A text for the model that joined the reply: of the runtime, of another agent, of a background tool.
    HintBlock = "HINT_BLOCK" most {
        /// The id of the block.
        block_id: Id,
        /// The sender.
        source: Nullable<Text>,
        /// A text, or a list of text and data blocks.
        hint: Json,
    }
    /// The start of a tool call.
    ToolCallStart = "TOOL_CALL_START" most {
        /// The id of the call.
        tool_call_id: Id,
        /// The name of the tool.
        tool_call_name: Text,
    }
    /// A delta of a call's input, which is JSON text.
    ToolCallDelta = "TOOL_CALL_DELTA" most {
        /// The id of the call.
        tool_call_id: Id,
        /// The delta.
        delta: Text,
    }
    /// The end of a call's input.
    ToolCallEnd = "TOOL_CALL_END" most {
        /// The id of the call.
        tool_call_id: Id,
    }
    /// The start of a result.
    ToolResultStart = "TOOL_RESULT_START" most {
        /// The id of the call.
        tool_call_id: Id,
        /// The name of the tool.
        tool_call_name: Text,
    }
    /// A text delta of a result.
    ToolResultTextDelta = "TOOL_RESULT_TEXT_DELTA" most {
        /// The id of the call.
        tool_call_id: Id,
        /// The delta.
        delta: Text,
    }
    /// A piece of media in a result, or their URL. (M6.)
    ToolResultDataDelta = "TOOL_RESULT_DATA_DELTA" most {
        /// The id of the call.
        tool_call_id: Id,
        /// The id of the block in the result. Pieces with the same id are one block.
        block_id: Nullable<Id>,
        /// The media type.
        media_type: Text,
        /// A piece, which is base64 by itself.
        data: Nullable<Text>,
        /// The URL.
        url: Nullable<Text>,
    }
    /// The end of a result. (M7.)
    ToolResultEnd = "TOOL_RESULT_END" most {
        /// The id of the call.
        tool_call_id: Id,
        /// How the tool ended: `success`, `error`, `interrupted`, `denied`.
        state: Text,
    }
    /// The agent has exceeded its iterations. Deprecated: the end of the reply states it.
    ExceedMaxIters = "EXCEED_MAX_ITERS" most {
        /// The name of the agent.
        name: Text,
    }
    /// Calls wait for the user's confirmation. (M8.)
    RequireUserConfirm = "REQUIRE_USER_CONFIRM" most {
        /// A list of tool call blocks.
        tool_calls: Json,
    }
    /// Calls wait for the client to execute them. (M8.)
    RequireExternalExecution = "REQUIRE_EXTERNAL_EXECUTION" most {
        /// A list of tool call blocks.
        tool_calls: Json,
    }
    /// The answers of the user to questions, which a client sends and the stream repeats.
    UserConfirmResult = "USER_CONFIRM_RESULT" most {
        /// A list of objects with `confirmed`, `tool_call` and `rules`.
        confirm_results: Json,
    }
    /// The user interrupts a reply that waits.
    UserInterrupt = "USER_INTERRUPT" most {}
    /// The results of executions, which a client sends and the stream repeats.
    ExternalExecutionResult = "EXTERNAL_EXECUTION_RESULT" most {
        /// A list of tool result blocks.
        execution_results: Json,
    }
    /// An event of the service or of the application.
    Custom = "CUSTOM" {
        /// The name.
        name: Text,
        /// An object. Absent means an empty one.
        value: Nullable<Json>,
    }
}
