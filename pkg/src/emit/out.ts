// The interface that agents write to. Types only.

import type { ErrorInfo, Json, MessageType, Role } from "../agentwire.js";
import type { BuilderEvent } from "./event.js";
import type { NewAudio, NewFile } from "../convert/builder_options.js";
import type { Loss } from "../core/findings.js";
import type { JsonObject } from "../core/json.js";
import type { AnyProtocol } from "../core/outcome.js";
import type { AgentwireSource } from "../read/body.js";
import type { AgentApiStreamBuilder } from "./agent_api_builder.js";

/**
 * Writes the response of one run.
 *
 * Await the returned promises: they resolve when the consumer has room for more, and reject with
 * `signal.reason` after the client has disconnected. A rejection that nobody awaits has no effect,
 * and calls that return no promise throw nothing then, so that event callbacks and timers may write
 * at any time. Open messages, tool calls and contents are completed automatically when the next one
 * starts, at the boundaries of steps and subagents, and when the run ends; with `parallel` they
 * stay open while the next ones are written.
 *
 * With `await using`, a message, content or tool call is completed at the end of its block, and
 * `out` completes all that are still open; the run itself ends when the agent returns or throws.
 */
export interface AgentWriter extends AsyncDisposable {
  /**
   * Aborted when the client disconnects or the request is aborted. Pass it to the calls that the
   * agent awaits.
   */
  readonly signal: AbortSignal;
  /** Whether the run has ended and rejects further writes. */
  readonly ended: boolean;
  /**
   * The underlying builder, for events that this interface does not cover. Pass its events to
   * {@link send}, in the order in which they were created, and complete what you start with it. It
   * is freed with the run. Its data has what was forwarded only if the protocol of the client is
   * the Agent API.
   */
  readonly builder: AgentApiStreamBuilder;
  /** Sends events of {@link builder}. */
  send(...events: BuilderEvent[]): Promise<void>;
  /**
   * Appends to the text of the answer. The first piece starts a message, and so does the first one
   * after another message, a tool call or a forwarded stream.
   */
  text(piece: string): Promise<void>;
  /** Starts a message; its role is `assistant` by default. */
  message(options?: NewMessage): MessageWriter;
  /** Starts a message of type `reasoning` and returns its text. */
  reasoning(): TextWriter;
  /** Starts a tool call. */
  tool(name: string, options?: NewToolCall): ToolCallWriter;
  /** Sends the complete new state that agent and client share. */
  state(state: Json): Promise<void>;
  /**
   * Starts an activity: progress that the client displays, of a type that it supports. With the
   * `id` of an activity of an earlier run, it updates that activity.
   */
  activity(type: string, options?: { readonly id?: string | undefined }): ActivityWriter;
  /** Starts a step, which is a named section of the run. Steps can be nested. */
  step(name: string): StepWriter;
  /** Starts a subagent. */
  subagent(name: string, options?: { readonly task?: string | undefined }): SubagentWriter;
  /** Sends an application-specific event. */
  custom(name: string, value: Json): Promise<void>;
  /** Sets the tokens that the run used; sent with its last event. */
  usage(usage: JsonObject): void;
  /**
   * Passes the stream of a model, or of another agent, on to the client while it arrives: texts,
   * reasoning, tool calls and their results, usage, the steps that other agents add, and what only
   * the model's server can read, such as signatures. Messages that were open before are completed,
   * unless they are `parallel`.
   *
   * A completed stream leaves the run open: the agent can run the tools of the calls and call the
   * model again. An incomplete or interrupted stream ends the run with the same reason or
   * questions.
   *
   * @returns the end of the stream. Rejects with an `AgentError` that has the code and message of a
   * stream that failed
   * @throws HttpError if the response is not successful; ConnectionError if the connection is lost
   */
  forward(
    source: AgentwireSource | PromiseLike<AgentwireSource>,
    options?: ForwardOptions,
  ): Promise<Forwarded>;
  /** Ends the run as failed. Throwing an error has the same effect. */
  fail(error: ErrorInfo): Promise<void>;
  /** Ends the run with questions to the user. The next request brings the answers. */
  interrupt(...questions: readonly [AgentQuestion, ...AgentQuestion[]]): Promise<void>;
  /** Ends the run as incomplete, for example because a limit was reached. */
  incomplete(reason?: string): Promise<void>;
  /** Ends the run as rejected by the agent. */
  reject(error?: ErrorInfo): Promise<void>;
  /** Ends the run as canceled. */
  cancel(): Promise<void>;
}

/** The option of messages, contents and tool calls that stay open while others are written. */
export interface ParallelOption {
  /**
   * Whether it stays open while others are written. False by default: the next one completes it.
   */
  readonly parallel?: boolean | undefined;
}

/** The options of a new message. */
export interface NewMessage extends ParallelOption {
  /** The role; `assistant` by default. */
  readonly role?: Role | undefined;
  /** The type; `message` by default. */
  readonly type?: MessageType | undefined;
}

/** The options of a new tool call. */
export interface NewToolCall extends ParallelOption {
  /** The id of the call; set it if the model provides one. A new id by default. */
  readonly callId?: string | undefined;
  /** The type of the call; `function_call` by default. */
  readonly type?: "function_call" | "plugin_call" | "component_call" | "mcp_call" | undefined;
}

/** A question to the user. */
export interface AgentQuestion {
  /** The id that the answer refers to; a new one by default. */
  readonly id?: string | undefined;
  /** The reason for the question, as one word: `approval`. */
  readonly reason: string;
  /** The data that the client displays and needs for the answer. */
  readonly payload: Json;
  /** The question as text, for clients that have no display for the payload. */
  readonly text?: string | undefined;
  /** The JSON schema of the answer. */
  readonly responseSchema?: Json | undefined;
  /** The time until which the question can be answered, in ISO 8601. */
  readonly expiresAt?: string | undefined;
  /** The id of the tool call that the question is about. */
  readonly call?: string | undefined;
}

/** An activity of the agent. */
export interface ActivityWriter {
  /** Replaces the content to display. The first call sends the activity. */
  update(content: JsonObject): Promise<void>;
}

/** A named section of a run. */
export interface StepWriter extends AsyncDisposable {
  /** Ends the step. Messages that were started in it are completed before. */
  complete(): Promise<void>;
}

/** A subagent that is working. */
export interface SubagentWriter extends AsyncDisposable {
  /** The id of the subagent, unique in the run. */
  readonly id: string;
  /** Ends the subagent with its result. */
  complete(result?: Json): Promise<void>;
  /** Ends the subagent with an error. The run continues. */
  fail(error: ErrorInfo): Promise<void>;
}

/** A message that is being written. */
export interface MessageWriter extends AsyncDisposable {
  /** The id of the message. */
  readonly id: string;
  /** Starts a text, which is written in deltas. */
  text(options?: ParallelOption): TextWriter;
  /** Starts a refusal, which is written in deltas. */
  refusal(options?: ParallelOption): TextWriter;
  /** Starts a data content, which is written in deltas. */
  data(): DataWriter;
  /** Writes a complete data content. */
  data(data: JsonObject): Promise<void>;
  /** Writes an image, as a URL or data URL. */
  image(url: string): Promise<void>;
  /** Writes a video, as a URL or data URL. */
  video(url: string): Promise<void>;
  /** Writes an audio content: base64 data with its format, or a URL. */
  audio(audio: NewAudio): Promise<void>;
  /** Writes a file: by URL, id, or base64 data. */
  file(file: NewFile): Promise<void>;
  /** Sets the metadata of this message, which can be any object; sent with its last event. */
  metadata(metadata: JsonObject): void;
  /** Sets the tokens that this message used; sent with its last event. */
  usage(usage: JsonObject): void;
  /** Completes the message and its open contents. */
  complete(): Promise<void>;
}

/** A text that is being written. */
export interface TextWriter extends AsyncDisposable {
  /** Writes a delta. `null` writes nothing. */
  delta(text: string | null | undefined): Promise<void>;
  /** Completes the text; its message stays open. */
  complete(): Promise<void>;
}

/** A data content that is being written. */
export interface DataWriter extends AsyncDisposable {
  /**
   * Writes a delta: strings and arrays are concatenated, numbers are added, objects are merged,
   * other values are replaced.
   */
  delta(data: JsonObject): Promise<void>;
  /** Completes the content; its message stays open. */
  complete(): Promise<void>;
}

/** A tool call that is being written. */
export interface ToolCallWriter extends AsyncDisposable {
  /** The id of the call: `callId` of the options, or a new one. */
  readonly callId: string;
  /** Writes a delta of the arguments as JSON text, or the complete arguments as an object. */
  arguments(piece: string | JsonObject): Promise<void>;
  /** Completes the call without a result, if the client or another service executes it. */
  complete(): Promise<void>;
  /** Completes the call and writes its result. A value that is not a string is sent as JSON. */
  result(output: Json): Promise<void>;
}

/** The options of `out.forward`. */
export interface ForwardOptions {
  /** The protocol of the stream. With `auto`, the default, its first event determines it. */
  readonly protocol?: AnyProtocol | undefined;
  /** Receives each chunk of the stream, for example for a `Decoder` that builds the snapshot. */
  readonly onChunk?: ((bytes: Uint8Array) => void) | undefined;
}

/** A call of a tool in a stream that was forwarded. */
export interface ForwardedCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, as JSON text. */
  readonly arguments: string;
  /** Whether the stream contained a result of the call: the tool was executed there. */
  readonly answered: boolean;
  /** Writes the result of the call for the client. A value that is not a string is sent as JSON. */
  result(output: Json): Promise<void>;
}

/** The end of a stream that was forwarded. */
export interface Forwarded {
  /** The name of the stream's protocol. */
  readonly protocol: string;
  /** The status in the stream. `incomplete` and `interrupted` have ended the run. */
  readonly status: "completed" | "incomplete" | "canceled" | "interrupted";
  /** The reason for an incomplete stream, as one word: `length`. */
  readonly reason: string | undefined;
  /** The name of the model that has answered, if its server has sent one. */
  readonly model: string | undefined;
  /** The text of the answer, without reasoning. */
  readonly text: string;
  readonly toolCalls: readonly ForwardedCall[];
  /** The token usage. It is added to that of the run. */
  readonly usage: JsonObject | undefined;
  /** The values that could not be passed on. */
  readonly losses: readonly Loss[];
}
