/// <reference lib="esnext.disposable" />
/* tslint:disable */
/* eslint-disable */

/**
 * One breach of one rule of the protocol. A value, never thrown. What the rule says, and what the reader did about the breach,
 * is in a module of its own: `explain(violation)` of `agentwire/rules`.
 */
export interface Violation {
    /** Stable kebab-case id of the rule; each has a paragraph in `docs/reference/rules.md`. */
    readonly rule: string;
    /** `note`: legal or harmless. `warning`: against the protocol, the answer is right. `error`: something was lost or cut off. */
    readonly severity: "note" | "warning" | "error";
    /** Number of the event, from 0. */
    readonly event: number;
    /** Byte offset of the event in the stream. */
    readonly offset: number;
    readonly messageId: string | null;
    readonly index: number | null;
    /** What came instead; free text, for people. */
    readonly got: string;
}

/** Everything about a stream that is not the answer itself. */
export interface Report {
    /** How the stream ended. */
    readonly ended: "open" | "terminal" | "error-frame" | "eof" | "aborted" | "refused";
    /** Events with data, the unreadable ones included. */
    readonly events: number;
    /** Comments: what servers send as heartbeats. */
    readonly comments: number;
    readonly bytes: number;
    /** The first violations; `counts` is complete. */
    readonly violations: readonly Violation[];
    /** How often each rule was broken. */
    readonly counts: { readonly [rule: string]: number };
    /** Events of kinds that the protocol does not have, by name. */
    readonly unknown: { readonly [name: string]: number };
    /** Ids of the messages that never ended. */
    readonly unfinished: readonly string[];
    /** The last event id, for reconnecting. */
    readonly lastEventId: string | null;
    /** The reconnection time the server asked for, in milliseconds. */
    readonly retry: number | null;
    /** What the answer does not show, where the stream was read `as` another protocol. */
    readonly losses?: readonly {
        readonly what: string;
        readonly where: string;
        readonly why: string;
        readonly event: number;
    }[];
}



/** Any JSON. Integers beyond ±2^53 are `bigint`. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * A name that this version does not know, in the place of those it does. It is the name itself, a string; declared in this way
 * so that `switch` tells it from the others.
 */
export declare enum OtherName {
    Other = "any other name",
}



/**
 * What a client asks an agent. (Spec 1.2, `AgentRequest`.)
 *
 * Absent and null are the same, unless a member says otherwise.
 */
export type AgentRequest = {
    /** The conversation so far, the newest message last. */
    input: InputMessage[];
    /** Advisory: `/process` streams in any case (R40). True when absent; null is not accepted. */
    stream?: boolean;
    /** Becomes the id of the response (R40). */
    id?: string | null;
    /** The model to use. */
    model?: string | null;
    /** Nucleus sampling. */
    top_p?: number | null;
    /** How random the answer is. */
    temperature?: number | null;
    /** Against repeating words often. */
    frequency_penalty?: number | null;
    /** Against repeating words at all. */
    presence_penalty?: number | null;
    /** Most tokens of the answer. */
    max_tokens?: number | null;
    /** Texts that end the answer. */
    stop?: Stop | null;
    /** How many answers, 1 to 5. Absent means 1, null leaves it to the server. */
    n?: number | null;
    /** For answers that can be repeated. */
    seed?: number | null;
    /** What the agent may call. */
    tools?: ToolEntry[] | null;
    /** The conversation this belongs to. Send one always: requests without collide (R39). */
    session_id?: string | null;
    /** Who asks; the session when absent. Send one always (R39). */
    user_id?: string | null;
} & Record<string, unknown>;

/** One text that ends the answer, or several. */
export type Stop = string | string[];

/**
 * One message of a request. (Spec 1.2, `Message`.)
 *
 * Absent and null are the same, unless a member says otherwise.
 */
export type InputMessage = {
    /** Where a message that was streamed stood in its stream. */
    sequence_number?: number | null;
    /** `"message"` when absent; any text is accepted. Null is not. */
    object?: string;
    /** `created` when absent. Null is not accepted. */
    status?: RunStatus;
    /** Why a message failed. */
    error?: ErrorInfo | null;
    /** The server makes an id when it is absent. Null is not accepted. */
    id?: string;
    /** What the message is; `message` when absent. Null is not accepted. */
    type?: MessageType;
    /** Who it is from. */
    role?: Role | null;
    /** Its parts. */
    content?: InputContent[] | null;
    /** Error code of a message of type error. */
    code?: string | null;
    /** Error text of a message of type error. */
    message?: string | null;
    /** Tokens used: an object. */
    usage?: Record<string, unknown> | null;
    /** Free: an object. */
    metadata?: Record<string, unknown> | null;
} & Record<string, unknown>;

/** One part of a message of a request: a content with everything optional but its type. (Spec 1.2, `Content`.) */
export type InputContent = {
    /** Where a content that was streamed stood in its stream. */
    sequence_number?: number | null;
    /** `"content"` when absent; any text is accepted. Null is not. */
    object?: string;
    /** How far the part has come. */
    status?: RunStatus | null;
    /** Why it failed. */
    error?: ErrorInfo | null;
    /** Its place in the message; without one the place in the list counts. */
    index?: number | null;
    /** Whether this is a piece of the part; false when absent, and null is different from false. */
    delta?: boolean | null;
    /** The message it belongs to. */
    msg_id?: string | null;
} & InputPayload & Record<string, unknown>;

/** What a content of a request holds, by its `type`. */
export type InputPayload =
| {
    type: "text";
    text?: string | null;
}
| {
    type: "image";
    image_url?: string | null;
}
| {
    type: "data";
    data?: Record<string, unknown> | null;
}
| {
    type: "audio";
    data?: string | null;
    format?: string | null;
}
| {
    type: "file";
    file_url?: string | null;
    file_id?: string | null;
    filename?: string | null;
    file_data?: string | null;
}
| {
    type: "refusal";
    refusal?: string | null;
}
| {
    type: "video";
    video_url?: string | null;
};

/**
 * One entry of `tools`. (Spec 1.2.)
 *
 * The runtime tries `Tool` first and keeps any other object as it came; it never refuses an object.
 */
export type ToolEntry = Tool | Record<string, unknown>;

/**
 * A tool. (Spec 1.2, `Tool`.)
 *
 * The runtime drops members that it does not declare from tools; they are kept here, because what is passed on should
 * not lose any.
 */
export type Tool = {
    /** Only `"function"` means something; that is what absent stands for, while null stays null. */
    type?: string | null;
    /** The function. */
    function?: FunctionTool | null;
} & Record<string, unknown>;

/** A function that the agent may call. (Spec 1.2, `FunctionTool`; R41.) */
export type FunctionTool = {
    /** Its name. */
    name: string;
    /** What it does, for the model. Null is not accepted. */
    description: string;
    /** What it takes. */
    parameters: ToolParameters;
} & Record<string, unknown>;

/** What a function takes. (Spec 1.2.) */
export type ToolParameters = FunctionParameters | Record<string, unknown>;

/** The schema of a function's parameters. (Spec 1.2, `FunctionParameters`.) */
export type FunctionParameters = {
    /** `"object"` */
    type: string;
    /** An object with a schema for each parameter. */
    properties: Record<string, unknown>;
    /** The names of those that must be given. Has to be said, but may be null. */
    required: string[] | null;
} & Record<string, unknown>;

/** The call of a function: types `function_call`, `plugin_call`, `component_call`. */
export type FunctionCall = {
    /** Matches the output (R35). */
    call_id?: string | null;
    /** The function. */
    name?: string | null;
    /** JSON text, as the model wrote it: not always valid (R36). */
    arguments?: string | null;
};

/** What a function returned. */
export type FunctionCallOutput = {
    /** The call's. */
    call_id: string;
    /** The function. */
    name?: string | null;
    /** The result as text. */
    output: string;
};

/** The call of an MCP tool: type `mcp_call`. */
export type McpCall = {
    /** Matches the output (R35). */
    call_id?: string | null;
    /** JSON text. */
    arguments?: string | null;
    /** The tool. */
    name?: string | null;
    /** The MCP server. */
    server_label?: string | null;
};

/** What an MCP tool returned: type `mcp_call_output`. */
export type McpCallOutput = {
    /** The call's. */
    call_id: string;
    /** The tool. */
    name?: string | null;
    /** The result as text. */
    output: string;
};

/** One tool of an MCP server. */
export type McpListToolsTool = {
    /** What it takes: any JSON. */
    input_schema: Json;
    /** Its name. */
    name: string;
    /** Hints: any JSON. */
    annotations?: Json | null;
    /** What it does. */
    description?: string | null;
};

/** The tools of an MCP server: type `mcp_list_tools`. */
export type McpListTools = {
    /** Of this list. */
    id: string;
    /** The MCP server. */
    server_label: string;
    /** Its tools. */
    tools: McpListToolsTool[];
    /** Why they could not be listed. */
    error?: string | null;
};

/** The question whether an MCP tool may be called: type `mcp_approval_request`. */
export type McpApprovalRequest = {
    /** Matches the answer's `approval_request_id` (R37). */
    id: string;
    /** JSON text. */
    arguments: string;
    /** The tool. */
    name: string;
    /** The MCP server. */
    server_label: string;
};

/** The answer to it: type `mcp_approval_response`. */
export type McpApprovalResponse = {
    /** The question's `id` (R37). */
    approval_request_id: string;
    /** Whether it may. */
    approve: boolean;
    /** Of this answer. */
    id?: string | null;
    /** Why. */
    reason?: string | null;
};

/** A call with everything given. */
export type ToolCallPayload = {
    /** JSON text. */
    arguments: string;
    /** Matches the output. */
    call_id: string;
    /** The tool. */
    name: string;
};

/** What a tool returned. */
export type ToolCallOutputPayload = {
    /** The call's. */
    call_id: string;
    /** The result as text. */
    output: string;
};



/**
 * What a client asks: the body of `POST /responses`.
 *
 * Absent and null are the same. Members that OpenAI may add are kept.
 */
export type CreateResponse = {
    /** The model to use. */
    model?: string | null;
    /** A text of the user, or items. It may be left out where `prompt` or `conversation` has it. */
    input?: ResponsesInput | null;
    /** What the model is told before everything else. */
    instructions?: string | null;
    /** Whether the answer is a stream of events; otherwise it is one JSON object. */
    stream?: boolean | null;
    /** What the agent may call. */
    tools?: ResponsesTool[] | null;
    /** Which tools it has to call: `auto`, `none`, `required`, or an object that names one. */
    tool_choice?: Json | null;
    /** Whether several tools may be called at once. */
    parallel_tool_calls?: boolean | null;
    /** The response that this one goes on from. */
    previous_response_id?: string | null;
    /** The conversation that it belongs to. */
    conversation?: ResponsesConversationParam | null;
    /** How random the answer is: 0 to 2. */
    temperature?: number | null;
    /** Nucleus sampling: 0 to 1. */
    top_p?: number | null;
    /** How many alternatives of each token are told: 0 to 20. */
    top_logprobs?: number | null;
    /** Most tokens of the answer, reasoning included. */
    max_output_tokens?: number | null;
    /** Most calls of built-in tools. */
    max_tool_calls?: number | null;
    /** `effort`, `summary`: an object. */
    reasoning?: Record<string, unknown> | null;
    /** `format`, `verbosity`: an object. */
    text?: Record<string, unknown> | null;
    /** `auto` or `disabled`. */
    truncation?: "auto" | "disabled" | null;
    /** Whether the server keeps the response. */
    store?: boolean | null;
    /** Whether it is made in the background. */
    background?: boolean | null;
    /** `include_obfuscation`: an object. */
    stream_options?: Record<string, unknown> | null;
    /** What the answer shall have besides. */
    include?: string[] | null;
    /** Free: an object. */
    metadata?: Record<string, unknown> | null;
    /** Who asks, as the server's operator calls them. */
    user?: string | null;
    /** The same, made unreadable. */
    safety_identifier?: string | null;
    /** What cached prompts are found by. */
    prompt_cache_key?: string | null;
    /** A prompt that the server keeps: an object. */
    prompt?: Record<string, unknown> | null;
    /** `auto`, `default`, `flex`, `priority`. */
    service_tier?: string | null;
} & Record<string, unknown>;

/** A conversation that the server keeps. */
export type ResponsesConversation = {
    /** Its id. */
    id: string;
} & Record<string, unknown>;

/** A conversation by its id, or as an object. */
export type ResponsesConversationParam = string | ResponsesConversation;

/** A tool. A function has its members here, where the Agent API has them in `function`. */
export type ResponsesTool = {
    /** `function`, `custom`, `mcp`, `web_search`, … */
    type: string;
    /** Of a function or a custom tool: its name. */
    name?: string | null;
    /** What it does. */
    description?: string | null;
    /** Of a function: the JSON Schema of its arguments. */
    parameters?: Json | null;
    /** Whether the arguments have to keep to it. */
    strict?: boolean | null;
} & Record<string, unknown>;

/** A text of the user, or items. */
export type ResponsesInput = string | ResponsesInputItem[];

/**
 * One item of the input, whatever its type: what was said, a call, what it came to. What a type has besides stands in
 * `extra`.
 */
export type ResponsesInputItem = {
    /** `message` when absent. */
    type?: string | null;
    /** The item's id. */
    id?: string | null;
    /** Of a message: who said it. */
    role?: "user" | "assistant" | "system" | "developer" | null;
    /** Of a message a text or parts, of reasoning parts. */
    content?: ResponsesContent | null;
    /** Of reasoning: parts. */
    summary?: ResponsesContentPart[] | null;
    /** What calls and what they came to have in common. */
    call_id?: string | null;
    /** Of a call: the tool. */
    name?: string | null;
    /** Of a call: JSON text. A few types have JSON itself. */
    arguments?: Json | null;
    /** Of a call of a custom tool: plain text. */
    input?: string | null;
    /** What a call came to: a text, or whatever its type has. */
    output?: Json | null;
    /** Of the answer to a question: the question's id. */
    approval_request_id?: string | null;
    /** Of the answer to a question: whether it may. */
    approve?: boolean | null;
    /** Why. */
    reason?: string | null;
    /** How far the item came. */
    status?: string | null;
} & Record<string, unknown>;

/** A text, or parts. */
export type ResponsesContent = string | ResponsesContentPart[];

/** A part of what is said. */
export type ResponsesContentPart = {
    /** `input_text`, `input_image`, `input_file`, `output_text`, `refusal`, … */
    type: string;
    /** A text. */
    text?: string | null;
    /** Why the agent did not answer. */
    refusal?: string | null;
    /** Of an image: its URL or data URL. */
    image_url?: string | null;
    /** Of an image or file: the server's name for it. */
    file_id?: string | null;
    /** Of a file: base64. */
    file_data?: string | null;
    /** Of a file: where it is. */
    file_url?: string | null;
    /** Of a file: its name for people. */
    filename?: string | null;
    /** Of sound: `data` (base64) and `format`. */
    input_audio?: Record<string, unknown> | null;
} & Record<string, unknown>;



/** How far a response or an item has come. Servers may send other words. */
export type ResponsesStatus = "in_progress" | "completed" | "incomplete" | "failed" | "cancelled" | "queued" | "searching" | "interpreting" | "generating" | "calling" | (string & {});

/** What a part is. */
export type ResponsesPartType = "output_text" | "refusal" | "reasoning_text" | "summary_text" | (string & {});

/** What an item is. */
export type ResponsesItemType = "message" | "reasoning" | "function_call" | "function_call_output" | "custom_tool_call" | "custom_tool_call_output" | "mcp_list_tools" | "mcp_call" | "mcp_approval_request" | "mcp_approval_response" | "web_search_call" | "file_search_call" | "code_interpreter_call" | "image_generation_call" | "computer_call" | "computer_call_output" | "tool_search_call" | "tool_search_output" | "shell_call" | "shell_call_output" | "local_shell_call" | "local_shell_call_output" | "apply_patch_call" | "apply_patch_call_output" | "program" | "program_output" | "additional_tools" | "compaction" | (string & {});

/**
 * The Response object, as far as it has come. Plain data; what did not change keeps its identity from one update to the
 * next.
 */
export interface ResponsesResponse {
    /** Its id; empty before the stream has named it. */
    readonly id: string;
    /** `response` */
    readonly object?: string | null;
    /** Seconds since 1970. */
    readonly created_at?: Json;
    /** How far it has come. A stream that stops without an end leaves it as it was. */
    readonly status: ResponsesStatus;
    /** Seconds since 1970. */
    readonly completed_at?: Json;
    /** Why it failed: `code` and `message`. */
    readonly error?: Json;
    /** Why it is incomplete: `reason`. */
    readonly incomplete_details?: Json;
    /** The model that answers. */
    readonly model?: string | null;
    /** What the answer consists of, in order. */
    readonly output: readonly ResponsesItem[];
    /** Tokens used. */
    readonly usage?: Json;
    /** What the model was told. */
    readonly instructions?: Json;
    /** Free. */
    readonly metadata?: Json;
    /** Whether several tools may be called at once. */
    readonly parallel_tool_calls?: Json;
    /** The request's temperature. */
    readonly temperature?: Json;
    /** The request's `top_p`. */
    readonly top_p?: Json;
    /** Which tools had to be called. */
    readonly tool_choice?: Json;
    /** The tools. */
    readonly tools?: Json;
    /** The response that this one goes on from. */
    readonly previous_response_id?: string | null;
    /** The conversation it belongs to: `id`. */
    readonly conversation?: Json;
    /** How much was to be thought. */
    readonly reasoning?: Json;
    /** Which text was asked for. */
    readonly text?: Json;
    /** What became of an input that was too long. */
    readonly truncation?: Json;
    /** The most tokens it could have. */
    readonly max_output_tokens?: Json;
}

/**
 * One part of a message, of reasoning or of its summary; its `type` tells what it holds. Servers may send types that are
 * not listed here: leave a `default`.
 */
export interface OtherResponsesPart {
    /** The sources of a text, as the server has them. */
    readonly annotations?: Json;
    readonly type: OtherName;
    /** How probable the tokens of a text were. */
    readonly logprobs?: Json;
    readonly [member: string]: unknown;
}

/** `output_text` */
export interface ResponsesOutputText {
    /** The sources of a text, as the server has them. */
    readonly annotations?: Json;
    readonly type: "output_text";
    /** How probable the tokens of a text were. */
    readonly logprobs?: Json;
    /** The text so far. */
    readonly text: string;
}

/** `refusal` */
export interface ResponsesRefusal {
    /** The sources of a text, as the server has them. */
    readonly annotations?: Json;
    readonly type: "refusal";
    /** How probable the tokens of a text were. */
    readonly logprobs?: Json;
    /** Why the model will not answer. */
    readonly refusal: string;
}

/** `reasoning_text` */
export interface ResponsesReasoningText {
    /** The sources of a text, as the server has them. */
    readonly annotations?: Json;
    readonly type: "reasoning_text";
    /** How probable the tokens of a text were. */
    readonly logprobs?: Json;
    /** What the model thought. */
    readonly text: string;
}

/** `summary_text` */
export interface ResponsesSummaryText {
    /** The sources of a text, as the server has them. */
    readonly annotations?: Json;
    readonly type: "summary_text";
    /** How probable the tokens of a text were. */
    readonly logprobs?: Json;
    /** What it thought, in short. */
    readonly text: string;
}

/**
 * One item of the output; its `type` tells what it is. Servers may send types that are not listed here: leave a
 * `default`.
 */
export interface OtherResponsesItem {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: OtherName;
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    readonly [member: string]: unknown;
}

/** `message` */
export interface ResponsesMessage {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "message";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** `assistant` */
    readonly role?: string | null;
}

/** `reasoning` */
export interface ResponsesReasoning {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "reasoning";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** What only the server can read, for the next request. */
    readonly encrypted_content?: string | null;
}

/** `function_call` */
export interface ResponsesFunctionCall {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "function_call";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** The tool. */
    readonly name: string;
    /** The arguments' JSON text so far. */
    readonly arguments: string;
}

/** `function_call_output` */
export interface ResponsesFunctionCallOutput {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "function_call_output";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** A text, or a list of parts. */
    readonly output?: Json;
}

/** `custom_tool_call` */
export interface ResponsesCustomToolCall {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "custom_tool_call";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** The tool. */
    readonly name: string;
    /** The plain text that it is given, so far. */
    readonly input: string;
}

/** `custom_tool_call_output` */
export interface ResponsesCustomToolCallOutput {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "custom_tool_call_output";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** A text, or a list of parts. */
    readonly output?: Json;
}

/** `mcp_list_tools` */
export interface ResponsesMcpListTools {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "mcp_list_tools";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** The server. */
    readonly server_label?: string | null;
    /** Its tools. */
    readonly tools?: Json;
    /** Why they could not be listed. */
    readonly error?: Json;
}

/** `mcp_call` */
export interface ResponsesMcpCall {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "mcp_call";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** The tool. */
    readonly name: string;
    /** The arguments' JSON text so far. */
    readonly arguments: string;
    /** The server. */
    readonly server_label?: string | null;
    /** What the tool came to. */
    readonly output?: Json;
    /** Why it failed. */
    readonly error?: Json;
    /** The question that was answered before it ran. */
    readonly approval_request_id?: string | null;
}

/** `mcp_approval_request` */
export interface ResponsesMcpApprovalRequest {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "mcp_approval_request";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** The tool. */
    readonly name: string;
    /** The arguments' JSON text. */
    readonly arguments: string;
    /** The server. */
    readonly server_label?: string | null;
}

/** `mcp_approval_response` */
export interface ResponsesMcpApprovalResponse {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "mcp_approval_response";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** The question. */
    readonly approval_request_id?: string | null;
    /** Whether the tool may run. */
    readonly approve?: Json;
    /** Why. */
    readonly reason?: string | null;
}

/** `web_search_call` */
export interface ResponsesWebSearchCall {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "web_search_call";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** What is looked for. */
    readonly action?: Json;
}

/** `file_search_call` */
export interface ResponsesFileSearchCall {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "file_search_call";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** What is looked for. */
    readonly queries?: Json;
    /** What was found. */
    readonly results?: Json;
}

/** `code_interpreter_call` */
export interface ResponsesCodeInterpreterCall {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "code_interpreter_call";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** The code so far. */
    readonly code?: string | null;
    /** Where it runs. */
    readonly container_id?: string | null;
    /** What it said. */
    readonly outputs?: Json;
}

/** `image_generation_call` */
export interface ResponsesImageGenerationCall {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "image_generation_call";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** The image, base64. */
    readonly result?: string | null;
    /** The image so far, base64; gone when the item is whole. */
    readonly partial_image_b64?: string;
}

/** `computer_call` */
export interface ResponsesComputerCall {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "computer_call";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** What to do. */
    readonly action?: Json;
}

/** `computer_call_output` */
export interface ResponsesComputerCallOutput {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "computer_call_output";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** What came of it. */
    readonly output?: Json;
}

/** `tool_search_call` */
export interface ResponsesToolSearchCall {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "tool_search_call";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** What is looked for: any JSON. */
    readonly arguments?: Json;
}

/** `tool_search_output` */
export interface ResponsesToolSearchOutput {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "tool_search_output";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** The tools that were found. */
    readonly tools?: Json;
}

/** `shell_call` */
export interface ResponsesShellCall {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "shell_call";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** The commands. */
    readonly action?: Json;
}

/** `shell_call_output` */
export interface ResponsesShellCallOutput {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "shell_call_output";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** What each command said. */
    readonly output?: Json;
}

/** `local_shell_call` */
export interface ResponsesLocalShellCall {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "local_shell_call";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** The command. */
    readonly action?: Json;
}

/** `local_shell_call_output` */
export interface ResponsesLocalShellCallOutput {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "local_shell_call_output";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** What it said. */
    readonly output?: Json;
}

/** `apply_patch_call` */
export interface ResponsesApplyPatchCall {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "apply_patch_call";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** What to change. */
    readonly operation?: Json;
}

/** `apply_patch_call_output` */
export interface ResponsesApplyPatchCallOutput {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "apply_patch_call_output";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** What came of it. */
    readonly output?: Json;
}

/** `program` */
export interface ResponsesProgram {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "program";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** The program. */
    readonly code?: string | null;
}

/** `program_output` */
export interface ResponsesProgramOutput {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "program_output";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** What it came to. */
    readonly result?: string | null;
}

/** `additional_tools` */
export interface ResponsesAdditionalTools {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "additional_tools";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** The tools. */
    readonly tools?: Json;
}

/** `compaction` */
export interface ResponsesCompaction {
    /** Unique in its response. Calls of functions and custom tools need not have one. */
    readonly id?: string | null;
    readonly type: "compaction";
    /** How far it has come. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The call that it is, or that it answers. */
    readonly call_id?: string | null;
    /** What only the server can read. */
    readonly encrypted_content?: string | null;
}

/**
 * One part of a message, of reasoning or of its summary; its `type` tells what it holds. Servers may send types that are
 * not listed here: leave a `default`.
 */
export type ResponsesPart = ResponsesOutputText | ResponsesRefusal | ResponsesReasoningText | ResponsesSummaryText | OtherResponsesPart;

/**
 * One item of the output; its `type` tells what it is. Servers may send types that are not listed here: leave a
 * `default`.
 */
export type ResponsesItem = ResponsesMessage | ResponsesReasoning | ResponsesFunctionCall | ResponsesFunctionCallOutput | ResponsesCustomToolCall | ResponsesCustomToolCallOutput | ResponsesMcpListTools | ResponsesMcpCall | ResponsesMcpApprovalRequest | ResponsesMcpApprovalResponse | ResponsesWebSearchCall | ResponsesFileSearchCall | ResponsesCodeInterpreterCall | ResponsesImageGenerationCall | ResponsesComputerCall | ResponsesComputerCallOutput | ResponsesToolSearchCall | ResponsesToolSearchOutput | ResponsesShellCall | ResponsesShellCallOutput | ResponsesLocalShellCall | ResponsesLocalShellCallOutput | ResponsesApplyPatchCall | ResponsesApplyPatchCallOutput | ResponsesProgram | ResponsesProgramOutput | ResponsesAdditionalTools | ResponsesCompaction | OtherResponsesItem;



/** How far a run has come. */
export type AgUiStatus = "idle" | "running" | "finished" | "interrupted" | "cancelled" | "failed" | "incomplete";

/** Who speaks in a message. */
export type AgUiRole = "assistant" | "user" | "tool" | "developer" | "system" | "activity" | "reasoning";

/** The kind of a tool call. */
export type AgUiToolCallType = "function";

/**
 * What an AG-UI stream comes to: the official client's fields, and what only its subscribers are told. Plain data; what did
 * not change keeps its identity from one update to the next.
 */
export interface AgUiSnapshot {
    /** How far the last run has come. */
    readonly status: AgUiStatus;
    /** The thread of the last run. */
    readonly threadId: string | null;
    /** The last run. */
    readonly runId: string | null;
    /** The messages of the thread, in order. */
    readonly messages: readonly AgUiMessage[];
    /** The shared state: any JSON, as snapshots and patches have left it. */
    readonly state: Json;
    /** What the agent asks; the next request has to answer all of it. */
    readonly pendingInterrupts: Json;
    /** The calls that are the client's to answer when the run has finished. */
    readonly pendingToolCallIds: readonly string[];
    /** How the run ended: `success`, `interrupt` or `cancelled`; null before, and after an error. */
    readonly outcome: string | null;
    /** What the run returned; null if nothing. */
    readonly result: Json;
    /** Why the run failed. */
    readonly error: AgUiRunError | null;
    /** Tokens used by all runs of the stream, summed for each provider and model. */
    readonly usage: Json;
    /** The steps of the run, in order. */
    readonly steps: readonly AgUiStep[];
    /** The subagents of the run, in order. */
    readonly subagents: readonly AgUiSubagent[];
    /** The spans of reasoning of the run, in order. Messages of role `reasoning` say what was thought. */
    readonly reasoningSpans: readonly AgUiReasoningSpan[];
    /** The runs of the stream, in order. */
    readonly runs: readonly AgUiRun[];
}

/** A message. Which members it has depends on its role; those that it does not have are absent. */
export interface AgUiMessage {
    /** Its id. */
    readonly id: string;
    /** Who speaks. */
    readonly role: AgUiRole;
    /** Text; of a user or a tool also a list of parts; of an activity an object. An assistant that only calls tools has none. */
    readonly content?: Json;
    /** The name of who speaks. */
    readonly name?: string;
    /** The calls of an assistant, in order. */
    readonly toolCalls?: readonly AgUiToolCall[];
    /** Of a tool: the call that it answers. */
    readonly toolCallId?: string;
    /** Of a tool: what went wrong. */
    readonly error?: string;
    /** Of an activity: its kind. */
    readonly activityType?: string;
    /** What only the provider can read. */
    readonly encryptedValue?: string;
    /** The lane that it belongs to; the agent itself has none. */
    readonly subagentRunId?: string;
    /** Anything more, member by member as events said it. */
    readonly metadata?: Json;
}

/** A tool call of an assistant. */
export interface AgUiToolCall {
    /** Its id. */
    readonly id: string;
    /** Always `function`. */
    readonly type: AgUiToolCallType;
    /** What is called. */
    readonly function: AgUiFunctionCall;
    /** What only the provider can read. */
    readonly encryptedValue?: string;
    /** Anything more. */
    readonly metadata?: Json;
}

/** A function and its arguments. */
export interface AgUiFunctionCall {
    /** The tool. */
    readonly name: string;
    /** The arguments' JSON text so far. */
    readonly arguments: string;
}

/** Why a run, or the part of it that a subagent did, failed. */
export interface AgUiRunError {
    /** What went wrong. */
    readonly message: string;
    /** A code for programs. */
    readonly code?: string;
}

/** A step of a run. */
export interface AgUiStep {
    /** Its name. */
    readonly stepName: string;
    /** The lane that it belongs to. */
    readonly subagentRunId?: string;
    /** `running`, then `finished`. */
    readonly status: AgUiStatus;
}

/** A subagent: a lane of its own. */
export interface AgUiSubagent {
    /** Its id. */
    readonly subagentRunId: string;
    /** Its name. */
    readonly name: string;
    /** What it is for. */
    readonly description?: string;
    /** The subagent that has started it. */
    readonly parentSubagentRunId?: string;
    /** The call that has started it. */
    readonly parentToolCallId?: string;
    /** The message that has started it. */
    readonly parentMessageId?: string;
    /** `running`, then `finished`, `interrupted` (it is suspended) or `failed`. */
    readonly status: AgUiStatus;
    /** What it returned. */
    readonly result?: Json;
    /** How it ended. */
    readonly outcome?: Json;
    /** Why it failed. */
    readonly error?: AgUiRunError;
}

/** A span of reasoning. */
export interface AgUiReasoningSpan {
    /** Its id. */
    readonly messageId: string;
    /** The lane that it belongs to. */
    readonly subagentRunId?: string;
    /** `running`, then `finished`. */
    readonly status: AgUiStatus;
}

/** A run. */
export interface AgUiRun {
    /** Its thread. */
    readonly threadId: string;
    /** Its id. */
    readonly runId: string;
    /** The run that it goes on from. */
    readonly parentRunId?: string;
    /** The version that the agent speaks. */
    readonly protocolVersion?: string;
    /** How far it has come. */
    readonly status: AgUiStatus;
}



/** How far a task has come. */
export type A2aTaskState = "TASK_STATE_UNSPECIFIED" | "TASK_STATE_SUBMITTED" | "TASK_STATE_WORKING" | "TASK_STATE_COMPLETED" | "TASK_STATE_FAILED" | "TASK_STATE_CANCELED" | "TASK_STATE_INPUT_REQUIRED" | "TASK_STATE_REJECTED" | "TASK_STATE_AUTH_REQUIRED" | "UNRECOGNIZED";

/** Who speaks in a message. */
export type A2aRole = "ROLE_UNSPECIFIED" | "ROLE_USER" | "ROLE_AGENT" | "UNRECOGNIZED";

/**
 * What an A2A stream comes to: a task, or one message, or an error. Plain data; what did not change keeps its identity
 * from one update to the next.
 */
export interface A2aSnapshot {
    /** The task with its artifacts. */
    readonly task: A2aTask | null;
    /** The message, if the stream has one in the place of a task. */
    readonly message: A2aMessage | null;
    /** The JSON-RPC error that ended the stream. */
    readonly error: A2aError | null;
}

/** Why a request failed: a JSON-RPC error. */
export interface A2aError {
    /** Which error it is: `-32001`. */
    readonly code: number;
    /** What went wrong. */
    readonly message: string;
    /** More about it: in 1.0 a list of objects with `@type`. */
    readonly data?: Json;
}

/** A task. What was not said is absent. */
export interface A2aTask {
    /** Its id. */
    readonly id?: string;
    /** The conversation that it belongs to. */
    readonly contextId?: string;
    /** How far it is. */
    readonly status?: A2aTaskStatus;
    /** What it has made, in order. */
    readonly artifacts?: readonly A2aArtifact[];
    /** The messages of the conversation, those of its statuses too. */
    readonly history?: readonly A2aMessage[];
    /** Anything more, that of its updates too: an object. */
    readonly metadata?: Json;
}

/** How far a task is. */
export interface A2aTaskStatus {
    /** The state. */
    readonly state?: A2aTaskState;
    /** What the agent says about it. */
    readonly message?: A2aMessage;
    /** When. */
    readonly timestamp?: string;
}

/** Something that a task has made. */
export interface A2aArtifact {
    /** Its id, unique in the task. */
    readonly artifactId?: string;
    /** What people call it. */
    readonly name?: string;
    /** What it is. */
    readonly description?: string;
    /** What it consists of. A text that came in pieces is as many parts. */
    readonly parts?: readonly A2aPart[];
    /** Anything more: an object. */
    readonly metadata?: Json;
    /** The extensions that it needs. */
    readonly extensions?: readonly string[];
}

/** A message. */
export interface A2aMessage {
    /** Its id. */
    readonly messageId?: string;
    /** The conversation that it belongs to. */
    readonly contextId?: string;
    /** The task that it belongs to. */
    readonly taskId?: string;
    /** Who speaks. */
    readonly role?: A2aRole;
    /** What it consists of. */
    readonly parts?: readonly A2aPart[];
    /** Anything more: an object. */
    readonly metadata?: Json;
    /** The extensions that it needs. */
    readonly extensions?: readonly string[];
    /** The tasks that it refers to. */
    readonly referenceTaskIds?: readonly string[];
}

/** A part of an artifact or a message. Of the first four members it has one. */
export interface A2aPart {
    /** Text. */
    readonly text?: string;
    /** The bytes of a file in base64. */
    readonly raw?: string;
    /** Where a file is. */
    readonly url?: string;
    /** Any JSON. */
    readonly data?: Json;
    /** Anything more: an object. */
    readonly metadata?: Json;
    /** The name of the file. */
    readonly filename?: string;
    /** Its media type. */
    readonly mediaType?: string;
}



/** How far a tool call has come. */
export type ToolState = "streaming" | "called" | "answered";

/** How far a response, message or content has come. */
export type RunStatus = "created" | "in_progress" | "completed" | "canceled" | "failed" | "rejected" | "unknown" | "queued" | "incomplete" | (string & {});

/** Who a message is from. */
export type Role = "assistant" | "user" | "system" | "tool" | (string & {});

/** What a message is. */
export type MessageType = "message" | "function_call" | "function_call_output" | "plugin_call" | "plugin_call_output" | "component_call" | "component_call_output" | "mcp_list_tools" | "mcp_approval_request" | "mcp_call" | "mcp_approval_response" | "mcp_call_output" | "reasoning" | "heartbeat" | "error" | "a2ui_response" | "a2ui_action" | (string & {});

/** What a content is. */
export type ContentType = "text" | "data" | "image" | "audio" | "file" | "refusal" | "video" | (string & {});

/** The answer so far: plain data, whole and in order at any moment. */
export interface AgentApiSnapshot {
    /** The response with its messages. */
    readonly response: Response;
    /** Every tool call with what answers it, in the order of their first appearance. */
    readonly toolCalls: readonly ToolCall[];
}

/** Why something failed. (Spec 1.2, `Error`.) */
export interface ErrorInfo {
    /** A name for programs. */
    readonly code: string;
    /** A sentence for people. */
    readonly message: string;
}

/** A tool call and its output. (R35: paired by call id, not by order.) */
export interface ToolCall {
    /** The call's id; null where the stream has not said it. */
    readonly callId: string | null;
    /** The tool's name. */
    readonly name: string | null;
    /** Type of the message that opened it. */
    readonly type: MessageType;
    /**
     * `streaming`: arguments are coming, or never came. `called`: they are complete. `answered`: the output is
     * complete.
     */
    readonly state: ToolState;
    /** The message that holds the call. */
    readonly messageId: string | null;
    /** The index of the content that holds the call. */
    readonly index: number | null;
    /** The message that holds the output. */
    readonly outputMessageId: string | null;
    /** The index of the content that holds the output. */
    readonly outputIndex: number | null;
}

/**
 * One run's answer; what did not change keeps its identity from one update to the next.
 * (Spec 1.2, `AgentResponse`.)
 */
export interface Response {
    /** Number of the event that said this last. */
    readonly sequence_number: number | null;
    readonly object: "response";
    /** How far the run has come. */
    readonly status: RunStatus;
    /** Why it failed. */
    readonly error: ErrorInfo | null;
    /** Empty until the stream has named it. */
    readonly id: string;
    /** Seconds since 1970. */
    readonly created_at: number | null;
    /** Seconds since 1970. */
    readonly completed_at: number | null;
    /**
     * The messages, in the order of their first appearance; once the response has ended, in the order it lists
     * them, those it does not list after them.
     */
    readonly output: readonly Message[];
    /** Tokens used, as the server counts them. */
    readonly usage: Json;
    /** The conversation the run belongs to. */
    readonly session_id: string | null;
}

/** One message of a response. (Spec 1.2, `Message`.) */
export interface Message {
    /** Number of the event that said this last. */
    readonly sequence_number: number | null;
    readonly object: "message";
    /** How far the message has come; not terminal at the end of a stream means it was cut off. */
    readonly status: RunStatus;
    /** Why it failed. */
    readonly error: ErrorInfo | null;
    /** Unique in its response. */
    readonly id: string;
    /** What the message is. */
    readonly type: MessageType;
    /** Who it is from. */
    readonly role: Role | null;
    /** Its parts, sorted by `index`. */
    readonly content: readonly Content[];
    /** Error code of a message of type error. */
    readonly code: string | null;
    /** Error text of a message of type error. */
    readonly message: string | null;
    /** Tokens used by this message. */
    readonly usage: Json;
    /** Free. */
    readonly metadata: Json;
}

/**
 * One part of a message; its `type` tells what it holds. Servers may send types that are not listed here: leave a
 * `default`. (Spec 1.2, `Content` and its seven classes.)
 */
export interface OtherContent {
    /** Number of the event that said this whole value last; null while it is only pieces. */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** How far the part has come. */
    readonly status: RunStatus;
    /** Why it failed. */
    readonly error: ErrorInfo | null;
    readonly type: OtherName;
    /** Its place in the message. */
    readonly index: number;
    readonly delta: false;
    /** The message it belongs to. */
    readonly msg_id: string;
    readonly [member: string]: unknown;
}

/** `text` */
export interface TextContent {
    /** Number of the event that said this whole value last; null while it is only pieces. */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** How far the part has come. */
    readonly status: RunStatus;
    /** Why it failed. */
    readonly error: ErrorInfo | null;
    readonly type: "text";
    /** Its place in the message. */
    readonly index: number;
    readonly delta: false;
    /** The message it belongs to. */
    readonly msg_id: string;
    /** The text so far. */
    readonly text: string | null;
}

/** `data`: a JSON object. */
export interface DataContent {
    /** Number of the event that said this whole value last; null while it is only pieces. */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** How far the part has come. */
    readonly status: RunStatus;
    /** Why it failed. */
    readonly error: ErrorInfo | null;
    readonly type: "data";
    /** Its place in the message. */
    readonly index: number;
    readonly delta: false;
    /** The message it belongs to. */
    readonly msg_id: string;
    /** A JSON object. */
    readonly data: { readonly [key: string]: Json } | null;
}

/** `image` */
export interface ImageContent {
    /** Number of the event that said this whole value last; null while it is only pieces. */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** How far the part has come. */
    readonly status: RunStatus;
    /** Why it failed. */
    readonly error: ErrorInfo | null;
    readonly type: "image";
    /** Its place in the message. */
    readonly index: number;
    readonly delta: false;
    /** The message it belongs to. */
    readonly msg_id: string;
    /** A URL or data URL. */
    readonly image_url: string | null;
}

/** `audio` */
export interface AudioContent {
    /** Number of the event that said this whole value last; null while it is only pieces. */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** How far the part has come. */
    readonly status: RunStatus;
    /** Why it failed. */
    readonly error: ErrorInfo | null;
    readonly type: "audio";
    /** Its place in the message. */
    readonly index: number;
    readonly delta: false;
    /** The message it belongs to. */
    readonly msg_id: string;
    /** Base64 or a URL. */
    readonly data: string | null;
    /** For example `wav`. */
    readonly format: string | null;
}

/** `file` */
export interface FileContent {
    /** Number of the event that said this whole value last; null while it is only pieces. */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** How far the part has come. */
    readonly status: RunStatus;
    /** Why it failed. */
    readonly error: ErrorInfo | null;
    readonly type: "file";
    /** Its place in the message. */
    readonly index: number;
    readonly delta: false;
    /** The message it belongs to. */
    readonly msg_id: string;
    /** Where the file is. */
    readonly file_url: string | null;
    /** The server's name for it. */
    readonly file_id: string | null;
    /** Its name for people. */
    readonly filename: string | null;
    /** Base64. */
    readonly file_data: string | null;
}

/** `refusal` */
export interface RefusalContent {
    /** Number of the event that said this whole value last; null while it is only pieces. */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** How far the part has come. */
    readonly status: RunStatus;
    /** Why it failed. */
    readonly error: ErrorInfo | null;
    readonly type: "refusal";
    /** Its place in the message. */
    readonly index: number;
    readonly delta: false;
    /** The message it belongs to. */
    readonly msg_id: string;
    /** Why the agent will not answer. */
    readonly refusal: string | null;
}

/** `video` */
export interface VideoContent {
    /** Number of the event that said this whole value last; null while it is only pieces. */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** How far the part has come. */
    readonly status: RunStatus;
    /** Why it failed. */
    readonly error: ErrorInfo | null;
    readonly type: "video";
    /** Its place in the message. */
    readonly index: number;
    readonly delta: false;
    /** The message it belongs to. */
    readonly msg_id: string;
    /** A URL or data URL. */
    readonly video_url: string | null;
}

/**
 * One part of a message; its `type` tells what it holds. Servers may send types that are not listed here: leave a
 * `default`. (Spec 1.2, `Content` and its seven classes.)
 */
export type Content = TextContent | DataContent | ImageContent | AudioContent | FileContent | RefusalContent | VideoContent | OtherContent;



/** How far a turn has come. */
export type AgKitStatus = "streaming" | "completed" | "awaiting-tool-results" | "interrupted" | "failed" | "truncated";

/** How far a tool call has come. The words are those of the AG-Kit clients (A.6). */
export type AgKitToolState = "input-streaming" | "input-available" | "output-available";

/** The growing answer to one AG-Kit request. Plain data; what did not change keeps its identity from one update to the next. */
export interface AgKitTurn {
    /**
     * `streaming` until the stream has ended; then what is left to do. `truncated`: it stopped inside a tool call, its
     * reader has stopped it, or it could not be read at all.
     */
    readonly status: AgKitStatus;
    /** In order of appearance. */
    readonly parts: readonly AgKitPart[];
    /** Why the run failed; the same stands among the parts. */
    readonly error: AgKitError | null;
    /**
     * Calls whose arguments are final and that nothing has answered when the stream ends: the client's to answer (K4).
     * Empty while the stream lasts. Whether to act on them is what `status` says.
     */
    readonly pendingToolCallIds: readonly string[];
}

/** Text: all pieces that came with no other part between them (K1). */
export interface AgKitTextPart {
    readonly type: "text";
    /** The text so far. */
    readonly text: string;
}

/** A tool call, with its result if the server has called the tool. */
export interface AgKitToolCallPart {
    readonly type: "tool-call";
    /** The call's id. */
    readonly toolCallId: string;
    /** The tool. */
    readonly toolCallName: string;
    /** `input-streaming`: arguments are coming. `input-available`: they are final. `output-available`: the result is there. */
    readonly state: AgKitToolState;
    /** The arguments' JSON text so far (K2). Half of it is for display only. */
    readonly arguments: string;
    /** The arguments, once they are final and if they are JSON (K3). Parsed once; none at all are no arguments. */
    readonly parsedArguments: Json;
    /** Why final arguments are no JSON (K3). */
    readonly argumentsError: string | null;
    /** What the tool came to, if the server has called it itself (K4). */
    readonly result: string | null;
}

/** A question of the agent: the run goes on when the client resumes it (K5). */
export interface AgKitInterruptPart {
    readonly type: "interrupt";
    /** What to name when resuming. */
    readonly id: string;
    /** Why. */
    readonly reason: string | null;
    /** What the client is asked; any JSON. */
    readonly payload: Json;
}

/** Why a run failed (K8, K9). */
export interface AgKitError {
    /** What went wrong. */
    readonly message: string;
    /** More about it. */
    readonly details: string | null;
}

/** The end of a run that failed (K8, K9). */
export interface AgKitErrorPart {
    readonly type: "error";
    /** What went wrong. */
    readonly message: string;
    /** More about it. */
    readonly details: string | null;
}

/** One part of a turn; its `type` tells which. */
export type AgKitPart = AgKitTextPart | AgKitToolCallPart | AgKitInterruptPart | AgKitErrorPart;



/** The answer of `POST /runs`, status 202. The events are asked for with these ids (E2). */
export type RunCreated = {
    /** The service's own name for the work. */
    taskId: string;
    /** The conversation. */
    threadId: string;
    /** The run. */
    runId: string;
    /** Whether the conversation is a new one. */
    created: boolean;
};

/** The answer of `POST /runs/{thread_id}/cancel`, status 202: received, not yet done (E15). */
export type RunCancelAccepted = {
    /** The conversation. */
    threadId: string;
    /** The run. */
    runId: string;
    /** Always true. */
    accepted: boolean;
};

/** The answer of `GET /history`: the messages of one day, in order. */
export type RunHistory = {
    /** `history_day`. */
    scope: string;
    /** The conversation; null where the user has none. */
    threadId: string | null;
    /** The day, `YYYY-MM-DD`; null where there are no messages. */
    day: string | null;
    /** Whether an earlier day has messages: ask with `before=<day>`. */
    hasMore: boolean;
    /** The messages. */
    messages: RunHistoryMessage[];
};

/** A message of the history. */
export type RunHistoryMessage = {
    /** Its id. */
    id: string;
    /** Its place in the conversation. */
    seq: number;
    /** Who says it. */
    role: "user" | "assistant" | "tool";
    /** The text; of a tool, the result as JSON text. */
    content: string;
    /** What the user might say next (of an assistant's message). */
    suggestedActions?: string[] | null;
    /** What the user sent along. */
    attachments?: RunAttachmentRef[] | null;
    /** How a tool's result is shown. */
    ui_schema?: Json | null;
    /** When, ISO 8601. */
    timestamp: string;
};

/** Something that was uploaded, in a message. */
export type RunAttachmentRef = {
    /** Its type. */
    mimeType: string;
    /** Where it is, for some time. */
    url: string;
};

/** The answer of `POST /attachments`. */
export type RunUploaded = {
    /** What was uploaded. */
    attachment: RunAttachment;
};

/** Something that was uploaded. */
export type RunAttachment = {
    /** Where the service keeps it. */
    bucket: string;
    /** Its name there. */
    path: string;
    /** Its type, by its content. */
    mimeType: string;
    /** Where it is, for some time: what the next run's message names. */
    url: string;
};

/** The answer of `GET /attachments/signed-url`. */
export type RunSignedUrl = {
    /** Where the service keeps it. */
    bucket: string;
    /** Its name there. */
    path: string;
    /** Where it is, for some time. */
    url: string;
};

/** The answer of `POST /transcribe`. */
export type RunTranscript = {
    /** What was said. */
    transcript: string;
};



/** The query of `GET /runs/{thread_id}/events`. */
export type RunEventsQuery = {
    /** The run whose events are sent. */
    runId: string;
    /** How often the connection may be idle before it is closed: 1 to 3600. */
    idle_limit?: number;
};

/** The query of `POST /runs/{thread_id}/cancel`. */
export type RunCancelQuery = {
    /** The run that shall stop. */
    runId: string;
};

/** The query of `GET /history`. */
export type RunHistoryQuery = {
    /** The conversation. Absent is the latest one of the user. */
    threadId?: string | null;
    /** The nearest earlier day than this one that has messages: `YYYY-MM-DD`. Absent is the latest day. */
    before?: string | null;
};



/** What a client asks an AG-Kit agent (A.3). */
export type SendMessageInput = {
    /** Names the conversation, whose messages the server keeps. */
    conversationId: string;
    /** What is new in it. Absent and null mean nothing. */
    messages?: AgKitInputMessage[] | null;
    /** What the agent may ask the client to call. Absent and null mean nothing. */
    tools?: AgKitTool[] | null;
    /** The answer to an interrupt. */
    resume?: AgKitResume | null;
};

/** One message of a request, by its `role` (A.3). */
export type AgKitInputMessage =
| {
    role: "assistant";
    /** Required by the server, absent in the TypeScript documentation; `identify` makes one. */
    id?: string | null;
    /** The text. */
    content?: string | null;
    /** What it called. */
    toolCalls?: AgKitToolCall[] | null;
}
| {
    role: "system";
    /** The text; a list of text parts is read as their concatenation. */
    content: string;
}
| {
    role: "user";
    /** The text; a list of text parts is read as their concatenation. */
    content: string;
}
| {
    role: "tool";
    /** The result: text, often JSON text. */
    content: string;
    /** The call that it answers. */
    toolCallId: string;
};

/** A tool call of an assistant message. */
export type AgKitToolCall = {
    /** The call's id. */
    id: string;
    type?: "function";
    function: {
        /** The tool. */
        name: string;
        /** JSON text. */
        arguments: string;
    };
};

/** A tool of the client. */
export type AgKitTool = {
    /** What calls name it. */
    name: string;
    /** What it is for. */
    description: string;
    /**
     * JSON Schema of its arguments: as the text that the protocol wants, or as the JSON itself, which is written as
     * that text.
     */
    parameters: Json;
};

/** The answer to an interrupt (K5). */
export type AgKitResume = {
    /** The interrupt's `id`. */
    interruptId: string;
    /**
     * The answer as JSON text, which the server wants and `resuming` writes: `JSON.stringify(answer)`. Text that is no
     * JSON, and any other JSON, are sent as JSON text, too.
     */
    payload: Json;
};



/** What a client asks an AG-UI agent: the whole thread, as the client has it (B.2). */
export type RunAgentInput = {
    /** Names the thread. */
    threadId: string;
    /** Names the run that answers. */
    runId: string;
    /** The version that the client speaks; `1.0` is written if there is none. */
    protocolVersion?: string | null;
    /** The run that this one goes on from. */
    parentRunId?: string | null;
    /** The shared state: any JSON. Absent is an object without members. */
    state?: Json;
    /** The messages of the thread, in order. */
    messages: AgUiInputMessage[];
    /** What the agent may ask the client to call. Absent and null mean nothing. */
    tools?: AgUiTool[] | null;
    /** What the agent should know. Absent and null mean nothing. */
    context?: AgUiContext[] | null;
    /** Anything for the agent: any JSON. Absent and null are an object without members. */
    forwardedProps?: Json;
    /** The answers to all that the last run has asked. Absent and null mean nothing. */
    resume?: AgUiResumeEntry[] | null;
};

/** One message of a request, by its `role` (B.2). */
export type AgUiInputMessage =
| {
    role: "developer";
    /** Its id. */
    id: string;
    /** The text. */
    content: string;
    /** The name of who speaks. */
    name?: string | null;
    /** What only the provider can read. */
    encryptedValue?: string | null;
    /** The lane that it belongs to. */
    subagentRunId?: string | null;
    /** Anything more. */
    metadata?: Record<string, unknown> | null;
}
| {
    role: "system";
    /** Its id. */
    id: string;
    /** The text. */
    content: string;
    /** The name of who speaks. */
    name?: string | null;
    /** What only the provider can read. */
    encryptedValue?: string | null;
    /** The lane that it belongs to. */
    subagentRunId?: string | null;
    /** Anything more. */
    metadata?: Record<string, unknown> | null;
}
| {
    role: "assistant";
    /** Its id. */
    id: string;
    /** The text; absent where it only calls. */
    content?: string | null;
    /** The name of who speaks. */
    name?: string | null;
    /** What it has called. */
    toolCalls?: AgUiInputToolCall[] | null;
    /** What only the provider can read. */
    encryptedValue?: string | null;
    /** The lane that it belongs to. */
    subagentRunId?: string | null;
    /** Anything more. */
    metadata?: Record<string, unknown> | null;
}
| {
    role: "user";
    /** Its id. */
    id: string;
    /** A text, or parts. */
    content: AgUiInputContent;
    /** The name of who speaks. */
    name?: string | null;
    /** What only the provider can read. */
    encryptedValue?: string | null;
    /** The lane that it belongs to. */
    subagentRunId?: string | null;
    /** Anything more. */
    metadata?: Record<string, unknown> | null;
}
| {
    role: "tool";
    /** Its id. */
    id: string;
    /** A text, often JSON text, or parts. */
    content: AgUiInputContent;
    /** The call that it answers. */
    toolCallId: string;
    /** What went wrong. */
    error?: string | null;
    /** What only the provider can read. */
    encryptedValue?: string | null;
    /** The lane that it belongs to. */
    subagentRunId?: string | null;
    /** Anything more. */
    metadata?: Record<string, unknown> | null;
}
| {
    role: "activity";
    /** Its id. */
    id: string;
    /** Its kind. */
    activityType: string;
    /** An object. */
    content: Record<string, unknown>;
    /** The lane that it belongs to. */
    subagentRunId?: string | null;
    /** Anything more. */
    metadata?: Record<string, unknown> | null;
}
| {
    role: "reasoning";
    /** Its id. */
    id: string;
    /** The text. */
    content: string;
    /** What only the provider can read. */
    encryptedValue?: string | null;
    /** The lane that it belongs to. */
    subagentRunId?: string | null;
    /** Anything more. */
    metadata?: Record<string, unknown> | null;
};

/** A tool call of an assistant message. */
export type AgUiInputToolCall = {
    /** The call's id. */
    id: string;
    type?: "function";
    function: {
        /** The tool. */
        name: string;
        /** JSON text. */
        arguments: string;
    };
    /** What only the provider can read. */
    encryptedValue?: string | null;
    /** Anything more. */
    metadata?: Record<string, unknown> | null;
};

/** A text, or parts. */
export type AgUiInputContent = string | AgUiContentPart[];

/**
 * A part of what a user says or a tool came to, by its `type`. The `binary` parts of older versions are read as the part of
 * their media type.
 */
export type AgUiContentPart =
| {
    type: "text";
    /** The text. */
    text: string;
    /** Its id. */
    id?: string | null;
    /** Anything more. */
    metadata?: Json | null;
}
| {
    type: "image";
    /** Where it is. */
    source: AgUiSource;
    /** Its id. */
    id?: string | null;
    /** Anything more. */
    metadata?: Json | null;
}
| {
    type: "audio";
    /** Where it is. */
    source: AgUiSource;
    /** Its id. */
    id?: string | null;
    /** Anything more. */
    metadata?: Json | null;
}
| {
    type: "video";
    /** Where it is. */
    source: AgUiSource;
    /** Its id. */
    id?: string | null;
    /** Anything more. */
    metadata?: Json | null;
}
| {
    type: "document";
    /** Where it is. */
    source: AgUiSource;
    /** Its id. */
    id?: string | null;
    /** Anything more. */
    metadata?: Json | null;
};

/** Where a part is. */
export type AgUiSource =
| {
    type: "data";
    /** Base64. */
    value: string;
    /** What it is. */
    mimeType: string;
}
| {
    type: "url";
    /** The URL. */
    value: string;
    /** What it is. */
    mimeType?: string | null;
}
| {
    type: "file";
    /** The provider's id for it. */
    value: string;
    /** The provider. */
    provider?: string | null;
    /** What it is. */
    mimeType?: string | null;
};

/** A tool of the client. */
export type AgUiTool = {
    /** What calls name it. */
    name: string;
    /** What it is for. */
    description: string;
    /** JSON Schema of its arguments. */
    parameters?: Json | null;
    /** Anything more. */
    metadata?: Record<string, unknown> | null;
};

/** Something that the agent should know. */
export type AgUiContext = {
    /** What it is. */
    description: string;
    /** The thing itself. */
    value: string;
};

/** The answer to an interrupt (B.8). */
export type AgUiResumeEntry = {
    /** The interrupt's `id`. */
    interruptId: string;
    /** Whether it is answered, or will not be. */
    status: "resolved" | "cancelled";
    /** The answer: any JSON. */
    payload?: Json | null;
    /** Anything more. */
    metadata?: Record<string, unknown> | null;
};

/** What an agent asks (B.8). */
export type AgUiInterrupt = {
    /** What to name when answering. */
    id: string;
    /** Why: `tool_call`, or any other word. */
    reason: string;
    /** The question, for people. */
    message?: string;
    /** The call that it is about. */
    toolCallId?: string;
    /** JSON Schema of the answer. */
    responseSchema?: Record<string, unknown> | null;
    /** Until when it can be answered, as ISO 8601. */
    expiresAt?: string;
    /** Anything more. */
    metadata?: Record<string, unknown> | null;
    /** The lane that asks. */
    subagentRunId?: string;
};



/** What a client asks of an A2A agent: the parameters of `SendMessage` and `SendStreamingMessage`, in the form of 1.0. */
export type A2aSendMessageRequest = {
    /** What the client says. */
    message: A2aInputMessage;
    /** How it wants the answer. */
    configuration?: A2aSendMessageConfiguration | null;
    /** Free: an object. */
    metadata?: Record<string, unknown> | null;
};

/** How a client wants the answer. */
export type A2aSendMessageConfiguration = {
    /** The media types that it can show. */
    acceptedOutputModes?: string[] | null;
    /** How many messages the task of the answer has of its history; all where it is absent. */
    historyLength?: number | null;
    /** Whether the answer may be a task that still works. By default it is one that has come to its end, or waits. */
    returnImmediately?: boolean | null;
    /** Where to send updates to: refused, there are no push notifications. */
    taskPushNotificationConfig?: Json | null;
};

/** A message of a client. */
export type A2aInputMessage = {
    /** Its id, which the client makes. */
    messageId: string;
    /** The conversation; a new one where it is absent. */
    contextId?: string | null;
    /** The task that it goes on with; a new one where it is absent. */
    taskId?: string | null;
    /** Who it is from. */
    role: "ROLE_USER" | "ROLE_AGENT";
    /** What it says. */
    parts: A2aInputPart[];
    /** Free: an object. */
    metadata?: Record<string, unknown> | null;
    /** The extensions that it uses. */
    extensions?: string[] | null;
    /** Other tasks that it is about. */
    referenceTaskIds?: string[] | null;
};

/** A part of a message: exactly one of `text`, `raw`, `url` and `data`, and what is said about it. */
export type A2aInputPart = {
    /** Text. */
    text?: string | null;
    /** Bytes, in base64. */
    raw?: string | null;
    /** Where a file is. */
    url?: string | null;
    /** Any JSON. */
    data?: Json | null;
    /** The file's name. */
    filename?: string | null;
    /** What it is: `image/png`. */
    mediaType?: string | null;
    /** Free: an object. */
    metadata?: Record<string, unknown> | null;
};



/** What a client asks the service to run (C.1): AG-UI's `RunAgentInput`, of which the service takes less. */
export type RunInput = {
    /** The conversation: a UUID, which the client makes up for a new one. */
    threadId: string;
    /** The run, made up by the client: 1 to 128 characters. The same id with the same body is the same run. */
    runId: string;
    /**
     * What is new, at most 200 messages: one message of the user; or none, where results of tools or `resume` continue
     * the run before. The service keeps the earlier messages.
     */
    messages: RunInputMessage[];
    /** What mode the run has, and what else the service takes from the client. */
    forwardedProps: RunForwardedProps;
    /** The shared state. */
    state?: Json | null;
    /** Tools of the client, as AG-UI has them. */
    tools?: Json[] | null;
    /** What the agent may know of the page, as AG-UI has it. */
    context?: Json[] | null;
    /** The run that this one follows. */
    parentRunId?: string | null;
    /** Answers to interrupts, as AG-UI has them. */
    resume?: Json | null;
};

/** What the service takes beside AG-UI's own members. It refuses any other. */
export type RunForwardedProps = {
    /** Who answers: a router and a worker (`chat`), or whom the service chooses (`automation`). */
    runtime_mode: "chat" | "automation";
    /** What the client's clock says. */
    client_time?: RunClientTime | null;
} & Record<string, unknown>;

/** What a client's clock says. */
export type RunClientTime = {
    /** The name of the time zone: `Asia/Shanghai`. */
    device_timezone?: string | null;
    /** The time there, ISO 8601 with an offset. */
    client_now_iso?: string | null;
    /** Milliseconds since 1970. */
    client_epoch_ms?: number | null;
};

/** A message, by its `role`. */
export type RunInputMessage =
| {
    role: "user";
    /** Its id. */
    id: string;
    /** Text, or parts. */
    content: RunUserContent;
}
| {
    role: "tool";
    /** Its id. */
    id: string;
    /** The result. */
    content: string;
    /** The call that it answers. */
    toolCallId: string;
    /** Why it failed. */
    error?: string | null;
}
| {
    role: "assistant";
    /** Its id. */
    id: string;
    /** The text. */
    content?: string | null;
    /** What it called, as AG-UI has it. */
    toolCalls?: Json[] | null;
}
| {
    role: "system";
    /** Its id. */
    id: string;
    /** The text. */
    content: string;
}
| {
    role: "developer";
    /** Its id. */
    id: string;
    /** The text. */
    content: string;
};

/** What the user says: text, or parts. */
export type RunUserContent = string | RunInputPart[];

/** A part of what the user says, by its `type`. */
export type RunInputPart =
| {
    type: "text";
    /** The text. */
    text: string;
}
| {
    type: "binary";
    /** Its type: `image/png`. */
    mimeType: string;
    /** The address that the upload has answered. */
    url?: string | null;
    /** Refused: data is uploaded first. */
    data?: string | null;
}
| {
    type: "image";
    /** Where it is. */
    source: RunImageSource;
};

/** Where an image is. */
export type RunImageSource = {
    /** `url`: data is uploaded first. */
    type: "url";
    /** The address that the upload has answered. */
    value: string;
    /** Its type: `image/png`. */
    mimeType?: string | null;
};




/**
 * A chunk on its way in, and the patch on its way out.
 */
export class Exchange {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Address of the header: address and length of the ops; address and length of the text, in bytes of ASCII or with
     * [`WIDE`] in units of UTF-16; address of the long texts, how many violations the reader has found in all, whether its answer can still change (0) or not (1),
     * the number of the protocol, and how many bytes of the input have been read;
     * after a call that makes a report also how the stream ended, how many words after the ops are its findings, and the
     * numbers of events, comments and bytes, low half first; and last what tells builds apart ([`CONTRACT`]). It stays.
     */
    header(): number;
    /**
     * Address of the bytes that JavaScript writes the next chunk to. It stays.
     */
    input(): number;
    /**
     * Room for chunks of up to `length` bytes.
     */
    constructor(length: number);
}

/**
 * The stream of a run being built.
 */
export class RawAgUiBuilder {
    free(): void;
    [Symbol.dispose](): void;
    activity(id: string, kind: string, content: string): string;
    /**
     * JavaScript writes pieces by itself: what has to come before them. `of` is `text` or `reasoning`, with an id after a space
     * where a message was begun by its event, or `args` with the id of a call.
     */
    beginPieces(of: string): string;
    endMessage(): string;
    error(message: string, code?: string | null): string;
    /**
     * Any event, as JSON.
     */
    event(json: string): string;
    /**
     * `outcome` is JSON: what the run ends as where there is no error.
     */
    finishWith(outcome: string, message?: string | null, code?: string | null): string;
    /**
     * `outcome` is JSON.
     */
    finish(outcome: string, result?: string | null): string;
    isEnded(): boolean;
    lane(id?: string | null): void;
    messageId(): string | undefined;
    /**
     * `state` is the JSON that the client has sent, if that is known.
     */
    constructor(thread_id: string, run_id: string, state: string | null | undefined, chunks: boolean, numbered: boolean);
    /**
     * The lines of what the pieces have in common that were begun last.
     */
    pieceTemplate(): string;
    setUsage(usage: string): void;
    start(): string;
    state(next: string): string;
    toolCallEnd(id: string): string;
    toolCallStart(id: string, name: string): string;
    toolResult(call: string, content: string): string;
}

/**
 * The waits between the attempts of one request.
 */
export class RawBackoff {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Times are in milliseconds.
     */
    constructor(base_delay: number, max_delay: number, attempts: number, seed: bigint);
    /**
     * How long to wait after an attempt that brought nothing; nothing after the last.
     */
    next(retry_after: number): number | undefined;
}

/**
 * A content being built.
 */
export class RawContentBuilder {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    addDataDelta(json: string): string;
    /**
     * The pieces that JavaScript has written since then, joined, and how many they are.
     */
    addWritten(pieces: string, count: number): void;
    complete(): string;
    /**
     * The content as it stands, as JSON.
     */
    getContentData(): string;
    /**
     * JavaScript writes a piece of the text or refusal, and those that follow it directly: the lines of what they have in
     * common.
     */
    pieceTemplate(kind: string): string;
    /**
     * The whole value so far; its members in the order of the protocol, data as JSON.
     */
    set(type: string, first?: string | null, second?: string | null, third?: string | null, fourth?: string | null): string;
    updateData(key: string, json: string): string;
}

/**
 * A stream being converted.
 */
export class RawConverter {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The source broke off; gives the end.
     */
    cutOff(): Uint8Array;
    /**
     * The stream is over, or its reader has stopped it; gives the end.
     */
    finish(aborted: boolean): Uint8Array;
    /**
     * Whether the source has ended.
     */
    hasEnded(): boolean;
    /**
     * What could not be carried so far, as JSON; empty while it is not known what is read.
     */
    losses(): string;
    /**
     * Starts converting. Protocols are numbers; [`STEPS`] is the hub itself, any other one as the source is what the first
     * event tells. `settings` are those of a reader, `write` those of a builder, as JSON.
     */
    constructor(from: number, to: number, settings: string, write: string, seed: bigint);
    /**
     * Takes the next bytes; gives what they become.
     */
    push(chunk: Uint8Array | number[]): Uint8Array;
    /**
     * The report on the source so far, as JSON; empty while it is not known what it is.
     */
    report(): string;
    /**
     * The number of the protocol that is read; one that no protocol has while it is not known, or is none of ours.
     */
    source(): number;
}

/**
 * A stream whose events are read.
 */
export class RawEventReader {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Leaves the same of what the end completes.
     */
    finish(exchange: Exchange): void;
    /**
     * Starts reading, told the same as a reader of answers.
     */
    constructor(protocol: number, settings: string);
    /**
     * Leaves as a text what the first bytes of the input complete, as a JSON array of arrays. All have an offset and a text. An
     * event has also its end, its number, its name and its id, and if something is wrong with it, code, path, offset and what was
     * expected; what was left out has an end of 0 and what was allowed, 0 for JSON lines; a comment has nothing more.
     */
    push(exchange: Exchange, length: number): void;
}

/**
 * A run being followed.
 */
export class RawFollower {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The server has answered; `retry_after` is 0 where it does not ask to wait.
     */
    answered(status: number, body: string, retry_after: number): void;
    /**
     * The connection is over, or did not come about.
     */
    closed(): void;
    /**
     * What was read, in numbers, as JSON.
     */
    counts(): string;
    /**
     * What `Last-Event-ID` would say now.
     */
    cursor(): string | undefined;
    /**
     * Times are in milliseconds.
     */
    constructor(run_id: string, after: string | null | undefined, base_delay: number, max_delay: number, attempts: number, seed: bigint);
    /**
     * Reads the next bytes; gives those of the run's stream.
     */
    push(chunk: Uint8Array | number[]): Uint8Array;
    /**
     * What is to be done next, as JSON: `to` is `connect` (with `lastEventId`, if there is one, and `anew`), `read`, `wait`
     * (with `milliseconds`) or `stop` (with `why`).
     */
    step(): string;
    /**
     * The time to wait is over.
     */
    waited(): void;
}

/**
 * A stream being cut: into server-sent events, or into lines.
 */
export class RawFramer {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The event that the end completes, if there is one.
     */
    finish(): string[];
    constructor(events: boolean);
    /**
     * The events that the next bytes complete.
     */
    push(bytes: Uint8Array | number[]): string[];
}

/**
 * A message being built.
 */
export class RawMessageBuilder {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * A content that is whole already; its members in the order of the protocol, data as JSON.
     */
    addContent(type: string, first?: string | null, second?: string | null, third?: string | null, fourth?: string | null): string;
    /**
     * The event that gives the message this status: its opening, or one of its ends.
     */
    announce(status: string, code?: string | null, message?: string | null): string;
    createContentBuilder(kind: string, index?: number | null): RawContentBuilder;
    finishWith(status: string, code?: string | null, message?: string | null): string;
    /**
     * The message as it stands, as JSON.
     */
    getMessageData(): string;
    id(): string;
    setError(code: string, message: string): void;
    setMetadata(json: string): void;
    setUsage(json: string): void;
}

/**
 * A stream being read. JavaScript applies the patch of each push; nothing of the answer stays here.
 */
export class RawReader {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Ends the stream. What its report says is left after the last patch. It is not to be asked for anything after that.
     */
    finish(exchange: Exchange, aborted: boolean): void;
    /**
     * Starts reading; the protocol is a number, any unknown one for what the first event tells, `seed` a number that
     * nobody else knows. Leaves a first patch.
     */
    constructor(protocol: number, settings: string, seed: bigint, exchange: Exchange);
    /**
     * Reads the bytes of the input between two places, or the first of them, if what they say becomes much: the header
     * says up to where.
     */
    push(exchange: Exchange, from: number, to: number): void;
    /**
     * Starts reading another stream, as `new` does.
     */
    restart(protocol: number, settings: string, seed: bigint, exchange: Exchange): void;
    /**
     * Leaves the figures of the report so far in the header, and by `what`: 0, what the report has besides, in the place of a
     * patch; 1, the same with only the violations that were found between two moments, at which there were so many in all; 2, as
     * a text, what `Last-Event-ID` should say when reconnecting now.
     */
    tell(exchange: Exchange, what: number, from: number, to: number): void;
}

/**
 * A response being built.
 */
export class RawResponseBuilder {
    free(): void;
    [Symbol.dispose](): void;
    addMessage(json: string): string;
    /**
     * The event that gives the response this status. What an error has as its code is the reason of an incomplete end.
     */
    announce(status: string, code?: string | null, message?: string | null): string;
    createMessageBuilder(role: string, kind: string): RawMessageBuilder;
    finishWith(status: string, code?: string | null, message?: string | null): string;
    generateStreamingResponse(tokens: string[], role: string): string;
    /**
     * The response as it stands, as JSON.
     */
    getResponseData(): string;
    id(): string;
    isEnded(): boolean;
    /**
     * `options` is JSON: `sessionId`, `responseId`, `style`, `numbering`, `partOrder`, `nullOutput`, `completedOnly`,
     * `ids`.
     */
    constructor(options: string);
    reset(): void;
    setUsage(json: string): void;
    updateMessage(json: string): string;
}

/**
 * The writing end of one run.
 */
export class RawRunWriter {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Takes an event that is about to be stored; gives its type.
     */
    append(data: string): string;
    isOver(): boolean;
    /**
     * `has_begun`: its beginning is in the log already.
     */
    constructor(run_id: string, has_begun: boolean);
}

/**
 * The stream of a turn being built.
 */
export class RawStreamBuilder {
    free(): void;
    [Symbol.dispose](): void;
    done(): string;
    error(message: string): string;
    finishWith(error?: string | null): string;
    interrupt(id: string, reason: string | null | undefined, payload: string): string;
    isEnded(): boolean;
    constructor();
    /**
     * JavaScript writes a piece of the text, or of the arguments of a call, and those that follow it directly: the lines of
     * what they have in common.
     */
    pieceTemplate(call?: string | null): string;
    toolCallEnd(id: string): string;
    toolCallStart(id: string, name: string): string;
    toolResult(id: string, result: string): string;
}

/**
 * The reading end of one connection.
 */
export class RawSubscription {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The number of the last entry that it has read.
     */
    after(): number;
    /**
     * 0 while it goes on, 1 after the run's end, 2 when it was idle for too long.
     */
    end(): number;
    /**
     * There is no further entry for now: gives what is to be sent.
     */
    flush(): string;
    /**
     * There was nothing for a while.
     */
    idle(): void;
    /**
     * A reader of a run's events after a number of the log.
     */
    constructor(run_id: string, generation: string, after: number, idle_limit: number);
    /**
     * Takes the next entry.
     */
    read(number: number, run_id: string, kind: string, data: string): void;
}

/**
 * A message for a task, which is the one that it names, or a new one. Gives `[request, agent request, what the task has so far]`, or
 * the refusal: `code` and `message`.
 */
export function a2aAccept(json: string, task?: string | null): string;

/**
 * A card, for `name`, `description`, `version`, `url` and `skills`.
 */
export function a2aCard(card: string): string;

/**
 * A refusal, by its code, as the call wants it.
 */
export function a2aError(reply: string, code: number, message: string): string;

/**
 * An event of a stream, framed. It is an object of 1.0 with the one member that tells what it is.
 */
export function a2aEvent(reply: string, event: string): string;

/**
 * A request by JSON-RPC. Gives `[call]`, or the answer that refuses it: `status`, `contentType`, `body`.
 */
export function a2aJsonRpc(body: string, version: string): string;

/**
 * A request by REST; the same.
 */
export function a2aRest(http: string, path: string, query: string, body: string, version: string): string;

/**
 * A result, an object of 1.0, as the call wants it.
 */
export function a2aResult(reply: string, result: string): string;

/**
 * A task with at most so many messages of its history, all where the number is missing, with its artifacts or without.
 */
export function a2aShown(task: string, history_length: number | null | undefined, with_artifacts: boolean): string;

/**
 * Whether a task may be followed (`subscribe`), or what it is when it was canceled (`cancel`). Gives `[task]`, or the refusal: `code`
 * and `message`.
 */
export function a2aTask(operation: string, id: string, task?: string | null): string;

/**
 * A JSON list of AG-UI events, with fewer of them.
 */
export function agUiCompact(json: string): string;

/**
 * An AG-UI event in binary form. Gives what it does not say, a JSON list of JSON Pointers, with its length in four bytes
 * before it, the least significant first; and then the frame.
 */
export function agUiFrame(json: string): Uint8Array;

/**
 * What a response repeats of its request. Gives JSON: `[members]`, or the refusal, an object.
 */
export function createResponseEcho(json: string): string;

/**
 * A Responses request as an Agent API one. Gives JSON: `[request, losses]`, or the refusal, an object.
 */
export function createResponseToAgentRequest(json: string): string;

/**
 * Reads a cursor: gives its number, -1 if it is none of this generation.
 */
export function cursorNumber(text: string, generation: string): number;

/**
 * Reads the body of a request. Gives JSON: `[request]`, or the refusal, an object with `status`, `contentType`, `body`,
 * `message` and `problems`.
 */
export function parseAgentRequest(body: string): string;

/**
 * Reads the body of a request. Gives JSON: `[request]`, or the refusal, an object with `status`, `contentType`, `body`,
 * `message` and `problems`.
 */
export function parseCreateResponse(body: string): string;

/**
 * Reads the body of a request. Gives JSON: `[request]`, or the refusal, an object with `status`, `contentType`, `body`,
 * `message` and `problems`.
 */
export function parseRunAgentInput(body: string): string;

/**
 * Reads the query of a cancellation.
 */
export function parseRunCancelQuery(json: string): string;

/**
 * Reads the query of the events, as a JSON object of strings. Gives the same.
 */
export function parseRunEventsQuery(json: string): string;

/**
 * Reads the query of the history.
 */
export function parseRunHistoryQuery(json: string): string;

/**
 * Reads the body of `POST /runs`. Gives JSON: `[request]`, or the refusal, an object with `status`, `contentType`, `body`,
 * `message` and `problems`.
 */
export function parseRunInput(body: string): string;

/**
 * Reads the body of a request. Gives JSON: `[request]`, or the refusal, an object with `status`, `contentType`, `body`,
 * `message` and `problems`.
 */
export function parseSendMessageInput(body: string): string;

/**
 * Reads the parameters of `SendMessage` in the form of 1.0. Gives `[request]`, or the refusal.
 */
export function parseSendMessageRequest(body: string): string;

/**
 * An error as OpenAI's clients read it: the body of an answer.
 */
export function responsesError(message: string, type: string, code: string): string;

/**
 * An AG-UI request as an Agent API one. Gives JSON: `[request, losses]`, or the refusal, an object.
 */
export function runAgentInputToAgentRequest(json: string): string;

/**
 * The terminal event of a run that cannot go on, as JSON.
 */
export function runErrorEvent(code: string, message: string): string;

/**
 * The refusal with that code, or for a code that there is not, an internal error.
 */
export function runsRefusal(code: string, detail: string): string;

/**
 * Such a request as an Agent API one. Gives `[request, losses]`, or the refusal.
 */
export function sendMessageRequestToAgentRequest(json: string): string;

/**
 * An AG-Kit request as an Agent API one. Gives JSON: `[request, losses]`, or the refusal, an object.
 */
export function toAgentRequest(json: string): string;

/**
 * An Agent API request as a Responses one. Gives JSON: `[request, losses]`, or the refusal, an object.
 */
export function toCreateResponse(json: string): string;

/**
 * An Agent API request as an AG-UI one, with a new run where it has no id. Gives JSON: `[request, losses]`, or the refusal, an
 * object.
 */
export function toRunAgentInput(json: string): string;

/**
 * An Agent API request as an AG-Kit one. Gives JSON: `[request, losses]`, or the refusal, an object.
 */
export function toSendMessageInput(json: string): string;

/**
 * An Agent API request as parameters of `SendMessage`. Gives `[request, losses]`, or the refusal.
 */
export function toSendMessageRequest(json: string): string;

/**
 * What a server would refuse in a request, and what it would misunderstand, as a JSON array.
 */
export function validateAgentRequest(json: string): string;

/**
 * What an OpenAI server would refuse in a request, as a JSON array.
 */
export function validateCreateResponse(json: string): string;

/**
 * What a server would refuse in a request, as a JSON array.
 */
export function validateRunAgentInput(json: string): string;

/**
 * What a server would refuse in a request, as a JSON array.
 */
export function validateSendMessageInput(json: string): string;

/**
 * The version of the crate that the module was built from.
 */
export function version(exchange: Exchange): void;

/**
 * A request as the official client sends it.
 */
export function writeRunAgentInput(json: string): string;

/**
 * A request as the service takes it. Gives JSON: `["…"]` with the body, or the refusal.
 */
export function writeRunInput(json: string): string;

/**
 * A request as the server wants it.
 */
export function writeSendMessageInput(json: string): string;

/**
 * Makes everything that is declared here for one instance of the module. Two calls share nothing. The file exports only this
 * function: the declarations are for their types.
 */
export function bind(): typeof import("./agentwire.js") & object;
