// Requests that follow each other: a question, what the page's tools came to, what the user said to a question of the agent.

import { type Json, type Outcome, pendingToolCalls, type Protocol, stringifyJson } from "agentwire";
import type { InputMessage } from "agentwire/agent-api";
import type { RequestInput as RunAgentInput } from "agentwire/ag-ui";
import { type RequestInput as SendMessageInput, submitToolResults } from "agentwire/ag-kit";
import { CLIENT_TOOLS, runCall, runPending } from "./client_tools.js";
import type { Conversation } from "./conversation.js";
import { a2aRequestBody, agKitRequestBody, agentRequestBody, responsesRequestBody } from "./endpoints.js";

/** What the page's tools came to, by the id of their call, and the request that says so. */
interface Answered {
  readonly answers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is asked in a conversation of one protocol. Each method gives the body of a request. */
export interface Dialogue {
  readonly protocol: Protocol;
  ask(question: string): string;
  resume(interruptId: string, approved: boolean): string;
  /** Runs the tools that a stream waits for; null if it waits for none. */
  goOn(outcome: Outcome<Protocol>): Answered | null;
}

/** How a conversation is led in each protocol. */
export const DIALOGUES: Readonly<Record<Protocol, (conversation: Conversation, variant: string) => Dialogue>> = {
  "agent-api": agentApiDialogue,
  "ag-kit": agKitDialogue,
  "ag-ui": agUiDialogue,
  responses: responsesDialogue,
  a2a: a2aDialogue,
};

/** The Agent API: the server keeps the session. */
function agentApiDialogue(conversation: Conversation, variant: string): Dialogue {
  const body = (...input: InputMessage[]): string => agentRequestBody(input, conversation.id, variant);
  return {
    protocol: "agent-api",
    ask: (text) => body({ type: "message", role: "user", content: [{ type: "text", text }] }),
    resume: (id, approve) => body({ type: "mcp_approval_response", role: "user", content: [{ type: "data", data: { approval_request_id: id, approve } }] }),
    goOn: (outcome) =>
      goneOn(outcome, conversation, (ran) =>
        body(
          ...ran.map(({ id, name, output }): InputMessage => ({
            type: "function_call_output",
            role: "tool",
            content: [{ type: "data", data: { call_id: id, name, output } }],
          })),
        ),
      ),
  };
}

/** AG-Kit: the server keeps the conversation. */
function agKitDialogue(conversation: Conversation, variant: string): Dialogue {
  const body = (input: SendMessageInput): string => agKitRequestBody({ ...input, tools: CLIENT_TOOLS }, variant);
  return {
    protocol: "ag-kit",
    ask: (content) => body({ conversationId: conversation.id, messages: [{ role: "user", content }] }),
    resume: (id, approved) => body({ conversationId: conversation.id, messages: [], resume: { interruptId: id, payload: stringifyJson({ approved }) } }),
    goOn(outcome) {
      if (outcome.protocol !== "ag-kit" || outcome.snapshot.status !== "awaiting-tool-results") {
        return null;
      }
      const answers = runPending(outcome.snapshot, conversation);
      return { answers, body: body(submitToolResults({ conversationId: conversation.id }, outcome.snapshot, answers)) };
    },
  };
}

/** AG-UI: the client keeps the thread and its state, and sends all of it. */
function agUiDialogue(conversation: Conversation, variant: string): Dialogue {
  const body = (more: Partial<RunAgentInput> = {}): string =>
    stringifyJson({
      protocolVersion: "1.0",
      threadId: conversation.id,
      runId: crypto.randomUUID(),
      messages: conversation.messages,
      state: conversation.state,
      tools: CLIENT_TOOLS,
      context: [],
      forwardedProps: variant === "" ? {} : { demo: variant },
      ...more,
    } as RunAgentInput);
  const say = (message: { readonly role: string; readonly content: string; readonly toolCallId?: string }): void =>
    void (conversation.messages = [...conversation.messages, { id: crypto.randomUUID(), ...message } as RunAgentInput["messages"][number]]);
  return {
    protocol: "ag-ui",
    ask(content) {
      say({ role: "user", content });
      return body();
    },
    resume: (interruptId, approved) => body({ resume: [{ interruptId, status: "resolved", payload: { approved } }] }),
    goOn(outcome) {
      if (outcome.protocol !== "ag-ui") {
        return null;
      }
      const { messages, state } = outcome.snapshot;
      const said = messages.filter(({ role }) => role !== "activity") as unknown as RunAgentInput["messages"];
      conversation.messages = [...conversation.messages, ...said];
      conversation.state = state as Json;
      return goneOn(outcome, conversation, (ran) => {
        ran.forEach(({ id, output }) => say({ role: "tool", toolCallId: id, content: output }));
        return body();
      });
    },
  };
}

/** OpenAI Responses: the client keeps the items, and sends all of them. */
function responsesDialogue(conversation: Conversation, variant: string): Dialogue {
  const items: Json[] = [];
  const body = (...said: Json[]): string => {
    items.push(...said);
    return responsesRequestBody(items, variant);
  };
  return {
    protocol: "responses",
    ask: (content) => body({ type: "message", role: "user", content }),
    resume: (id, approve) => body({ type: "mcp_approval_response", approval_request_id: id, approve }),
    goOn(outcome) {
      if (outcome.protocol !== "responses") {
        return null;
      }
      items.push(...(outcome.snapshot.output as unknown as Json[]));
      return goneOn(outcome, conversation, (ran) => body(...ran.map(({ id, output }) => ({ type: "function_call_output", call_id: id, output }))));
    },
  };
}

/** A2A: the server keeps the task, which goes on where it waits. Its agents have their own tools. */
function a2aDialogue(_: Conversation, variant: string): Dialogue {
  let task: { readonly taskId?: string; readonly contextId?: string } = {};
  return {
    protocol: "a2a",
    ask: (text) => a2aRequestBody([{ text }], task, variant),
    resume: (id, approved) => a2aRequestBody([{ data: { approval_request_id: id, answer: { approved } } }], task, variant),
    goOn(outcome) {
      const { id, contextId } = (outcome.protocol === "a2a" && outcome.snapshot.task) || {};
      task = { ...(id !== undefined && { taskId: id }), ...(contextId !== undefined && { contextId }) };
      return null;
    },
  };
}

/** A tool of this page that was run, and what it came to. */
interface Ran {
  readonly id: string;
  readonly name: string | null;
  readonly output: string;
}

/** Runs what an answer waits for; `body` makes a request of what came of it. */
function goneOn({ snapshot }: Outcome<Protocol>, conversation: Conversation, body: (ran: readonly Ran[]) => string): Answered | null {
  const ran = pendingToolCalls(snapshot).flatMap(({ kind, id, name, argumentsText: raw, arguments: value }): Ran[] => {
    const isBroken = value === undefined && raw !== "";
    return kind === "call" && id !== null
      ? [{ id, name, output: isBroken ? "Error: the arguments are no JSON." : runCall(name, value, conversation) }]
      : [];
  });
  return ran.length === 0 ? null : { answers: Object.fromEntries(ran.map(({ id, output }) => [id, output])), body: body(ran) };
}
