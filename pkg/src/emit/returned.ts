// The answer that an agent returns instead of writing it: a text, a stream, or an async iterable of
// texts or events.

import type { Json } from "../agentwire.js";
import { must } from "../core/errors.js";
import { stringifyJson } from "../core/json.js";
import { type AgentwireSource, type Chunks, chunksOf } from "../read/body.js";
import type { AgentWriter } from "./out.js";

/** The run of an agent that has returned. */
interface ReturnedRun extends Pick<AgentWriter, "signal" | "text" | "forward"> {
  /** Whether the client has disconnected. */
  readonly hasLeft: boolean;
  /** Whether the agent has written nothing. */
  readonly isEmpty: boolean;
}

const encoder = new TextEncoder();

/**
 * Writes the answer that an agent has returned. Ignores other values, such as the end of
 * a forwarded stream.
 *
 * @throws AgentwireError `value-returned` for an answer after one that was written, as a client
 * could receive it twice, and for an iterable with something else
 */
export async function writeReturned(run: ReturnedRun, returned: unknown): Promise<void> {
  const [kind, items] = answerIn(returned);
  if (kind === undefined) {
    return;
  }
  const cancel = (reason: unknown): void => {
    items?.cancel(reason);
    void (returned as Partial<Response>).body?.cancel(reason).catch(() => {});
  };
  if (run.hasLeft) {
    return cancel(run.signal.reason);
  }
  const stop = (): void => cancel(run.signal.reason);
  run.signal.addEventListener("abort", stop, { once: true });
  try {
    must(
      run.isEmpty,
      "value-returned",
      `the agent has written an answer, and then returned ${kind}: return the answer, or write all of it`,
    );
    if (items !== undefined) {
      await writeItems(run, items);
    } else if (typeof returned === "string") {
      await run.text(returned);
    } else {
      await run.forward(returned as Response);
    }
  } catch (error) {
    cancel(error);
    throw error;
  } finally {
    run.signal.removeEventListener("abort", stop);
  }
}

/** Returns the name of the kind of an answer, and its items; an empty list for other values. */
function answerIn(returned: unknown): [kind?: string, items?: Chunks<unknown>] {
  if (typeof returned === "string" && returned !== "") {
    return ["a text"];
  }
  if (typeof returned !== "object" || returned === null) {
    return [];
  }
  const has = (name: PropertyKey): boolean =>
    typeof (returned as Record<PropertyKey, unknown>)[name] === "function";
  if ("ok" in returned && "body" in returned) {
    return ["a response"];
  }
  must(
    !has("finished"),
    "value-returned",
    "the agent has returned what `read()` returns: return the response that it reads, or pass it on: `await out.forward(response)`",
  );
  if (has("getReader") || has(Symbol.asyncIterator)) {
    return ["a stream", chunksOf(returned as AsyncIterable<unknown>)];
  }
  // A list may be the results of what an agent has awaited.
  return has("next") && has(Symbol.iterator)
    ? ["a generator", chunksOf(resumed(returned as Iterable<unknown>))]
    : [];
}

async function* resumed(items: Iterable<unknown>): AsyncGenerator<unknown, void, undefined> {
  yield* items;
}

async function writeItems(run: ReturnedRun, items: Chunks<unknown>): Promise<void> {
  const first = await items.next();
  if (first.done === true) {
    items.release();
  } else if (typeof first.value === "string") {
    for (let item: IteratorResult<unknown> = first; item.done !== true; item = await items.next()) {
      must(
        typeof item.value === "string",
        "value-returned",
        "the agent has returned an iterable of texts with an item that is none",
      );
      await run.text(item.value);
    }
    items.release();
  } else {
    must(
      typeof first.value === "object" && first.value !== null,
      "value-returned",
      "the agent has returned an iterable of something else than texts, events or bytes",
    );
    await run.forward(bytesOf(first, items));
  }
}

/** Yields items as bytes; events become those of SSE. */
async function* bytesOf(
  first: IteratorResult<unknown>,
  items: Chunks<unknown>,
): AsyncGenerator<Uint8Array, void, undefined> & AgentwireSource {
  for (let item = first; item.done !== true; item = await items.next()) {
    yield ArrayBuffer.isView(item.value)
      ? (item.value as Uint8Array)
      : encoder.encode(`data: ${stringifyJson(item.value as Json)}\n\n`);
  }
  items.release();
}
