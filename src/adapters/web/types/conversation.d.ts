/** The messages, tools and settings of a request, in the neutral form of the crate. */
export interface NeutralConversation {
    /** The id of the conversation at the server. */
    readonly id: string | null;
    /** The turns, the newest last. */
    readonly turns: readonly NeutralTurn[];
    /** The tools that the agent can call. */
    readonly tools: readonly NeutralTool[];
    /** The settings of the answer. */
    readonly settings: NeutralSettings;
    /** The protocol that it was read from. */
    readonly format: string;
    /** The members of the request that only this protocol has. */
    readonly more: { readonly [member: string]: Json };
}

/** What one party says before another one does. A turn of the assistant is one answer of a model. */
export interface NeutralTurn {
    readonly role: "system" | "developer" | "user" | "assistant";
    /** The id of the message. */
    readonly id: string | null;
    /** The name of the author, if several have the same role. */
    readonly name: string | null;
    readonly parts: readonly NeutralPart[];
}

/** A part of a turn. */
export interface NeutralPart {
    readonly content: NeutralContent;
    /** The members of it that only one protocol has. */
    readonly opaque: NeutralOpaque | null;
    /** A cache breakpoint after this part, in the form of Anthropic's `cache_control`. */
    readonly cache: Json;
}

/** The content of a part: an object with one member, or `"native"` for opaque members only. */
export type NeutralContent =
    | { readonly text: string }
    | { readonly reasoning: { readonly text: string; readonly summary: boolean } }
    | { readonly refusal: string }
    | { readonly media: NeutralMedia }
    | { readonly call: NeutralCall }
    | { readonly result: NeutralToolResult }
    | { readonly question: { readonly id: string; readonly call: string | null; readonly payload: Json } }
    | { readonly answer: { readonly id: string; readonly approved: boolean | null; readonly reason: string | null; readonly payload: Json } }
    | { readonly data: Json }
    | { readonly tools: readonly NeutralTool[] }
    | "native";

/** An image, a sound, a video or a file. */
export interface NeutralMedia {
    readonly kind: "image" | "audio" | "video" | "file";
    readonly source:
        | { readonly url: string }
        | { readonly base64: string }
        | { readonly file: { readonly provider: string; readonly id: string } }
        | { readonly text: string };
    /** `image/png` */
    readonly mediaType: string | null;
    /** The file name. */
    readonly name: string | null;
    /** The resolution at which a model looks at an image: `low`, `high`, `auto`. */
    readonly detail: string | null;
}

/** A tool call of the assistant. */
export interface NeutralCall {
    readonly id: string;
    readonly name: string;
    readonly namespace: string | null;
    /** JSON text, as the model wrote it, or the text of a custom tool. */
    readonly input: { readonly json: string } | { readonly text: string };
    /** Who runs the tool. */
    readonly by: "client" | "clientBuiltin" | "provider";
    /** The result, once there is one. */
    readonly result: NeutralToolResult | null;
}

/** The result of a call. */
export interface NeutralToolResult {
    /** The id of the call. */
    readonly call: string;
    readonly parts: readonly NeutralPart[];
    /** Whether the tool failed. */
    readonly error: boolean;
    readonly cache: Json;
    readonly opaque: NeutralOpaque | null;
}

/** A tool that an agent can call: an object with one member. */
export type NeutralTool =
    | { readonly function: NeutralFunction }
    | { readonly custom: { readonly name: string; readonly description: string | null; readonly format: Json } }
    | { readonly namespace: { readonly name: string; readonly description: string | null; readonly tools: readonly NeutralTool[] } }
    | { readonly hosted: { readonly purpose: "search" | "code" | "mcp" | null; readonly format: string; readonly value: Json } };

/** A function that an agent can call. */
export interface NeutralFunction {
    readonly name: string;
    readonly description: string | null;
    /** The JSON Schema of the arguments. */
    readonly schema: Json;
    /** Whether the model follows the schema exactly. */
    readonly strict: boolean | null;
    readonly cache: Json;
    /** The members that only tools of the protocol have. */
    readonly more: { readonly [member: string]: Json };
    /** The protocol in which it is declared. */
    readonly format: string;
}

/** Members of a part that only one protocol has, as they were received. */
export interface NeutralOpaque {
    readonly format: string;
    /** The server and the family of models that they come from. */
    readonly scope: string | null;
    readonly members: { readonly [member: string]: Json };
}

/** The settings of the answer. */
export interface NeutralSettings {
    /** The settings with one value, by their names: `model`, `max_tokens`, `temperature`, … */
    readonly scalars: { readonly [name: string]: Json };
    /** The format of the answer; text if it is null. */
    readonly output: { readonly name: string | null; readonly description: string | null; readonly schema: Json; readonly strict: boolean | null } | null;
    /** Which tools the model can call. */
    readonly choice: "auto" | "none" | "required" | { readonly named: string } | { readonly allowed: { readonly required: boolean; readonly names: readonly string[] } } | null;
}
