// AG-UI: each request has the whole thread and the state, as the last answer has left them.

import { init, type Message as AgUiMessage, read, stringifyJson } from "agentwire/ag-ui";
import type { TurnRequest } from "agentwire/store";

/** The tools of this page, as the agent hears of them. */
const tools = [{ name: "paint", description: "Paints the page.", parameters: { type: "object", properties: { color: { type: "string" } } } }];

/** What `createConversation` and `useConversation` take as `request`. */
export async function ask({ conversationId: threadId, message, answers, turns, signal }: TurnRequest<"ag-ui">) {
  await init();
  const id = () => crypto.randomUUID();
  const last = turns.findLast(({ snapshot }) => snapshot !== undefined);
  const results = answers
    .filter(({ kind }) => kind === "call")
    .map(({ id: toolCallId, value }): AgUiMessage => ({ id: id(), role: "tool", toolCallId, content: typeof value === "string" ? value : stringifyJson(value) }));
  const said: AgUiMessage[] = message === undefined ? [] : [{ id: id(), role: "user", content: message }];
  const messages = [...(last?.snapshot?.messages ?? []), ...results, ...said];
  const state = last?.snapshot?.state ?? {};
  // Every question has an answer: one that the user has passed by is cancelled.
  const questions = last?.pending.filter(({ kind }) => kind === "approval") ?? [];
  const resume = questions.map(({ id: interruptId }) => {
    const answer = answers.find((answer) => answer.kind === "approval" && answer.id === interruptId);
    // What the agent wants to hear, its `responseSchema` says; `{ approved }` is what most ask for.
    return answer?.kind !== "approval"
      ? { interruptId, status: "cancelled" }
      : { interruptId, status: "resolved", payload: answer.value ?? { approved: answer.approved } };
  });
  const body = stringifyJson({ threadId, runId: id(), state, messages, tools, context: [], forwardedProps: {}, ...(resume.length > 0 && { resume }) });
  const headers = { "content-type": "application/json", accept: "text/event-stream" };
  return read(fetch("/ag-ui", { method: "POST", headers, body, signal }), { signal, messages, state });
}
