// The agent and the users of the runs services that tests start, on any store. It runs in Node and
// in the edge runtime.

/** The text of a message. */
const textOf = ({ content }) =>
  typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs the command in the last message of the user: `count N MS` sends N numbers, one each MS
 * milliseconds, or all together; `recall` repeats the earlier messages of the user; `who` names the
 * user; `history` sends the received history and the user as JSON; `say`, with a text, the id of
 * its message and the id of a tool call as a JSON list, sends them; `fail` throws; `stop` ends
 * without a terminal event; `hang` never continues.
 */
export async function* agent({ threadId, runId }, { history, user, env, signal }) {
  const texts = history.filter(({ role }) => role === "user").map(textOf);
  const [command, count = "3", ms = "0"] = texts.at(-1).split(" ");
  yield { type: "RUN_STARTED", threadId, runId };
  if (command === "fail") throw new Error("a secret of the agent");
  if (command === "stop") return;
  if (command === "hang") await new Promise(() => {});
  if (command === "say") {
    const [delta, messageId, toolCallId] = JSON.parse(texts.at(-1).slice(4));
    yield { type: "TEXT_MESSAGE_START", messageId, role: "assistant" };
    yield { type: "TEXT_MESSAGE_CONTENT", messageId, delta };
    yield { type: "TEXT_MESSAGE_END", messageId };
    yield { type: "TOOL_CALL_START", toolCallId, toolCallName: delta, parentMessageId: messageId };
    yield { type: "TOOL_CALL_END", toolCallId };
    yield { type: "RUN_FINISHED", threadId, runId };
    return;
  }
  yield { type: "TEXT_MESSAGE_START", messageId: `m_${runId}`, role: "assistant" };
  const words = {
    recall: () => [`${texts.slice(0, -1).join("|")}`],
    history: () => [JSON.stringify({ user, history })],
    who: () => [`${user} ${env?.name ?? ""}`.trim()],
    count: () => Array.from({ length: Number(count) }, (_, at) => `${at + 1} `),
  }[command]();
  for (const delta of words) {
    if (ms !== "0") await pause(Number(ms));
    if (signal.aborted) return;
    yield { type: "TEXT_MESSAGE_CONTENT", messageId: `m_${runId}`, delta };
  }
  yield JSON.stringify({ type: "TEXT_MESSAGE_END", messageId: `m_${runId}` });
  yield { type: "RUN_FINISHED", threadId, runId };
}

/**
 * The user is the token up to a dot, so that a user can have several tokens, or any name: JSON in
 * the header `x-user`.
 */
export function authenticate({ headers }) {
  if (headers.has("x-user")) return JSON.parse(decodeURIComponent(headers.get("x-user")));
  return /^Bearer (\w+)/.exec(headers.get("authorization") ?? "")?.[1];
}

/** The options of a service that do not depend on the store. */
export const service = { agent, authenticate, secret: "a secret for addresses", onError: () => {} };
