// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

import type { Json, OtherName } from "../agentwire.js";

/** What every event can have. */
export interface ResponsesEventMembers {
  /** The event's number, one more than that of the one before. */
  readonly sequence_number?: Json;
}

/** The response begins. */
export interface ResponsesResponseCreatedEvent extends ResponsesEventMembers {
  readonly type: "response.created";
  /** The whole response. */
  readonly response?: Json;
}

/** The response waits for its turn. */
export interface ResponsesResponseQueuedEvent extends ResponsesEventMembers {
  readonly type: "response.queued";
  /** The whole response. */
  readonly response?: Json;
}

/** The response is being made. */
export interface ResponsesResponseInProgressEvent extends ResponsesEventMembers {
  readonly type: "response.in_progress";
  /** The whole response. */
  readonly response?: Json;
}

/** The response is complete. */
export interface ResponsesResponseCompletedEvent extends ResponsesEventMembers {
  readonly type: "response.completed";
  /** The whole response. */
  readonly response?: Json;
}

/** The response has failed. */
export interface ResponsesResponseFailedEvent extends ResponsesEventMembers {
  readonly type: "response.failed";
  /** The whole response. */
  readonly response?: Json;
}

/** The response ends before it is complete. */
export interface ResponsesResponseIncompleteEvent extends ResponsesEventMembers {
  readonly type: "response.incomplete";
  /** The whole response. */
  readonly response?: Json;
}

/** The response was cancelled. The protocol has no such event; servers that send it mean it. */
export interface ResponsesResponseCancelledEvent extends ResponsesEventMembers {
  readonly type: "response.cancelled";
  /** The whole response. */
  readonly response?: Json;
}

/** Something went wrong; nothing more comes. Some servers have all of it inside of `error`. */
export interface ResponsesErrorEvent extends ResponsesEventMembers {
  readonly type: "error";
  /** A code for programs. */
  readonly code?: Json;
  /** What went wrong. */
  readonly message?: Json;
  /** What of the request it is about. */
  readonly param?: Json;
  /** The same as an object. */
  readonly error?: Json;
}

/** An item begins. */
export interface ResponsesResponseOutputItemAddedEvent extends ResponsesEventMembers {
  readonly type: "response.output_item.added";
  /** The item's number. */
  readonly output_index?: Json;
  /** The item so far. */
  readonly item?: Json;
}

/** An item is whole. */
export interface ResponsesResponseOutputItemDoneEvent extends ResponsesEventMembers {
  readonly type: "response.output_item.done";
  /** The item's number. */
  readonly output_index?: Json;
  /** The item. */
  readonly item?: Json;
}

/** A part of a message or of reasoning begins. */
export interface ResponsesResponseContentPartAddedEvent extends ResponsesEventMembers {
  readonly type: "response.content_part.added";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The part's place in the item. */
  readonly content_index?: Json;
  /** The part so far. */
  readonly part?: Json;
}

/** A part is whole. */
export interface ResponsesResponseContentPartDoneEvent extends ResponsesEventMembers {
  readonly type: "response.content_part.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The part's place in the item. */
  readonly content_index?: Json;
  /** The part. */
  readonly part?: Json;
}

/** The next piece of a text. */
export interface ResponsesResponseOutputTextDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.output_text.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The part's place in the item. */
  readonly content_index?: Json;
  /** The piece. */
  readonly delta: string;
  /** How probable its tokens were. */
  readonly logprobs?: Json;
  /** A nonce. */
  readonly obfuscation?: Json;
}

/** A text is whole. */
export interface ResponsesResponseOutputTextDoneEvent extends ResponsesEventMembers {
  readonly type: "response.output_text.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The part's place in the item. */
  readonly content_index?: Json;
  /** The text. */
  readonly text: string;
  /** How probable its tokens were. */
  readonly logprobs?: Json;
}

/** A text has one source more. */
export interface ResponsesResponseOutputTextAnnotationAddedEvent extends ResponsesEventMembers {
  readonly type: "response.output_text.annotation.added";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The part's place in the item. */
  readonly content_index?: Json;
  /** The annotation's place. */
  readonly annotation_index?: Json;
  /** The annotation. */
  readonly annotation?: Json;
}

/** The next piece of a refusal. */
export interface ResponsesResponseRefusalDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.refusal.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The part's place in the item. */
  readonly content_index?: Json;
  /** The piece. */
  readonly delta: string;
  /** A nonce. */
  readonly obfuscation?: Json;
}

/** A refusal is whole. */
export interface ResponsesResponseRefusalDoneEvent extends ResponsesEventMembers {
  readonly type: "response.refusal.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The part's place in the item. */
  readonly content_index?: Json;
  /** All of it. */
  readonly refusal: string;
}

/** The next piece of a function call's arguments. */
export interface ResponsesResponseFunctionCallArgumentsDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.function_call_arguments.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The piece. */
  readonly delta: string;
  /** A nonce. */
  readonly obfuscation?: Json;
}

/** A function call's arguments are whole. */
export interface ResponsesResponseFunctionCallArgumentsDoneEvent extends ResponsesEventMembers {
  readonly type: "response.function_call_arguments.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** All of it. */
  readonly arguments: string;
}

/** The next piece of a custom tool's input. */
export interface ResponsesResponseCustomToolCallInputDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.custom_tool_call_input.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The piece. */
  readonly delta: string;
  /** A nonce. */
  readonly obfuscation?: Json;
}

/** A custom tool's input is whole. */
export interface ResponsesResponseCustomToolCallInputDoneEvent extends ResponsesEventMembers {
  readonly type: "response.custom_tool_call_input.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** All of it. */
  readonly input: string;
}

/** The next piece of an MCP call's arguments. */
export interface ResponsesResponseMcpCallArgumentsDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_call_arguments.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The piece. */
  readonly delta: string;
  /** A nonce. */
  readonly obfuscation?: Json;
}

/** An MCP call's arguments are whole. */
export interface ResponsesResponseMcpCallArgumentsDoneEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_call_arguments.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** All of it. */
  readonly arguments: string;
}

/** The next piece of the code to run. */
export interface ResponsesResponseCodeInterpreterCallCodeDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.code_interpreter_call_code.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The piece. */
  readonly delta: string;
  /** A nonce. */
  readonly obfuscation?: Json;
}

/** The code to run is whole. */
export interface ResponsesResponseCodeInterpreterCallCodeDoneEvent extends ResponsesEventMembers {
  readonly type: "response.code_interpreter_call_code.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** All of it. */
  readonly code: string;
}

/** The next piece of reasoning. */
export interface ResponsesResponseReasoningTextDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.reasoning_text.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The part's place in the item. */
  readonly content_index?: Json;
  /** The piece. */
  readonly delta: string;
  /** A nonce. */
  readonly obfuscation?: Json;
}

/** Reasoning is whole. */
export interface ResponsesResponseReasoningTextDoneEvent extends ResponsesEventMembers {
  readonly type: "response.reasoning_text.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The part's place in the item. */
  readonly content_index?: Json;
  /** All of it. */
  readonly text: string;
}

/** The next piece of a summary of reasoning. */
export interface ResponsesResponseReasoningSummaryTextDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.reasoning_summary_text.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The part's place in the summary. */
  readonly summary_index?: Json;
  /** The piece. */
  readonly delta: string;
  /** A nonce. */
  readonly obfuscation?: Json;
}

/** A summary of reasoning is whole. */
export interface ResponsesResponseReasoningSummaryTextDoneEvent extends ResponsesEventMembers {
  readonly type: "response.reasoning_summary_text.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The part's place in the summary. */
  readonly summary_index?: Json;
  /** All of it. */
  readonly text: string;
}

/** A part of a summary begins. */
export interface ResponsesResponseReasoningSummaryPartAddedEvent extends ResponsesEventMembers {
  readonly type: "response.reasoning_summary_part.added";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The part's place in the summary. */
  readonly summary_index?: Json;
  /** The part. */
  readonly part?: Json;
}

/** A part of a summary is whole. */
export interface ResponsesResponseReasoningSummaryPartDoneEvent extends ResponsesEventMembers {
  readonly type: "response.reasoning_summary_part.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The part's place in the summary. */
  readonly summary_index?: Json;
  /** The part. */
  readonly part?: Json;
}

/** An MCP call has begun. */
export interface ResponsesResponseMcpCallInProgressEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_call.in_progress";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** An MCP call is done. */
export interface ResponsesResponseMcpCallCompletedEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_call.completed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** An MCP call has failed. */
export interface ResponsesResponseMcpCallFailedEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_call.failed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** Listing a server's tools has begun. */
export interface ResponsesResponseMcpListToolsInProgressEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_list_tools.in_progress";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** Listing a server's tools is done. */
export interface ResponsesResponseMcpListToolsCompletedEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_list_tools.completed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** Listing a server's tools has failed. */
export interface ResponsesResponseMcpListToolsFailedEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_list_tools.failed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** A run of the code interpreter has begun. */
export interface ResponsesResponseCodeInterpreterCallInProgressEvent extends ResponsesEventMembers {
  readonly type: "response.code_interpreter_call.in_progress";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** A run of the code interpreter is at work. */
export interface ResponsesResponseCodeInterpreterCallInterpretingEvent extends ResponsesEventMembers {
  readonly type: "response.code_interpreter_call.interpreting";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** A run of the code interpreter is done. */
export interface ResponsesResponseCodeInterpreterCallCompletedEvent extends ResponsesEventMembers {
  readonly type: "response.code_interpreter_call.completed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** A web search has begun. */
export interface ResponsesResponseWebSearchCallInProgressEvent extends ResponsesEventMembers {
  readonly type: "response.web_search_call.in_progress";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** A web search is at work. */
export interface ResponsesResponseWebSearchCallSearchingEvent extends ResponsesEventMembers {
  readonly type: "response.web_search_call.searching";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** A web search is done. */
export interface ResponsesResponseWebSearchCallCompletedEvent extends ResponsesEventMembers {
  readonly type: "response.web_search_call.completed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** A file search has begun. */
export interface ResponsesResponseFileSearchCallInProgressEvent extends ResponsesEventMembers {
  readonly type: "response.file_search_call.in_progress";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** A file search is at work. */
export interface ResponsesResponseFileSearchCallSearchingEvent extends ResponsesEventMembers {
  readonly type: "response.file_search_call.searching";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** A file search is done. */
export interface ResponsesResponseFileSearchCallCompletedEvent extends ResponsesEventMembers {
  readonly type: "response.file_search_call.completed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** Making an image has begun. */
export interface ResponsesResponseImageGenerationCallInProgressEvent extends ResponsesEventMembers {
  readonly type: "response.image_generation_call.in_progress";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** Making an image is at work. */
export interface ResponsesResponseImageGenerationCallGeneratingEvent extends ResponsesEventMembers {
  readonly type: "response.image_generation_call.generating";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** Making an image is done. */
export interface ResponsesResponseImageGenerationCallCompletedEvent extends ResponsesEventMembers {
  readonly type: "response.image_generation_call.completed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** An image so far. */
export interface ResponsesResponseImageGenerationCallPartialImageEvent extends ResponsesEventMembers {
  readonly type: "response.image_generation_call.partial_image";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** Which of the images on the way it is. */
  readonly partial_image_index?: Json;
  /** The image, base64. */
  readonly partial_image_b64: string;
}

/** A conversation is being made shorter. */
export interface ResponsesResponseCompactionCompactingEvent extends ResponsesEventMembers {
  readonly type: "response.compaction.compacting";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
}

/** A command of a shell call begins. */
export interface ResponsesResponseShellCallCommandAddedEvent extends ResponsesEventMembers {
  readonly type: "response.shell_call_command.added";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The command's place. */
  readonly command_index?: Json;
  /** The command so far. */
  readonly command: string;
}

/** The next piece of a command. */
export interface ResponsesResponseShellCallCommandDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.shell_call_command.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The command's place. */
  readonly command_index?: Json;
  /** The piece. */
  readonly delta: string;
  /** A nonce. */
  readonly obfuscation?: Json;
}

/** A command is whole. */
export interface ResponsesResponseShellCallCommandDoneEvent extends ResponsesEventMembers {
  readonly type: "response.shell_call_command.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The command's place. */
  readonly command_index?: Json;
  /** The command. */
  readonly command: string;
}

/** A command has said more. */
export interface ResponsesResponseShellCallOutputContentDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.shell_call_output_content.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The command's place. */
  readonly command_index?: Json;
  /** `stdout` and `stderr`. */
  readonly delta?: Json;
}

/** What a command has said is whole. */
export interface ResponsesResponseShellCallOutputContentDoneEvent extends ResponsesEventMembers {
  readonly type: "response.shell_call_output_content.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's number. */
  readonly output_index?: Json;
  /** The command's place. */
  readonly command_index?: Json;
  /** A list of one output. */
  readonly output?: Json;
}

/** The next piece of the answer's sound. */
export interface ResponsesResponseAudioDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.audio.delta";
  /** Base64. */
  readonly delta: string;
}

/** The sound is whole. */
export interface ResponsesResponseAudioDoneEvent extends ResponsesEventMembers {
  readonly type: "response.audio.done";
}

/** The next piece of what the sound says. */
export interface ResponsesResponseAudioTranscriptDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.audio.transcript.delta";
  /** The piece. */
  readonly delta: string;
}

/** What the sound says is whole. */
export interface ResponsesResponseAudioTranscriptDoneEvent extends ResponsesEventMembers {
  readonly type: "response.audio.transcript.done";
}

/** The connection is alive. */
export interface ResponsesKeepaliveEvent extends ResponsesEventMembers {
  readonly type: "keepalive";
}

/** `[DONE]`, an end marker. It stands on the wire as it is, without quotes and braces. */
export interface ResponsesDone {
  readonly type: "[DONE]";
}

/** An event that this version does not know. */
export interface ResponsesOtherEvent {
  readonly type: OtherName;
  readonly [member: string]: unknown;
}

/** An object that does not say which event it is. */
export interface ResponsesNamelessEvent {
  readonly type?: null;
  readonly [member: string]: unknown;
}

/** One event of a stream: `switch` on `type`. */
export type ResponsesEvent =
  | ResponsesResponseCreatedEvent
  | ResponsesResponseQueuedEvent
  | ResponsesResponseInProgressEvent
  | ResponsesResponseCompletedEvent
  | ResponsesResponseFailedEvent
  | ResponsesResponseIncompleteEvent
  | ResponsesResponseCancelledEvent
  | ResponsesErrorEvent
  | ResponsesResponseOutputItemAddedEvent
  | ResponsesResponseOutputItemDoneEvent
  | ResponsesResponseContentPartAddedEvent
  | ResponsesResponseContentPartDoneEvent
  | ResponsesResponseOutputTextDeltaEvent
  | ResponsesResponseOutputTextDoneEvent
  | ResponsesResponseOutputTextAnnotationAddedEvent
  | ResponsesResponseRefusalDeltaEvent
  | ResponsesResponseRefusalDoneEvent
  | ResponsesResponseFunctionCallArgumentsDeltaEvent
  | ResponsesResponseFunctionCallArgumentsDoneEvent
  | ResponsesResponseCustomToolCallInputDeltaEvent
  | ResponsesResponseCustomToolCallInputDoneEvent
  | ResponsesResponseMcpCallArgumentsDeltaEvent
  | ResponsesResponseMcpCallArgumentsDoneEvent
  | ResponsesResponseCodeInterpreterCallCodeDeltaEvent
  | ResponsesResponseCodeInterpreterCallCodeDoneEvent
  | ResponsesResponseReasoningTextDeltaEvent
  | ResponsesResponseReasoningTextDoneEvent
  | ResponsesResponseReasoningSummaryTextDeltaEvent
  | ResponsesResponseReasoningSummaryTextDoneEvent
  | ResponsesResponseReasoningSummaryPartAddedEvent
  | ResponsesResponseReasoningSummaryPartDoneEvent
  | ResponsesResponseMcpCallInProgressEvent
  | ResponsesResponseMcpCallCompletedEvent
  | ResponsesResponseMcpCallFailedEvent
  | ResponsesResponseMcpListToolsInProgressEvent
  | ResponsesResponseMcpListToolsCompletedEvent
  | ResponsesResponseMcpListToolsFailedEvent
  | ResponsesResponseCodeInterpreterCallInProgressEvent
  | ResponsesResponseCodeInterpreterCallInterpretingEvent
  | ResponsesResponseCodeInterpreterCallCompletedEvent
  | ResponsesResponseWebSearchCallInProgressEvent
  | ResponsesResponseWebSearchCallSearchingEvent
  | ResponsesResponseWebSearchCallCompletedEvent
  | ResponsesResponseFileSearchCallInProgressEvent
  | ResponsesResponseFileSearchCallSearchingEvent
  | ResponsesResponseFileSearchCallCompletedEvent
  | ResponsesResponseImageGenerationCallInProgressEvent
  | ResponsesResponseImageGenerationCallGeneratingEvent
  | ResponsesResponseImageGenerationCallCompletedEvent
  | ResponsesResponseImageGenerationCallPartialImageEvent
  | ResponsesResponseCompactionCompactingEvent
  | ResponsesResponseShellCallCommandAddedEvent
  | ResponsesResponseShellCallCommandDeltaEvent
  | ResponsesResponseShellCallCommandDoneEvent
  | ResponsesResponseShellCallOutputContentDeltaEvent
  | ResponsesResponseShellCallOutputContentDoneEvent
  | ResponsesResponseAudioDeltaEvent
  | ResponsesResponseAudioDoneEvent
  | ResponsesResponseAudioTranscriptDeltaEvent
  | ResponsesResponseAudioTranscriptDoneEvent
  | ResponsesKeepaliveEvent
  | ResponsesDone
  | ResponsesOtherEvent
  | ResponsesNamelessEvent;
