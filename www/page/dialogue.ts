// Requests that follow each other: a question, what the page's tools came to, what the user said to a question of the agent.

import { type Json, type Outcome, type Protocol, type RunAgentInput, type SendMessageInput, pendingToolCalls, resuming, runAgentInputBody, toolAnswers } from "agentwire";
import { CLIENT_TOOLS, runCall, runPending } from "./client_tools.js";
import type { Conversation } from "./conversation.js";
import { agKitRequestBody } from "./endpoints.js";

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

/** AG-Kit: the server keeps the conversation. */
export function agKitDialogue(conversation: Conversation, variant: string): Dialogue {
  const body = (input: SendMessageInput): string => agKitRequestBody({ ...input, tools: CLIENT_TOOLS }, variant);
  return {
    protocol: "ag-kit",
    ask: (content) => body({ conversationId: conversation.id, messages: [{ role: "user", content }] }),
    resume: (id, approved) => body(resuming(conversation.id, { id }, { approved })),
    goOn(outcome) {
      if (outcome.protocol !== "ag-kit" || outcome.snapshot.status !== "awaiting-tool-results") {
        return null;
      }
      const answers = runPending(outcome.snapshot, conversation);
      return { answers, body: body(toolAnswers(conversation.id, outcome.snapshot, answers)) };
    },
  };
}

/** AG-UI: the client keeps the thread and its state, and sends all of it. */
export function agUiDialogue(conversation: Conversation, variant: string): Dialogue {
  const body = (more: Partial<RunAgentInput> = {}): string =>
    runAgentInputBody({
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
      const calls = pendingToolCalls(outcome.snapshot).filter(({ kind }) => kind === "call");
      if (calls.length === 0) {
        return null;
      }
      const answers: Record<string, string> = Object.fromEntries(
        calls.map(({ id, name, value }) => [id ?? "", runCall(name, value as Json, conversation)]),
      );
      Object.entries(answers).forEach(([toolCallId, content]) => say({ role: "tool", toolCallId, content }));
      return { answers, body: body() };
    },
  };
}
