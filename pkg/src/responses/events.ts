// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

import type { Json, OtherName } from "../agentwire.js";

/** The properties that every event can have. */
export interface ResponsesEventMembers {
  /** The event's number in the stream. It grows by one with each event. */
  readonly sequence_number?: Json;
}

/** The start of a response. */
export interface ResponsesResponseCreatedEvent extends ResponsesEventMembers {
  readonly type: "response.created";
  /** The whole response. */
  readonly response?: Json;
}

/** The response is queued. */
export interface ResponsesResponseQueuedEvent extends ResponsesEventMembers {
  readonly type: "response.queued";
  /** The whole response. */
  readonly response?: Json;
}

/** The response is in progress. */
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

/** The response failed. */
export interface ResponsesResponseFailedEvent extends ResponsesEventMembers {
  readonly type: "response.failed";
  /** The whole response. */
  readonly response?: Json;
}

/** The response ended before it was complete. */
export interface ResponsesResponseIncompleteEvent extends ResponsesEventMembers {
  readonly type: "response.incomplete";
  /** The whole response. */
  readonly response?: Json;
}

/** The response was canceled. The event is not part of the protocol, but some servers send it. */
export interface ResponsesResponseCancelledEvent extends ResponsesEventMembers {
  readonly type: "response.cancelled";
  /** The whole response. */
  readonly response?: Json;
}

/** An error that ends the stream. Some servers put all properties into `error`. */
export interface ResponsesErrorEvent extends ResponsesEventMembers {
  readonly type: "error";
  /** The error code. */
  readonly code?: Json;
  /** The error message. */
  readonly message?: Json;
  /** The parameter of the request that caused the error. */
  readonly param?: Json;
  /** The error as an object. */
  readonly error?: Json;
}

/** The start of an item. */
export interface ResponsesResponseOutputItemAddedEvent extends ResponsesEventMembers {
  readonly type: "response.output_item.added";
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The item so far. */
  readonly item?: Json;
}

/** The end of an item. */
export interface ResponsesResponseOutputItemDoneEvent extends ResponsesEventMembers {
  readonly type: "response.output_item.done";
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The item. */
  readonly item?: Json;
}

/** The start of a part of a message or of reasoning. */
export interface ResponsesResponseContentPartAddedEvent extends ResponsesEventMembers {
  readonly type: "response.content_part.added";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The part's index in the item. */
  readonly content_index?: Json;
  /** The part so far. */
  readonly part?: Json;
}

/** The end of a part. */
export interface ResponsesResponseContentPartDoneEvent extends ResponsesEventMembers {
  readonly type: "response.content_part.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The part's index in the item. */
  readonly content_index?: Json;
  /** The part. */
  readonly part?: Json;
}

/** A text delta. */
export interface ResponsesResponseOutputTextDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.output_text.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The part's index in the item. */
  readonly content_index?: Json;
  /** The delta. */
  readonly delta: string;
  /** The log probabilities of the tokens. */
  readonly logprobs?: Json;
  /** Random padding that hides the length of the delta. */
  readonly obfuscation?: Json;
}

/** The end of a text. */
export interface ResponsesResponseOutputTextDoneEvent extends ResponsesEventMembers {
  readonly type: "response.output_text.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The part's index in the item. */
  readonly content_index?: Json;
  /** The whole text. */
  readonly text: string;
  /** The log probabilities of the tokens. */
  readonly logprobs?: Json;
}

/** A new annotation of a text. */
export interface ResponsesResponseOutputTextAnnotationAddedEvent extends ResponsesEventMembers {
  readonly type: "response.output_text.annotation.added";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The part's index in the item. */
  readonly content_index?: Json;
  /** The annotation's index in the part. */
  readonly annotation_index?: Json;
  /** The annotation. */
  readonly annotation?: Json;
}

/** A delta of a refusal. */
export interface ResponsesResponseRefusalDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.refusal.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The part's index in the item. */
  readonly content_index?: Json;
  /** The delta. */
  readonly delta: string;
  /** Random padding that hides the length of the delta. */
  readonly obfuscation?: Json;
}

/** The end of a refusal. */
export interface ResponsesResponseRefusalDoneEvent extends ResponsesEventMembers {
  readonly type: "response.refusal.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The part's index in the item. */
  readonly content_index?: Json;
  /** The whole refusal. */
  readonly refusal: string;
}

/** A delta of a function call's arguments. */
export interface ResponsesResponseFunctionCallArgumentsDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.function_call_arguments.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The delta. */
  readonly delta: string;
  /** Random padding that hides the length of the delta. */
  readonly obfuscation?: Json;
}

/** The end of a function call's arguments. */
export interface ResponsesResponseFunctionCallArgumentsDoneEvent extends ResponsesEventMembers {
  readonly type: "response.function_call_arguments.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The complete arguments. */
  readonly arguments: string;
}

/** A delta of a custom tool's input. */
export interface ResponsesResponseCustomToolCallInputDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.custom_tool_call_input.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The delta. */
  readonly delta: string;
  /** Random padding that hides the length of the delta. */
  readonly obfuscation?: Json;
}

/** The end of a custom tool's input. */
export interface ResponsesResponseCustomToolCallInputDoneEvent extends ResponsesEventMembers {
  readonly type: "response.custom_tool_call_input.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The whole input. */
  readonly input: string;
}

/** A delta of an MCP call's arguments. */
export interface ResponsesResponseMcpCallArgumentsDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_call_arguments.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The delta. */
  readonly delta: string;
  /** Random padding that hides the length of the delta. */
  readonly obfuscation?: Json;
}

/** The end of an MCP call's arguments. */
export interface ResponsesResponseMcpCallArgumentsDoneEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_call_arguments.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The complete arguments. */
  readonly arguments: string;
}

/** A delta of the code to run. */
export interface ResponsesResponseCodeInterpreterCallCodeDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.code_interpreter_call_code.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The delta. */
  readonly delta: string;
  /** Random padding that hides the length of the delta. */
  readonly obfuscation?: Json;
}

/** The end of the code to run. */
export interface ResponsesResponseCodeInterpreterCallCodeDoneEvent extends ResponsesEventMembers {
  readonly type: "response.code_interpreter_call_code.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The whole code. */
  readonly code: string;
}

/** A delta of a reasoning text. */
export interface ResponsesResponseReasoningTextDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.reasoning_text.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The part's index in the item. */
  readonly content_index?: Json;
  /** The delta. */
  readonly delta: string;
  /** Random padding that hides the length of the delta. */
  readonly obfuscation?: Json;
}

/** The end of a reasoning text. */
export interface ResponsesResponseReasoningTextDoneEvent extends ResponsesEventMembers {
  readonly type: "response.reasoning_text.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The part's index in the item. */
  readonly content_index?: Json;
  /** The whole text. */
  readonly text: string;
}

/** A delta of a reasoning summary. */
export interface ResponsesResponseReasoningSummaryTextDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.reasoning_summary_text.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The part's index in the summary. */
  readonly summary_index?: Json;
  /** The delta. */
  readonly delta: string;
  /** Random padding that hides the length of the delta. */
  readonly obfuscation?: Json;
}

/** The end of the text of a reasoning summary. */
export interface ResponsesResponseReasoningSummaryTextDoneEvent extends ResponsesEventMembers {
  readonly type: "response.reasoning_summary_text.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The part's index in the summary. */
  readonly summary_index?: Json;
  /** The whole text. */
  readonly text: string;
}

/** The start of a part of a reasoning summary. */
export interface ResponsesResponseReasoningSummaryPartAddedEvent extends ResponsesEventMembers {
  readonly type: "response.reasoning_summary_part.added";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The part's index in the summary. */
  readonly summary_index?: Json;
  /** The part. */
  readonly part?: Json;
}

/** The end of a part of a reasoning summary. */
export interface ResponsesResponseReasoningSummaryPartDoneEvent extends ResponsesEventMembers {
  readonly type: "response.reasoning_summary_part.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The part's index in the summary. */
  readonly summary_index?: Json;
  /** The part. */
  readonly part?: Json;
}

/** The start of an MCP call. */
export interface ResponsesResponseMcpCallInProgressEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_call.in_progress";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The end of an MCP call. */
export interface ResponsesResponseMcpCallCompletedEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_call.completed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The failure of an MCP call. */
export interface ResponsesResponseMcpCallFailedEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_call.failed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The start of listing an MCP server's tools. */
export interface ResponsesResponseMcpListToolsInProgressEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_list_tools.in_progress";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The end of listing an MCP server's tools. */
export interface ResponsesResponseMcpListToolsCompletedEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_list_tools.completed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The failure of listing an MCP server's tools. */
export interface ResponsesResponseMcpListToolsFailedEvent extends ResponsesEventMembers {
  readonly type: "response.mcp_list_tools.failed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The start of a code interpreter call. */
export interface ResponsesResponseCodeInterpreterCallInProgressEvent extends ResponsesEventMembers {
  readonly type: "response.code_interpreter_call.in_progress";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The code interpreter is running. */
export interface ResponsesResponseCodeInterpreterCallInterpretingEvent extends ResponsesEventMembers {
  readonly type: "response.code_interpreter_call.interpreting";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The end of a code interpreter call. */
export interface ResponsesResponseCodeInterpreterCallCompletedEvent extends ResponsesEventMembers {
  readonly type: "response.code_interpreter_call.completed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The start of a web search. */
export interface ResponsesResponseWebSearchCallInProgressEvent extends ResponsesEventMembers {
  readonly type: "response.web_search_call.in_progress";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The web search is running. */
export interface ResponsesResponseWebSearchCallSearchingEvent extends ResponsesEventMembers {
  readonly type: "response.web_search_call.searching";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The end of a web search. */
export interface ResponsesResponseWebSearchCallCompletedEvent extends ResponsesEventMembers {
  readonly type: "response.web_search_call.completed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The start of a file search. */
export interface ResponsesResponseFileSearchCallInProgressEvent extends ResponsesEventMembers {
  readonly type: "response.file_search_call.in_progress";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The file search is running. */
export interface ResponsesResponseFileSearchCallSearchingEvent extends ResponsesEventMembers {
  readonly type: "response.file_search_call.searching";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The end of a file search. */
export interface ResponsesResponseFileSearchCallCompletedEvent extends ResponsesEventMembers {
  readonly type: "response.file_search_call.completed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The start of an image generation. */
export interface ResponsesResponseImageGenerationCallInProgressEvent extends ResponsesEventMembers {
  readonly type: "response.image_generation_call.in_progress";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The image generation is running. */
export interface ResponsesResponseImageGenerationCallGeneratingEvent extends ResponsesEventMembers {
  readonly type: "response.image_generation_call.generating";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The end of an image generation. */
export interface ResponsesResponseImageGenerationCallCompletedEvent extends ResponsesEventMembers {
  readonly type: "response.image_generation_call.completed";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** An intermediate version of an image. */
export interface ResponsesResponseImageGenerationCallPartialImageEvent extends ResponsesEventMembers {
  readonly type: "response.image_generation_call.partial_image";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The index of the intermediate version. */
  readonly partial_image_index?: Json;
  /** The image in base64. */
  readonly partial_image_b64: string;
}

/** The server is compacting the conversation. */
export interface ResponsesResponseCompactionCompactingEvent extends ResponsesEventMembers {
  readonly type: "response.compaction.compacting";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
}

/** The start of a command of a shell call. */
export interface ResponsesResponseShellCallCommandAddedEvent extends ResponsesEventMembers {
  readonly type: "response.shell_call_command.added";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The command's index in the call. */
  readonly command_index?: Json;
  /** The command so far. */
  readonly command: string;
}

/** A delta of a command. */
export interface ResponsesResponseShellCallCommandDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.shell_call_command.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The command's index in the call. */
  readonly command_index?: Json;
  /** The delta. */
  readonly delta: string;
  /** Random padding that hides the length of the delta. */
  readonly obfuscation?: Json;
}

/** The end of a command. */
export interface ResponsesResponseShellCallCommandDoneEvent extends ResponsesEventMembers {
  readonly type: "response.shell_call_command.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The command's index in the call. */
  readonly command_index?: Json;
  /** The whole command. */
  readonly command: string;
}

/** A delta of a command's output. */
export interface ResponsesResponseShellCallOutputContentDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.shell_call_output_content.delta";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The command's index in the call. */
  readonly command_index?: Json;
  /** The deltas of `stdout` and `stderr`. */
  readonly delta?: Json;
}

/** The end of a command's output. */
export interface ResponsesResponseShellCallOutputContentDoneEvent extends ResponsesEventMembers {
  readonly type: "response.shell_call_output_content.done";
  /** The item's id. */
  readonly item_id?: string | null;
  /** The item's index in the output. */
  readonly output_index?: Json;
  /** The command's index in the call. */
  readonly command_index?: Json;
  /** The output: a list with one element. */
  readonly output?: Json;
}

/** A delta of the audio. */
export interface ResponsesResponseAudioDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.audio.delta";
  /** The delta in base64. */
  readonly delta: string;
}

/** The end of the audio. */
export interface ResponsesResponseAudioDoneEvent extends ResponsesEventMembers {
  readonly type: "response.audio.done";
}

/** A delta of the audio transcript. */
export interface ResponsesResponseAudioTranscriptDeltaEvent extends ResponsesEventMembers {
  readonly type: "response.audio.transcript.delta";
  /** The delta. */
  readonly delta: string;
}

/** The end of the audio transcript. */
export interface ResponsesResponseAudioTranscriptDoneEvent extends ResponsesEventMembers {
  readonly type: "response.audio.transcript.done";
}

/** A sign that the connection is alive. */
export interface ResponsesKeepaliveEvent extends ResponsesEventMembers {
  readonly type: "keepalive";
}

/** The end marker `[DONE]`: on the wire it is plain text, not JSON. */
export interface ResponsesDone {
  readonly type: "[DONE]";
}

/** An event of an unknown type. */
export interface ResponsesOtherEvent {
  readonly type: OtherName;
  readonly [member: string]: unknown;
}

/** An object without an event type. */
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
