// Conversations whose clients send only their new messages: each is a thread, and each answer is one
// of its runs.

import type { WhileRunning } from "../../server/service.js";
import { runsRefusal } from "../service.js";
import { lossesIn, outcomeIn } from "./answer_log.js";
import {
  type AnswerRequest,
  type AnswerService,
  IDLE,
  MAX_STORED_REQUEST_BYTES,
  STREAM_HEADERS,
  checkKey,
  inputOf,
  lossHeader,
  missing,
  refusalIn,
} from "./answer_service.js";
import { created } from "./while_running.js";
import { hashOf } from "./signing.js";

const encoder = new TextEncoder();

/** How an answer is started. */
interface StartOptions {
  /** What happens while another answer is being written. */
  readonly whileRunning: WhileRunning | undefined;
  /** The frames of an answer without an agent. */
  readonly frames?: readonly string[] | undefined;
}

/** The conversations of a service. */
export class StoredConversations<Env> {
  readonly #answers: AnswerService<Env>;
  /** The answers that are being stopped because their client has left, by their conversations. */
  readonly #stopping = new Map<string, Promise<unknown>>();

  constructor(answers: AnswerService<Env>) {
    this.#answers = answers;
  }

  /**
   * Answers a message in its conversation; returns only the body that was read for a request
   * without one.
   */
  async answer(
    asked: AnswerRequest<Env>,
    isResumable: boolean,
  ): Promise<{ readonly response: Response } | { readonly body: string }> {
    const { request, user, adapter, options } = asked;
    const body = options.body ?? (await adapter!.readBody!(request, options));
    const id = adapter!.conversation!(body, request);
    const name = id === undefined ? undefined : await this.#answers.conversationOf(user, id);
    return name === undefined
      ? { body }
      : { response: await this.#answer(asked, body, name, isResumable) };
  }

  async #answer(
    asked: AnswerRequest<Env>,
    body: string,
    name: string,
    isResumable: boolean,
  ): Promise<Response> {
    const { whileRunning } = this.#answers.host;
    const started = await this.start(asked, body, name, { whileRunning });
    if (started instanceof Response) {
      return started;
    }
    const { runId, losses } = started;
    return isResumable
      ? this.#answers.frames(asked, name, runId, { losses, turn: runId })
      : this.#events(asked, name, runId, losses);
  }

  /**
   * Starts the answer to a message, or stores one with these frames, and waits for its first event;
   * returns the response if it has none.
   */
  async start(
    asked: AnswerRequest<Env>,
    body: string,
    name: string,
    { whileRunning, frames }: StartOptions,
  ): Promise<Response | { readonly runId: string; readonly losses: string | undefined }> {
    await this.#answers.admit(asked);
    const { request, user, pathname } = asked;
    checkKey(asked);
    const { threads } = this.#answers;
    const runId = await this.#answers.idOf(asked);
    const input = inputOf(request, {
      ...{ body, runId, requestId: asked.requestId },
      conversation: name,
      frames,
    });
    const { length } = encoder.encode(input);
    if (length > MAX_STORED_REQUEST_BYTES) {
      throw runsRefusal(
        "AGENT_BODY_TOO_LARGE",
        `a message to a conversation has ${MAX_STORED_REQUEST_BYTES} bytes at most`,
      );
    }
    const hash = await hashOf(`${pathname}\n${body}`);
    // The client has left: its next message is not refused because of that.
    await this.#stopping.get(name);
    const run = { owner: user, base: "", input, hash, key: null };
    const started = await created(threads, name, run, whileRunning, request.signal);
    if ("refused" in started) {
      return this.#answers.refuse(asked, started, body);
    }
    const first = await threads.call(name, "entries", user, runId, "first");
    if ("refused" in first) {
      return this.#answers.refuse(asked, missing(first), body);
    }
    const { data } = first.entries[0]!;
    const outcome = outcomeIn(data);
    if (outcome !== undefined) {
      return this.#answers.responseOf(asked, outcome, body);
    }
    return { runId, losses: lossesIn(data) };
  }

  /** Returns the events of an answer. Its agent is stopped when its client leaves. */
  async #events(
    asked: AnswerRequest<Env>,
    name: string,
    runId: string,
    losses: string | undefined,
  ): Promise<Response> {
    const { request, user } = asked;
    const { threads } = this.#answers;
    const followed = { owner: user, runId, cursor: null, after: 0, idleLimit: IDLE };
    const response = await threads.events(name, followed, request.signal);
    if (response.status >= 400) {
      return this.#answers.refuse(asked, missing(await refusalIn(response)));
    }
    const stop = (): void => {
      const stopped = threads
        .call(name, "cancel", user, runId)
        .then(() => threads.call(name, "entries", user, runId, "end"))
        .catch(() => {})
        .finally(() => this.#stopping.delete(name));
      this.#stopping.set(name, stopped);
    };
    return new Response(response.body && watched(response.body, request.signal, stop), {
      headers: { ...STREAM_HEADERS, ...lossHeader(losses) },
    });
  }
}

/** Returns a stream with the same bytes. Calls `left` once if its reader leaves before the end. */
function watched(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  left: () => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let isOver = false;
  const end = (): boolean => {
    const wasOver = isOver;
    isOver = true;
    signal.removeEventListener("abort", leave);
    return !wasOver;
  };
  const leave = (): void => {
    if (end()) {
      left();
    }
  };
  signal.addEventListener("abort", leave, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          end();
          controller.close();
        } else {
          controller.enqueue(value);
        }
      },
      cancel(reason) {
        leave();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
