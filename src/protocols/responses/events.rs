//! Events in wire format: borrowed, open, read leniently and written strictly. (O3.)
//!
//! ```
//! use agentwire::responses::events::Event;
//!
//! let event = Event::decode(r#"{"type":"response.refusal.delta","sequence_number":4,"item_id":"m","output_index":0,"content_index":0,"delta":"No"}"#, 128)?;
//! assert_eq!(event.name(), Some("response.refusal.delta"));
//! assert!(matches!(event, Event::RefusalDelta { output_index: Some(0), ref delta, .. } if delta == "No"));
//! # Ok::<(), agentwire::DecodeError>(())
//! ```

groups! {
    /// One event of a stream.
    ///
    /// Texts are characters: half of a surrogate pair that a server cut in two became U+FFFD here.
    /// A
    /// [`Reader`](crate::Reader) joins the halves.
    Event by "type", end "[DONE]";

    /// The start of a response.
    Created = "response.created" in run;
    /// The response is queued.
    Queued = "response.queued" in run;
    /// The response is in progress.
    InProgress = "response.in_progress" in run;
    /// The response is complete.
    Completed = "response.completed" in run;
    /// The response failed.
    Failed = "response.failed" in run;
    /// The response ended before it was complete.
    Incomplete = "response.incomplete" in run;
    /// The response was canceled. The event is not part of the protocol, but some servers send it.
    Cancelled = "response.cancelled" in run;
    /// An error that ends the stream. Some servers put all properties into `error`.
    Error = "error" {
        /// The error code.
        code: Nullable<Message>,
        /// The error message.
        message: Nullable<Message>,
        /// The parameter of the request that caused the error.
        param: Nullable<Message>,
        /// The error as an object.
        error: Json,
    }
    /// The start of an item.
    OutputItemAdded = "response.output_item.added" {
        /// The item's index in the output.
        output_index: Number,
        /// The item so far.
        item: Json,
    }
    /// The end of an item.
    OutputItemDone = "response.output_item.done" {
        /// The item's index in the output.
        output_index: Number,
        /// The item.
        item: Json,
    }
    /// The start of a part of a message or of reasoning.
    ContentPartAdded = "response.content_part.added" in part {
        /// The part so far.
        part: Json,
    }
    /// The end of a part.
    ContentPartDone = "response.content_part.done" in part {
        /// The part.
        part: Json,
    }
    /// A text delta.
    OutputTextDelta = "response.output_text.delta" in part {
        /// The delta.
        delta: Text,
        /// The log probabilities of the tokens.
        logprobs: Json,
        /// Random padding that hides the length of the delta.
        obfuscation: Unread,
    }
    /// The end of a text.
    OutputTextDone = "response.output_text.done" in part {
        /// The whole text.
        text: Text,
        /// The log probabilities of the tokens.
        logprobs: Json,
    }
    /// A new annotation of a text.
    OutputTextAnnotationAdded = "response.output_text.annotation.added" in part {
        /// The annotation's index in the part.
        annotation_index: Number,
        /// The annotation.
        annotation: Json,
    }
    /// A delta of a refusal.
    RefusalDelta = "response.refusal.delta" in part {
        /// The delta.
        delta: Text,
        /// Random padding that hides the length of the delta.
        obfuscation: Unread,
    }
    /// The end of a refusal.
    RefusalDone = "response.refusal.done" in part {
        /// The whole refusal.
        refusal: Text,
    }
    /// A delta of a function call's arguments.
    FunctionCallArgumentsDelta = "response.function_call_arguments.delta" in item {
        /// The delta.
        delta: Text,
        /// Random padding that hides the length of the delta.
        obfuscation: Unread,
    }
    /// The end of a function call's arguments.
    FunctionCallArgumentsDone = "response.function_call_arguments.done" in item {
        /// The complete arguments.
        arguments: Text,
    }
    /// A delta of a custom tool's input.
    CustomToolCallInputDelta = "response.custom_tool_call_input.delta" in item {
        /// The delta.
        delta: Text,
        /// Random padding that hides the length of the delta.
        obfuscation: Unread,
    }
    /// The end of a custom tool's input.
    CustomToolCallInputDone = "response.custom_tool_call_input.done" in item {
        /// The whole input.
        input: Text,
    }
    /// A delta of an MCP call's arguments.
    McpCallArgumentsDelta = "response.mcp_call_arguments.delta" in item {
        /// The delta.
        delta: Text,
        /// Random padding that hides the length of the delta.
        obfuscation: Unread,
    }
    /// The end of an MCP call's arguments.
    McpCallArgumentsDone = "response.mcp_call_arguments.done" in item {
        /// The complete arguments.
        arguments: Text,
    }
    /// A delta of the code to run.
    CodeInterpreterCallCodeDelta = "response.code_interpreter_call_code.delta" in item {
        /// The delta.
        delta: Text,
        /// Random padding that hides the length of the delta.
        obfuscation: Unread,
    }
    /// The end of the code to run.
    CodeInterpreterCallCodeDone = "response.code_interpreter_call_code.done" in item {
        /// The whole code.
        code: Text,
    }
    /// A delta of a reasoning text.
    ReasoningTextDelta = "response.reasoning_text.delta" in part {
        /// The delta.
        delta: Text,
        /// Random padding that hides the length of the delta.
        obfuscation: Unread,
    }
    /// The end of a reasoning text.
    ReasoningTextDone = "response.reasoning_text.done" in part {
        /// The whole text.
        text: Text,
    }
    /// A delta of a reasoning summary.
    ReasoningSummaryTextDelta = "response.reasoning_summary_text.delta" in summary {
        /// The delta.
        delta: Text,
        /// Random padding that hides the length of the delta.
        obfuscation: Unread,
    }
    /// The end of the text of a reasoning summary.
    ReasoningSummaryTextDone = "response.reasoning_summary_text.done" in summary {
        /// The whole text.
        text: Text,
    }
    /// The start of a part of a reasoning summary.
    ReasoningSummaryPartAdded = "response.reasoning_summary_part.added" in summary {
        /// The part.
        part: Json,
    }
    /// The end of a part of a reasoning summary.
    ReasoningSummaryPartDone = "response.reasoning_summary_part.done" in summary {
        /// The part.
        part: Json,
    }
    /// The start of an MCP call.
    McpCallInProgress = "response.mcp_call.in_progress" in item {}
    /// The end of an MCP call.
    McpCallCompleted = "response.mcp_call.completed" in item {}
    /// The failure of an MCP call.
    McpCallFailed = "response.mcp_call.failed" in item {}
    /// The start of listing an MCP server's tools.
    McpListToolsInProgress = "response.mcp_list_tools.in_progress" in item {}
    /// The end of listing an MCP server's tools.
    McpListToolsCompleted = "response.mcp_list_tools.completed" in item {}
    /// The failure of listing an MCP server's tools.
    McpListToolsFailed = "response.mcp_list_tools.failed" in item {}
    /// The start of a code interpreter call.
    CodeInterpreterCallInProgress = "response.code_interpreter_call.in_progress" in item {}
    /// The code interpreter is running.
    CodeInterpreterCallInterpreting = "response.code_interpreter_call.interpreting" in item {}
    /// The end of a code interpreter call.
    CodeInterpreterCallCompleted = "response.code_interpreter_call.completed" in item {}
    /// The start of a web search.
    WebSearchCallInProgress = "response.web_search_call.in_progress" in item {}
    /// The web search is running.
    WebSearchCallSearching = "response.web_search_call.searching" in item {}
    /// The end of a web search.
    WebSearchCallCompleted = "response.web_search_call.completed" in item {}
    /// The start of a file search.
    FileSearchCallInProgress = "response.file_search_call.in_progress" in item {}
    /// The file search is running.
    FileSearchCallSearching = "response.file_search_call.searching" in item {}
    /// The end of a file search.
    FileSearchCallCompleted = "response.file_search_call.completed" in item {}
    /// The start of an image generation.
    ImageGenerationCallInProgress = "response.image_generation_call.in_progress" in item {}
    /// The image generation is running.
    ImageGenerationCallGenerating = "response.image_generation_call.generating" in item {}
    /// The end of an image generation.
    ImageGenerationCallCompleted = "response.image_generation_call.completed" in item {}
    /// An intermediate version of an image.
    ImageGenerationCallPartialImage = "response.image_generation_call.partial_image" in item {
        /// The index of the intermediate version.
        partial_image_index: Number,
        /// The image in base64.
        partial_image_b64: Text,
    }
    /// The server is compacting the conversation.
    CompactionCompacting = "response.compaction.compacting" in item {}
    /// The start of a command of a shell call.
    ShellCallCommandAdded = "response.shell_call_command.added" in item {
        /// The command's index in the call.
        command_index: Number,
        /// The command so far.
        command: Text,
    }
    /// A delta of a command.
    ShellCallCommandDelta = "response.shell_call_command.delta" in item {
        /// The command's index in the call.
        command_index: Number,
        /// The delta.
        delta: Text,
        /// Random padding that hides the length of the delta.
        obfuscation: Unread,
    }
    /// The end of a command.
    ShellCallCommandDone = "response.shell_call_command.done" in item {
        /// The command's index in the call.
        command_index: Number,
        /// The whole command.
        command: Text,
    }
    /// A delta of a command's output.
    ShellCallOutputContentDelta = "response.shell_call_output_content.delta" in item {
        /// The command's index in the call.
        command_index: Number,
        /// The deltas of `stdout` and `stderr`.
        delta: Json,
    }
    /// The end of a command's output.
    ShellCallOutputContentDone = "response.shell_call_output_content.done" in item {
        /// The command's index in the call.
        command_index: Number,
        /// The output: a list with one element.
        output: Json,
    }
    /// A delta of the audio.
    AudioDelta = "response.audio.delta" {
        /// The delta in base64.
        delta: Text,
    }
    /// The end of the audio.
    AudioDone = "response.audio.done" {}
    /// A delta of the audio transcript.
    AudioTranscriptDelta = "response.audio.transcript.delta" {
        /// The delta.
        delta: Text,
    }
    /// The end of the audio transcript.
    AudioTranscriptDone = "response.audio.transcript.done" {}
    /// The server has queued input that steers a response. Sent over WebSocket only.
    SteerAccepted = "response.steer.accepted" {
        /// The input: its `id`, and the `previous_response_id` that it steers.
        steer: Json,
    }
    /// Queued input waits for results of the client's tools, or for approvals.
    SteerPending = "response.steer.pending" {
        /// The input: its `id`, and the `previous_response_id` that it steers.
        steer: Json,
        /// Why it waits.
        reason: Nullable<Text>,
        /// The results that it waits for, without their contents.
        required_input: Json,
    }
    /// Input that steers a response was refused. The response continues.
    SteerFailed = "response.steer.failed" {
        /// The input, as it was sent.
        steer: Json,
        /// The error: `code` and `message`.
        error: Json,
    }
    /// A sign that the connection is alive.
    Keepalive = "keepalive" {}
}

/// Declares the events, each in its group. All events have a number. Events of `run` contain the
/// whole response, those of `item` refer to an item of its output, and those of `part` or `summary`
/// refer to a part of such an item.
macro_rules! groups {
    (@next [$($head:tt)*] [$($done:tt)*]) => {
        $crate::core::declare::events! { $($head)* $($done)* }
    };
    (@next $head:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal in run; $($rest:tt)*
    ) => {
        groups! { @next $head [$($done)* $(#[doc = $doc])* $Row = $name {
            /// The event's number in the stream. It grows by one with each event.
            sequence_number: Number,
            /// The whole response.
            response: Json,
        }] $($rest)* }
    };
    (@next $head:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal in item { $($own:tt)* } $($rest:tt)*
    ) => {
        groups! { @next $head [$($done)* $(#[doc = $doc])* $Row = $name {
            /// The event's number in the stream. It grows by one with each event.
            sequence_number: Number,
            /// The item's id.
            item_id: Nullable<Id>,
            /// The item's index in the output.
            output_index: Number,
            $($own)*
        }] $($rest)* }
    };
    (@next $head:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal in part { $($own:tt)* } $($rest:tt)*
    ) => {
        groups! { @next $head [$($done)*] $(#[doc = $doc])* $Row = $name in item {
            /// The part's index in the item.
            content_index: Number,
            $($own)*
        } $($rest)* }
    };
    (@next $head:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal in summary { $($own:tt)* } $($rest:tt)*
    ) => {
        groups! { @next $head [$($done)*] $(#[doc = $doc])* $Row = $name in item {
            /// The part's index in the summary.
            summary_index: Number,
            $($own)*
        } $($rest)* }
    };
    (@next $head:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident $(= $name:literal)? { $($own:tt)* } $($rest:tt)*
    ) => {
        groups! { @next $head [$($done)* $(#[doc = $doc])* $Row $(= $name)? {
            /// The event's number in the stream. It grows by one with each event.
            sequence_number: Number,
            $($own)*
        }] $($rest)* }
    };
    ($(#[$meta:meta])* $Event:ident by $tag:literal, end $end:literal; $($rows:tt)*) => {
        groups! { @next [$(#[$meta])* $Event by $tag, end $end;] [] $($rows)* }
    };
}
pub(super) use groups;
