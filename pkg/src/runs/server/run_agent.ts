// The agent of a handler, as that of a run: it receives the messages of the thread, and its answer
// is stored as AG-UI events.

import type { Json } from "../../agentwire.js";
import { AG_UI } from "../../ag_ui/protocol.js";
import { agUiAdapter } from "../../ag_ui/adapter.js";
import { AgentwireError } from "../../core/errors.js";
import { stringifyJson } from "../../core/json.js";
import { AgentError, type OnError, errorInfoFor } from "../../emit/agent_error.js";
import { addWork, markStored } from "../../http/context.js";
import { eventsOf } from "../../read/events.js";
import type { ServiceHost } from "../../server/service.js";
import type { ThreadRun } from "./thread_options.js";

const adapter = /* @__PURE__ */ agUiAdapter();

/** Yields the events of a run as JSON. */
export async function* eventsOfRun<Env>(
  host: ServiceHost<Env>,
  { input, history, isCut, user, base }: ThreadRun,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const body = stringifyJson({ ...input, messages: history } as unknown as Json);
  const headers = { "content-type": "application/json" };
  const request = new Request(`${base}/runs`, { method: "POST", headers, body, signal });
  markStored(request, { isCut });
  const { env, onLosses, strict } = host;
  const response = await adapter.answer(request, host.agent, {
    ...{ env, onLosses, strict, body, user },
    onError: withCode(host.onError),
    ctx: { waitUntil: (work: Promise<unknown>): void => addWork(signal, work) },
  });
  if (!response.ok) {
    throw new AgentwireError(
      "wrong-argument",
      `the run was refused: ${(await response.text()).slice(0, 1000)}`,
    );
  }
  const events = eventsOf<"ag-ui">([AG_UI], response, { protocol: "ag-ui", signal });
  for await (const entry of events) {
    if (entry.kind === "event") {
      yield stringifyJson(entry.event as unknown as Json);
    }
  }
}

/** Returns an `onError` with the code of the endpoints for errors that clients do not receive. */
function withCode(onError: OnError | undefined): OnError {
  return (error, context) =>
    errorInfoFor(error, onError, "the agent has failed", context, "AGENT_FAILED").then(
      ({ code, message }) => new AgentError(code, message),
    );
}
