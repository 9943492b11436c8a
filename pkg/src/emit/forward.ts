// Passes the stream of a model, or of another agent, on to the client of a run. The core reads it,
// and writes it for the client.

import type { Json } from "../agentwire.js";
import { knownOptions } from "../core/arguments.js";
import { AgentwireError, ConnectionError, isA, isAbort } from "../core/errors.js";
import { type JsonObject, isObject, textOf } from "../core/json.js";
import {
  type AgentwireSource,
  type Chunks,
  mustBeSource,
  mustSucceed,
  open,
} from "../read/body.js";
import { AgentError } from "./agent_error.js";
import { beginningOf } from "./beginning.js";
import type { AnswerOrigin, Forwarding, PassedCall } from "./forwarding.js";
import type { AgentWriter, ForwardOptions, Forwarded, ForwardedCall } from "./out.js";
import { counted, runLossesOf } from "./run_losses.js";

/** The run that a stream is written to. */
export interface ForwardingRun extends Pick<AgentWriter, "signal" | "incomplete" | "cancel"> {
  /** Starts passing an answer on. It is freed with the run. */
  forwarding(origin: AnswerOrigin): Forwarding;
  /** Sends output of the core. Resolves when the consumer has room for more. */
  passOn(output: () => Uint8Array<ArrayBuffer>): Promise<void>;
  /** Completes the open messages and contents that are not `parallel`. */
  settle(): void;
  addUsage(usage: JsonObject): void;
  /** Sets the result of the run, and the calls that wait for the client. */
  setOutcome(result: Json | undefined, pending: readonly string[] | undefined): void;
}

/** What is known about the responses of models. */
const ORIGINS = new WeakMap<object, AnswerOrigin>();

/**
 * Sets what is known about a response. It needs no detection then: a whole answer or an error may
 * not show its protocol.
 */
export function setOrigin(response: Response, origin: AnswerOrigin): void {
  ORIGINS.set(response, origin);
}

/** Forwards a stream. */
export async function forward(
  run: ForwardingRun,
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  options: ForwardOptions = {},
): Promise<Forwarded> {
  knownOptions("forward()", options, ["protocol", "onChunk"]);
  const ready = await arrived(run, source);
  const origin: AnswerOrigin = ORIGINS.get(ready) ?? { protocol: "auto" };
  const chunks = open(ready);
  const leave = (): void => chunks.cancel(run.signal.reason);
  run.signal.addEventListener("abort", leave, { once: true });
  try {
    run.signal.throwIfAborted();
    const forwarding = run.forwarding({ ...origin, protocol: options.protocol ?? origin.protocol });
    run.settle();
    await passedOn(run, chunks, forwarding, options.onChunk);
    return await ended(run, forwarding);
  } catch (error) {
    chunks.cancel(error);
    throw error;
  } finally {
    run.signal.removeEventListener("abort", leave);
  }
}

/**
 * Resolves to a source. The status of a refused request can still become that of the response of
 * this run.
 */
async function arrived(
  run: ForwardingRun,
  source: AgentwireSource | PromiseLike<AgentwireSource>,
): Promise<AgentwireSource> {
  const wait = async (): Promise<AgentwireSource> => {
    const ready = await source;
    mustBeSource(ready);
    if ("ok" in ready) {
      await mustSucceed(ready);
    }
    return ready;
  };
  return beginningOf(run.signal)?.during(wait) ?? wait();
}

async function passedOn(
  run: ForwardingRun,
  chunks: Chunks,
  forwarding: Forwarding,
  onChunk: ForwardOptions["onChunk"],
): Promise<void> {
  for (;;) {
    const { done, value } = await chunks.next().catch(async (cause: unknown) => {
      // Ends what is open after the connection was lost.
      await run.passOn(() => forwarding.finish(true));
      throw isA(cause, AgentwireError) || isAbort(cause)
        ? cause
        : new ConnectionError(cause, undefined);
    });
    run.signal.throwIfAborted();
    if (done === true) {
      break;
    }
    onChunk?.(value);
    await run.passOn(() => forwarding.push(value));
  }
  chunks.release();
  await run.passOn(() => forwarding.finish(false));
  const refusal = forwarding.from === undefined ? chunks.unrecognized?.() : undefined;
  if (refusal !== undefined) {
    throw refusal;
  }
}

/** Ends the run as the stream has ended, unless it is completed. */
async function ended(run: ForwardingRun, forwarding: Forwarding): Promise<Forwarded> {
  const { status, reason, error, result, pending, usage, model, text, calls, questions, losses } =
    forwarding.end;
  runLossesOf(run.signal)?.add(counted(losses));
  if (usage !== undefined) {
    run.addUsage(usage);
  }
  if (status === "failed" || status === "rejected") {
    throw new AgentError(error?.code ?? "MODEL_FAILED", error?.message ?? "the model failed");
  }
  run.setOutcome(result, pending);
  const toolCalls = calls.map((call, at) => new ForwardedCallHandle(run, forwarding, call, at));
  const protocol = forwarding.from ?? "auto";
  const forwarded = { protocol, reason, model, text, toolCalls, usage, losses };
  if (questions > 0) {
    await run.incomplete("interrupt");
    return { ...forwarded, status: "interrupted" };
  }
  switch (status) {
    case "completed":
      return { ...forwarded, status: "completed" };
    case "canceled":
      await run.cancel();
      return { ...forwarded, status: "canceled" };
    default:
      await run.incomplete(reason);
      return { ...forwarded, status: "incomplete" };
  }
}

/** Returns the calls of an answer that wait for a result of the client's side, in order. */
export function waitingCalls({ toolCalls }: Forwarded): ForwardedCall[] {
  return toolCalls.filter((call) => isA(call, ForwardedCallHandle) && call.waits);
}

class ForwardedCallHandle implements ForwardedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Whether it waits for a result of the client's side. */
  readonly waits: boolean;
  readonly #run: ForwardingRun;
  readonly #forwarding: Forwarding;
  readonly #at: number;
  #isAnswered: boolean;

  constructor(
    run: ForwardingRun,
    forwarding: Forwarding,
    { id, name, arguments: text, answered, waits }: PassedCall,
    at: number,
  ) {
    this.id = id;
    this.name = name;
    this.arguments = text;
    this.waits = waits;
    this.#run = run;
    this.#forwarding = forwarding;
    this.#at = at;
    this.#isAnswered = answered;
  }

  get answered(): boolean {
    return this.#isAnswered;
  }

  result(output: Json): Promise<void> {
    this.#isAnswered = true;
    return this.#run.passOn(() => this.#forwarding.result(this.#at, textOf(output)));
  }
}

/** Returns the sum of two usages: numbers are added, at any depth. */
export function addedUsage(one: JsonObject | undefined, other: JsonObject): JsonObject {
  const sum: { [name: string]: JsonObject[string] } = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = sum[name];
    if (typeof value === "number" && typeof before === "number") {
      sum[name] = before + value;
    } else {
      sum[name] = isObject(value) && isObject(before) ? (addedUsage(before, value) as Json) : value;
    }
  }
  return sum;
}
