/// <reference lib="esnext.disposable" />
/* tslint:disable */
/* eslint-disable */

/** Any JSON. Integers beyond ±2^53 are `bigint`. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json };

/** Why something failed. */
export interface ErrorInfo {
    readonly code: string;
    readonly message: string;
}

/** The growing answer of a run. Plain data; what did not change keeps its identity from one update to the next. */
export interface Response {
    readonly sequence_number: number | null;
    readonly object: "response";
    readonly status: RunStatus;
    readonly error: ErrorInfo | null;
    /** Empty until the stream has named it. */
    readonly id: string;
    /** Seconds since 1970. */
    readonly created_at: number | null;
    readonly completed_at: number | null;
    /** In order of appearance; once the response has ended, in the order it lists them, unlisted ones behind. */
    readonly output: readonly Message[];
    readonly usage: Json;
    readonly session_id: string | null;
}

/** One message of a response. */
export interface Message {
    readonly sequence_number: number | null;
    readonly object: "message";
    /** Not terminal at the end of a stream: the message was cut off. */
    readonly status: RunStatus;
    readonly error: ErrorInfo | null;
    readonly id: string;
    readonly type: MessageType;
    readonly role: Role | null;
    /** Sorted by `index`. */
    readonly content: readonly Content[];
    readonly code: string | null;
    readonly message: string | null;
    readonly usage: Json;
    readonly metadata: Json;
}

interface ContentHead {
    readonly sequence_number: number | null;
    readonly object: "content";
    readonly status: RunStatus;
    readonly error: ErrorInfo | null;
    readonly index: number;
    readonly delta: false;
    readonly msg_id: string;
}

export interface TextContent extends ContentHead {
    readonly type: "text";
    /** The text so far. */
    readonly text: string | null;
}

export interface DataContent extends ContentHead {
    readonly type: "data";
    readonly data: { readonly [key: string]: Json } | null;
}

export interface ImageContent extends ContentHead {
    readonly type: "image";
    readonly image_url: string | null;
}

export interface AudioContent extends ContentHead {
    readonly type: "audio";
    readonly data: string | null;
    readonly format: string | null;
}

export interface FileContent extends ContentHead {
    readonly type: "file";
    readonly file_url: string | null;
    readonly file_id: string | null;
    readonly filename: string | null;
    readonly file_data: string | null;
}

export interface RefusalContent extends ContentHead {
    readonly type: "refusal";
    readonly refusal: string | null;
}

export interface VideoContent extends ContentHead {
    readonly type: "video";
    readonly video_url: string | null;
}

/** One part of a message; `switch (content.type)` narrows it. Parts of types this version does not know keep their members. */
export type Content =
| TextContent
| DataContent
| ImageContent
| AudioContent
| FileContent
| RefusalContent
| VideoContent;

/** A tool call and what answers it, paired by call id. */
export interface ToolCall {
    readonly callId: string | null;
    readonly name: string | null;
    /** Type of the message that opened it. */
    readonly type: MessageType;
    /** `streaming`: arguments are coming. `called`: they are complete. `answered`: the output is complete. */
    readonly state: "streaming" | "called" | "answered";
    /** Where the call stands: its message and the index of its content. */
    readonly messageId: string | null;
    readonly index: number | null;
    /** Where the output stands. */
    readonly outputMessageId: string | null;
    readonly outputIndex: number | null;
}



/** One breach of one rule of the protocol. A value, never thrown. */
export interface Violation {
    /** Stable kebab-case id of the rule; each has a paragraph in `docs/rules.md`. */
    readonly rule: string;
    /** `note`: legal or harmless. `warning`: against the protocol, the answer is right. `error`: something was lost or cut off. */
    readonly severity: "note" | "warning" | "error";
    /** Number of the event, from 0. */
    readonly event: number;
    /** Byte offset of the event in the stream. */
    readonly offset: number;
    readonly messageId: string | null;
    readonly index: number | null;
    /** What a conforming server does. */
    readonly expected: string;
    /** What came instead; free text, for people. */
    readonly got: string;
    /** What the reader did about it. */
    readonly recovery: string;
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
}


export type ContentType = "text" | "data" | "image" | "audio" | "file" | "refusal" | "video" | (string & {});


export type MessageType = "message" | "function_call" | "function_call_output" | "plugin_call" | "plugin_call_output" | "component_call" | "component_call_output" | "mcp_list_tools" | "mcp_approval_request" | "mcp_call" | "mcp_approval_response" | "mcp_call_output" | "reasoning" | "heartbeat" | "error" | "a2ui_response" | "a2ui_action" | (string & {});


export type Role = "assistant" | "user" | "system" | "tool" | (string & {});


export type RunStatus = "created" | "in_progress" | "completed" | "canceled" | "failed" | "rejected" | "unknown" | "queued" | "incomplete" | (string & {});



/**
 * A stream being read. JavaScript applies the patch of each push; nothing of the answer stays here.
 */
export class RawReader {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Ends the stream.
     */
    finish(aborted: boolean): void;
    /**
     * What `Last-Event-ID` should say when reconnecting now.
     */
    lastEventId(): string;
    /**
     * Starts reading `protocol`; `options` is JSON, `seed` a number nobody else knows. Leaves a first patch.
     */
    constructor(protocol: string, options: string, seed: bigint);
    /**
     * Reads the first `length` bytes of the input buffer.
     */
    push(length: number): void;
    /**
     * The report so far, as JSON.
     */
    report(): string;
}

/**
 * Address of `length` bytes for JavaScript to write the next chunk to.
 */
export function inputBuffer(length: number): number;

/**
 * What a JSON text that is still being streamed says so far, as JSON; empty when nothing is certain yet.
 */
export function partialJson(text: string): string;

/**
 * Address of six words: address and length of the ops, address and length (in bytes) of the text, how many violations
 * the reader has found in all, and whether its answer can still change (0) or not (1).
 */
export function patchHeader(): number;

/**
 * The tables of a protocol as JSON: names of members, words, templates of objects.
 */
export function schema(protocol: string): string;

/**
 * The version of the crate that the module was built from.
 */
export function version(): string;
