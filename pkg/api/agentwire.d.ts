/// <reference lib="esnext.disposable" />
/* tslint:disable */
/* eslint-disable */

/**
 * A violation of a rule of the protocol. Violations are values and are never thrown. `explain(violation)` of `agentwire/rules`
 * returns the expected value of the rule and the recovery of the reader.
 */
export interface Violation {
    /** The id of the rule, in kebab case. Ids are stable and listed in `docs/reference/rules.md`. */
    readonly rule: string;
    /** `note`: valid or harmless. `warning`: against the protocol, but the snapshot is correct. `error`: data was lost or truncated. */
    readonly severity: "note" | "warning" | "error";
    /** The number of the event, from 0. */
    readonly event: number;
    /** The byte offset of the event in the stream. */
    readonly offset: number;
    readonly messageId: string | null;
    readonly index: number | null;
    /** A description of the actual value, for people. */
    readonly got: string;
}

/** The facts about a stream in addition to its snapshot. */
export interface Report {
    /** The reason why the stream ended. */
    readonly ended: "open" | "terminal" | "error-frame" | "eof" | "aborted" | "refused";
    /** The number of events with data, including unreadable ones. */
    readonly events: number;
    /** The number of comments, which servers send as heartbeats. */
    readonly comments: number;
    readonly bytes: number;
    /** The first violations. `counts` counts all of them. */
    readonly violations: readonly Violation[];
    /** The number of violations of each rule. */
    readonly counts: { readonly [rule: string]: number };
    /** The number of events of unknown types, by name. */
    readonly unknown: { readonly [name: string]: number };
    /** The ids of the messages that did not end. */
    readonly unfinished: readonly string[];
    /** The last event id, with which a client reconnects. */
    readonly lastEventId: string | null;
    /** The reconnection time that the server requested, in milliseconds. */
    readonly retry: number | null;
    /** The losses of the conversion, if the stream was read `as` another protocol. */
    readonly losses?: readonly {
        readonly kind: string;
        readonly location: string;
        readonly reason: string;
        readonly event: number;
    }[];
}

/** Any JSON. Integers beyond ±2^53 are `bigint`. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * Any name that this version does not know. The value is the name itself, a string. It is declared as an enum so that a
 * `switch` distinguishes it from the known names.
 */
export declare enum OtherName {
    Other = "any other name",
}

/**
 * The request of a client to an agent. (Spec 1.2, `AgentRequest`.)
 *
 * Absent and null are equivalent unless noted otherwise.
 */
export type AgentRequest = {
    /** The messages of the conversation, the newest last. */
    input: InputMessage[];
    /**
     * Whether the response is a stream. `/process` ignores it and always streams. (R40.)
     * True when absent; null is not accepted.
     */
    stream?: boolean;
    /** The id of the response. (R40.) */
    id?: string | null;
    /** The model to use. */
    model?: string | null;
    /** The probability mass for nucleus sampling. */
    top_p?: number | null;
    /** The sampling temperature. */
    temperature?: number | null;
    /** The penalty for tokens by their frequency in the output. */
    frequency_penalty?: number | null;
    /** The penalty for tokens that are already in the output. */
    presence_penalty?: number | null;
    /** The maximum number of output tokens. */
    max_tokens?: number | null;
    /** The strings that end the output. */
    stop?: Stop | null;
    /** The number of outputs, 1 to 5. Absent means 1; with null the server decides. */
    n?: number | null;
    /** The seed for reproducible output. */
    seed?: number | null;
    /** The tools that the agent can call. */
    tools?: ToolEntry[] | null;
    /**
     * The id of the conversation. Always send it: concurrent requests without it collide.
     * (R39.)
     */
    session_id?: string | null;
    /** The id of the user; the session id when absent. Always send it. (R39.) */
    user_id?: string | null;
} & Record<string, unknown>;

/** One string that ends the output, or several. */
export type Stop = string | string[];

/**
 * One message of a request. (Spec 1.2, `Message`.)
 *
 * Absent and null are equivalent unless noted otherwise.
 */
export type InputMessage = {
    /** The sequence number of a message that was streamed. */
    sequence_number?: number | null;
    /** `"message"` when absent; any text is accepted. Null is not. */
    object?: string;
    /** `created` when absent. Null is not accepted. */
    status?: RunStatus;
    /** The error of a message that failed. */
    error?: ErrorInfo | null;
    /** The message's id. If it is absent, the server generates one. Null is not accepted. */
    id?: string;
    /** The type of the message; `message` when absent. Null is not accepted. */
    type?: MessageType;
    /** The role of the sender. */
    role?: Role | null;
    /** The contents of the message. */
    content?: InputContent[] | null;
    /** The error code of a message of type `error`. */
    code?: string | null;
    /** The error message of a message of type `error`. */
    message?: string | null;
    /** The token usage: an object. */
    usage?: Record<string, unknown> | null;
    /** Arbitrary data: an object. */
    metadata?: Record<string, unknown> | null;
} & Record<string, unknown>;

/**
 * A content of a message of a request. Everything except the type is optional. (Spec 1.2,
 * `Content`.)
 */
export type InputContent = {
    /** The sequence number of a content that was streamed. */
    sequence_number?: number | null;
    /** `"content"` when absent; any text is accepted. Null is not. */
    object?: string;
    /** The status of the content. */
    status?: RunStatus | null;
    /** The error. */
    error?: ErrorInfo | null;
    /** The index in the message. By default, the position in the list. */
    index?: number | null;
    /** Whether the content is a delta. Absent means false; null differs from false. */
    delta?: boolean | null;
    /** The id of the message that contains it. */
    msg_id?: string | null;
} & InputPayload & Record<string, unknown>;

/** The payload of a content of a request, by its `type`. */
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
 * The runtime tries `Tool` first and keeps any other object unchanged; it never rejects an
 * object.
 */
export type ToolEntry = Tool | Record<string, unknown>;

/**
 * A tool. (Spec 1.2, `Tool`.)
 *
 * The runtime removes undeclared properties from tools. They are kept here, so that
 * forwarding a request loses nothing.
 */
export type Tool = {
    /**
     * The type of the tool. Only `"function"` is defined, which is also the meaning of
     * absent. Null stays null.
     */
    type?: string | null;
    /** The function. */
    function?: FunctionTool | null;
} & Record<string, unknown>;

/** A function that the agent may call. (Spec 1.2, `FunctionTool`; R41.) */
export type FunctionTool = {
    /** The name. */
    name: string;
    /** The purpose of the function, for the model. Null is not accepted. */
    description: string;
    /** The parameters of the function. */
    parameters: ToolParameters;
} & Record<string, unknown>;

/** The parameters of a function. (Spec 1.2.) */
export type ToolParameters = FunctionParameters | Record<string, unknown>;

/** The schema of a function's parameters. (Spec 1.2, `FunctionParameters`.) */
export type FunctionParameters = {
    /** The type of the schema: `"object"`. */
    type: string;
    /** An object with a schema for each parameter. */
    properties: Record<string, unknown>;
    /** The names of the required parameters. The property must be present, but can be null. */
    required: string[] | null;
} & Record<string, unknown>;

/** The call of a function: types `function_call`, `plugin_call`, `component_call`. */
export type FunctionCall = {
    /** The call's id, which the output repeats. (R35.) */
    call_id?: string | null;
    /** The name of the function. */
    name?: string | null;
    /** The arguments as JSON text from the model, which is not always valid. (R36.) */
    arguments?: string | null;
};

/** The output of a function. */
export type FunctionCallOutput = {
    /** The id of the call. */
    call_id: string;
    /** The name of the function. */
    name?: string | null;
    /** The result as text. */
    output: string;
};

/** The call of an MCP tool: type `mcp_call`. */
export type McpCall = {
    /** The call's id, which the output repeats. (R35.) */
    call_id?: string | null;
    /** The arguments as JSON text. */
    arguments?: string | null;
    /** The name of the tool. */
    name?: string | null;
    /** The label of the MCP server. */
    server_label?: string | null;
};

/** The output of an MCP tool: type `mcp_call_output`. */
export type McpCallOutput = {
    /** The id of the call. */
    call_id: string;
    /** The name of the tool. */
    name?: string | null;
    /** The result as text. */
    output: string;
};

/** One tool of an MCP server. */
export type McpListToolsTool = {
    /** The input schema: any JSON. */
    input_schema: Json;
    /** The name. */
    name: string;
    /** The annotations: any JSON. */
    annotations?: Json | null;
    /** The purpose of the tool, for the model. */
    description?: string | null;
};

/** The tools of an MCP server: type `mcp_list_tools`. */
export type McpListTools = {
    /** The id of the list. */
    id: string;
    /** The label of the MCP server. */
    server_label: string;
    /** The tools. */
    tools: McpListToolsTool[];
    /** The error, if the tools could not be listed. */
    error?: string | null;
};

/** The question whether an MCP tool may be called: type `mcp_approval_request`. */
export type McpApprovalRequest = {
    /** The id of the question, which the answer repeats as `approval_request_id`. (R37.) */
    id: string;
    /** The arguments as JSON text. */
    arguments: string;
    /** The name of the tool. */
    name: string;
    /** The label of the MCP server. */
    server_label: string;
};

/** The answer to an approval question: type `mcp_approval_response`. */
export type McpApprovalResponse = {
    /** The `id` of the question. (R37.) */
    approval_request_id: string;
    /** Whether the tool may be called. */
    approve: boolean;
    /** The id of the answer. */
    id?: string | null;
    /** The reason. */
    reason?: string | null;
};

/** A tool call with all properties. */
export type ToolCallPayload = {
    /** The arguments as JSON text. */
    arguments: string;
    /** The call's id, which the output repeats. */
    call_id: string;
    /** The name of the tool. */
    name: string;
};

/** The output of a tool. */
export type ToolCallOutputPayload = {
    /** The id of the call. */
    call_id: string;
    /** The result as text. */
    output: string;
};

/** The request of a client to an AgentScope service. (M10.) */
export type AgentScopeRequest = {
    /** The id of the agent. */
    agent_id: string;
    /** The id of the session. The server keeps its messages. */
    session_id: string;
    /**
     * The new message of the user, a list of messages, the answers to questions
     * (`USER_CONFIRM_RESULT`), the results of executions
     * (`EXTERNAL_EXECUTION_RESULT`), or null to continue.
     */
    input: Json;
};

/** The request of a client to an AG-Kit agent. (A.3.) */
export type SendMessageInput = {
    /** The id of the conversation. The server keeps its messages. */
    conversationId: string;
    /** The new messages. Absent and null mean an empty list. */
    messages?: AgKitInputMessage[] | null;
    /** The tools of the client. Absent and null mean an empty list. */
    tools?: AgKitTool[] | null;
    /** The answer to an interrupt. */
    resume?: AgKitResume | null;
};

/** One message of a request, by its `role` (A.3). */
export type AgKitInputMessage =
| {
    role: "assistant";
    /**
     * The message's id. The server requires it, although the TypeScript documentation
     * omits it; `identify` generates one.
     */
    id?: string | null;
    /** The text. */
    content?: string | null;
    /** The tool calls. */
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
    /** The id of the call. */
    toolCallId: string;
};

/** A tool call of an assistant message. */
export type AgKitToolCall = {
    /** The call's id. */
    id: string;
    type?: "function";
    function: {
        /** The name of the tool. */
        name: string;
        /** The arguments as JSON text. */
        arguments: string;
    };
};

/** A tool of the client. */
export type AgKitTool = {
    /** The name of the tool. */
    name: string;
    /** The purpose. */
    description: string;
    /**
     * The JSON Schema of the arguments: JSON text, as the protocol requires, or a JSON
     * value, which is sent as JSON text.
     */
    parameters: Json;
};

/** The answer to an interrupt (K5). */
export type AgKitResume = {
    /** The `id` of the interrupt. */
    interruptId: string;
    /**
     * The answer as JSON text, as the server requires: `JSON.stringify(answer)`. A string
     * that is not JSON, and any other JSON value, is sent as JSON text too.
     */
    payload: Json;
};

/** The request of a client to an AG-UI agent, with the whole thread. (B.2.) */
export type RunAgentInput = {
    /** The id of the thread. */
    threadId: string;
    /** The id of the new run. */
    runId: string;
    /** The protocol version that the client uses. `1.0` by default. */
    protocolVersion?: string | null;
    /** The id of the run that this run continues. */
    parentRunId?: string | null;
    /** The shared state: any JSON. Absent means an empty object. */
    state?: Json;
    /** The messages of the thread, in order. */
    messages: AgUiInputMessage[];
    /** The tools of the client. Absent and null mean an empty list. */
    tools?: AgUiTool[] | null;
    /** The context for the agent. Absent and null mean an empty list. */
    context?: AgUiContext[] | null;
    /** Further data for the agent: any JSON. Absent and null mean an empty object. */
    forwardedProps?: Json;
    /** The answers to all interrupts of the last run. Absent and null mean an empty list. */
    resume?: AgUiResumeEntry[] | null;
};

/** One message of a request, by its `role` (B.2). */
export type AgUiInputMessage =
| {
    role: "developer";
    /** The id. */
    id: string;
    /** The text. */
    content: string;
    /** The name of the sender. */
    name?: string | null;
    /** An encrypted value. Only the provider can read it. */
    encryptedValue?: string | null;
    /** The id of the subagent. */
    subagentRunId?: string | null;
    /** Further data. */
    metadata?: Record<string, unknown> | null;
}
| {
    role: "system";
    /** The id. */
    id: string;
    /** The text. */
    content: string;
    /** The name of the sender. */
    name?: string | null;
    /** An encrypted value. Only the provider can read it. */
    encryptedValue?: string | null;
    /** The id of the subagent. */
    subagentRunId?: string | null;
    /** Further data. */
    metadata?: Record<string, unknown> | null;
}
| {
    role: "assistant";
    /** The id. */
    id: string;
    /** The text. Absent if the message contains only tool calls. */
    content?: string | null;
    /** The name of the sender. */
    name?: string | null;
    /** The tool calls. */
    toolCalls?: AgUiInputToolCall[] | null;
    /** An encrypted value. Only the provider can read it. */
    encryptedValue?: string | null;
    /** The id of the subagent. */
    subagentRunId?: string | null;
    /** Further data. */
    metadata?: Record<string, unknown> | null;
}
| {
    role: "user";
    /** The id. */
    id: string;
    /** A string, or parts. */
    content: AgUiInputContent;
    /** The name of the sender. */
    name?: string | null;
    /** An encrypted value. Only the provider can read it. */
    encryptedValue?: string | null;
    /** The id of the subagent. */
    subagentRunId?: string | null;
    /** Further data. */
    metadata?: Record<string, unknown> | null;
}
| {
    role: "tool";
    /** The id. */
    id: string;
    /** A string, often JSON text, or parts. */
    content: AgUiInputContent;
    /** The id of the call. */
    toolCallId: string;
    /** The error message. */
    error?: string | null;
    /** An encrypted value. Only the provider can read it. */
    encryptedValue?: string | null;
    /** The id of the subagent. */
    subagentRunId?: string | null;
    /** Further data. */
    metadata?: Record<string, unknown> | null;
}
| {
    role: "activity";
    /** The id. */
    id: string;
    /** The type of the activity. */
    activityType: string;
    /** The content: an object. */
    content: Record<string, unknown>;
    /** The id of the subagent. */
    subagentRunId?: string | null;
    /** Further data. */
    metadata?: Record<string, unknown> | null;
}
| {
    role: "reasoning";
    /** The id. */
    id: string;
    /** The text. */
    content: string;
    /** An encrypted value. Only the provider can read it. */
    encryptedValue?: string | null;
    /** The id of the subagent. */
    subagentRunId?: string | null;
    /** Further data. */
    metadata?: Record<string, unknown> | null;
};

/** A tool call of an assistant message. */
export type AgUiInputToolCall = {
    /** The call's id. */
    id: string;
    type?: "function";
    function: {
        /** The name of the tool. */
        name: string;
        /** The arguments as JSON text. */
        arguments: string;
    };
    /** An encrypted value. Only the provider can read it. */
    encryptedValue?: string | null;
    /** Further data. */
    metadata?: Record<string, unknown> | null;
};

/** A string, or parts. */
export type AgUiInputContent = string | AgUiContentPart[];

/**
 * A part of a message of the user or of a tool result, by its `type`. The `binary` parts
 * of older versions are parsed as the type of their media type.
 */
export type AgUiContentPart =
| {
    type: "text";
    /** The text. */
    text: string;
    /** The id. */
    id?: string | null;
    /** Further data. */
    metadata?: Json | null;
}
| {
    type: "image";
    /** The source. */
    source: AgUiSource;
    /** The id. */
    id?: string | null;
    /** Further data. */
    metadata?: Json | null;
}
| {
    type: "audio";
    /** The source. */
    source: AgUiSource;
    /** The id. */
    id?: string | null;
    /** Further data. */
    metadata?: Json | null;
}
| {
    type: "video";
    /** The source. */
    source: AgUiSource;
    /** The id. */
    id?: string | null;
    /** Further data. */
    metadata?: Json | null;
}
| {
    type: "document";
    /** The source. */
    source: AgUiSource;
    /** The id. */
    id?: string | null;
    /** Further data. */
    metadata?: Json | null;
};

/** The source of a part. */
export type AgUiSource =
| {
    type: "data";
    /** The bytes in base64. */
    value: string;
    /** The media type. */
    mimeType: string;
}
| {
    type: "url";
    /** The URL. */
    value: string;
    /** The media type. */
    mimeType?: string | null;
}
| {
    type: "file";
    /** The provider's id of the file. */
    value: string;
    /** The provider. */
    provider?: string | null;
    /** The media type. */
    mimeType?: string | null;
};

/** A tool of the client. */
export type AgUiTool = {
    /** The name of the tool. */
    name: string;
    /** The purpose. */
    description: string;
    /** The JSON Schema of the arguments. */
    parameters?: Json | null;
    /** Further data. */
    metadata?: Record<string, unknown> | null;
};

/** A piece of context for the agent. */
export type AgUiContext = {
    /** The description. */
    description: string;
    /** The value. */
    value: string;
};

/** The answer to an interrupt (B.8). */
export type AgUiResumeEntry = {
    /** The `id` of the interrupt. */
    interruptId: string;
    /** Whether the interrupt is answered or canceled. */
    status: "resolved" | "cancelled";
    /** The answer: any JSON. */
    payload?: Json | null;
    /** Further data. */
    metadata?: Record<string, unknown> | null;
};

/** An interrupt: a question of the agent. (B.8.) */
export type AgUiInterrupt = {
    /** The id of the interrupt, which the answer repeats. */
    id: string;
    /** The reason: `tool_call`, or any other string. */
    reason: string;
    /** The question, for people. */
    message?: string;
    /** The id of the call in question. */
    toolCallId?: string;
    /** The JSON Schema of the answer. */
    responseSchema?: Record<string, unknown> | null;
    /** The time after which the interrupt cannot be answered, in ISO 8601. */
    expiresAt?: string;
    /** Further data. */
    metadata?: Record<string, unknown> | null;
    /** The id of the subagent that asks. */
    subagentRunId?: string;
};

/**
 * The request of a client: the body of `POST /responses`.
 *
 * Absent and null are equivalent. Unknown properties are kept.
 */
export type CreateResponse = {
    /** The model to use. */
    model?: string | null;
    /**
     * The user's text, or items. Optional if `prompt` or `conversation` contains the
     * input.
     */
    input?: ResponsesInput | null;
    /** The system instructions for the model. */
    instructions?: string | null;
    /** Whether the response is a stream of events. Otherwise it is one JSON object. */
    stream?: boolean | null;
    /** The tools that the agent can call. */
    tools?: ResponsesTool[] | null;
    /** The tool choice: `auto`, `none`, `required`, or an object that names a tool. */
    tool_choice?: Json | null;
    /** Whether several tools can be called in parallel. */
    parallel_tool_calls?: boolean | null;
    /** The id of the previous response of the conversation. */
    previous_response_id?: string | null;
    /** The id of the conversation. */
    conversation?: ResponsesConversationParam | null;
    /** The sampling temperature, 0 to 2. */
    temperature?: number | null;
    /** The probability mass for nucleus sampling, 0 to 1. */
    top_p?: number | null;
    /** The number of alternatives that are returned per token, 0 to 20. */
    top_logprobs?: number | null;
    /** The maximum number of output tokens, including reasoning. */
    max_output_tokens?: number | null;
    /** The maximum number of calls of built-in tools. */
    max_tool_calls?: number | null;
    /** The settings of reasoning, such as `effort` and `summary`: an object. */
    reasoning?: Record<string, unknown> | null;
    /** The settings of the text, such as `format` and `verbosity`: an object. */
    text?: Record<string, unknown> | null;
    /** The truncation of input that is too long: `auto` or `disabled`. */
    truncation?: "auto" | "disabled" | null;
    /** Whether the server stores the response. */
    store?: boolean | null;
    /** Whether the response is created in the background. */
    background?: boolean | null;
    /** The options of the stream, such as `include_obfuscation`: an object. */
    stream_options?: Record<string, unknown> | null;
    /** Further data to include in the response. */
    include?: string[] | null;
    /** Arbitrary data: an object. */
    metadata?: Record<string, unknown> | null;
    /** A stable id of your end user. */
    user?: string | null;
    /** A hashed id of your end user. */
    safety_identifier?: string | null;
    /** The key for the prompt cache. */
    prompt_cache_key?: string | null;
    /** A prompt that the server stores: an object. */
    prompt?: Record<string, unknown> | null;
    /** The service tier: `auto`, `default`, `flex` or `priority`. */
    service_tier?: string | null;
} & Record<string, unknown>;

/** A conversation that the server stores. */
export type ResponsesConversation = {
    /** The id. */
    id: string;
} & Record<string, unknown>;

/** A conversation by its id, or as an object. */
export type ResponsesConversationParam = string | ResponsesConversation;

/**
 * A tool. The properties of a function are in this object; the Agent API has them in
 * `function`.
 */
export type ResponsesTool = {
    /** The type: `function`, `custom`, `mcp`, `web_search`, … */
    type: string;
    /** The name of a function or a custom tool. */
    name?: string | null;
    /** The purpose of the tool, for the model. */
    description?: string | null;
    /** The JSON Schema of a function's arguments. */
    parameters?: Json | null;
    /** Whether the arguments must match the schema. */
    strict?: boolean | null;
} & Record<string, unknown>;

/** The user's text, or items. */
export type ResponsesInput = string | ResponsesInputItem[];

/**
 * An item of the input, of any type: a message, a call or an output. Further properties
 * are in `extra`.
 */
export type ResponsesInputItem = {
    /** The type of the item. `message` when absent. */
    type?: string | null;
    /** The item's id. */
    id?: string | null;
    /** The role of the sender of a message. */
    role?: "user" | "assistant" | "system" | "developer" | null;
    /** The content: a string or parts of a message, or parts of reasoning. */
    content?: ResponsesContent | null;
    /** The parts of a summary of reasoning. */
    summary?: ResponsesContentPart[] | null;
    /** The id that a call and its output have in common. */
    call_id?: string | null;
    /** The tool's name, in a call. */
    name?: string | null;
    /** The arguments of a call as JSON text. A few types have a JSON value. */
    arguments?: Json | null;
    /** The input of a custom tool, in its call: plain text. */
    input?: string | null;
    /** The output of a call: a string, or JSON that depends on the type. */
    output?: Json | null;
    /** The id of the question, in an answer. */
    approval_request_id?: string | null;
    /** Whether the tool may be called, in an answer. */
    approve?: boolean | null;
    /** The reason. */
    reason?: string | null;
    /** The status of the item. */
    status?: string | null;
} & Record<string, unknown>;

/** A string, or parts. */
export type ResponsesContent = string | ResponsesContentPart[];

/** A part of a message. */
export type ResponsesContentPart = {
    /** The type: `input_text`, `input_image`, `input_file`, `output_text`, `refusal`, … */
    type: string;
    /** A text. */
    text?: string | null;
    /** The refusal of the model. */
    refusal?: string | null;
    /** The URL or data URL of an image. */
    image_url?: string | null;
    /** The server's id of an image or a file. */
    file_id?: string | null;
    /** The bytes of a file in base64. */
    file_data?: string | null;
    /** The URL of a file. */
    file_url?: string | null;
    /** The display name of a file. */
    filename?: string | null;
    /** The audio: `data` (base64) and `format`. */
    input_audio?: Record<string, unknown> | null;
} & Record<string, unknown>;

/**
 * The request of a client to an A2A agent: the parameters of `SendMessage` and
 * `SendStreamingMessage`, in the form of 1.0.
 */
export type A2aSendMessageRequest = {
    /** The client's message. */
    message: A2aInputMessage;
    /** The settings of the response. */
    configuration?: A2aSendMessageConfiguration | null;
    /** Arbitrary data: an object. */
    metadata?: Record<string, unknown> | null;
};

/** The settings of a response. */
export type A2aSendMessageConfiguration = {
    /** The media types that the client accepts. */
    acceptedOutputModes?: string[] | null;
    /** The maximum number of history messages in the returned task. All by default. */
    historyLength?: number | null;
    /**
     * Whether the response can be a task that is still running. By default it is a task
     * that has ended or waits.
     */
    returnImmediately?: boolean | null;
    /** The target of push notifications. It is rejected, because they are not supported. */
    taskPushNotificationConfig?: Json | null;
};

/** A message of a client. */
export type A2aInputMessage = {
    /** The message's id, which the client generates. */
    messageId: string;
    /** The id of the conversation. A new conversation by default. */
    contextId?: string | null;
    /** The id of the task to continue. A new task by default. */
    taskId?: string | null;
    /** The role of the sender. */
    role: "ROLE_USER" | "ROLE_AGENT";
    /** The parts of the message. */
    parts: A2aInputPart[];
    /** Arbitrary data: an object. */
    metadata?: Record<string, unknown> | null;
    /** The extensions that the message uses. */
    extensions?: string[] | null;
    /** The ids of other tasks that the message refers to. */
    referenceTaskIds?: string[] | null;
};

/** A part of a message: exactly one of `text`, `raw`, `url` and `data`, and its metadata. */
export type A2aInputPart = {
    /** The text. */
    text?: string | null;
    /** The bytes in base64. */
    raw?: string | null;
    /** The URL of a file. */
    url?: string | null;
    /** The data: any JSON. */
    data?: Json | null;
    /** The file's name. */
    filename?: string | null;
    /** The media type, for example `image/png`. */
    mediaType?: string | null;
    /** Arbitrary data: an object. */
    metadata?: Record<string, unknown> | null;
};

/**
 * The request of a client: the body that `DefaultChatTransport` sends. It has the whole
 * conversation.
 *
 * Absent and null are equivalent. Unknown properties are kept.
 */
export type AiSdkRequest = {
    /** The id of the chat. */
    id?: string | null;
    /** The whole conversation. */
    messages: AiSdkRequestMessage[];
    /** The occasion: `submit-message` or `regenerate-message`. */
    trigger?: string | null;
    /** The id of the message to be replaced. */
    messageId?: string | null;
} & Record<string, unknown>;

/** A message of the conversation. */
export type AiSdkRequestMessage = {
    /** The message's id. */
    id?: string | null;
    /** The role: `user`, `assistant` or `system`. */
    role: string;
    /** Metadata of the application. */
    metadata?: Json | null;
    /** The parts, in order. */
    parts: AiSdkRequestPart[];
};

/** A part of a message. Its other properties depend on its type. */
export type AiSdkRequestPart = {
    /**
     * The type: `text`, `reasoning`, `file`, `tool-<name>`, `dynamic-tool`, `data-<name>`,
     * …
     */
    type: string;
    /** A text. */
    text?: string | null;
    /** The call's id. */
    toolCallId?: string | null;
    /** The name of a tool that is not known at build time. */
    toolName?: string | null;
    /** The state of a text or a tool call. */
    state?: string | null;
    /** The input of a tool. */
    input?: Json | null;
    /** The output of a tool. */
    output?: Json | null;
    /** The error message of a call. */
    errorText?: string | null;
    /** The approval of a call: an object with `id`, `approved` and `reason`. */
    approval?: Record<string, unknown> | null;
    /** The URL of a file or a source, or a data URL. */
    url?: string | null;
    /** The media type of a file. */
    mediaType?: string | null;
    /** The name of a file. */
    filename?: string | null;
    /** The value of `data-<name>`. */
    data?: Json | null;
} & Record<string, unknown>;

/**
 * The request of a client: the body of `POST /chat/completions`.
 *
 * Absent and null are equivalent. Unknown properties are kept.
 */
export type ChatRequest = {
    /** The model to use. */
    model?: string | null;
    /** The whole conversation: at least one message. */
    messages: ChatRequestMessage[];
    /** The tools that the model can call. */
    tools?: ChatTool[] | null;
    /** The tool choice: `auto`, `none`, `required`, or an object that names a tool. */
    tool_choice?: Json | null;
    /** Whether several tools can be called in parallel. */
    parallel_tool_calls?: boolean | null;
    /** Whether the answer is a stream of chunks. Otherwise it is one JSON object. */
    stream?: boolean | null;
    /** The options of the stream, such as `include_usage`: an object. */
    stream_options?: Record<string, unknown> | null;
    /** The number of choices. */
    n?: number | null;
    /** The sampling temperature, 0 to 2. */
    temperature?: number | null;
    /** The probability mass for nucleus sampling, 0 to 1. */
    top_p?: number | null;
    /** The maximum number of output tokens, including reasoning. */
    max_completion_tokens?: number | null;
    /** The same in the older spelling, which most servers other than OpenAI's have. */
    max_tokens?: number | null;
    /** The texts that end the answer: a string or a list. */
    stop?: Json | null;
    /** The effort of reasoning: `minimal`, `low`, `medium` or `high`. */
    reasoning_effort?: string | null;
    /** The format of the answer: an object. */
    response_format?: Record<string, unknown> | null;
    /** The seed of sampling. */
    seed?: number | null;
    /** Whether log probabilities are returned. */
    logprobs?: boolean | null;
    /** The number of alternatives that are returned per token, 0 to 20. */
    top_logprobs?: number | null;
    /** The penalty for tokens by their frequency so far. */
    frequency_penalty?: number | null;
    /** The penalty for tokens that have occurred. */
    presence_penalty?: number | null;
    /** The output modalities: `text`, `audio`. */
    modalities?: string[] | null;
    /** The settings of audio answers: an object. */
    audio?: Record<string, unknown> | null;
    /** Arbitrary data: an object. */
    metadata?: Record<string, unknown> | null;
    /** Whether the server stores the completion. */
    store?: boolean | null;
    /** A stable id of your end user. */
    user?: string | null;
    /** The service tier. */
    service_tier?: string | null;
} & Record<string, unknown>;

/** A message of the conversation. */
export type ChatRequestMessage = {
    /** The role: `system`, `developer`, `user`, `assistant` or `tool`. */
    role: string;
    /** The text, or parts. Optional in messages of the assistant. */
    content?: ChatContent | null;
    /** The name of the participant. */
    name?: string | null;
    /** The refusal of the assistant. */
    refusal?: string | null;
    /** The tool calls of the assistant. */
    tool_calls?: ChatRequestToolCall[] | null;
    /** The id of the call whose result a message of a tool has. */
    tool_call_id?: string | null;
} & Record<string, unknown>;

/** A tool call of the assistant. */
export type ChatRequestToolCall = {
    /** The call's id. */
    id: string;
    /** The type: `function` or `custom`. */
    type: string;
    /** The function. */
    function?: ChatRequestFunction | null;
    /** The custom tool: `name` and `input`. */
    custom?: Record<string, unknown> | null;
} & Record<string, unknown>;

/** The function of a tool call. */
export type ChatRequestFunction = {
    /** The name. */
    name: string;
    /** The arguments as JSON text. */
    arguments: string;
};

/** A tool. */
export type ChatTool = {
    /** The type: `function` or `custom`. */
    type: string;
    /** The function. */
    function?: ChatToolFunction | null;
} & Record<string, unknown>;

/** A function that the model can call. */
export type ChatToolFunction = {
    /** The name. */
    name: string;
    /** The purpose of the function, for the model. */
    description?: string | null;
    /** The JSON Schema of the arguments. */
    parameters?: Json | null;
} & Record<string, unknown>;

/** A string, or parts. */
export type ChatContent = string | ChatContentPart[];

/** A part of a message. */
export type ChatContentPart = {
    /** The type: `text`, `image_url`, `input_audio`, `file` or `refusal`. */
    type: string;
    /** A text. */
    text?: string | null;
    /** The refusal of the assistant. */
    refusal?: string | null;
    /** An image: `url` (a URL or data URL) and `detail`. */
    image_url?: Record<string, unknown> | null;
    /** A sound: `data` (base64) and `format`. */
    input_audio?: Record<string, unknown> | null;
    /** A file: `file_id`, or `file_data` (a data URL) and `filename`. */
    file?: Record<string, unknown> | null;
} & Record<string, unknown>;

/**
 * The request of a client: the body of `POST /v1/messages`.
 *
 * Absent and null are equivalent. Unknown properties are kept.
 */
export type MessagesRequest = {
    /** The model to use. */
    model?: string | null;
    /** The maximum number of output tokens. The server requires it. */
    max_tokens?: number | null;
    /** The system instructions: a string, or blocks. */
    system?: AnthropicContent | null;
    /** The whole conversation: at least one message. */
    messages: AnthropicRequestMessage[];
    /** The tools that the model can call. */
    tools?: AnthropicTool[] | null;
    /** The tool choice: an object with `type` (`auto`, `any`, `tool`, `none`). */
    tool_choice?: Record<string, unknown> | null;
    /** Whether the answer is a stream of events. Otherwise it is one JSON object. */
    stream?: boolean | null;
    /** The settings of thinking: `type` and `budget_tokens`. */
    thinking?: Record<string, unknown> | null;
    /** The sampling temperature, 0 to 1. */
    temperature?: number | null;
    /** The probability mass for nucleus sampling, 0 to 1. */
    top_p?: number | null;
    /** The number of tokens that sampling selects from. */
    top_k?: number | null;
    /** The texts that end the answer. */
    stop_sequences?: string[] | null;
    /** Data about the request: `user_id`. */
    metadata?: Record<string, unknown> | null;
    /** The service tier. */
    service_tier?: string | null;
} & Record<string, unknown>;

/** A message of the conversation. */
export type AnthropicRequestMessage = {
    /** The role: `user` or `assistant`. */
    role: string;
    /** The text, or blocks. */
    content: AnthropicContent;
};

/** A tool. Tools of the server have further properties. */
export type AnthropicTool = {
    /**
     * The type of a tool of the server, such as `web_search_20250305`. Absent or `custom`
     * for a function.
     */
    type?: string | null;
    /** The name. A set of tools of an MCP server has none. */
    name?: string | null;
    /** The purpose of the tool, for the model. */
    description?: string | null;
    /** The JSON Schema of the input. */
    input_schema?: Json | null;
} & Record<string, unknown>;

/** A block of a message. Its other properties depend on its type. */
export type AnthropicRequestBlock = {
    /** The type: `text`, `image`, `document`, `tool_use`, `tool_result`, `thinking`, … */
    type: string;
    /** A text. */
    text?: string | null;
    /**
     * The source of an image or a document: an object with `type` (`base64`, `url`,
     * `file`).
     */
    source?: Record<string, unknown> | null;
    /** The call's id. */
    id?: string | null;
    /** The name of the tool. */
    name?: string | null;
    /** The input of the tool. */
    input?: Json | null;
    /** The id of the call whose result the block has. */
    tool_use_id?: string | null;
    /** The result: a string, or blocks. */
    content?: Json | null;
    /** Whether the tool failed. */
    is_error?: boolean | null;
} & Record<string, unknown>;

/** A string, or blocks. */
export type AnthropicContent = string | AnthropicRequestBlock[];

/**
 * The request of a client: the body of `streamGenerateContent` and `generateContent`.
 * Which of the two it is, and the model, are in the URL.
 *
 * Absent and null are equivalent. Unknown properties are kept.
 */
export type GenerateContentRequest = {
    /** The name of the model, which the server reads from the URL: `models/…`. */
    model?: string | null;
    /** The whole conversation. */
    contents: GeminiRequestContent[];
    /** The system instructions: a content of texts. */
    systemInstruction?: GeminiRequestContent | null;
    /** The tools that the model can call. */
    tools?: GeminiTool[] | null;
    /** The tool choice: an object with `functionCallingConfig`. */
    toolConfig?: Record<string, unknown> | null;
    /** The thresholds of the safety filters. */
    safetySettings?: Json | null;
    /** The settings of the model: `temperature`, `maxOutputTokens`, `thinkingConfig`, … */
    generationConfig?: Record<string, unknown> | null;
    /** The name of cached content. */
    cachedContent?: string | null;
} & Record<string, unknown>;

/** A message of the conversation. */
export type GeminiRequestContent = {
    /** The role: `user` or `model`. Absent means `user`. */
    role?: string | null;
    /** The parts, in order. */
    parts?: GeminiRequestPart[] | null;
};

/** A part of a message. Other kinds of parts have further properties. */
export type GeminiRequestPart = {
    /** A text. */
    text?: string | null;
    /** Whether the part belongs to the reasoning of the model. */
    thought?: boolean | null;
    /** The signature of a part of the model. */
    thoughtSignature?: string | null;
    /** Media: `mimeType` and base64 `data`. */
    inlineData?: Record<string, unknown> | null;
    /** A file: `mimeType` and `fileUri`. */
    fileData?: Record<string, unknown> | null;
    /** A function call of the model: `id`, `name` and `args`. */
    functionCall?: Record<string, unknown> | null;
    /** The result of a function: `id`, `name` and `response`. */
    functionResponse?: Record<string, unknown> | null;
} & Record<string, unknown>;

/** Functions, or another tool, by its property. */
export type GeminiTool = {
    /** The functions. */
    functionDeclarations?: GeminiFunctionDeclaration[] | null;
} & Record<string, unknown>;

/** A function that the model can call. */
export type GeminiFunctionDeclaration = {
    /** The name. */
    name: string;
    /** The purpose of the function, for the model. */
    description?: string | null;
    /** The arguments, in Gemini's own form of a schema. */
    parameters?: Json | null;
    /** The JSON Schema of the arguments. */
    parametersJsonSchema?: Json | null;
} & Record<string, unknown>;

/**
 * The request of a client: the body of `POST /v1beta/interactions`.
 *
 * Absent and null are equivalent. Unknown properties are kept.
 */
export type CreateInteraction = {
    /** The name of the model. */
    model?: string | null;
    /** The name of the agent, in place of a model. */
    agent?: string | null;
    /** The input: a text, a content, or a list of steps or of contents. */
    input?: InteractionsInput | null;
    /** The instructions. */
    system_instruction?: string | null;
    /** The tools that the model can call. */
    tools?: Json[] | null;
    /**
     * The settings of the model: `temperature`, `max_output_tokens`, `thinking_level`,
     * `tool_choice`, …
     */
    generation_config?: Record<string, unknown> | null;
    /** The formats of the answer: an object, or a list of them. */
    response_format?: Json | null;
    /** The interaction that this one continues: only new steps are sent. */
    previous_interaction_id?: string | null;
    /** The token with which the last request has stopped. */
    continuation_token?: string | null;
    /** Whether the server stores the interaction. Absent means true. */
    store?: boolean | null;
    /** Whether the answer is a stream. */
    stream?: boolean | null;
    /** Whether the interaction goes on without a connection. */
    background?: boolean | null;
} & Record<string, unknown>;

/** The input of a request. */
export type InteractionsInput = string | InteractionsRequestStep[] | InteractionsRequestStep;

/**
 * A step of the conversation, or a content of the user. Other kinds of steps have further
 * properties.
 */
export type InteractionsRequestStep = {
    /**
     * The type: `user_input`, `model_output`, `thought`, `function_call`,
     * `function_result`, …; of a content `text`, `image`, …
     */
    type?: string | null;
    /** The contents of an input or an output: a list. */
    content?: Json | null;
} & Record<string, unknown>;

/** The query of `GET /runs/{thread_id}/events`. */
export type RunEventsQuery = {
    /** The id of the run whose events are sent. */
    runId: string;
    /** The number of idle periods after which the connection is closed, 1 to 3600. */
    idle_limit?: number;
};

/** The query of `POST /runs/{thread_id}/cancel`. */
export type RunCancelQuery = {
    /** The id of the run to stop. */
    runId: string;
};

/** The query of `GET /history`. */
export type RunHistoryQuery = {
    /** The id of the conversation. Absent means the user's latest conversation. */
    threadId?: string | null;
    /**
     * A day, `YYYY-MM-DD`: selects the nearest earlier day that has messages. Absent means
     * the latest day.
     */
    before?: string | null;
};

/**
 * The request of a client to start a run: AG-UI's `RunAgentInput` with restrictions.
 * (C.1.)
 */
export type RunInput = {
    /** The id of the conversation: a UUID. The client generates it for a new conversation. */
    threadId: string;
    /**
     * The id of the run, which the client generates: 1 to 128 characters. The same id with
     * the same body is the same run.
     */
    runId: string;
    /**
     * The new messages, at most 200: one message of the user, or no message of the user if
     * tool results or `resume` continue the previous run. The service keeps the earlier
     * messages.
     */
    messages: RunInputMessage[];
    /** The mode of the run, and other settings of the service. */
    forwardedProps: RunForwardedProps;
    /** The shared state. */
    state?: Json | null;
    /** The tools of the client, as in AG-UI. */
    tools?: Json[] | null;
    /** The context for the agent, as in AG-UI. */
    context?: Json[] | null;
    /** The id of the previous run. */
    parentRunId?: string | null;
    /** The answers to interrupts, as in AG-UI. */
    resume?: Json | null;
};

/**
 * The properties that the service accepts in addition to those of AG-UI. It rejects all
 * others.
 */
export type RunForwardedProps = {
    /**
     * The mode: a router and a worker (`chat`), or an agent that the service selects
     * (`automation`).
     */
    runtime_mode: "chat" | "automation";
    /** The time of the client's clock. */
    client_time?: RunClientTime | null;
} & Record<string, unknown>;

/** The time of a client's clock. */
export type RunClientTime = {
    /** The name of the client's time zone, for example `Asia/Shanghai`. */
    device_timezone?: string | null;
    /** The time in that zone, in ISO 8601 with an offset. */
    client_now_iso?: string | null;
    /** The time, in milliseconds since 1970. */
    client_epoch_ms?: number | null;
};

/** A message, by its `role`. */
export type RunInputMessage =
| {
    role: "user";
    /** The id. */
    id: string;
    /** Text, or parts. */
    content: RunUserContent;
}
| {
    role: "tool";
    /** The id. */
    id: string;
    /** The result of the tool. */
    content: string;
    /** The id of the call. */
    toolCallId: string;
    /** The error. */
    error?: string | null;
}
| {
    role: "assistant";
    /** The id. */
    id: string;
    /** The text. */
    content?: string | null;
    /** The tool calls, as in AG-UI. */
    toolCalls?: Json[] | null;
}
| {
    role: "system";
    /** The id. */
    id: string;
    /** The text. */
    content: string;
}
| {
    role: "developer";
    /** The id. */
    id: string;
    /** The text. */
    content: string;
};

/** The content of a message of the user: a string, or parts. */
export type RunUserContent = string | RunInputPart[];

/** A part of a message of the user, by its `type`. */
export type RunInputPart =
| {
    type: "text";
    /** The text. */
    text: string;
}
| {
    type: "binary";
    /** The media type, for example `image/png`. */
    mimeType: string;
    /** The address that the upload has answered. */
    url?: string | null;
    /** Refused: data is uploaded first. */
    data?: string | null;
}
| {
    type: "image";
    /** The source. */
    source: RunImageSource;
};

/** Where an image is. */
export type RunImageSource = {
    /** `url`: data is uploaded first. */
    type: "url";
    /** The address that the upload has answered. */
    value: string;
    /** The media type, for example `image/png`. */
    mimeType?: string | null;
};

/** The response to `POST /runs`, status 202. Use its ids to request the events. (E2.) */
export type RunCreated = {
    /** The service's id of the job. */
    taskId: string;
    /** The id of the conversation. */
    threadId: string;
    /** The id of the run. */
    runId: string;
    /** Whether the conversation is new. */
    created: boolean;
};

/**
 * The response to `POST /runs/{thread_id}/cancel`, status 202: the request was received
 * but is not complete. (E15.)
 */
export type RunCancelAccepted = {
    /** The id of the conversation. */
    threadId: string;
    /** The id of the run. */
    runId: string;
    /** Always true. */
    accepted: boolean;
};

/** The response to `GET /history`: the messages of one day, in order. */
export type RunHistory = {
    /** The scope: `history_day`. */
    scope: string;
    /** The id of the conversation. Null if the user has no conversation. */
    threadId: string | null;
    /** The day, `YYYY-MM-DD`. Null if the history has no messages. */
    day: string | null;
    /** Whether an earlier day has messages. Request them with `before=<day>`. */
    hasMore: boolean;
    /** The messages. */
    messages: RunHistoryMessage[];
};

/** A message of the history. */
export type RunHistoryMessage = {
    /** The id. */
    id: string;
    /** The position in the conversation. */
    seq: number;
    /** The role of the sender. */
    role: "user" | "assistant" | "tool";
    /** The text. For a tool, the result as JSON text. */
    content: string;
    /** Suggestions for the user's next message, in a message of the assistant. */
    suggestedActions?: string[] | null;
    /** The attachments of a message of the user. */
    attachments?: RunAttachmentRef[] | null;
    /** The UI schema with which a tool's result is shown. */
    ui_schema?: Json | null;
    /** The time, in ISO 8601. */
    timestamp: string;
};

/** An uploaded file in a message. */
export type RunAttachmentRef = {
    /** The media type. */
    mimeType: string;
    /** A URL that is valid for a limited time. */
    url: string;
};

/** The response to `POST /attachments`. */
export type RunUploaded = {
    /** The uploaded file. */
    attachment: RunAttachment;
};

/** An uploaded file. */
export type RunAttachment = {
    /** The storage bucket. */
    bucket: string;
    /** The path in the bucket. */
    path: string;
    /** The media type, detected from the content. */
    mimeType: string;
    /** A URL that is valid for a limited time, for a message of the next run. */
    url: string;
};

/** The response to `GET /attachments/signed-url`. */
export type RunSignedUrl = {
    /** The storage bucket. */
    bucket: string;
    /** The path in the bucket. */
    path: string;
    /** A URL that is valid for a limited time. */
    url: string;
};

/** The response to `POST /transcribe`. */
export type RunTranscript = {
    /** The transcript. */
    transcript: string;
};

/** The state of a tool call. */
export type ToolState = "streaming" | "called" | "answered";

/** The status of a response, message or content. */
export type RunStatus = "created" | "in_progress" | "completed" | "canceled" | "failed" | "rejected" | "unknown" | "queued" | "incomplete" | (string & {});

/** The role of the sender of a message. */
export type Role = "assistant" | "user" | "system" | "tool" | (string & {});

/** The type of a message. */
export type MessageType = "message" | "function_call" | "function_call_output" | "plugin_call" | "plugin_call_output" | "component_call" | "component_call_output" | "mcp_list_tools" | "mcp_approval_request" | "mcp_call" | "mcp_approval_response" | "mcp_call_output" | "reasoning" | "heartbeat" | "error" | "a2ui_response" | "a2ui_action" | (string & {});

/** The type of a content. */
export type ContentType = "text" | "data" | "image" | "audio" | "file" | "refusal" | "video" | (string & {});

/** The current snapshot. It is plain data, and complete and in order at any time. */
export interface AgentApiSnapshot {
    /** The response with its messages. */
    readonly response: Response;
    /** The tool calls with their outputs, in the order of their first appearance. */
    readonly toolCalls: readonly ToolCall[];
}

/** An error. (Spec 1.2, `Error`.) */
export interface ErrorInfo {
    /** The error code. */
    readonly code: string;
    /** The error message, for people. */
    readonly message: string;
}

/** A tool call and its output. (R35: paired by call id, not by order.) */
export interface ToolCall {
    /** The call's id. Null if the stream does not contain it. */
    readonly callId: string | null;
    /** The tool's name. */
    readonly name: string | null;
    /** The type of the message that started the call. */
    readonly type: MessageType;
    /**
     * `streaming`: the arguments are not complete. `called`: the arguments are complete.
     * `answered`: the output is complete.
     */
    readonly state: ToolState;
    /** The id of the message that contains the call. */
    readonly messageId: string | null;
    /** The index of the content that contains the call. */
    readonly index: number | null;
    /** The id of the message that contains the output. */
    readonly outputMessageId: string | null;
    /** The index of the content that contains the output. */
    readonly outputIndex: number | null;
}

/**
 * The response of one run. Unchanged parts keep their identity between updates.
 * (Spec 1.2, `AgentResponse`.)
 */
export interface Response {
    /** The sequence number of the last event with this value. */
    readonly sequence_number: number | null;
    readonly object: "response";
    /** The status of the run. */
    readonly status: RunStatus;
    /** The error. */
    readonly error: ErrorInfo | null;
    /** The id. Empty until the stream contains it. */
    readonly id: string;
    /** The creation time, in seconds since 1970. */
    readonly created_at: number | null;
    /** The completion time, in seconds since 1970. */
    readonly completed_at: number | null;
    /**
     * The messages, in the order of their first appearance; once the response has ended,
     * in the order it lists them, those it does not list after them.
     */
    readonly output: readonly Message[];
    /** The token usage, as the server counts it. */
    readonly usage: Json;
    /** The id of the conversation. */
    readonly session_id: string | null;
}

/** One message of a response. (Spec 1.2, `Message`.) */
export interface Message {
    /** The sequence number of the last event with this value. */
    readonly sequence_number: number | null;
    readonly object: "message";
    /**
     * The status of the message. If it is not terminal at the end of the stream, the
     * message was truncated.
     */
    readonly status: RunStatus;
    /** The error. */
    readonly error: ErrorInfo | null;
    /** The message's id, unique in its response. */
    readonly id: string;
    /** The type of the message. */
    readonly type: MessageType;
    /** The role of the sender. */
    readonly role: Role | null;
    /** The contents, sorted by `index`. */
    readonly content: readonly Content[];
    /** The error code of a message of type `error`. */
    readonly code: string | null;
    /** The error message of a message of type `error`. */
    readonly message: string | null;
    /** The token usage of this message. */
    readonly usage: Json;
    /** Arbitrary data. */
    readonly metadata: Json;
}

/**
 * One part of a message, of the type in `type`. Servers may send types that are not listed
 * here: leave a `default`. (Spec 1.2, `Content` and its seven classes.)
 */
export interface OtherContent {
    /**
     * The sequence number of the last event with the whole value. Null while only deltas
     * have arrived.
     */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** The status of the content. */
    readonly status: RunStatus;
    /** The error. */
    readonly error: ErrorInfo | null;
    readonly type: OtherName;
    /** The index in the message. */
    readonly index: number;
    readonly delta: false;
    /** The id of the message that contains it. */
    readonly msg_id: string;
    readonly [member: string]: unknown;
}

/** `text` */
export interface TextContent {
    /**
     * The sequence number of the last event with the whole value. Null while only deltas
     * have arrived.
     */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** The status of the content. */
    readonly status: RunStatus;
    /** The error. */
    readonly error: ErrorInfo | null;
    readonly type: "text";
    /** The index in the message. */
    readonly index: number;
    readonly delta: false;
    /** The id of the message that contains it. */
    readonly msg_id: string;
    /** The text so far. */
    readonly text: string | null;
}

/** `data`: a JSON object. */
export interface DataContent {
    /**
     * The sequence number of the last event with the whole value. Null while only deltas
     * have arrived.
     */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** The status of the content. */
    readonly status: RunStatus;
    /** The error. */
    readonly error: ErrorInfo | null;
    readonly type: "data";
    /** The index in the message. */
    readonly index: number;
    readonly delta: false;
    /** The id of the message that contains it. */
    readonly msg_id: string;
    /** The data: a JSON object. */
    readonly data: { readonly [key: string]: Json } | null;
}

/** `image` */
export interface ImageContent {
    /**
     * The sequence number of the last event with the whole value. Null while only deltas
     * have arrived.
     */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** The status of the content. */
    readonly status: RunStatus;
    /** The error. */
    readonly error: ErrorInfo | null;
    readonly type: "image";
    /** The index in the message. */
    readonly index: number;
    readonly delta: false;
    /** The id of the message that contains it. */
    readonly msg_id: string;
    /** The URL, which can be a data URL. */
    readonly image_url: string | null;
}

/** `audio` */
export interface AudioContent {
    /**
     * The sequence number of the last event with the whole value. Null while only deltas
     * have arrived.
     */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** The status of the content. */
    readonly status: RunStatus;
    /** The error. */
    readonly error: ErrorInfo | null;
    readonly type: "audio";
    /** The index in the message. */
    readonly index: number;
    readonly delta: false;
    /** The id of the message that contains it. */
    readonly msg_id: string;
    /** The bytes in base64, or a URL. */
    readonly data: string | null;
    /** The format, for example `wav`. */
    readonly format: string | null;
}

/** `file` */
export interface FileContent {
    /**
     * The sequence number of the last event with the whole value. Null while only deltas
     * have arrived.
     */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** The status of the content. */
    readonly status: RunStatus;
    /** The error. */
    readonly error: ErrorInfo | null;
    readonly type: "file";
    /** The index in the message. */
    readonly index: number;
    readonly delta: false;
    /** The id of the message that contains it. */
    readonly msg_id: string;
    /** The URL of the file. */
    readonly file_url: string | null;
    /** The server's id of the file. */
    readonly file_id: string | null;
    /** The display name. */
    readonly filename: string | null;
    /** The bytes in base64. */
    readonly file_data: string | null;
}

/** `refusal` */
export interface RefusalContent {
    /**
     * The sequence number of the last event with the whole value. Null while only deltas
     * have arrived.
     */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** The status of the content. */
    readonly status: RunStatus;
    /** The error. */
    readonly error: ErrorInfo | null;
    readonly type: "refusal";
    /** The index in the message. */
    readonly index: number;
    readonly delta: false;
    /** The id of the message that contains it. */
    readonly msg_id: string;
    /** The refusal of the agent. */
    readonly refusal: string | null;
}

/** `video` */
export interface VideoContent {
    /**
     * The sequence number of the last event with the whole value. Null while only deltas
     * have arrived.
     */
    readonly sequence_number: number | null;
    readonly object: "content";
    /** The status of the content. */
    readonly status: RunStatus;
    /** The error. */
    readonly error: ErrorInfo | null;
    readonly type: "video";
    /** The index in the message. */
    readonly index: number;
    readonly delta: false;
    /** The id of the message that contains it. */
    readonly msg_id: string;
    /** The URL, which can be a data URL. */
    readonly video_url: string | null;
}

/**
 * One part of a message, of the type in `type`. Servers may send types that are not listed
 * here: leave a `default`. (Spec 1.2, `Content` and its seven classes.)
 */
export type Content = TextContent | DataContent | ImageContent | AudioContent | FileContent | RefusalContent | VideoContent | OtherContent;

/** The status of a reply. It is not part of the protocol. */
export type AgentScopeStatus = "streaming" | "waiting" | "completed" | "interrupted" | "incomplete" | "failed" | "truncated";

/** The role of a message. */
export type AgentScopeRole = "assistant" | "user" | "system";

/** The state of a tool call. */
export type AgentScopeCallState = "pending" | "asking" | "allowed" | "submitted" | "finished";

/** The state of a result. */
export type AgentScopeResultState = "running" | "success" | "error" | "interrupted" | "denied";

/**
 * The reply so far: the `Msg` of AgentScope, with `session_id`, `model`, `status` and
 * `custom`, which are not part of it. It is plain data; unchanged blocks keep their
 * identity between updates.
 */
export interface AgentScopeReply {
    /** The id of the reply. Empty until the stream contains it. */
    readonly id: string;
    /** The name of the agent. */
    readonly name: string;
    /** The role of the agent. */
    readonly role: AgentScopeRole;
    /** The blocks, in the order of their appearance. */
    readonly content: readonly AgentScopeBlock[];
    /** The metadata of its start and of its end. */
    readonly metadata?: Json;
    /** The time of its start, in ISO 8601. */
    readonly created_at?: string;
    /** The tokens used so far. */
    readonly usage: AgentScopeUsage | null;
    /** The time of its end, in ISO 8601. */
    readonly finished_at?: string;
    /** Why it ended: `completed`, `interrupted`, `exceed_max_iters`, `error`. */
    readonly finished_reason?: string;
    /** The error of a reply that failed. */
    readonly error: AgentScopeError | null;
    /** The id of the session, which is not part of the protocol's message. */
    readonly session_id: string;
    /**
     * The name of the model that was called last, which is not part of the protocol's
     * message.
     */
    readonly model?: string;
    /** The status, which is not part of the protocol's message. */
    readonly status: AgentScopeStatus;
    /** The events of the service, which are not part of the protocol's message. */
    readonly custom: readonly AgentScopeCustom[];
}

/** Token counts, the sums of all calls of the model. */
export interface AgentScopeUsage {
    /** Input tokens. */
    readonly input_tokens: number;
    /** Output tokens. */
    readonly output_tokens: number;
    /** Input tokens that were read from a cache. */
    readonly cache_input_tokens: number;
    /** Input tokens that were written to a cache. */
    readonly cache_creation_input_tokens: number;
}

/** The error of a reply. */
export interface AgentScopeError {
    /** The class of the error: `rate_limit`, `upstream`, `setup`, …. */
    readonly type: string;
    /** The error message. */
    readonly message: string;
}

/** An event of the service or of the application. */
export interface AgentScopeCustom {
    /** The name. */
    readonly name: string;
    /** An object. */
    readonly value: Json;
}

/** A text. */
export interface AgentScopeTextBlock {
    readonly type: "text";
    /** The id of the block. */
    readonly id: string;
    /** The text so far. */
    readonly text: string;
    /** The time of its end, empty if the event has none. Absent until then. */
    readonly finished_at?: string;
}

/** Reasoning of the model. */
export interface AgentScopeThinkingBlock {
    readonly type: "thinking";
    /** The id of the block. */
    readonly id: string;
    /** The reasoning so far. */
    readonly thinking: string;
    /** The time of its end, empty if the event has none. Absent until then. */
    readonly finished_at?: string;
}

/** An image, a sound, a video or a file. */
export interface AgentScopeDataBlock {
    readonly type: "data";
    /** The id of the block. */
    readonly id: string;
    /** The name, such as that of a file. */
    readonly name: string | null;
    /** `{"type":"base64","data","media_type"}` or `{"type":"url","url","media_type"}`. */
    readonly source: Json;
    /** The time of its end, empty if the event has none. Absent until then. */
    readonly finished_at?: string;
}

/** A text for the model that joined the reply. */
export interface AgentScopeHintBlock {
    readonly type: "hint";
    /** The id of the block. */
    readonly id: string;
    /** A text, or a list of text and data blocks. */
    readonly hint: Json;
    /** The sender. */
    readonly source: string | null;
}

/** A tool call. */
export interface AgentScopeToolCallBlock {
    readonly type: "tool_call";
    /** The id of the call. */
    readonly id: string;
    /** The name of the tool. */
    readonly name: string;
    /** The JSON text of the input so far. Use incomplete input only for display. */
    readonly input: string;
    /** Whether the call waits, and for what. */
    readonly state: AgentScopeCallState;
    /** The rules that the user can accept with the confirmation: a list. */
    readonly suggested_rules?: Json;
    /** The time of the end of its input, empty if the event has none. Absent until then. */
    readonly finished_at?: string;
}

/** The result of a tool call. */
export interface AgentScopeToolResultBlock {
    readonly type: "tool_result";
    /** The id of the call. */
    readonly id: string;
    /** The name of the tool. */
    readonly name: string;
    /** The blocks, in the order of their appearance. */
    readonly output: readonly AgentScopeOutputBlock[];
    /** How the tool ended. */
    readonly state: AgentScopeResultState;
    /** Data for the application: an object. */
    readonly metadata?: Json;
    /** The time of its end, empty if the event has none. Absent until then. */
    readonly finished_at?: string;
}

/** A text in a result. */
export interface AgentScopeOutputText {
    readonly type: "text";
    /** The text so far. */
    readonly text: string;
}

/** An image, a sound, a video or a file in a result. */
export interface AgentScopeOutputData {
    readonly type: "data";
    /** The id of the block. */
    readonly id: string;
    /** `{"type":"base64","data","media_type"}` or `{"type":"url","url","media_type"}`. */
    readonly source: Json;
}

/** A block of a reply, by its `type`. */
export type AgentScopeBlock = AgentScopeTextBlock | AgentScopeThinkingBlock | AgentScopeDataBlock | AgentScopeHintBlock | AgentScopeToolCallBlock | AgentScopeToolResultBlock;

/** A block of a result, by its `type`. */
export type AgentScopeOutputBlock = AgentScopeOutputText | AgentScopeOutputData;

/** The status of a turn. */
export type AgKitStatus = "streaming" | "completed" | "awaiting-tool-results" | "interrupted" | "failed" | "truncated";

/** The state of a tool call, as in the AG-Kit clients. (A.6.) */
export type AgKitToolState = "input-streaming" | "input-available" | "output-available";

/**
 * The snapshot of one AG-Kit turn. It is plain data; unchanged parts keep their identity
 * between updates.
 */
export interface AgKitTurn {
    /**
     * `streaming` until the stream has ended; then what is left to do. `truncated`: it
     * stopped inside a tool call, its reader has stopped it, or it could not be read at
     * all.
     */
    readonly status: AgKitStatus;
    /** The parts, in the order of their appearance. */
    readonly parts: readonly AgKitPart[];
    /** The error of the run, which is also one of the parts. */
    readonly error: AgKitError | null;
    /**
     * The ids of the calls that the client must answer: their arguments are final, and
     * they have no result at the end of the stream. Empty until then. `status` shows
     * whether to answer them. (K4.)
     */
    readonly pendingToolCallIds: readonly string[];
}

/** A text: all consecutive text deltas. (K1.) */
export interface AgKitTextPart {
    readonly type: "text";
    /** The text so far. */
    readonly text: string;
}

/** A tool call, with its result if the server called the tool. */
export interface AgKitToolCallPart {
    readonly type: "tool-call";
    /** The call's id. */
    readonly toolCallId: string;
    /** The name of the tool. */
    readonly toolCallName: string;
    /**
     * `input-streaming`: arguments are coming. `input-available`: they are final.
     * `output-available`: the result is there.
     */
    readonly state: AgKitToolState;
    /**
     * The JSON text of the arguments so far. Use incomplete arguments only for display.
     * (K2.)
     */
    readonly arguments: string;
    /**
     * The parsed arguments, once they are final and if they are JSON. Null if the text is
     * empty. (K3.)
     */
    readonly parsedArguments: Json;
    /** The error if the final arguments are not JSON. (K3.) */
    readonly argumentsError: string | null;
    /** The result of the tool, if the server called it. (K4.) */
    readonly result: string | null;
}

/** A question of the agent. The run continues when the client resumes it. (K5.) */
export interface AgKitInterruptPart {
    readonly type: "interrupt";
    /** The id of the interrupt, which the client sends to resume the run. */
    readonly id: string;
    /** The reason. */
    readonly reason: string | null;
    /** The question: any JSON. */
    readonly payload: Json;
}

/** The error of a run. (K8, K9.) */
export interface AgKitError {
    /** The error message. */
    readonly message: string;
    /** Details of the error. */
    readonly details: string | null;
}

/** The end of a run that failed (K8, K9). */
export interface AgKitErrorPart {
    readonly type: "error";
    /** The error message. */
    readonly message: string;
    /** Details of the error. */
    readonly details: string | null;
}

/** A part of a turn, by its `type`. */
export type AgKitPart = AgKitTextPart | AgKitToolCallPart | AgKitInterruptPart | AgKitErrorPart;

/** The status of a run. */
export type AgUiStatus = "idle" | "running" | "finished" | "interrupted" | "cancelled" | "failed" | "incomplete";

/** The role of the sender of a message. */
export type AgUiRole = "assistant" | "user" | "tool" | "developer" | "system" | "activity" | "reasoning";

/** The kind of a tool call. */
export type AgUiToolCallType = "function";

/**
 * The snapshot of an AG-UI stream. It has the fields of the official client, and the data
 * that this client passes only to its subscribers. It is plain data; unchanged parts keep
 * their identity between updates.
 */
export interface AgUiSnapshot {
    /** The status of the last run. */
    readonly status: AgUiStatus;
    /** The id of the thread of the last run. */
    readonly threadId: string | null;
    /** The id of the last run. */
    readonly runId: string | null;
    /** The messages of the thread, in order. */
    readonly messages: readonly AgUiMessage[];
    /** The shared state after all snapshots and patches: any JSON. */
    readonly state: Json;
    /** The pending interrupts. The next request must answer all of them. */
    readonly pendingInterrupts: Json;
    /** The ids of the calls that the client must answer after the run has finished. */
    readonly pendingToolCallIds: readonly string[];
    /**
     * The outcome of the run: `success`, `interrupt` or `cancelled`. Null before the end,
     * and after an error.
     */
    readonly outcome: string | null;
    /** The result of the run. Null if it has none. */
    readonly result: Json;
    /** The error of the run. */
    readonly error: AgUiRunError | null;
    /** The token usage of all runs of the stream, summed per provider and model. */
    readonly usage: Json;
    /** The steps of the run, in order. */
    readonly steps: readonly AgUiStep[];
    /** The subagents of the run, in order. */
    readonly subagents: readonly AgUiSubagent[];
    /**
     * The reasoning spans of the run, in order. Messages with the role `reasoning` contain
     * the text.
     */
    readonly reasoningSpans: readonly AgUiReasoningSpan[];
    /** The runs of the stream, in order. */
    readonly runs: readonly AgUiRun[];
}

/** A message. Its properties depend on its role; the others are absent. */
export interface AgUiMessage {
    /** The id. */
    readonly id: string;
    /** The role of the sender. */
    readonly role: AgUiRole;
    /**
     * The content: a string; for users and tools also a list of parts; for activities an
     * object. Absent if an assistant only calls tools.
     */
    readonly content?: Json;
    /** The name of the sender. */
    readonly name?: string;
    /** The tool calls of an assistant, in order. */
    readonly toolCalls?: readonly AgUiToolCall[];
    /** The id of the call that a tool message answers. */
    readonly toolCallId?: string;
    /** The error of a tool message. */
    readonly error?: string;
    /** The type of an activity. */
    readonly activityType?: string;
    /** An encrypted value. Only the provider can read it. */
    readonly encryptedValue?: string;
    /** The id of the subagent. Absent for the agent itself. */
    readonly subagentRunId?: string;
    /** Further data, merged from the events property by property. */
    readonly metadata?: Json;
}

/** A tool call of an assistant. */
export interface AgUiToolCall {
    /** The id. */
    readonly id: string;
    /** Always `function`. */
    readonly type: AgUiToolCallType;
    /** The function that is called. */
    readonly function: AgUiFunctionCall;
    /** An encrypted value. Only the provider can read it. */
    readonly encryptedValue?: string;
    /** Further data. */
    readonly metadata?: Json;
}

/** A function and its arguments. */
export interface AgUiFunctionCall {
    /** The name of the tool. */
    readonly name: string;
    /** The arguments' JSON text so far. */
    readonly arguments: string;
}

/** The error of a run or of a subagent. */
export interface AgUiRunError {
    /** The error message. */
    readonly message: string;
    /** A code for programs. */
    readonly code?: string;
}

/** A step of a run. */
export interface AgUiStep {
    /** The name. */
    readonly stepName: string;
    /** The id of the subagent. */
    readonly subagentRunId?: string;
    /** `running`, then `finished`. */
    readonly status: AgUiStatus;
}

/** A subagent. */
export interface AgUiSubagent {
    /** The subagent's id. */
    readonly subagentRunId: string;
    /** The name. */
    readonly name: string;
    /** The purpose. */
    readonly description?: string;
    /** The id of the subagent that started it. */
    readonly parentSubagentRunId?: string;
    /** The id of the call that started it. */
    readonly parentToolCallId?: string;
    /** The id of the message that started it. */
    readonly parentMessageId?: string;
    /** `running`, then `finished`, `interrupted` (it is suspended) or `failed`. */
    readonly status: AgUiStatus;
    /** The result. */
    readonly result?: Json;
    /** The outcome. */
    readonly outcome?: Json;
    /** The error. */
    readonly error?: AgUiRunError;
}

/** A span of reasoning. */
export interface AgUiReasoningSpan {
    /** The span's id. */
    readonly messageId: string;
    /** The id of the subagent. */
    readonly subagentRunId?: string;
    /** `running`, then `finished`. */
    readonly status: AgUiStatus;
}

/** A run. */
export interface AgUiRun {
    /** The id of the thread. */
    readonly threadId: string;
    /** The run's id. */
    readonly runId: string;
    /** The id of the run that it continues. */
    readonly parentRunId?: string;
    /** The protocol version that the agent uses. */
    readonly protocolVersion?: string;
    /** The status. */
    readonly status: AgUiStatus;
}

/** The status of a response or an item. */
export type ResponsesStatus = "in_progress" | "completed" | "incomplete" | "failed" | "cancelled" | "queued" | "searching" | "interpreting" | "generating" | "calling" | (string & {});

/** The type of a part. */
export type ResponsesPartType = "output_text" | "refusal" | "reasoning_text" | "summary_text" | (string & {});

/** The type of an item. */
export type ResponsesItemType = "message" | "reasoning" | "function_call" | "function_call_output" | "custom_tool_call" | "custom_tool_call_output" | "mcp_list_tools" | "mcp_call" | "mcp_approval_request" | "mcp_approval_response" | "web_search_call" | "file_search_call" | "code_interpreter_call" | "image_generation_call" | "computer_call" | "computer_call_output" | "tool_search_call" | "tool_search_output" | "shell_call" | "shell_call_output" | "local_shell_call" | "local_shell_call_output" | "apply_patch_call" | "apply_patch_call_output" | "program" | "program_output" | "additional_tools" | "configuration_update" | "compaction" | (string & {});

/**
 * The current Response object. It is plain data; unchanged parts keep their identity
 * between updates.
 */
export interface ResponsesResponse {
    /** The response's id. Empty until the stream contains it. */
    readonly id: string;
    /** The type of the object: `response`. */
    readonly object?: string | null;
    /** The creation time, in seconds since 1970. */
    readonly created_at?: Json;
    /** The status. A truncated stream does not change it. */
    readonly status: ResponsesStatus;
    /** The completion time, in seconds since 1970. */
    readonly completed_at?: Json;
    /** The error of a failed response: `code` and `message`. */
    readonly error?: Json;
    /** The details of an incomplete response: `reason`. */
    readonly incomplete_details?: Json;
    /** The model that produced the response. */
    readonly model?: string | null;
    /** The items of the output, in order. */
    readonly output: readonly ResponsesItem[];
    /** The token usage. */
    readonly usage?: Json;
    /** The instructions of the request. */
    readonly instructions?: Json;
    /** Arbitrary data. */
    readonly metadata?: Json;
    /** Whether several tools may be called at once. */
    readonly parallel_tool_calls?: Json;
    /** The request's temperature. */
    readonly temperature?: Json;
    /** The request's `top_p`. */
    readonly top_p?: Json;
    /** The `tool_choice` of the request. */
    readonly tool_choice?: Json;
    /** The tools. */
    readonly tools?: Json;
    /** The id of the previous response of the conversation. */
    readonly previous_response_id?: string | null;
    /** The conversation: `id`. */
    readonly conversation?: Json;
    /** The `reasoning` settings of the request. */
    readonly reasoning?: Json;
    /** The `text` settings of the request. */
    readonly text?: Json;
    /** The `truncation` of the request. */
    readonly truncation?: Json;
    /** The `max_output_tokens` of the request. */
    readonly max_output_tokens?: Json;
}

/**
 * A part of a message, of reasoning or of a summary, by its `type`. Servers may send other
 * types: handle them in the `default` branch.
 */
export interface OtherResponsesPart {
    /** The annotations of a text, as the server sends them. */
    readonly annotations?: Json;
    readonly type: OtherName;
    /** The log probabilities of the tokens of a text. */
    readonly logprobs?: Json;
    readonly [member: string]: unknown;
}

/** `output_text` */
export interface ResponsesOutputText {
    /** The annotations of a text, as the server sends them. */
    readonly annotations?: Json;
    readonly type: "output_text";
    /** The log probabilities of the tokens of a text. */
    readonly logprobs?: Json;
    /** The text so far. */
    readonly text: string;
}

/** `refusal` */
export interface ResponsesRefusal {
    /** The annotations of a text, as the server sends them. */
    readonly annotations?: Json;
    readonly type: "refusal";
    /** The log probabilities of the tokens of a text. */
    readonly logprobs?: Json;
    /** The refusal of the model. */
    readonly refusal: string;
}

/** `reasoning_text` */
export interface ResponsesReasoningText {
    /** The annotations of a text, as the server sends them. */
    readonly annotations?: Json;
    readonly type: "reasoning_text";
    /** The log probabilities of the tokens of a text. */
    readonly logprobs?: Json;
    /** The reasoning text. */
    readonly text: string;
}

/** `summary_text` */
export interface ResponsesSummaryText {
    /** The annotations of a text, as the server sends them. */
    readonly annotations?: Json;
    readonly type: "summary_text";
    /** The log probabilities of the tokens of a text. */
    readonly logprobs?: Json;
    /** The summary text. */
    readonly text: string;
}

/**
 * An item of the output, by its `type`. Servers may send other types: handle them in the
 * `default` branch.
 */
export interface OtherResponsesItem {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: OtherName;
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    readonly [member: string]: unknown;
}

/** `message` */
export interface ResponsesMessage {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "message";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The role: `assistant`. */
    readonly role?: string | null;
}

/** `reasoning` */
export interface ResponsesReasoning {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "reasoning";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** Encrypted content for the next request. Only the server can read it. */
    readonly encrypted_content?: string | null;
}

/** `function_call` */
export interface ResponsesFunctionCall {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "function_call";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The name of the tool. */
    readonly name: string;
    /** The arguments' JSON text so far. */
    readonly arguments: string;
}

/** `function_call_output` */
export interface ResponsesFunctionCallOutput {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "function_call_output";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** A text, or a list of parts. */
    readonly output?: Json;
}

/** `custom_tool_call` */
export interface ResponsesCustomToolCall {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "custom_tool_call";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The name of the tool. */
    readonly name: string;
    /** The input so far: plain text. */
    readonly input: string;
}

/** `custom_tool_call_output` */
export interface ResponsesCustomToolCallOutput {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "custom_tool_call_output";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** A text, or a list of parts. */
    readonly output?: Json;
}

/** `mcp_list_tools` */
export interface ResponsesMcpListTools {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "mcp_list_tools";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The label of the MCP server. */
    readonly server_label?: string | null;
    /** The tools. */
    readonly tools?: Json;
    /** The error, if the tools could not be listed. */
    readonly error?: Json;
}

/** `mcp_call` */
export interface ResponsesMcpCall {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "mcp_call";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The name of the tool. */
    readonly name: string;
    /** The arguments' JSON text so far. */
    readonly arguments: string;
    /** The label of the MCP server. */
    readonly server_label?: string | null;
    /** The result of the tool. */
    readonly output?: Json;
    /** The error. */
    readonly error?: Json;
    /** The id of the question that the user approved before the call. */
    readonly approval_request_id?: string | null;
}

/** `mcp_approval_request` */
export interface ResponsesMcpApprovalRequest {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "mcp_approval_request";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The name of the tool. */
    readonly name: string;
    /** The arguments' JSON text. */
    readonly arguments: string;
    /** The label of the MCP server. */
    readonly server_label?: string | null;
}

/** `mcp_approval_response` */
export interface ResponsesMcpApprovalResponse {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "mcp_approval_response";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The id of the question. */
    readonly approval_request_id?: string | null;
    /** Whether the tool may run. */
    readonly approve?: Json;
    /** The reason. */
    readonly reason?: string | null;
}

/** `web_search_call` */
export interface ResponsesWebSearchCall {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "web_search_call";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The query. */
    readonly action?: Json;
}

/** `file_search_call` */
export interface ResponsesFileSearchCall {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "file_search_call";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The queries. */
    readonly queries?: Json;
    /** The results. */
    readonly results?: Json;
}

/** `code_interpreter_call` */
export interface ResponsesCodeInterpreterCall {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "code_interpreter_call";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The code so far. */
    readonly code?: string | null;
    /** The id of the container. */
    readonly container_id?: string | null;
    /** The outputs of the code. */
    readonly outputs?: Json;
}

/** `image_generation_call` */
export interface ResponsesImageGenerationCall {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "image_generation_call";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The image in base64. */
    readonly result?: string | null;
    /** The intermediate image in base64. Removed when the item is complete. */
    readonly partial_image_b64?: string;
}

/** `computer_call` */
export interface ResponsesComputerCall {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "computer_call";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The action. */
    readonly action?: Json;
}

/** `computer_call_output` */
export interface ResponsesComputerCallOutput {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "computer_call_output";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The output. */
    readonly output?: Json;
}

/** `tool_search_call` */
export interface ResponsesToolSearchCall {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "tool_search_call";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The query: any JSON. */
    readonly arguments?: Json;
}

/** `tool_search_output` */
export interface ResponsesToolSearchOutput {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "tool_search_output";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The tools that were found. */
    readonly tools?: Json;
}

/** `shell_call` */
export interface ResponsesShellCall {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "shell_call";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The commands. */
    readonly action?: Json;
}

/** `shell_call_output` */
export interface ResponsesShellCallOutput {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "shell_call_output";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The outputs of the commands. */
    readonly output?: Json;
}

/** `local_shell_call` */
export interface ResponsesLocalShellCall {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "local_shell_call";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The command. */
    readonly action?: Json;
}

/** `local_shell_call_output` */
export interface ResponsesLocalShellCallOutput {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "local_shell_call_output";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The output of the command. */
    readonly output?: Json;
}

/** `apply_patch_call` */
export interface ResponsesApplyPatchCall {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "apply_patch_call";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The change. */
    readonly operation?: Json;
}

/** `apply_patch_call_output` */
export interface ResponsesApplyPatchCallOutput {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "apply_patch_call_output";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The output. */
    readonly output?: Json;
}

/** `program` */
export interface ResponsesProgram {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "program";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The program. */
    readonly code?: string | null;
}

/** `program_output` */
export interface ResponsesProgramOutput {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "program_output";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The result of the program. */
    readonly result?: string | null;
}

/** `additional_tools` */
export interface ResponsesAdditionalTools {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "additional_tools";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The tools. */
    readonly tools?: Json;
}

/** `configuration_update` */
export interface ResponsesConfigurationUpdate {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "configuration_update";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** The reasoning settings from here on: `effort`. */
    readonly reasoning?: Json;
    /** The `text` settings from here on: `format`. */
    readonly text?: Json;
}

/** `compaction` */
export interface ResponsesCompaction {
    /**
     * The item's id, unique in its response. Optional for calls of functions and custom
     * tools.
     */
    readonly id?: string | null;
    readonly type: "compaction";
    /** The status. */
    readonly status?: ResponsesStatus | null;
    /** The parts of a message, or of reasoning. */
    readonly content?: readonly ResponsesPart[];
    /** The parts of the summary of reasoning. */
    readonly summary?: readonly ResponsesPart[];
    /** The id of the call: of the item itself, or of the call that it answers. */
    readonly call_id?: string | null;
    /** Encrypted content. Only the server can read it. */
    readonly encrypted_content?: string | null;
}

/**
 * A part of a message, of reasoning or of a summary, by its `type`. Servers may send other
 * types: handle them in the `default` branch.
 */
export type ResponsesPart = ResponsesOutputText | ResponsesRefusal | ResponsesReasoningText | ResponsesSummaryText | OtherResponsesPart;

/**
 * An item of the output, by its `type`. Servers may send other types: handle them in the
 * `default` branch.
 */
export type ResponsesItem = ResponsesMessage | ResponsesReasoning | ResponsesFunctionCall | ResponsesFunctionCallOutput | ResponsesCustomToolCall | ResponsesCustomToolCallOutput | ResponsesMcpListTools | ResponsesMcpCall | ResponsesMcpApprovalRequest | ResponsesMcpApprovalResponse | ResponsesWebSearchCall | ResponsesFileSearchCall | ResponsesCodeInterpreterCall | ResponsesImageGenerationCall | ResponsesComputerCall | ResponsesComputerCallOutput | ResponsesToolSearchCall | ResponsesToolSearchOutput | ResponsesShellCall | ResponsesShellCallOutput | ResponsesLocalShellCall | ResponsesLocalShellCallOutput | ResponsesApplyPatchCall | ResponsesApplyPatchCallOutput | ResponsesProgram | ResponsesProgramOutput | ResponsesAdditionalTools | ResponsesConfigurationUpdate | ResponsesCompaction | OtherResponsesItem;

/** The state of a task. */
export type A2aTaskState = "TASK_STATE_UNSPECIFIED" | "TASK_STATE_SUBMITTED" | "TASK_STATE_WORKING" | "TASK_STATE_COMPLETED" | "TASK_STATE_FAILED" | "TASK_STATE_CANCELED" | "TASK_STATE_INPUT_REQUIRED" | "TASK_STATE_REJECTED" | "TASK_STATE_AUTH_REQUIRED" | "UNRECOGNIZED";

/** The role of the sender of a message. */
export type A2aRole = "ROLE_UNSPECIFIED" | "ROLE_USER" | "ROLE_AGENT" | "UNRECOGNIZED";

/**
 * The snapshot of an A2A stream: a task, one message, or an error. It is plain data;
 * unchanged parts keep their identity between updates.
 */
export interface A2aSnapshot {
    /** The task with its artifacts. */
    readonly task: A2aTask | null;
    /** The message, if the stream contains a message instead of a task. */
    readonly message: A2aMessage | null;
    /** The JSON-RPC error that ended the stream. */
    readonly error: A2aError | null;
}

/** The JSON-RPC error of a failed request. */
export interface A2aError {
    /** The error code, for example `-32001`. */
    readonly code: number;
    /** The error message. */
    readonly message: string;
    /** Details of the error. In version 1.0, a list of objects with `@type`. */
    readonly data?: Json;
}

/** A task. Properties that the stream has not set are absent. */
export interface A2aTask {
    /** The id. */
    readonly id?: string;
    /** The id of the conversation. */
    readonly contextId?: string;
    /** The status of the task. */
    readonly status?: A2aTaskStatus;
    /** The artifacts of the task, in order. */
    readonly artifacts?: readonly A2aArtifact[];
    /** The messages of the conversation, including those of the statuses. */
    readonly history?: readonly A2aMessage[];
    /** Further data, including that of updates: an object. */
    readonly metadata?: Json;
}

/** The status of a task. */
export interface A2aTaskStatus {
    /** The state. */
    readonly state?: A2aTaskState;
    /** The agent's message about the status. */
    readonly message?: A2aMessage;
    /** The time, in ISO 8601. */
    readonly timestamp?: string;
}

/** An artifact of a task. */
export interface A2aArtifact {
    /** The artifact's id, unique in the task. */
    readonly artifactId?: string;
    /** The display name. */
    readonly name?: string;
    /** The description. */
    readonly description?: string;
    /** The parts. Each delta of a text is a separate part. */
    readonly parts?: readonly A2aPart[];
    /** Further data: an object. */
    readonly metadata?: Json;
    /** The extensions that are required to process it. */
    readonly extensions?: readonly string[];
}

/** A message. */
export interface A2aMessage {
    /** The message's id. */
    readonly messageId?: string;
    /** The id of the conversation. */
    readonly contextId?: string;
    /** The id of the task. */
    readonly taskId?: string;
    /** The role of the sender. */
    readonly role?: A2aRole;
    /** The parts. */
    readonly parts?: readonly A2aPart[];
    /** Further data: an object. */
    readonly metadata?: Json;
    /** The extensions that are required to process it. */
    readonly extensions?: readonly string[];
    /** The ids of the tasks that the message refers to. */
    readonly referenceTaskIds?: readonly string[];
}

/** A part of an artifact or a message. It has exactly one of the first four properties. */
export interface A2aPart {
    /** The text. */
    readonly text?: string;
    /** The bytes of a file in base64. */
    readonly raw?: string;
    /** The URL of a file. */
    readonly url?: string;
    /** The data: any JSON. */
    readonly data?: Json;
    /** Further data: an object. */
    readonly metadata?: Json;
    /** The name of the file. */
    readonly filename?: string;
    /** The media type. */
    readonly mediaType?: string;
}

/** The status of a message. It is not part of the protocol. */
export type AiSdkStatus = "streaming" | "completed" | "aborted" | "failed" | "truncated";

/** The state of a part: `streaming` and `done` of texts, the others of tool calls. */
export type AiSdkPartState = "streaming" | "done" | "input-streaming" | "input-available" | "approval-requested" | "approval-responded" | "output-available" | "output-error" | "output-denied";

/** The type of a part. */
export type AiSdkPartType = "text" | "reasoning" | "step-start" | "dynamic-tool" | "file" | "source-url" | "source-document" | (string & {});

/**
 * The message so far: the `UIMessage` of the AI SDK, with `status`, `finishReason` and
 * `error`, which are not part of it. It is plain data; unchanged parts keep their identity
 * between updates.
 */
export interface AiSdkMessage {
    /** The message's id. Empty until the stream contains it. (V9.) */
    readonly id: string;
    readonly role: "assistant";
    /** The metadata. (V11.) */
    readonly metadata?: Json;
    /** The parts, in the order of their appearance. */
    readonly parts: readonly AiSdkPart[];
    /** The status, which is not part of the protocol's message. */
    readonly status: AiSdkStatus;
    /**
     * Why the model stopped: `stop`, `length`, `content-filter`, `tool-calls`, `error`,
     * `other`. It is not part of the protocol's message.
     */
    readonly finishReason?: string;
    /** The last error of the stream. It is not part of the protocol's message. (V7.) */
    readonly error?: string;
}

/**
 * A part, by its `type`. Tool calls (`tool-<name>`) and data (`data-<name>`) have types
 * that are not declared: handle them in the `default` branch.
 */
export interface OtherAiSdkPart {
    /** The id of a reasoning, or of data. */
    readonly id?: string;
    readonly type: OtherName;
    /** The state of a text or a tool call. */
    readonly state?: AiSdkPartState;
    /** The call's id. */
    readonly toolCallId?: string;
    /** The name of a tool that is not known at build time (`dynamic-tool`). (V12.) */
    readonly toolName?: string;
    /** The title of a tool or a source. */
    readonly title?: string;
    /** The input of a tool. Absent while it is streaming: see `rawInput`. */
    readonly input?: Json;
    /** The JSON text of the input so far. Use incomplete input only for display. */
    readonly rawInput?: string;
    /** The encoding of the input that is streaming: `json` or `text`. */
    readonly inputEncoding?: string;
    /** The output of a tool. */
    readonly output?: Json;
    /** Whether another output replaces this one. */
    readonly preliminary?: Json;
    /** The error message of a call. */
    readonly errorText?: string;
    /** Whether the server or the model's provider executes the tool. */
    readonly providerExecuted?: Json;
    /** The approval of a call: `id`, and `approved` and `reason` after the answer. */
    readonly approval?: Json;
    /** Data of the tool. */
    readonly toolMetadata?: Json;
    /** Data of the model's provider, of the call. */
    readonly callProviderMetadata?: Json;
    /** Data of the model's provider, of the output. */
    readonly resultProviderMetadata?: Json;
    /** Data of the model's provider, by its name. */
    readonly providerMetadata?: Json;
    /** The id of a source. */
    readonly sourceId?: string;
    /** The URL of a file or a source. */
    readonly url?: string;
    /** The media type of a file or a document. */
    readonly mediaType?: string;
    /** The name of the file. */
    readonly filename?: string;
    /** The value of `data-<name>`: any JSON. */
    readonly data?: Json;
    readonly [member: string]: unknown;
}

/** `text` */
export interface AiSdkText {
    /** The id of a reasoning, or of data. */
    readonly id?: string;
    readonly type: "text";
    /** The state of a text or a tool call. */
    readonly state?: AiSdkPartState;
    /** The call's id. */
    readonly toolCallId?: string;
    /** The name of a tool that is not known at build time (`dynamic-tool`). (V12.) */
    readonly toolName?: string;
    /** The title of a tool or a source. */
    readonly title?: string;
    /** The input of a tool. Absent while it is streaming: see `rawInput`. */
    readonly input?: Json;
    /** The JSON text of the input so far. Use incomplete input only for display. */
    readonly rawInput?: string;
    /** The encoding of the input that is streaming: `json` or `text`. */
    readonly inputEncoding?: string;
    /** The output of a tool. */
    readonly output?: Json;
    /** Whether another output replaces this one. */
    readonly preliminary?: Json;
    /** The error message of a call. */
    readonly errorText?: string;
    /** Whether the server or the model's provider executes the tool. */
    readonly providerExecuted?: Json;
    /** The approval of a call: `id`, and `approved` and `reason` after the answer. */
    readonly approval?: Json;
    /** Data of the tool. */
    readonly toolMetadata?: Json;
    /** Data of the model's provider, of the call. */
    readonly callProviderMetadata?: Json;
    /** Data of the model's provider, of the output. */
    readonly resultProviderMetadata?: Json;
    /** Data of the model's provider, by its name. */
    readonly providerMetadata?: Json;
    /** The id of a source. */
    readonly sourceId?: string;
    /** The URL of a file or a source. */
    readonly url?: string;
    /** The media type of a file or a document. */
    readonly mediaType?: string;
    /** The name of the file. */
    readonly filename?: string;
    /** The value of `data-<name>`: any JSON. */
    readonly data?: Json;
    /** The text so far. */
    readonly text: string;
}

/** `reasoning` */
export interface AiSdkReasoning {
    /** The id of a reasoning, or of data. */
    readonly id?: string;
    readonly type: "reasoning";
    /** The state of a text or a tool call. */
    readonly state?: AiSdkPartState;
    /** The call's id. */
    readonly toolCallId?: string;
    /** The name of a tool that is not known at build time (`dynamic-tool`). (V12.) */
    readonly toolName?: string;
    /** The title of a tool or a source. */
    readonly title?: string;
    /** The input of a tool. Absent while it is streaming: see `rawInput`. */
    readonly input?: Json;
    /** The JSON text of the input so far. Use incomplete input only for display. */
    readonly rawInput?: string;
    /** The encoding of the input that is streaming: `json` or `text`. */
    readonly inputEncoding?: string;
    /** The output of a tool. */
    readonly output?: Json;
    /** Whether another output replaces this one. */
    readonly preliminary?: Json;
    /** The error message of a call. */
    readonly errorText?: string;
    /** Whether the server or the model's provider executes the tool. */
    readonly providerExecuted?: Json;
    /** The approval of a call: `id`, and `approved` and `reason` after the answer. */
    readonly approval?: Json;
    /** Data of the tool. */
    readonly toolMetadata?: Json;
    /** Data of the model's provider, of the call. */
    readonly callProviderMetadata?: Json;
    /** Data of the model's provider, of the output. */
    readonly resultProviderMetadata?: Json;
    /** Data of the model's provider, by its name. */
    readonly providerMetadata?: Json;
    /** The id of a source. */
    readonly sourceId?: string;
    /** The URL of a file or a source. */
    readonly url?: string;
    /** The media type of a file or a document. */
    readonly mediaType?: string;
    /** The name of the file. */
    readonly filename?: string;
    /** The value of `data-<name>`: any JSON. */
    readonly data?: Json;
    /** The reasoning so far. */
    readonly text: string;
}

/** `step-start`: the start of a call of the model. */
export interface AiSdkStepStart {
    /** The id of a reasoning, or of data. */
    readonly id?: string;
    readonly type: "step-start";
    /** The state of a text or a tool call. */
    readonly state?: AiSdkPartState;
    /** The call's id. */
    readonly toolCallId?: string;
    /** The name of a tool that is not known at build time (`dynamic-tool`). (V12.) */
    readonly toolName?: string;
    /** The title of a tool or a source. */
    readonly title?: string;
    /** The input of a tool. Absent while it is streaming: see `rawInput`. */
    readonly input?: Json;
    /** The JSON text of the input so far. Use incomplete input only for display. */
    readonly rawInput?: string;
    /** The encoding of the input that is streaming: `json` or `text`. */
    readonly inputEncoding?: string;
    /** The output of a tool. */
    readonly output?: Json;
    /** Whether another output replaces this one. */
    readonly preliminary?: Json;
    /** The error message of a call. */
    readonly errorText?: string;
    /** Whether the server or the model's provider executes the tool. */
    readonly providerExecuted?: Json;
    /** The approval of a call: `id`, and `approved` and `reason` after the answer. */
    readonly approval?: Json;
    /** Data of the tool. */
    readonly toolMetadata?: Json;
    /** Data of the model's provider, of the call. */
    readonly callProviderMetadata?: Json;
    /** Data of the model's provider, of the output. */
    readonly resultProviderMetadata?: Json;
    /** Data of the model's provider, by its name. */
    readonly providerMetadata?: Json;
    /** The id of a source. */
    readonly sourceId?: string;
    /** The URL of a file or a source. */
    readonly url?: string;
    /** The media type of a file or a document. */
    readonly mediaType?: string;
    /** The name of the file. */
    readonly filename?: string;
    /** The value of `data-<name>`: any JSON. */
    readonly data?: Json;
}

/** `dynamic-tool`: a call of a tool that is not known at build time. */
export interface AiSdkDynamicTool {
    /** The id of a reasoning, or of data. */
    readonly id?: string;
    readonly type: "dynamic-tool";
    /** The state of a text or a tool call. */
    readonly state?: AiSdkPartState;
    /** The call's id. */
    readonly toolCallId?: string;
    /** The name of a tool that is not known at build time (`dynamic-tool`). (V12.) */
    readonly toolName?: string;
    /** The title of a tool or a source. */
    readonly title?: string;
    /** The input of a tool. Absent while it is streaming: see `rawInput`. */
    readonly input?: Json;
    /** The JSON text of the input so far. Use incomplete input only for display. */
    readonly rawInput?: string;
    /** The encoding of the input that is streaming: `json` or `text`. */
    readonly inputEncoding?: string;
    /** The output of a tool. */
    readonly output?: Json;
    /** Whether another output replaces this one. */
    readonly preliminary?: Json;
    /** The error message of a call. */
    readonly errorText?: string;
    /** Whether the server or the model's provider executes the tool. */
    readonly providerExecuted?: Json;
    /** The approval of a call: `id`, and `approved` and `reason` after the answer. */
    readonly approval?: Json;
    /** Data of the tool. */
    readonly toolMetadata?: Json;
    /** Data of the model's provider, of the call. */
    readonly callProviderMetadata?: Json;
    /** Data of the model's provider, of the output. */
    readonly resultProviderMetadata?: Json;
    /** Data of the model's provider, by its name. */
    readonly providerMetadata?: Json;
    /** The id of a source. */
    readonly sourceId?: string;
    /** The URL of a file or a source. */
    readonly url?: string;
    /** The media type of a file or a document. */
    readonly mediaType?: string;
    /** The name of the file. */
    readonly filename?: string;
    /** The value of `data-<name>`: any JSON. */
    readonly data?: Json;
}

/** `file` */
export interface AiSdkFile {
    /** The id of a reasoning, or of data. */
    readonly id?: string;
    readonly type: "file";
    /** The state of a text or a tool call. */
    readonly state?: AiSdkPartState;
    /** The call's id. */
    readonly toolCallId?: string;
    /** The name of a tool that is not known at build time (`dynamic-tool`). (V12.) */
    readonly toolName?: string;
    /** The title of a tool or a source. */
    readonly title?: string;
    /** The input of a tool. Absent while it is streaming: see `rawInput`. */
    readonly input?: Json;
    /** The JSON text of the input so far. Use incomplete input only for display. */
    readonly rawInput?: string;
    /** The encoding of the input that is streaming: `json` or `text`. */
    readonly inputEncoding?: string;
    /** The output of a tool. */
    readonly output?: Json;
    /** Whether another output replaces this one. */
    readonly preliminary?: Json;
    /** The error message of a call. */
    readonly errorText?: string;
    /** Whether the server or the model's provider executes the tool. */
    readonly providerExecuted?: Json;
    /** The approval of a call: `id`, and `approved` and `reason` after the answer. */
    readonly approval?: Json;
    /** Data of the tool. */
    readonly toolMetadata?: Json;
    /** Data of the model's provider, of the call. */
    readonly callProviderMetadata?: Json;
    /** Data of the model's provider, of the output. */
    readonly resultProviderMetadata?: Json;
    /** Data of the model's provider, by its name. */
    readonly providerMetadata?: Json;
    /** The id of a source. */
    readonly sourceId?: string;
    /** The URL of a file or a source. */
    readonly url?: string;
    /** The media type of a file or a document. */
    readonly mediaType?: string;
    /** The name of the file. */
    readonly filename?: string;
    /** The value of `data-<name>`: any JSON. */
    readonly data?: Json;
}

/** `source-url` */
export interface AiSdkSourceUrl {
    /** The id of a reasoning, or of data. */
    readonly id?: string;
    readonly type: "source-url";
    /** The state of a text or a tool call. */
    readonly state?: AiSdkPartState;
    /** The call's id. */
    readonly toolCallId?: string;
    /** The name of a tool that is not known at build time (`dynamic-tool`). (V12.) */
    readonly toolName?: string;
    /** The title of a tool or a source. */
    readonly title?: string;
    /** The input of a tool. Absent while it is streaming: see `rawInput`. */
    readonly input?: Json;
    /** The JSON text of the input so far. Use incomplete input only for display. */
    readonly rawInput?: string;
    /** The encoding of the input that is streaming: `json` or `text`. */
    readonly inputEncoding?: string;
    /** The output of a tool. */
    readonly output?: Json;
    /** Whether another output replaces this one. */
    readonly preliminary?: Json;
    /** The error message of a call. */
    readonly errorText?: string;
    /** Whether the server or the model's provider executes the tool. */
    readonly providerExecuted?: Json;
    /** The approval of a call: `id`, and `approved` and `reason` after the answer. */
    readonly approval?: Json;
    /** Data of the tool. */
    readonly toolMetadata?: Json;
    /** Data of the model's provider, of the call. */
    readonly callProviderMetadata?: Json;
    /** Data of the model's provider, of the output. */
    readonly resultProviderMetadata?: Json;
    /** Data of the model's provider, by its name. */
    readonly providerMetadata?: Json;
    /** The id of a source. */
    readonly sourceId?: string;
    /** The URL of a file or a source. */
    readonly url?: string;
    /** The media type of a file or a document. */
    readonly mediaType?: string;
    /** The name of the file. */
    readonly filename?: string;
    /** The value of `data-<name>`: any JSON. */
    readonly data?: Json;
}

/** `source-document` */
export interface AiSdkSourceDocument {
    /** The id of a reasoning, or of data. */
    readonly id?: string;
    readonly type: "source-document";
    /** The state of a text or a tool call. */
    readonly state?: AiSdkPartState;
    /** The call's id. */
    readonly toolCallId?: string;
    /** The name of a tool that is not known at build time (`dynamic-tool`). (V12.) */
    readonly toolName?: string;
    /** The title of a tool or a source. */
    readonly title?: string;
    /** The input of a tool. Absent while it is streaming: see `rawInput`. */
    readonly input?: Json;
    /** The JSON text of the input so far. Use incomplete input only for display. */
    readonly rawInput?: string;
    /** The encoding of the input that is streaming: `json` or `text`. */
    readonly inputEncoding?: string;
    /** The output of a tool. */
    readonly output?: Json;
    /** Whether another output replaces this one. */
    readonly preliminary?: Json;
    /** The error message of a call. */
    readonly errorText?: string;
    /** Whether the server or the model's provider executes the tool. */
    readonly providerExecuted?: Json;
    /** The approval of a call: `id`, and `approved` and `reason` after the answer. */
    readonly approval?: Json;
    /** Data of the tool. */
    readonly toolMetadata?: Json;
    /** Data of the model's provider, of the call. */
    readonly callProviderMetadata?: Json;
    /** Data of the model's provider, of the output. */
    readonly resultProviderMetadata?: Json;
    /** Data of the model's provider, by its name. */
    readonly providerMetadata?: Json;
    /** The id of a source. */
    readonly sourceId?: string;
    /** The URL of a file or a source. */
    readonly url?: string;
    /** The media type of a file or a document. */
    readonly mediaType?: string;
    /** The name of the file. */
    readonly filename?: string;
    /** The value of `data-<name>`: any JSON. */
    readonly data?: Json;
}

/**
 * A part, by its `type`. Tool calls (`tool-<name>`) and data (`data-<name>`) have types
 * that are not declared: handle them in the `default` branch.
 */
export type AiSdkPart = AiSdkText | AiSdkReasoning | AiSdkStepStart | AiSdkDynamicTool | AiSdkFile | AiSdkSourceUrl | AiSdkSourceDocument | OtherAiSdkPart;

/** The status of a completion. It is not part of the protocol. */
export type ChatStatus = "in_progress" | "completed" | "incomplete" | "failed";

/**
 * The completion so far. It is plain data; unchanged parts keep their identity between
 * updates.
 */
export interface ChatCompletion {
    /** The status, which is not part of the protocol. */
    readonly status: ChatStatus;
    /** The completion's id. Empty if the stream does not contain one. */
    readonly id: string;
    readonly object: "chat.completion";
    /** The creation time, in seconds since 1970. */
    readonly created?: Json;
    /** The model. */
    readonly model?: string;
    /** The choices, in the order of their indexes. */
    readonly choices: readonly ChatChoice[];
    /** The token usage. */
    readonly usage?: Json;
    /** The error that ended the stream. */
    readonly error?: Json;
}

/** The function of a tool call. */
export interface ChatFunction {
    /** The name. */
    readonly name: string;
    /** The JSON text of the arguments so far. */
    readonly arguments: string;
}

/** The custom tool of a call. */
export interface ChatCustomTool {
    /** The name. */
    readonly name: string;
    /** The input so far: plain text. */
    readonly input: string;
}

/** One of the alternative answers. */
export interface ChatChoice {
    /** The choice's index. */
    readonly index: number;
    /** The message. */
    readonly message: ChatMessage;
    /**
     * Why the choice ended: `stop`, `length`, `tool_calls`, `content_filter`, or another
     * name. Null before the end.
     */
    readonly finish_reason: string | null;
    /** The log probabilities of the tokens. */
    readonly logprobs: Json;
}

/** The message of a choice. */
export interface ChatMessage {
    /** The role of the sender. Empty if the stream does not contain one. */
    readonly role: string;
    /** The text so far. */
    readonly content: string | null;
    /** The refusal so far. */
    readonly refusal: string | null;
    /**
     * The reasoning so far, whatever the name of its pieces: `reasoning_content` or
     * `reasoning`.
     */
    readonly reasoning_content?: string;
    /** The details of the reasoning. */
    readonly reasoning_details?: Json;
    /** The tool calls, in the order of their indexes. */
    readonly tool_calls?: readonly ChatToolCall[];
    /** The only call, in the older spelling. */
    readonly function_call?: ChatFunction;
    /** The annotations of the text. */
    readonly annotations?: Json;
    /** The audio answer. */
    readonly audio?: ChatAudio;
}

/** A tool call. */
export interface ChatToolCall {
    /** The call's id. Empty if the stream does not contain one. */
    readonly id: string;
    /** The type: `function`. */
    readonly type: string;
    /** The function. */
    readonly function?: ChatFunction;
    /** The custom tool, in place of a function. */
    readonly custom?: ChatCustomTool;
}

/** An audio answer. */
export interface ChatAudio {
    /** The audio's id. */
    readonly id?: string;
    /** The audio so far in base64. */
    readonly data?: string;
    /** The transcript so far. */
    readonly transcript?: string;
    /** The time at which the server deletes the audio, in seconds since 1970. */
    readonly expires_at?: Json;
}

/** The status of a message. It is not part of the protocol. */
export type AnthropicStatus = "in_progress" | "completed" | "incomplete" | "failed";

/** The type of a block. */
export type AnthropicBlockType = "text" | "thinking" | "redacted_thinking" | "tool_use" | "server_tool_use" | "mcp_tool_use" | (string & {});

/**
 * The message so far. It is plain data; unchanged parts keep their identity between
 * updates.
 */
export interface AnthropicMessage {
    /** The status, which is not part of the protocol. */
    readonly status: AnthropicStatus;
    readonly type: "message";
    /** The message's id. Empty until the stream contains it. */
    readonly id: string;
    /** The role: `assistant`. Empty until the stream contains it. */
    readonly role: string;
    /** The model. Empty until the stream contains it. */
    readonly model: string;
    /** The blocks, in the order of their starts. */
    readonly content: readonly AnthropicBlock[];
    /**
     * Why the model stopped: `end_turn`, `max_tokens`, `stop_sequence`, `tool_use`,
     * `pause_turn`, `refusal`, or another name. Null before the end.
     */
    readonly stop_reason: string | null;
    /** The text at which the model stopped. */
    readonly stop_sequence: string | null;
    /** The token usage. */
    readonly usage?: Json;
    /** The error that ended the stream. */
    readonly error?: Json;
}

/**
 * A block, by its `type`. Results of the server's tools and other blocks have types that
 * are not declared: handle them in the `default` branch.
 */
export interface OtherAnthropicBlock {
    /** The citations of a text, as the server sends them. */
    readonly citations?: Json;
    readonly type: OtherName;
    /** The JSON text of the input of a tool so far. It is not part of the protocol. */
    readonly partial_json?: string;
    readonly [member: string]: unknown;
}

/** `text` */
export interface AnthropicText {
    /** The citations of a text, as the server sends them. */
    readonly citations?: Json;
    readonly type: "text";
    /** The JSON text of the input of a tool so far. It is not part of the protocol. */
    readonly partial_json?: string;
    /** The text so far. */
    readonly text: string;
}

/** `thinking` */
export interface AnthropicThinking {
    /** The citations of a text, as the server sends them. */
    readonly citations?: Json;
    readonly type: "thinking";
    /** The JSON text of the input of a tool so far. It is not part of the protocol. */
    readonly partial_json?: string;
    /** The thinking so far. */
    readonly thinking: string;
    /** The signature, which the next request has to contain. */
    readonly signature: string;
}

/** `redacted_thinking` */
export interface AnthropicRedactedThinking {
    /** The citations of a text, as the server sends them. */
    readonly citations?: Json;
    readonly type: "redacted_thinking";
    /** The JSON text of the input of a tool so far. It is not part of the protocol. */
    readonly partial_json?: string;
    /** Encrypted thinking, which the next request has to contain. */
    readonly data: string;
}

/** `tool_use` */
export interface AnthropicToolUse {
    /** The citations of a text, as the server sends them. */
    readonly citations?: Json;
    readonly type: "tool_use";
    /** The JSON text of the input of a tool so far. It is not part of the protocol. */
    readonly partial_json?: string;
    /** The call's id. */
    readonly id: string;
    /** The name of the tool. */
    readonly name: string;
    /** The input. Until the block has ended, the one of its start. */
    readonly input: Json;
}

/** `server_tool_use` */
export interface AnthropicServerToolUse {
    /** The citations of a text, as the server sends them. */
    readonly citations?: Json;
    readonly type: "server_tool_use";
    /** The JSON text of the input of a tool so far. It is not part of the protocol. */
    readonly partial_json?: string;
    /** The call's id. */
    readonly id: string;
    /** The name of the tool. */
    readonly name: string;
    /** The input. Until the block has ended, the one of its start. */
    readonly input: Json;
}

/** `mcp_tool_use` */
export interface AnthropicMcpToolUse {
    /** The citations of a text, as the server sends them. */
    readonly citations?: Json;
    readonly type: "mcp_tool_use";
    /** The JSON text of the input of a tool so far. It is not part of the protocol. */
    readonly partial_json?: string;
    /** The call's id. */
    readonly id: string;
    /** The name of the tool. */
    readonly name: string;
    /** The input. Until the block has ended, the one of its start. */
    readonly input: Json;
}

/**
 * A block, by its `type`. Results of the server's tools and other blocks have types that
 * are not declared: handle them in the `default` branch.
 */
export type AnthropicBlock = AnthropicText | AnthropicThinking | AnthropicRedactedThinking | AnthropicToolUse | AnthropicServerToolUse | AnthropicMcpToolUse | OtherAnthropicBlock;

/** The status of a response. It is not part of the protocol. */
export type GeminiStatus = "in_progress" | "completed" | "incomplete" | "failed";

/**
 * The response so far. It is plain data; unchanged parts keep their identity between
 * updates.
 */
export interface GeminiResponse {
    /** The status, which is not part of the protocol. */
    readonly status: GeminiStatus;
    /** The candidates, in the order of their indexes. */
    readonly candidates: readonly GeminiCandidate[];
    /** Why the prompt was blocked, and its safety ratings. */
    readonly promptFeedback?: Json;
    /** The token usage. */
    readonly usageMetadata?: Json;
    /** The model. */
    readonly modelVersion?: string;
    /** The response's id. */
    readonly responseId?: string;
    /** The time of the request, an RFC 3339 timestamp. */
    readonly createTime?: string;
    /** The error that ended the stream. */
    readonly error?: Json;
}

/** One of the alternative answers. */
export interface GeminiCandidate {
    /** The candidate's index. */
    readonly index: number;
    /** The content. */
    readonly content: GeminiContent;
    /**
     * Why the candidate ended: `STOP`, `MAX_TOKENS`, `SAFETY`, `RECITATION`,
     * `MALFORMED_FUNCTION_CALL`, or another name.
     */
    readonly finishReason?: string;
    /** The reason as a text for people. */
    readonly finishMessage?: string;
    /** The safety ratings. */
    readonly safetyRatings?: Json;
    /** The citations of recited text. */
    readonly citationMetadata?: Json;
    /** The sources of the answer. */
    readonly groundingMetadata?: Json;
    /** The results of the tool `urlContext`. */
    readonly urlContextMetadata?: Json;
    /** The log probabilities of the tokens. */
    readonly logprobsResult?: Json;
}

/** The content of a candidate. */
export interface GeminiContent {
    /** The role: `model`. Empty if the stream does not contain one. */
    readonly role: string;
    /** The parts, in the order of their starts. */
    readonly parts: readonly GeminiPart[];
}

/** A part. It has one of the properties from `text` to `toolResponse`; only a text grows. */
export interface GeminiPart {
    /** The text so far. */
    readonly text?: string;
    /** True if the part belongs to the reasoning of the model. */
    readonly thought?: Json;
    /** The signature, which the next request has to contain in this part. */
    readonly thoughtSignature?: string;
    /** A function call. */
    readonly functionCall?: GeminiFunctionCall;
    /** The result of a function. */
    readonly functionResponse?: Json;
    /** Code that the server executes: `language` and `code`. */
    readonly executableCode?: Json;
    /** The result of that code: `outcome` and `output`. */
    readonly codeExecutionResult?: Json;
    /** Media: `mimeType` and base64 `data`. */
    readonly inlineData?: Json;
    /** A file: `mimeType` and `fileUri`. */
    readonly fileData?: Json;
    /** The call of another tool of the server. */
    readonly toolCall?: Json;
    /** The result of that tool. */
    readonly toolResponse?: Json;
}

/** A function call. */
export interface GeminiFunctionCall {
    /** The call's id. Absent in the Gemini Developer API. */
    readonly id?: string;
    /** The name of the function. */
    readonly name: string;
    /** The arguments so far: an object. */
    readonly args?: Json;
    /** True while further pieces of the call are expected. */
    readonly willContinue?: Json;
}

/** The status of an interaction. */
export type InteractionsStatus = "in_progress" | "requires_action" | "completed" | "failed" | "cancelled" | "incomplete" | "budget_exceeded" | "queued" | "requires_continuation" | (string & {});

/** The type of a content. */
export type InteractionsContentType = "text" | "image" | "audio" | "video" | "document" | (string & {});

/** The type of a step. */
export type InteractionsStepType = "user_input" | "model_output" | "thought" | "function_call" | "function_result" | "code_execution_call" | "code_execution_result" | "google_search_call" | "google_search_result" | "url_context_call" | "url_context_result" | "file_search_call" | "file_search_result" | "google_maps_call" | "google_maps_result" | "retrieval_call" | "retrieval_result" | "processing_call" | "processing_result" | "mcp_server_tool_call" | "mcp_server_tool_result" | (string & {});

/**
 * The interaction so far. It is plain data; unchanged parts keep their identity between
 * updates.
 */
export interface InteractionsInteraction {
    /**
     * The interaction's id. Empty until the stream contains it, and if the server does
     * not store the interaction.
     */
    readonly id: string;
    /** The status. A truncated stream does not change it. */
    readonly status: InteractionsStatus;
    /** The model. */
    readonly model?: string;
    /** The agent. */
    readonly agent?: string;
    /** The steps, in the order of their starts. */
    readonly steps: readonly InteractionsStep[];
    /** The token usage. */
    readonly usage?: Json;
    /** The type of the object: `interaction`. */
    readonly object?: string;
    /** The creation time, an RFC 3339 timestamp. */
    readonly created?: string;
    /** The time of the last change, an RFC 3339 timestamp. */
    readonly updated?: string;
    /** The service tier. */
    readonly service_tier?: string;
    /** The faults of the interaction: a list of objects with `code` and `message`. */
    readonly errors?: Json;
    /** The token with which another request continues the interaction. */
    readonly continuation_token?: string;
    /** The error that ended the stream. It is not part of the resource. */
    readonly error?: Json;
    /**
     * The id of the last event, from which the stream can be resumed. It is not part of
     * the resource.
     */
    readonly last_event_id?: string;
}

/**
 * A content of a step, by its `type`. Contents of other types are not declared: handle
 * them in the `default` branch.
 */
export interface OtherInteractionsContent {
    /** The annotations of a text, as the server sends them. */
    readonly annotations?: Json;
    readonly type: OtherName;
    /** The media type. */
    readonly mime_type?: string;
    /** Media in base64. */
    readonly data?: string;
    /** The address of media. */
    readonly uri?: string;
    readonly [member: string]: unknown;
}

/** `text` */
export interface InteractionsText {
    /** The annotations of a text, as the server sends them. */
    readonly annotations?: Json;
    readonly type: "text";
    /** The media type. */
    readonly mime_type?: string;
    /** Media in base64. */
    readonly data?: string;
    /** The address of media. */
    readonly uri?: string;
    /** The text so far. */
    readonly text: string;
}

/** `image` */
export interface InteractionsImage {
    /** The annotations of a text, as the server sends them. */
    readonly annotations?: Json;
    readonly type: "image";
    /** The media type. */
    readonly mime_type?: string;
    /** Media in base64. */
    readonly data?: string;
    /** The address of media. */
    readonly uri?: string;
    /** The resolution: `low`, `medium`, `high`, `ultra_high`. */
    readonly resolution?: Json;
}

/** `audio` */
export interface InteractionsAudio {
    /** The annotations of a text, as the server sends them. */
    readonly annotations?: Json;
    readonly type: "audio";
    /** The media type. */
    readonly mime_type?: string;
    /** Media in base64. */
    readonly data?: string;
    /** The address of media. */
    readonly uri?: string;
    /** The number of channels. */
    readonly channels?: Json;
    /** The number of samples in a second. */
    readonly sample_rate?: Json;
}

/** `video` */
export interface InteractionsVideo {
    /** The annotations of a text, as the server sends them. */
    readonly annotations?: Json;
    readonly type: "video";
    /** The media type. */
    readonly mime_type?: string;
    /** Media in base64. */
    readonly data?: string;
    /** The address of media. */
    readonly uri?: string;
    /** The resolution. */
    readonly resolution?: Json;
}

/** `document` */
export interface InteractionsDocument {
    /** The annotations of a text, as the server sends them. */
    readonly annotations?: Json;
    readonly type: "document";
    /** The media type. */
    readonly mime_type?: string;
    /** Media in base64. */
    readonly data?: string;
    /** The address of media. */
    readonly uri?: string;
    /** The file name. */
    readonly name?: Json;
}

/**
 * A step, by its `type`. Servers may send other types: handle them in the `default`
 * branch.
 */
export interface OtherInteractionsStep {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: OtherName;
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    readonly [member: string]: unknown;
}

/** `user_input` */
export interface InteractionsUserInput {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "user_input";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The role, if the server sends one. */
    readonly role?: Json;
}

/** `model_output` */
export interface InteractionsModelOutput {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "model_output";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The error that ended the output: `code` and `message`. */
    readonly error?: Json;
}

/** `thought` */
export interface InteractionsThought {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "thought";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The error that ended the thought. */
    readonly error?: Json;
}

/** `function_call` */
export interface InteractionsFunctionCall {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "function_call";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The call's id. */
    readonly id: string;
    /** The name of the function. */
    readonly name: string;
    /** The arguments. Until the step has ended, those of its start. */
    readonly arguments: Json;
}

/** `function_result` */
export interface InteractionsFunctionResult {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "function_result";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The id of the call. */
    readonly call_id: string;
    /** The name of the function. */
    readonly name?: string;
    /** The result: a text, a list of contents, or an object. */
    readonly result?: Json;
    /** Whether the function failed. */
    readonly is_error?: Json;
}

/** `code_execution_call` */
export interface InteractionsCodeExecutionCall {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "code_execution_call";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The call's id. */
    readonly id: string;
    /** The arguments: `code` and `language`. */
    readonly arguments?: Json;
}

/** `code_execution_result` */
export interface InteractionsCodeExecutionResult {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "code_execution_result";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The id of the call. */
    readonly call_id: string;
    /** The output of the code. */
    readonly result?: Json;
    /** Whether the code failed. */
    readonly is_error?: Json;
}

/** `google_search_call` */
export interface InteractionsGoogleSearchCall {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "google_search_call";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The call's id. */
    readonly id: string;
    /** The arguments: `queries`. */
    readonly arguments?: Json;
    /** The kind of search: `web_search`, `image_search`, `enterprise_web_search`. */
    readonly search_type?: Json;
}

/** `google_search_result` */
export interface InteractionsGoogleSearchResult {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "google_search_result";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The id of the call. */
    readonly call_id: string;
    /** The results. */
    readonly result?: Json;
    /** Whether the search failed. */
    readonly is_error?: Json;
}

/** `url_context_call` */
export interface InteractionsUrlContextCall {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "url_context_call";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The call's id. */
    readonly id: string;
    /** The arguments: `urls`. */
    readonly arguments?: Json;
}

/** `url_context_result` */
export interface InteractionsUrlContextResult {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "url_context_result";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The id of the call. */
    readonly call_id: string;
    /** The results, one for each address. */
    readonly result?: Json;
    /** Whether the tool failed. */
    readonly is_error?: Json;
}

/** `file_search_call` */
export interface InteractionsFileSearchCall {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "file_search_call";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The call's id. */
    readonly id: string;
}

/** `file_search_result` */
export interface InteractionsFileSearchResult {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "file_search_result";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The id of the call. */
    readonly call_id: string;
    /** The results. */
    readonly result?: Json;
}

/** `google_maps_call` */
export interface InteractionsGoogleMapsCall {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "google_maps_call";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The call's id. */
    readonly id: string;
    /** The arguments: `queries`. */
    readonly arguments?: Json;
}

/** `google_maps_result` */
export interface InteractionsGoogleMapsResult {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "google_maps_result";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The id of the call. */
    readonly call_id: string;
    /** The results. */
    readonly result?: Json;
}

/** `retrieval_call` */
export interface InteractionsRetrievalCall {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "retrieval_call";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The call's id. */
    readonly id: string;
    /** The arguments: `queries`. */
    readonly arguments?: Json;
    /** The kind of retrieval. */
    readonly retrieval_type?: Json;
}

/** `retrieval_result` */
export interface InteractionsRetrievalResult {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "retrieval_result";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The id of the call. */
    readonly call_id: string;
    /** Whether the retrieval failed. */
    readonly is_error?: Json;
}

/** `processing_call` */
export interface InteractionsProcessingCall {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "processing_call";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The call's id. */
    readonly id: string;
}

/** `processing_result` */
export interface InteractionsProcessingResult {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "processing_result";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The id of the call. */
    readonly call_id: string;
}

/** `mcp_server_tool_call` */
export interface InteractionsMcpServerToolCall {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "mcp_server_tool_call";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The call's id. */
    readonly id: string;
    /** The name of the tool. */
    readonly name: string;
    /** The name of the MCP server. */
    readonly server_name?: string;
    /** The arguments. Until the step has ended, those of its start. */
    readonly arguments?: Json;
}

/** `mcp_server_tool_result` */
export interface InteractionsMcpServerToolResult {
    /** The token usage of the step. It is not part of the resource. */
    readonly step_usage?: Json;
    readonly type: "mcp_server_tool_result";
    /** The contents of a text of the model or of the user. */
    readonly content?: readonly InteractionsContent[];
    /** The summary of a thought: texts and images. */
    readonly summary?: readonly InteractionsContent[];
    /** The signature, which the next request has to contain. */
    readonly signature?: string;
    /** The JSON text of the arguments of a call so far. It is not part of the resource. */
    readonly partial_arguments?: string;
    /** The id of the call. */
    readonly call_id: string;
    /** The name of the tool. */
    readonly name?: string;
    /** The name of the MCP server. */
    readonly server_name?: string;
    /** The result: a text, a list of contents, or an object. */
    readonly result?: Json;
}

/**
 * A content of a step, by its `type`. Contents of other types are not declared: handle
 * them in the `default` branch.
 */
export type InteractionsContent = InteractionsText | InteractionsImage | InteractionsAudio | InteractionsVideo | InteractionsDocument | OtherInteractionsContent;

/**
 * A step, by its `type`. Servers may send other types: handle them in the `default`
 * branch.
 */
export type InteractionsStep = InteractionsUserInput | InteractionsModelOutput | InteractionsThought | InteractionsFunctionCall | InteractionsFunctionResult | InteractionsCodeExecutionCall | InteractionsCodeExecutionResult | InteractionsGoogleSearchCall | InteractionsGoogleSearchResult | InteractionsUrlContextCall | InteractionsUrlContextResult | InteractionsFileSearchCall | InteractionsFileSearchResult | InteractionsGoogleMapsCall | InteractionsGoogleMapsResult | InteractionsRetrievalCall | InteractionsRetrievalResult | InteractionsProcessingCall | InteractionsProcessingResult | InteractionsMcpServerToolCall | InteractionsMcpServerToolResult | OtherInteractionsStep;

/**
 * The input chunk and the output patch of a push.
 */
export class Exchange {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Returns the address of the header, which does not change. The header has the address and
     * length of the ops; the address and length of the text, in bytes of ASCII or with [`WIDE`] in
     * units of UTF-16; the address of the long texts, the total number of violations, whether the
     * answer can still change (0) or not (1), the number of the protocol, and the number of input
     * bytes that were read. After a call that makes a report it also has the reason of the end,
     * the number of words after the ops that are findings, and the numbers of events, comments and
     * bytes, low half first. The last word is the version of the contract ([`CONTRACT`]).
     */
    header(): number;
    /**
     * Returns the address at which JavaScript writes the next chunk. It does not change.
     */
    input(): number;
    /**
     * Reserves memory for chunks of up to `length` bytes.
     */
    constructor(length: number);
}

/**
 * Computes the delays between the attempts of one request.
 */
export class RawBackoff {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Times are in milliseconds.
     */
    constructor(base_delay: number, max_delay: number, attempts: number, seed: bigint);
    /**
     * Returns the delay after a failed attempt, or nothing after the last attempt.
     */
    next(retry_after: number): number | undefined;
}

/**
 * Builds a content.
 */
export class RawContentBuilder {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    addDataDelta(json: string): string;
    /**
     * Records the pieces that JavaScript has written since then: their joined text and their
     * number.
     */
    addWritten(pieces: string, count: number): void;
    complete(): string;
    /**
     * Returns the current content as JSON.
     */
    getContentData(): string;
    /**
     * Returns the common part of the lines of consecutive text or refusal pieces, which JavaScript
     * then writes by itself.
     */
    pieceTemplate(kind: string): string;
    /**
     * Sets the complete value so far; its members are in the order of the protocol, data as JSON.
     */
    set(type: string, first?: string | null, second?: string | null, third?: string | null, fourth?: string | null): string;
    updateData(key: string, json: string): string;
}

/**
 * Converts a stream.
 */
export class RawConverter {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Processes a source that was cut off. Returns the rest of the output.
     */
    cutOff(): Uint8Array;
    /**
     * Ends the stream, or processes an abort by its reader. Returns the rest of the output.
     */
    finish(aborted: boolean): Uint8Array;
    /**
     * Starts passing an answer on to the target of this conversion.
     */
    forward(from: number, settings: string, origin: string, seed: bigint): RawForwarding;
    /**
     * Returns whether the source has ended.
     */
    hasEnded(): boolean;
    /**
     * Returns the losses so far as JSON; empty while the source protocol is not known.
     */
    losses(): string;
    /**
     * Starts converting. `from` and `to` are numbers of protocols; [`STEPS`] is the hub, and
     * another unknown number as the source detects the protocol from the first event. `settings`
     * are the options of a reader, `write` those of a builder, as JSON.
     */
    constructor(from: number, to: number, settings: string, write: string, seed: bigint);
    /**
     * Converts the next bytes.
     */
    push(chunk: Uint8Array | number[]): Uint8Array;
    /**
     * Returns the report of the source so far as JSON; empty while the source protocol is not
     * known.
     */
    report(): string;
    /**
     * Returns the number of the source protocol; an unused number while it is not known, or for a
     * protocol of JavaScript.
     */
    source(): number;
}

/**
 * Reads the events of a stream.
 */
export class RawEventReader {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Writes the events that the end of the stream completes, in the same form.
     */
    finish(exchange: Exchange): void;
    /**
     * Starts reading. The arguments are those of a reader of answers.
     */
    constructor(protocol: number, settings: string);
    /**
     * Writes as a text the events that the first bytes of the input complete: a JSON array of
     * arrays, each with an offset and a text. An event also has its end, number, name and id, and
     * for an error the code, path, offset and expected value; an omitted event has an end of 0 and
     * the limit; a comment has no further elements.
     */
    push(exchange: Exchange, length: number): void;
}

/**
 * Writes the events of a stream.
 */
export class RawEventWriter {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Writes as a text the last frame, if there is one, or the violation of the end.
     */
    finish(exchange: Exchange): void;
    /**
     * Starts writing a stream of the protocol with that number. The options are those of a reader.
     * Writes as a text the code of an error and its message on the next line, if the options are
     * not taken.
     */
    constructor(protocol: number, settings: string, seed: bigint, exchange: Exchange);
    /**
     * Writes as a text the frame of an event, or the violation because of which it was refused: a
     * JSON array of the rule, its severity, the number and the offset of the event, the id of the
     * message, the index of the content, what was found, and the message of the error.
     */
    write(exchange: Exchange, data: string): void;
}

/**
 * Follows a run.
 */
export class RawFollower {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Processes a response of the server; `retry_after` is 0 without a `Retry-After` header.
     */
    answered(status: number, body: string, retry_after: number): void;
    /**
     * Processes the end of a connection, or a failed attempt to connect.
     */
    closed(): void;
    /**
     * Returns the counts of connections and events as JSON.
     */
    counts(): string;
    /**
     * Returns the value of `Last-Event-ID` for a reconnection.
     */
    cursor(): string | undefined;
    /**
     * Times are in milliseconds.
     */
    constructor(run_id: string, after: string | null | undefined, base_delay: number, max_delay: number, attempts: number, seed: bigint);
    /**
     * Reads the next bytes. Returns those that belong to the run's stream.
     */
    push(chunk: Uint8Array | number[]): Uint8Array;
    /**
     * Returns the next action as JSON: `to` is `connect` (with `fromStart`, and `lastEventId` if
     * there is one), `read`, `wait` (with `milliseconds`) or `stop` (with `reason`).
     */
    step(): string;
    /**
     * Processes the end of a wait.
     */
    waited(): void;
}

/**
 * An answer that is passed on. Each method returns the output for the client.
 */
export class RawForwarding {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Returns how the answer has ended, as JSON: `status`, `reason`, `error`, `result`, `pending`
     * and `usage` of its end, its `model`, its `text`, its `calls`, the number of its `questions`,
     * and its `losses`.
     */
    end(): string;
    /**
     * Ends the answer because its bytes have ended, or because it was cut off.
     */
    finish(is_cut_off: boolean): Uint8Array;
    /**
     * Reads the next bytes of the answer.
     */
    push(chunk: Uint8Array | number[]): Uint8Array;
    /**
     * Writes the result of a call of the answer, by its place in the list of [`end`](Self::end).
     */
    result(call: number, output: string): Uint8Array;
    /**
     * Returns the number of the protocol of the answer; an unused number if it is not known, or
     * for a protocol of JavaScript.
     */
    source(): number;
}

/**
 * Splits a stream into server-sent events or lines.
 */
export class RawFramer {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Returns the event that the end of the stream completes, if any.
     */
    finish(): string[];
    constructor(events: boolean);
    /**
     * Returns the events that the next bytes complete.
     */
    push(bytes: Uint8Array | number[]): string[];
}

/**
 * Builds a message.
 */
export class RawMessageBuilder {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Adds a complete content; its members are in the order of the protocol, data as JSON.
     */
    addContent(type: string, first?: string | null, second?: string | null, third?: string | null, fourth?: string | null): string;
    /**
     * Returns the event that sets the status of the message: its start or its end.
     */
    announce(status: string, code?: string | null, message?: string | null): string;
    createContentBuilder(kind: string, index?: number | null): RawContentBuilder;
    finishWith(status: string, code?: string | null, message?: string | null): string;
    /**
     * Returns the current message as JSON.
     */
    getMessageData(): string;
    id(): string;
    setError(code: string, message: string): void;
    setMetadata(json: string): void;
    setUsage(json: string): void;
}

/**
 * Reads a stream. JavaScript applies the patch of each push; the answer is not stored here.
 */
export class RawReader {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Ends the stream. Writes the report after the last patch. No other method may be called after
     * this one.
     */
    finish(exchange: Exchange, aborted: boolean): void;
    /**
     * Starts reading. `protocol` is the number of a protocol; an unknown number detects the
     * protocol from the first event. `seed` is a secret random number. Writes a first patch, or
     * the reason why the options are not taken.
     */
    constructor(protocol: number, settings: string, seed: bigint, exchange: Exchange);
    /**
     * Reads the bytes of the input between two positions. It stops early if the patch becomes
     * large: the header contains the number of bytes that were read.
     */
    push(exchange: Exchange, from: number, to: number): void;
    /**
     * Starts reading another stream, as `new` does.
     */
    restart(protocol: number, settings: string, seed: bigint, exchange: Exchange): void;
    /**
     * Writes the numbers of the report so far to the header, and by `what`: 0, the other parts of
     * the report, instead of a patch; 1, the same with only the violations between two totals; 2,
     * as a text, the value of `Last-Event-ID` for a reconnection.
     */
    writeReport(exchange: Exchange, what: number, from: number, to: number): void;
}

/**
 * Builds a response.
 */
export class RawResponseBuilder {
    free(): void;
    [Symbol.dispose](): void;
    addMessage(json: string): string;
    /**
     * Returns the event that sets the status of the response. For `incomplete`, the code of the
     * error is the reason.
     */
    announce(status: string, code?: string | null, message?: string | null): string;
    createMessageBuilder(role: string, kind: string): RawMessageBuilder;
    finishIncomplete(reason: string): string;
    finishWith(status: string, code?: string | null, message?: string | null): string;
    /**
     * Starts passing an answer on to the client of this response.
     */
    forward(from: number, settings: string, origin: string, seed: bigint): RawForwarding;
    generateStreamingResponse(tokens: string[], role: string): string;
    /**
     * Returns the current response as JSON.
     */
    getResponseData(): string;
    id(): string;
    isEnded(): boolean;
    /**
     * Returns the losses of the answers that were passed on, as a JSON list. The text is empty if no
     * answer was passed on.
     */
    losses(): string;
    /**
     * `options` is JSON: `sessionId`, `responseId`, `style`, `numbering`, `partOrder`,
     * `nullOutput`, `completedOnly`, `ids`.
     */
    constructor(options: string);
    reset(): void;
    /**
     * Sets the result of the run and the ids of the calls that wait for the client, each as JSON,
     * for the last event.
     */
    setOutcome(result?: string | null, pending?: string | null): void;
    setUsage(json: string): void;
    updateMessage(json: string): string;
}

/**
 * Checks the events of one run before they are stored.
 */
export class RawRunWriter {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Checks an event before it is stored. Returns its type.
     */
    append(data: string): string;
    isOver(): boolean;
    /**
     * `has_begun`: whether the log already contains the start of the run.
     */
    constructor(run_id: string, has_begun: boolean);
}

/**
 * Selects the events for one connection.
 */
export class RawSubscription {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Returns the number of the last entry that was processed.
     */
    after(): number;
    /**
     * Returns 0 while the connection continues, 1 after the end of the run, 2 when it was idle for
     * too long.
     */
    end(): number;
    /**
     * Returns the frames to send, when the log has no further entry for now.
     */
    flush(): string;
    /**
     * Processes an interval without entries.
     */
    idle(): void;
    /**
     * Starts after a number of the log.
     */
    constructor(run_id: string, generation: string, after: number, idle_limit: number);
    /**
     * Processes the next entry of the log.
     */
    read(number: number, run_id: string, kind: string, data: string): void;
}

/**
 * The requests of one loop.
 */
export class RawToolRounds {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Adds the snapshot of an answer. Returns
     * `{"calls":[{"id","name","namespace","arguments","isText"}],"again"}`.
     */
    append(answer: string): string;
    /**
     * Sets the result of a call.
     */
    fill(id: string, result: string, error: boolean): void;
    /**
     * Starts with a request of a model. `options` is an object with `model`, `scope`, and `names`
     * as [`convert`] returns them.
     */
    constructor(protocol: string, request: string, options: string);
    /**
     * Returns `[request, losses]`: the next request.
     */
    next(): string;
}

/**
 * Assigns a message to the task that it names, or to a new one. Returns
 * `[ids, agent request, current task, losses]`, where the ids are
 * `{message: {taskId, contextId}}`, or the error: `code` and `message`. `continues`: the
 * conversation has earlier tasks.
 */
export function a2aAccept(json: string, task: string | null | undefined, continues: boolean): string;

/**
 * Returns an agent card for `name`, `description`, `version`, `url`, `skills` and `needsKey`.
 */
export function a2aCard(card: string): string;

/**
 * Converts an error, named by its code, to the form of the call.
 */
export function a2aError(reply: string, code: number, message: string): string;

/**
 * Returns a framed event of a stream. `event` is an object of 1.0 with one member, whose name is
 * the type.
 */
export function a2aEvent(reply: string, event: string): string;

/**
 * Parses a JSON-RPC request. Returns `[call]`, or the error response: `status`, `contentType`,
 * `body`.
 */
export function a2aJsonRpc(body: string, version: string): string;

/**
 * Parses a REST request. Returns the same as for JSON-RPC.
 */
export function a2aRest(http: string, path: string, query: string, body: string, version: string): string;

/**
 * Converts a result, an object of 1.0, to the form of the call.
 */
export function a2aResult(reply: string, result: string): string;

/**
 * Returns a task with at most `history_length` messages of its history (all without a number),
 * with or without its artifacts.
 */
export function a2aShown(task: string, history_length: number | null | undefined, with_artifacts: boolean): string;

/**
 * Returns `[task]`, or the error: `code` and `message`. `operation` is `get`, `subscribe` (checks
 * that the task can be followed) or `cancel` (cancels it).
 */
export function a2aTask(operation: string, id: string, task?: string | null): string;

/**
 * Compacts a JSON list of AG-UI events.
 */
export function agUiCompact(json: string): string;

/**
 * Encodes an AG-UI event in binary form. Returns a JSON list with JSON Pointers of the values that
 * the form cannot represent, after its length in four bytes, least significant first; then the
 * frame.
 */
export function agUiFrame(json: string): Uint8Array;

/**
 * Returns an error response as JSON: `[status, body]`.
 */
export function anthropicError(status: number, message: string, request_id: string): string;

/**
 * Returns the HTTP status of an answer that is only an error, 0 for any other answer.
 */
export function anthropicErrorStatus(json: string): number;

/**
 * Returns what the writer of an answer needs of its request, as JSON: `[members]`, or the error.
 */
export function chatRequestEcho(json: string): string;

/**
 * Converts a request. `options` is an object with `model` and `scope`. Returns JSON:
 * `[request, losses, names]`, where `names` maps the names of calls back, or the error of a
 * request that a server of its protocol rejects: an object.
 */
export function convertRequest(from: string, to: string, request: string, options: string): string;

/**
 * Returns the request members that a response repeats, as JSON: `[members]`, or the error.
 */
export function createResponseEcho(json: string): string;

/**
 * Parses a cursor. Returns its number, or -1 if it is not a cursor of this generation.
 */
export function cursorNumber(text: string, generation: string): number;

/**
 * Returns the class of the losses of a kind, unless they are of another one.
 */
export function lossClass(kind: string): string;

/**
 * Returns what the writer of an answer needs of its request, as JSON: `[members]`, or the error.
 */
export function messagesRequestEcho(json: string): string;

/**
 * Returns an estimate of the input tokens of a request: `[number]`, or the error.
 */
export function messagesRequestTokens(json: string): string;

/**
 * Answers a request for models as JSON: `[status, body]`. An empty text: the path is another one.
 * `models` is a list of `{"id","displayName","contextWindowTokens"}`.
 */
export function modelList(models: string, path: string, query: string, has_anthropic_version: boolean): string;

/**
 * Returns the body of an error response for OpenAI's clients.
 */
export function openAiError(message: string, type: string, code: string): string;

/**
 * Parses the body of a request. Returns JSON: `[request]`, or the error.
 */
export function parseAgentRequest(body: string): string;

/**
 * Parses the body of a request. Returns JSON: `[request]`, or the error.
 */
export function parseAgentScopeRequest(body: string): string;

/**
 * Parses the body of a request. Returns JSON: `[request]`, or the error.
 */
export function parseChatRequest(body: string): string;

/**
 * Parses the body of a request. Returns JSON: `[request]`, or the error.
 */
export function parseCreateResponse(body: string): string;

/**
 * Parses the body of a request. Returns JSON: `[request]`, or the error.
 */
export function parseGeminiRequest(body: string): string;

/**
 * Parses the body of a request. Returns JSON: `[request]`, or the error.
 */
export function parseInteractionsRequest(body: string): string;

/**
 * Parses the body of a request. Returns JSON: `[request]`, or the error.
 */
export function parseMessagesRequest(body: string): string;

/**
 * Parses the body of a request. Returns JSON: `[request]`, or the error.
 */
export function parseRunAgentInput(body: string): string;

/**
 * Parses the query of a cancellation.
 */
export function parseRunCancelQuery(json: string): string;

/**
 * Parses the query of the events, a JSON object of strings. Returns `[query]`, or the error.
 */
export function parseRunEventsQuery(json: string): string;

/**
 * Parses the query of the history.
 */
export function parseRunHistoryQuery(json: string): string;

/**
 * Parses the body of `POST /runs`. Returns JSON: `[request]`, or the error, an object with
 * `status`, `contentType`, `body`, `message` and `problems`.
 */
export function parseRunInput(body: string): string;

/**
 * Parses the body of a request. Returns JSON: `[request]`, or the error.
 */
export function parseSendMessageInput(body: string): string;

/**
 * Parses the parameters of `SendMessage` in the form of 1.0. Returns `[request]`, or the error.
 */
export function parseSendMessageRequest(body: string): string;

/**
 * Parses the body of a request. Returns JSON: `[request]`, or the error.
 */
export function parseUiRequest(body: string): string;

/**
 * Marks a module that reads binary streams.
 */
export function readsBinary(): void;

/**
 * Returns the scope of opaque members of a model at a server: 8 hexadecimal digits.
 */
export function requestScope(url: string, model: string): string;

/**
 * Returns the terminal event of a run that cannot continue, as JSON.
 */
export function runErrorEvent(code: string, message: string): string;

/**
 * Returns the error with a code; an internal error for an unknown code.
 */
export function runsRefusal(code: string, detail: string): string;

/**
 * Returns what the writer of an answer needs of its request, as JSON: `[members]`, null if there
 * is nothing, or the error.
 */
export function uiRequestEcho(json: string): string;

/**
 * Returns the problems for which a server rejects or misreads a request, as a JSON array.
 */
export function validateAgentRequest(json: string): string;

/**
 * Returns the problems for which a server rejects a request, as a JSON array.
 */
export function validateAgentScopeRequest(json: string): string;

/**
 * Returns the problems for which a server rejects a request, as a JSON array.
 */
export function validateChatRequest(json: string): string;

/**
 * Returns the problems for which a server rejects a request, as a JSON array.
 */
export function validateCreateResponse(json: string): string;

/**
 * Returns the problems for which a server rejects a request, as a JSON array.
 */
export function validateGeminiRequest(json: string): string;

/**
 * Returns the problems for which a server rejects a request, as a JSON array.
 */
export function validateInteractionsRequest(json: string): string;

/**
 * Returns the problems for which a server rejects a request, as a JSON array.
 */
export function validateMessagesRequest(json: string): string;

/**
 * Returns the problems for which a server rejects a request, as a JSON array.
 */
export function validateRunAgentInput(json: string): string;

/**
 * Returns the problems for which a server rejects a request, as a JSON array.
 */
export function validateSendMessageInput(json: string): string;

/**
 * Returns the problems for which a server rejects a request, as a JSON array.
 */
export function validateUiRequest(json: string): string;

/**
 * The version of the crate that the module was built from.
 */
export function version(exchange: Exchange): void;

/**
 * Converts a request to the form that the server accepts.
 */
export function writeAgentScopeRequest(json: string): string;

/**
 * Converts a request to the form that the official client sends.
 */
export function writeRunAgentInput(json: string): string;

/**
 * Converts a request to the form that the service accepts. Returns JSON: `["…"]` with the body, or
 * the error.
 */
export function writeRunInput(json: string): string;

/**
 * Converts a request to the form that the server accepts.
 */
export function writeSendMessageInput(json: string): string;

/**
 * Makes everything that is declared here for one instance of the module. Two calls share nothing. The file exports only this
 * function: the declarations are for their types.
 */
export function bind(): typeof import("./agentwire.js") & object;
