// `connect` for the AI SDK. Each request contains the whole conversation, and the answers to calls are in the messages that called.

import type { AiSdkMessage, AiSdkRequest } from "../agentwire.js";
import { type AgentClient, type SharedConnectOptions, TOOL_OPTIONS, type ToolOptions } from "../connect/agent.js";
import { connected } from "../connect/connection.js";
import type { Dialect } from "../connect/dialect.js";
import { NOT_ANSWERED } from "../connect/tool.js";
import { type StoredShape, either } from "../store/fits.js";
import type { ConversationAnswer } from "../store/state.js";
import { type AiSdkInput, answerOf, createRequest, messagesOf, nextRequest } from "./create_request.js";
import { AI_SDK, callsOf } from "./protocol.js";

/** The input of `send`: the user's text, or messages. */
export type AiSdkConnectInput = AiSdkInput;

/** The options of `connect`. Everything is optional. Requests do not describe the `tools`: the server defines them, with the same names. */
export interface AiSdkConnectOptions extends SharedConnectOptions<"ai-sdk", AiSdkConnectInput>, ToolOptions {
  /** Further properties of each request. */
  readonly body?: { readonly [member: string]: unknown } | undefined;
}

/** A stored message. */
const MESSAGE: StoredShape = {
  "id?": "text",
  role: "text",
  parts: [{ type: "text", "text?": "text", "state?": "text", "toolCallId?": "text", "toolName?": "text", "rawInput?": "text", "errorText?": "text", "approval?": { id: "text" } }],
};

/** The AI SDK for `connect`. */
export const AI_SDK_DIALECT: Dialect<"ai-sdk", AiSdkConnectInput, AiSdkConnectOptions> = {
  protocol: "ai-sdk",
  reads: [AI_SDK],
  callsOf,
  options: [...TOOL_OPTIONS, "body"],
  repeats: "all",
  stored: { message: either("text", [MESSAGE]), snapshot: MESSAGE },
  request(url, { conversationId, message, answers, turns }, { body }, how) {
    let request: AiSdkRequest = { messages: [] };
    let last: AiSdkMessage | undefined;
    let given: readonly ConversationAnswer[] = [];
    for (const [at, turn] of turns.entries()) {
      given = [...given, ...turn.answers];
      request = next(request, last, given, identified(turn.message, conversationId, at));
      if (turn.snapshot !== undefined) {
        given = [];
      }
      last = turn.snapshot;
    }
    const { messages } = next(request, last, [...given, ...answers], identified(message, conversationId, turns.length));
    return { request: createRequest(url, { ...body, id: conversationId, messages }, how) };
  },
};

/**
 * Creates the client of an agent. Sends no request yet.
 *
 * ```js
 * const agent = connect("/api/chat");
 * for await (const { snapshot } of agent.send("Weather in Beijing?")) render(snapshot.parts);
 * ```
 *
 * @param url the address of the agent. Outside of pages it must be absolute
 * @throws AgentwireError `wrong-option` for an option that does not exist
 */
export function connect(url: string | URL, options: AiSdkConnectOptions = {}): AgentClient<"ai-sdk", AiSdkConnectInput> {
  return connected(AI_SDK_DIALECT, url, options);
}

/** Returns an input whose text is a message with an id: that of a turn, the same in each request. */
function identified(input: AiSdkConnectInput | undefined, conversationId: string, turn: number): AiSdkConnectInput | undefined {
  return typeof input === "string" ? [{ id: `${conversationId}-${turn}`, role: "user", parts: [{ type: "text", text: input }] }] : input;
}

/** Returns the request after a message, with the answers to all its pending calls and the input. */
function next(request: AiSdkRequest, last: AiSdkMessage | undefined, given: readonly ConversationAnswer[], input: AiSdkConnectInput | undefined): AiSdkRequest {
  if (last === undefined) {
    return { ...request, messages: [...(request.messages ?? []), ...messagesOf(input)] };
  }
  const pending = (callsOf(last) ?? []).filter(({ pending }) => pending);
  const parts = last.parts.map((part) => {
    const call = pending.find(({ kind, holder, id }) => (kind === "call" ? holder === part : id === (part.approval as { id?: string } | undefined)?.id));
    if (call === undefined) {
      return part;
    }
    const answer = given.find(({ kind, id }) => kind === call.kind && id === call.id);
    const value = answer?.kind === "approval" ? { approved: answer.approved } : (answer?.value ?? NOT_ANSWERED);
    return { ...part, ...answerOf(call.kind, part, value) } as typeof part;
  });
  return nextRequest(request, { ...last, parts }, input);
}
