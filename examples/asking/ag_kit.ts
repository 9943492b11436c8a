// AG-Kit: the server has the conversation, and is told what is new. It asks one question at a time.

import { init, read, stringifyJson } from "agentwire/ag-kit";
import type { TurnRequest } from "agentwire/store";

/** The tools of this page, as the agent hears of them: their parameters are JSON as a text. */
const tools = [{ name: "paint", description: "Paints the page.", parameters: stringifyJson({ type: "object", properties: { color: { type: "string" } } }) }];

/** What `createConversation` and `useConversation` take as `request`. */
export async function ask({ conversationId, message, answers, signal }: TurnRequest<"ag-kit">) {
  await init();
  const results = answers
    .filter(({ kind }) => kind === "call")
    .map(({ id, value }) => ({ role: "tool", toolCallId: id, content: typeof value === "string" ? value : stringifyJson(value) }));
  const said = message === undefined ? [] : [{ role: "user", content: message }];
  const answer = answers.find((answer) => answer.kind === "approval");
  const resume = answer && { interruptId: answer.id, payload: stringifyJson({ approved: answer.approved, value: answer.value }) };
  const body = stringifyJson({ conversationId, messages: [...results, ...said], tools, ...(resume && { resume }) });
  const headers = { "content-type": "application/json" };
  // Calls of other tools are the server's to answer.
  return read(fetch("/send-message", { method: "POST", headers, body, signal }), { signal, clientTools: tools.map(({ name }) => name) });
}
