// A conversion proxy for any runtime with a fetch handler: AG-UI at /ag-ui, in front of an agent
// with the Agent API.
import { convert, convertRequest, RequestError } from "agentwire";
import { parseRequest, readBody, sseHeaders, withCors } from "agentwire/server";

/**
 * Creates a handler in front of the agent at this address. `log` receives the losses of the
 * conversion.
 */
export const proxy = (upstream, log = console.warn) =>
  withCors(async (request) => {
    if (request.method !== "POST" || new URL(request.url).pathname !== "/ag-ui") {
      return new Response("there is nothing here\n", { status: 404 });
    }
    let asked;
    try {
      asked = convertRequest(parseRequest("ag-ui", await readBody(request)), {
        from: "ag-ui",
        to: "agent-api",
      });
    } catch (error) {
      return error instanceof RequestError
        ? error.toResponse()
        : new Response(null, { status: 500 });
    }
    const { id, session_id: sessionId } = asked.request;
    const answer = await fetch(upstream, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify(asked.request),
      signal: request.signal, // stops the agent when the client disconnects
    }).catch(() => undefined);
    if (!answer?.ok || answer.body === null) {
      return Response.json({ detail: "the agent does not answer" }, { status: 502 });
    }
    // The run and the thread keep the client's ids.
    const conversion = convert({
      from: "agent-api",
      to: "ag-ui",
      responseId: id ?? undefined,
      sessionId: sessionId ?? undefined,
    });
    conversion.done.then(({ losses }) =>
      [...asked.losses, ...losses].forEach(({ kind, location, reason }) =>
        log(kind, location, reason),
      ),
    );
    return new Response(answer.body.pipeThrough(conversion), { headers: sseHeaders() });
  });
