// Answering a request with a stream.

import type { ErrorInfo } from "../agentwire.js";
import { Converter } from "../adapt/converter.js";
import type { CustomProtocol } from "../adapt/protocol.js";
import type { Protocol } from "../outcome.js";
import { Emission } from "./emission.js";
import { sseHeaders } from "./headers.js";
import type { BuilderOptions } from "./options.js";
import type { Out } from "./out.js";
import { ResponseBuilder } from "./response_builder.js";

/** How a run is written. Everything is optional. */
export interface EmitOptions extends BuilderOptions {
  /**
   * What is written: `agent-api` by default. The agent writes the same way whatever it is; what another protocol has no
   * place for is left out.
   */
  readonly protocol?: Protocol | CustomProtocol | undefined;
  /** Milliseconds of silence before a comment says that the connection is alive: 15,000 by default, 0 for never. */
  readonly heartbeat?: number | undefined;
  /** Headers besides those of {@link sseHeaders}, or in their place. */
  readonly headers?: HeadersInit | undefined;
  /**
   * Hears what the agent throws, unless the client had left before. What it returns is told to the client; by default
   * that is the error's `message` and its `code`, or `AGENT_UNKNOWN_ERROR`.
   */
  readonly onError?: ((error: unknown) => ErrorInfo | undefined | void) | undefined;
}

/**
 * Runs an agent and streams what it writes.
 *
 * ```js
 * return emit(request, { sessionId }, async (out) => {
 *   const text = out.message().text();
 *   for await (const token of model(out.signal)) await text.delta(token);
 * });
 * ```
 *
 * The stream is legal whatever the agent does: what is open is completed when it returns, and if it throws, the run
 * ends as failed. When the request is aborted, when the client cancels the stream, or when it cannot be written to
 * any more, `out.signal` aborts; the run ends as canceled if that can still be told. (Cloudflare's runtime tells a
 * worker that its client has gone only with the compatibility flag `enable_request_signal`.)
 *
 * @param request what is answered; only its `signal` is used
 */
export function emit(
  request: { readonly signal?: AbortSignal | null | undefined },
  options: EmitOptions,
  agent: (out: Out) => unknown,
): Response {
  const { protocol = "agent-api", heartbeat = 15_000, headers } = options;
  const converter = protocol === "agent-api" ? undefined : new Converter({ ...options, from: "agent-api", to: protocol });
  const emission = new Emission(new ResponseBuilder(options), heartbeat, converter);
  void run(emission, agent, request.signal ?? undefined, options.onError);
  const all = new Headers(sseHeaders());
  if (typeof protocol === "object") {
    all.set("content-type", protocol.contentType);
  }
  new Headers(headers).forEach((value, name) => all.set(name, value));
  return new Response(emission.stream, { headers: all });
}

async function run(
  emission: Emission,
  agent: (out: Out) => unknown,
  signal: AbortSignal | undefined,
  onError: EmitOptions["onError"],
): Promise<void> {
  const stop = () => emission.stop(signal?.reason);
  signal?.addEventListener("abort", stop);
  try {
    if (signal?.aborted) {
      return stop();
    }
    await agent(emission);
    emission.finish("completed");
  } catch (error) {
    if (!emission.signal.aborted) {
      fail(emission, error, onError);
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    emission.free();
  }
}

function fail(emission: Emission, error: unknown, onError: EmitOptions["onError"]): void {
  let told: ErrorInfo | undefined;
  try {
    told = onError?.(error) ?? undefined;
  } finally {
    emission.finish("failed", told ?? errorInfo(error));
  }
}

function errorInfo(error: unknown): ErrorInfo {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return {
    code: typeof code === "string" && code !== "" ? code : "AGENT_UNKNOWN_ERROR",
    message: typeof message === "string" ? message : String(error),
  };
}
