// What an agent writes to while its stream is being read. Types only.

import type { ErrorInfo, Json, MessageType, Role } from "../agentwire.js";
import type { BuilderEvent } from "./event.js";
import type { JsonObject, NewAudio, NewFile } from "./options.js";
import type { AgentApiStreamBuilder } from "./response_builder.js";

/**
 * Writes the answer of one run.
 *
 * Await what returns a promise: it resolves when the consumer has room for more, and rejects with `signal.reason`
 * once nobody reads any more. What is open is completed by itself when the next message, tool call or content begins, at the
 * ends of steps and subagents, and when the run ends; with `parallel` it stays open beside the next ones.
 *
 * With `await using`, a message, a content or a tool call is completed at the end of its block, and `out` completes all that is
 * open then; the run itself ends with the agent, which may have thrown.
 */
export interface AgentWriter extends AsyncDisposable {
  /** Aborted when the client has gone or the request was aborted. Hand it to whatever the agent waits for. */
  readonly signal: AbortSignal;
  /** Whether nothing can be written any more. */
  readonly ended: boolean;
  /**
   * The builder behind it all, for what there is no word for here. Give its events to {@link send}, in the order in
   * which they were made; what you open with it, you complete. It is freed with the run.
   */
  readonly builder: AgentApiStreamBuilder;
  /** Sends events of the plain builder. */
  send(...events: BuilderEvent[]): Promise<void>;
  /** A new message; of the assistant, if nothing else is said. */
  message(options?: NewMessage): MessageWriter;
  /** The text of a new message of type reasoning. */
  reasoning(): TextWriter;
  /** A call of a tool. */
  tool(name: string, options?: NewToolCall): ToolCallWriter;
  /** The state that agent and client share, as it is from now on. */
  state(state: Json): Promise<void>;
  /**
   * Something that the agent does and people may want to see, of a type that the client knows how to show. With the `id` of
   * an activity of an earlier run it goes on with that one.
   */
  activity(type: string, options?: { readonly id?: string | undefined }): ActivityWriter;
  /** A named stretch of the run begins. Steps may lie in each other. */
  step(name: string): StepWriter;
  /** A subagent begins to work on something. */
  subagent(name: string, options?: { readonly task?: string | undefined }): SubagentWriter;
  /** Something that only this application understands. */
  custom(name: string, value: Json): Promise<void>;
  /** Tokens used by the run; stands in its last event. */
  usage(usage: JsonObject): void;
  /** Ends the run: an error. Throwing does the same. */
  fail(error: ErrorInfo): Promise<void>;
  /** Ends the run: the agent asks its user, and goes on when the next request brings the answers. */
  interrupt(...questions: readonly [AgentQuestion, ...AgentQuestion[]]): Promise<void>;
  /** Ends the run: the answer is not whole, for example because a limit was reached. */
  incomplete(reason?: string): Promise<void>;
  /** Ends the run: the agent refuses it. */
  reject(error?: ErrorInfo): Promise<void>;
  /** Ends the run: somebody stopped it. */
  cancel(): Promise<void>;
}

/** Whether something stays open beside what begins after it. */
export interface ParallelOption {
  readonly parallel?: boolean | undefined;
}

/** What a new message is. */
export interface NewMessage extends ParallelOption {
  /** `assistant` by default. */
  readonly role?: Role | undefined;
  /** `message` by default. */
  readonly type?: MessageType | undefined;
}

/** What a new tool call is. */
export interface NewToolCall extends ParallelOption {
  /** The call's id, where the model has given it one. */
  readonly callId?: string | undefined;
  /** `function_call` by default. */
  readonly type?: "function_call" | "plugin_call" | "component_call" | "mcp_call" | undefined;
}

/** A question to the user. */
export interface AgentQuestion {
  /** The answer names it. By default a new one. */
  readonly id?: string | undefined;
  /** Why it is asked, in a word: `approval`. */
  readonly reason: string;
  /** What the client shows, and needs to know. */
  readonly payload: Json;
  /** The question for people, where the client has nothing of its own for the payload. */
  readonly text?: string | undefined;
  /** A JSON schema of the answer. */
  readonly responseSchema?: Json | undefined;
  /** When it is too late to answer, as an ISO 8601 time. */
  readonly expiresAt?: string | undefined;
  /** The call that it is about. */
  readonly call?: string | undefined;
}

/** Something that the agent does. */
export interface ActivityWriter {
  /** What there is to show of it from now on. It is shown when this is first called. */
  update(content: JsonObject): Promise<void>;
}

/** A named stretch of a run. */
export interface StepWriter extends AsyncDisposable {
  complete(): Promise<void>;
}

/** A subagent at work. */
export interface SubagentWriter extends AsyncDisposable {
  readonly id: string;
  /** It is done, and came to this. */
  complete(result?: Json): Promise<void>;
  /** It could not do its work. The run goes on. */
  fail(error: ErrorInfo): Promise<void>;
}

/** A message that is being written. */
export interface MessageWriter extends AsyncDisposable {
  readonly id: string;
  /** A text in pieces. */
  text(options?: ParallelOption): TextWriter;
  /** A refusal in pieces. */
  refusal(options?: ParallelOption): TextWriter;
  /** Data in pieces. */
  data(): DataWriter;
  /** Data that is whole. */
  data(data: JsonObject): Promise<void>;
  /** An image, by its URL or data URL. */
  image(url: string): Promise<void>;
  /** A video, by its URL or data URL. */
  video(url: string): Promise<void>;
  audio(audio: NewAudio): Promise<void>;
  file(file: NewFile): Promise<void>;
  /** Anything about this message; stands in its last event. */
  metadata(metadata: JsonObject): void;
  /** Tokens used by this message; stands in its last event. */
  usage(usage: JsonObject): void;
  /** Completes the message and what is open in it. */
  complete(): Promise<void>;
}

/** A text that is being written. */
export interface TextWriter extends AsyncDisposable {
  /** A further piece; null is none. */
  delta(text: string | null | undefined): Promise<void>;
  complete(): Promise<void>;
}

/** Data that is being written. */
export interface DataWriter extends AsyncDisposable {
  /** A further piece: texts and lists grow, numbers add up, objects merge, everything else is replaced. */
  delta(data: JsonObject): Promise<void>;
  complete(): Promise<void>;
}

/** A tool call that is being written. */
export interface ToolCallWriter extends AsyncDisposable {
  readonly callId: string;
  /** A further piece of the arguments' JSON text, or all of them as an object. */
  arguments(piece: string | JsonObject): Promise<void>;
  /** Completes the call without a result: somebody else executes it. */
  complete(): Promise<void>;
  /** Completes the call and says what came of it; what is not a text becomes JSON. */
  result(output: Json): Promise<void>;
}
