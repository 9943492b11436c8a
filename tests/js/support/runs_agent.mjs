// The agent and the users of the runs services that tests start, on any store. It runs in Node and
// in the edge runtime.

import { runsAdapter } from "agentwire/runs/server";
import { createHandler } from "agentwire/server";

/** The text of a message. */
const textOf = ({ content = [] }) => content.map(({ text = "" }) => text).join("");
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs the command in the last message of the user: `count N MS` sends N numbers, one each MS
 * milliseconds, or all together; `recall` repeats the earlier messages of the user; `who` names the
 * user; `history` sends the received messages and the user as JSON; `say`, with a text, the id of
 * its message and the id of a tool call as a JSON list, sends them; `fail` throws; `hang` never
 * continues.
 */
export async function agent(out, request, { user, env }) {
  const { input } = request.toJSON();
  const isText = ({ type = "message" }) => type === "message";
  const texts = input.filter((message) => message.role === "user" && isText(message)).map(textOf);
  const [command, count = "3", ms = "0"] = texts.at(-1).split(" ");
  if (command === "fail") throw new Error("a secret of the agent");
  if (command === "hang") await new Promise(() => {});
  if (command === "say") {
    const [delta, messageId, toolCallId] = JSON.parse(texts.at(-1).slice(4));
    const events = [
      { type: "RUN_STARTED", threadId: "t", runId: "r" },
      { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
      { type: "TEXT_MESSAGE_CONTENT", messageId, delta },
      { type: "TEXT_MESSAGE_END", messageId },
      {
        type: "TOOL_CALL_START",
        toolCallId,
        toolCallName: delta,
        parentMessageId: messageId,
      },
      { type: "TOOL_CALL_END", toolCallId },
      { type: "RUN_FINISHED", threadId: "t", runId: "r" },
    ];
    const stream = new Blob(events.map((event) => `data: ${JSON.stringify(event)}\n\n`)).stream();
    return void (await out.forward(stream, { protocol: "ag-ui" }));
  }
  const text = out.message().text();
  const words = {
    recall: () => [`${texts.slice(0, -1).join("|")}`],
    history: () => [JSON.stringify({ user, history: input })],
    who: () => [`${user} ${env?.name ?? ""}`.trim()],
    count: () => Array.from({ length: Number(count) }, (_, at) => `${at + 1} `),
  }[command]();
  for (const delta of words) {
    if (ms !== "0") await pause(Number(ms));
    if (out.signal.aborted) return;
    await text.delta(delta);
  }
}

/**
 * The user is the token up to a dot, so that a user can have several tokens, or any name: JSON in
 * the header `x-user`.
 */
export function authenticate({ headers }) {
  if (headers.has("x-user")) return JSON.parse(decodeURIComponent(headers.get("x-user")));
  return /^Bearer (\w+)/.exec(headers.get("authorization") ?? "")?.[1];
}

/** The limits of the runs endpoints. The others are those of the handler. */
const ENDPOINT_LIMITS = ["bodyBytes", "bodyMs", "fileBytes", "uploads", "userUploads"];

/**
 * Returns the options of a handler with the runs endpoints: `blobs`, `secret`, `transcribe` and
 * `path` are those of the endpoints.
 */
export function runsOptions({
  blobs,
  secret = "a secret for addresses",
  transcribe,
  path,
  limits = {},
  adapters = [],
  ...options
}) {
  const of = (isOfEndpoints) =>
    Object.fromEntries(
      Object.entries(limits).filter(([name]) => ENDPOINT_LIMITS.includes(name) === isOfEndpoints),
    );
  const runs = runsAdapter({ blobs, secret, transcribe, path, limits: of(true) });
  return {
    agent,
    authenticate,
    onError: () => {},
    ...options,
    adapters: [runs, ...adapters],
    limits: of(false),
  };
}

/** Returns a handler with the runs endpoints. */
export const runsService = (options) => createHandler(runsOptions(options));
