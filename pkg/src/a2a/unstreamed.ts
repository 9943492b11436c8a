// Agents of A2A that do not stream (`capabilities.streaming` of their card is optional): the
// message is sent again without a stream, and its task is read until it ends. Its changes are
// written as the events of a stream.

import type { A2aTask, Json } from "../agentwire.js";
import { type JsonObject, isObject, jsonText, parseJson } from "../core/json.js";
import { AgentwireError, HttpError, isAbort } from "../core/errors.js";
import { pause } from "../core/timers.js";
import { open } from "../read/body.js";

/** Sends a call of JSON-RPC. */
export type RpcSender = (method: "SendMessage" | "GetTask", params: object) => Promise<Response>;

/**
 * The codes with which a server refuses to stream: an operation that it does not support, and a
 * method that it does not have.
 */
const NO_STREAM: readonly unknown[] = [-32004, -32601];
/** The milliseconds before a task is read for the first time, and the most between two times. */
const FIRST = 500;
const LONGEST = 5000;
/** The times in a row that a task cannot be read before the stream fails. */
const FAILURES = 3;
/** The first event with data of one line, as all servers write it. */
const FIRST_EVENT = /^data:(.*)\r?\n/m;
/**
 * The bytes of the start of a response that are looked at, and the most of a whole response, which
 * is the limit of an event.
 */
const START = 16 * 1024;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Returns the response of an agent as a stream. If the agent has refused to stream, `params` are
 * sent without a stream.
 *
 * @param signal ends the reading of the task
 */
export async function answered(
  response: Response,
  params: object,
  send: RpcSender,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { isRefused, same } = await lookedAt(response);
  if (!isRefused) {
    return same;
  }
  const sent = await send("SendMessage", params);
  if (!sent.ok) {
    return sent;
  }
  const text = await textOf(sent);
  const reply = parsed(text);
  if (reply === undefined) {
    return new Response(text, { headers: sent.headers });
  }
  const events = eventsOf(text, reply, send, signal);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done === true) {
        controller.close();
      } else {
        controller.enqueue(encoder.encode(value));
      }
    },
    cancel: () => void events.return(undefined).catch(() => {}),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/**
 * Returns whether a response refuses to stream, and the response with the bytes that were read for
 * it.
 */
async function lookedAt(
  response: Response,
): Promise<{ readonly isRefused: boolean; readonly same: Response }> {
  if (response.body === null) {
    return { isRefused: false, same: response };
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const chunks: Uint8Array[] = [];
  let text = "";
  let isOver = false;
  // A refusal is a JSON body, or the first event of a stream.
  while (!isOver && text.length < START && !FIRST_EVENT.test(text)) {
    const { done, value } = await reader.read();
    isOver = done;
    if (value !== undefined) {
      chunks.push(value);
      text += decoder.decode(value, { stream: true });
    }
  }
  const [, event] = FIRST_EVENT.exec(text) ?? [];
  const error = parsed(event ?? text)?.["error"];
  if (isObject(error) && NO_STREAM.includes(error["code"])) {
    void reader.cancel().catch(() => {});
    return { isRefused: true, same: response };
  }
  const { status, statusText, headers } = response;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = chunks.shift() ?? (await reader.read()).value;
        if (next === undefined) {
          controller.close();
        } else {
          controller.enqueue(next);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { isRefused: false, same: new Response(body, { status, statusText, headers }) };
}

/**
 * Yields the reply to a message as an event, and then the changes of its task until it ends or
 * waits.
 */
async function* eventsOf(
  text: string,
  reply: JsonObject,
  send: RpcSender,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, undefined> {
  yield eventOf(text);
  const { id = null, result } = reply;
  let task = taskIn(result);
  const isOld = isObject(result) && "kind" in result;
  let failures = 0;
  for (
    let wait = FIRST;
    task?.id !== undefined && works(task);
    wait = Math.min(wait * 1.5, LONGEST)
  ) {
    await pause(wait, signal);
    signal?.throwIfAborted();
    let current: A2aTask | undefined;
    try {
      const read = await readTask(task.id, send);
      current = taskIn(read["result"]);
      if (current === undefined) {
        // An error.
        yield eventOf(jsonText({ ...read, id }));
        return undefined;
      }
      failures = 0;
    } catch (error) {
      if (isAbort(error) || ++failures === FAILURES) {
        throw error;
      }
      continue;
    }
    for (const change of changesOf(task, current, isOld)) {
      yield eventOf(jsonText({ jsonrpc: "2.0", id, result: change }));
    }
    task = current;
  }
  return undefined;
}

/** Returns the reply to the reading of a task. */
async function readTask(id: string, send: RpcSender): Promise<JsonObject> {
  const response = await send("GetTask", { id });
  const text = await textOf(response);
  const reply = parsed(text);
  if (response.ok && reply !== undefined) {
    return reply;
  }
  throw new HttpError(response.status, response.headers, text.slice(0, START), response.url);
}

/** Returns the events that lead from a task to its current state. */
function changesOf(
  before: A2aTask,
  { id, contextId, artifacts = [], status }: A2aTask,
  isOld: boolean,
): object[] {
  const place = { taskId: id, contextId: contextId ?? "" };
  const known = new Set(before.artifacts?.map((artifact) => jsonText(artifact)));
  const news = artifacts
    .filter((artifact) => !known.has(jsonText(artifact)))
    .map((artifact) => ({ ...place, artifact, lastChunk: true }));
  const changes: object[] = news.map((update) =>
    isOld ? { kind: "artifact-update", ...update } : { artifactUpdate: update },
  );
  if (status !== undefined && jsonText(status) !== jsonText(before.status ?? {})) {
    const update = { ...place, status };
    changes.push(
      isOld
        ? { kind: "status-update", final: !works({ status }), ...update }
        : { statusUpdate: update },
    );
  }
  return changes;
}

/** Returns a text as the event of a stream. */
function eventOf(text: string): string {
  return `${text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}`)
    .join("\n")}\n\n`;
}

/**
 * Returns whether a task continues without another message. Version 0.3 has the states in lower
 * case.
 */
function works({ status }: Pick<A2aTask, "status">): boolean {
  return /^(TASK_STATE_)?(SUBMITTED|WORKING)$/i.test(status?.state ?? "");
}

/**
 * Returns the task in a result: a member of it, or, of a task that was read and in version 0.3, the
 * result itself.
 */
function taskIn(result: Json | undefined): A2aTask | undefined {
  const task = isObject(result) ? (result["task"] ?? result) : undefined;
  return isObject(task) && typeof task["id"] === "string" && isObject(task["status"])
    ? (task as unknown as A2aTask)
    : undefined;
}

/** Returns the object in a JSON text; undefined for any other text. */
function parsed(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the body of a response. */
async function textOf({ body }: Response): Promise<string> {
  if (body === null) {
    return "";
  }
  const chunks = open(body);
  const decoder = new TextDecoder();
  let text = "";
  for (let length = 0; ; ) {
    const { done, value } = await chunks.next();
    if (done === true) {
      return text + decoder.decode();
    }
    length += value.length;
    if (length > MAX_ANSWER_BYTES) {
      chunks.cancel("the body is too long");
      throw new AgentwireError(
        "too-large",
        `the answer of the agent has more than ${MAX_ANSWER_BYTES} bytes`,
      );
    }
    text += decoder.decode(value, { stream: true });
  }
}
