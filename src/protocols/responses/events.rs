//! Events as they stand on the wire: borrowed, open, read leniently and written strictly. (O3.)
//!
//! ```
//! use agentwire::responses::events::Event;
//!
//! let event = Event::decode(r#"{"type":"response.refusal.delta","sequence_number":4,"item_id":"m","output_index":0,"content_index":0,"delta":"No"}"#, 128)?;
//! assert_eq!(event.name(), Some("response.refusal.delta"));
//! assert!(matches!(event, Event::RefusalDelta { output_index: Some(0), ref delta, .. } if delta == "No"));
//! # Ok::<(), agentwire::DecodeError>(())
//! ```

use super::groups::groups;

groups! {
    /// One event of a stream.
    ///
    /// Texts are characters: half of a surrogate pair that a server cut in two became U+FFFD here. A
    /// [`Reader`](crate::Reader) joins the halves.
    Event by "type", end "[DONE]";

    /// The response begins.
    Created = "response.created" in run;
    /// The response waits for its turn.
    Queued = "response.queued" in run;
    /// The response is being made.
    InProgress = "response.in_progress" in run;
    /// The response is complete.
    Completed = "response.completed" in run;
    /// The response has failed.
    Failed = "response.failed" in run;
    /// The response ends before it is complete.
    Incomplete = "response.incomplete" in run;
    /// The response was cancelled. The protocol has no such event; servers that send it mean it.
    Cancelled = "response.cancelled" in run;
    /// Something went wrong; nothing more comes. Some servers have all of it inside of `error`.
    Error = "error" {
        /// A code for programs.
        code: Nullable<Message>,
        /// What went wrong.
        message: Nullable<Message>,
        /// What of the request it is about.
        param: Nullable<Message>,
        /// The same as an object.
        error: Json,
    }
    /// An item begins.
    OutputItemAdded = "response.output_item.added" {
        /// The item's number.
        output_index: Number,
        /// The item so far.
        item: Json,
    }
    /// An item is whole.
    OutputItemDone = "response.output_item.done" {
        /// The item's number.
        output_index: Number,
        /// The item.
        item: Json,
    }
    /// A part of a message or of reasoning begins.
    ContentPartAdded = "response.content_part.added" in part {
        /// The part so far.
        part: Json,
    }
    /// A part is whole.
    ContentPartDone = "response.content_part.done" in part {
        /// The part.
        part: Json,
    }
    /// The next piece of a text.
    OutputTextDelta = "response.output_text.delta" in part {
        /// The piece.
        delta: Text,
        /// How probable its tokens were.
        logprobs: Json,
        /// A nonce.
        obfuscation: Unread,
    }
    /// A text is whole.
    OutputTextDone = "response.output_text.done" in part {
        /// The text.
        text: Text,
        /// How probable its tokens were.
        logprobs: Json,
    }
    /// A text has one source more.
    OutputTextAnnotationAdded = "response.output_text.annotation.added" in part {
        /// The annotation's place.
        annotation_index: Number,
        /// The annotation.
        annotation: Json,
    }
    /// The next piece of a refusal.
    RefusalDelta = "response.refusal.delta" in part {
        /// The piece.
        delta: Text,
        /// A nonce.
        obfuscation: Unread,
    }
    /// A refusal is whole.
    RefusalDone = "response.refusal.done" in part {
        /// All of it.
        refusal: Text,
    }
    /// The next piece of a function call's arguments.
    FunctionCallArgumentsDelta = "response.function_call_arguments.delta" in item {
        /// The piece.
        delta: Text,
        /// A nonce.
        obfuscation: Unread,
    }
    /// A function call's arguments are whole.
    FunctionCallArgumentsDone = "response.function_call_arguments.done" in item {
        /// All of it.
        arguments: Text,
    }
    /// The next piece of a custom tool's input.
    CustomToolCallInputDelta = "response.custom_tool_call_input.delta" in item {
        /// The piece.
        delta: Text,
        /// A nonce.
        obfuscation: Unread,
    }
    /// A custom tool's input is whole.
    CustomToolCallInputDone = "response.custom_tool_call_input.done" in item {
        /// All of it.
        input: Text,
    }
    /// The next piece of an MCP call's arguments.
    McpCallArgumentsDelta = "response.mcp_call_arguments.delta" in item {
        /// The piece.
        delta: Text,
        /// A nonce.
        obfuscation: Unread,
    }
    /// An MCP call's arguments are whole.
    McpCallArgumentsDone = "response.mcp_call_arguments.done" in item {
        /// All of it.
        arguments: Text,
    }
    /// The next piece of the code to run.
    CodeInterpreterCallCodeDelta = "response.code_interpreter_call_code.delta" in item {
        /// The piece.
        delta: Text,
        /// A nonce.
        obfuscation: Unread,
    }
    /// The code to run is whole.
    CodeInterpreterCallCodeDone = "response.code_interpreter_call_code.done" in item {
        /// All of it.
        code: Text,
    }
    /// The next piece of reasoning.
    ReasoningTextDelta = "response.reasoning_text.delta" in part {
        /// The piece.
        delta: Text,
        /// A nonce.
        obfuscation: Unread,
    }
    /// Reasoning is whole.
    ReasoningTextDone = "response.reasoning_text.done" in part {
        /// All of it.
        text: Text,
    }
    /// The next piece of a summary of reasoning.
    ReasoningSummaryTextDelta = "response.reasoning_summary_text.delta" in summary {
        /// The piece.
        delta: Text,
        /// A nonce.
        obfuscation: Unread,
    }
    /// A summary of reasoning is whole.
    ReasoningSummaryTextDone = "response.reasoning_summary_text.done" in summary {
        /// All of it.
        text: Text,
    }
    /// A part of a summary begins.
    ReasoningSummaryPartAdded = "response.reasoning_summary_part.added" in summary {
        /// The part.
        part: Json,
    }
    /// A part of a summary is whole.
    ReasoningSummaryPartDone = "response.reasoning_summary_part.done" in summary {
        /// The part.
        part: Json,
    }
    /// An MCP call has begun.
    McpCallInProgress = "response.mcp_call.in_progress" in item {}
    /// An MCP call is done.
    McpCallCompleted = "response.mcp_call.completed" in item {}
    /// An MCP call has failed.
    McpCallFailed = "response.mcp_call.failed" in item {}
    /// Listing a server's tools has begun.
    McpListToolsInProgress = "response.mcp_list_tools.in_progress" in item {}
    /// Listing a server's tools is done.
    McpListToolsCompleted = "response.mcp_list_tools.completed" in item {}
    /// Listing a server's tools has failed.
    McpListToolsFailed = "response.mcp_list_tools.failed" in item {}
    /// A run of the code interpreter has begun.
    CodeInterpreterCallInProgress = "response.code_interpreter_call.in_progress" in item {}
    /// A run of the code interpreter is at work.
    CodeInterpreterCallInterpreting = "response.code_interpreter_call.interpreting" in item {}
    /// A run of the code interpreter is done.
    CodeInterpreterCallCompleted = "response.code_interpreter_call.completed" in item {}
    /// A web search has begun.
    WebSearchCallInProgress = "response.web_search_call.in_progress" in item {}
    /// A web search is at work.
    WebSearchCallSearching = "response.web_search_call.searching" in item {}
    /// A web search is done.
    WebSearchCallCompleted = "response.web_search_call.completed" in item {}
    /// A file search has begun.
    FileSearchCallInProgress = "response.file_search_call.in_progress" in item {}
    /// A file search is at work.
    FileSearchCallSearching = "response.file_search_call.searching" in item {}
    /// A file search is done.
    FileSearchCallCompleted = "response.file_search_call.completed" in item {}
    /// Making an image has begun.
    ImageGenerationCallInProgress = "response.image_generation_call.in_progress" in item {}
    /// Making an image is at work.
    ImageGenerationCallGenerating = "response.image_generation_call.generating" in item {}
    /// Making an image is done.
    ImageGenerationCallCompleted = "response.image_generation_call.completed" in item {}
    /// An image so far.
    ImageGenerationCallPartialImage = "response.image_generation_call.partial_image" in item {
        /// Which of the images on the way it is.
        partial_image_index: Number,
        /// The image, base64.
        partial_image_b64: Text,
    }
    /// A conversation is being made shorter.
    CompactionCompacting = "response.compaction.compacting" in item {}
    /// A command of a shell call begins.
    ShellCallCommandAdded = "response.shell_call_command.added" in item {
        /// The command's place.
        command_index: Number,
        /// The command so far.
        command: Text,
    }
    /// The next piece of a command.
    ShellCallCommandDelta = "response.shell_call_command.delta" in item {
        /// The command's place.
        command_index: Number,
        /// The piece.
        delta: Text,
        /// A nonce.
        obfuscation: Unread,
    }
    /// A command is whole.
    ShellCallCommandDone = "response.shell_call_command.done" in item {
        /// The command's place.
        command_index: Number,
        /// The command.
        command: Text,
    }
    /// A command has said more.
    ShellCallOutputContentDelta = "response.shell_call_output_content.delta" in item {
        /// The command's place.
        command_index: Number,
        /// `stdout` and `stderr`.
        delta: Json,
    }
    /// What a command has said is whole.
    ShellCallOutputContentDone = "response.shell_call_output_content.done" in item {
        /// The command's place.
        command_index: Number,
        /// A list of one output.
        output: Json,
    }
    /// The next piece of the answer's sound.
    AudioDelta = "response.audio.delta" {
        /// Base64.
        delta: Text,
    }
    /// The sound is whole.
    AudioDone = "response.audio.done" {}
    /// The next piece of what the sound says.
    AudioTranscriptDelta = "response.audio.transcript.delta" {
        /// The piece.
        delta: Text,
    }
    /// What the sound says is whole.
    AudioTranscriptDone = "response.audio.transcript.done" {}
    /// The connection is alive.
    Keepalive = "keepalive" {}
}
