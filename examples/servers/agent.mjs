// The agent of all these servers, and the adapters of its protocols. The agent itself is
// independent of the protocol.
import {
  a2aAdapter,
  agentApiAdapter,
  agKitAdapter,
  agUiAdapter,
  aiSdkAdapter,
  responsesAdapter,
} from "agentwire/server";

/**
 * Remove the protocols that you do not need. A2A tasks are kept in memory: use one process; they
 * are lost when it ends.
 */
export const adapters = [
  agentApiAdapter(), // POST /process
  agKitAdapter(), // POST /send-message
  agUiAdapter(), // POST /ag-ui
  responsesAdapter(), // POST /v1/responses
  aiSdkAdapter(), // POST /api/chat
  a2aAdapter({ name: "Echo", description: "Says what it was asked." }), // /a2a, and the agent card below /.well-known
];

/** Repeats the user's text, word by word. Put your model here. */
export async function agent(out, request, { id }) {
  const asked = request.text || "nothing";
  await out.state({ asked, request: id });
  for (const token of ["You asked: ", ...asked.split(/(?<= )/)]) {
    await out.text(token); // waits while the client is slow; rejects when the client disconnects, which also aborts `out.signal`
  }
}

/** Logs errors whose details are not sent to clients. The client receives only the `id`. */
export function onError(error, { id }) {
  console.error(`request ${id}:`, error);
}
