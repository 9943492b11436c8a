// A conversion proxy, in any runtime with a fetch handler: AG-UI at /ag-ui, in front of an agent that speaks the Agent API.
import { convert, convertRequest, RequestError } from "agentwire";
import { parseRequest, readBody, sseHeaders, withCors } from "agentwire/server";

/** A handler in front of the agent at this address. `log` is told what the client could not be told. */
export const proxy = (upstream, log = console.warn) =>
  withCors(async (request) => {
    if (request.method !== "POST" || new URL(request.url).pathname !== "/ag-ui") {
      return new Response("there is nothing here\n", { status: 404 });
    }
    let asked;
    try {
      asked = convertRequest(parseRequest("ag-ui", await readBody(request)), { from: "ag-ui", to: "agent-api" });
    } catch (error) {
      return error instanceof RequestError ? error.toResponse() : new Response(null, { status: 500 });
    }
    const { id, session_id: sessionId } = asked.request;
    const answer = await fetch(upstream, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify(asked.request),
      signal: request.signal, // a client that leaves stops the agent
    }).catch(() => undefined);
    if (!answer?.ok || answer.body === null) {
      return Response.json({ detail: "the agent does not answer" }, { status: 502 });
    }
    // The run and the thread keep the client's names.
    const conversion = convert({ from: "agent-api", to: "ag-ui", responseId: id ?? undefined, sessionId: sessionId ?? undefined });
    conversion.done.then(({ losses }) => [...asked.losses, ...losses].forEach(({ what, location, why }) => log(what, location, why)));
    return new Response(answer.body.pipeThrough(conversion), { headers: sseHeaders() });
  });
