// The agent that all these servers run, and the protocols that it is asked in. It knows none of them: it is asked, and writes.
import { a2aAdapter, agentApiAdapter, agKitAdapter, agUiAdapter, responsesAdapter, userText } from "agentwire/server";

/** Leave out what nobody asks you in. Tasks of A2A are kept in memory: one process, until it ends. */
export const adapters = [
  agentApiAdapter(), // POST /process
  agKitAdapter(), // POST /send-message
  agUiAdapter(), // POST /ag-ui
  responsesAdapter(), // POST /v1/responses
  a2aAdapter({ name: "Echo", description: "Says what it was asked." }), // /a2a, and its card below /.well-known
];

/** Says what it was asked, piece by piece. Put your model here. */
export async function agent(out, request, { id }) {
  const asked = userText(request) || "nothing";
  await out.state({ asked, request: id });
  const text = out.message().text();
  for (const token of ["You asked: ", ...asked.split(/(?<= )/)]) {
    await text.delta(token); // waits while the client is slow; rejects when it has gone, and so does `out.signal`
  }
}

/** Where errors go that clients are not told: your log. `id` is what the client was told. */
export function onError(error, { id }) {
  console.error(`request ${id}:`, error);
}
