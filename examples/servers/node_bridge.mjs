// Node's own requests and responses, and what the web has in their place.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Answers a request of node:http (or of Express) with a handler that takes a `Request` and gives a `Response`. A client that
 * leaves aborts the request's signal, and a slow one is waited for.
 */
export async function answer(handler, incoming, outgoing) {
  const left = new AbortController();
  outgoing.on("close", () => outgoing.writableFinished || left.abort(new Error("the client has gone")));
  try {
    const response = await handler(requestOf(incoming, left.signal));
    outgoing.statusCode = response.status;
    outgoing.setHeaders(response.headers); // each `set-cookie` by itself
    outgoing.flushHeaders();
    await (response.body === null ? outgoing.end() : pipeline(Readable.fromWeb(response.body), outgoing));
  } catch (error) {
    // A client that leaves is no error of the server's.
    if (!left.signal.aborted) {
      console.error(error);
      outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(500).end();
    }
  }
}

function requestOf(incoming, signal) {
  const { method, headers, headersDistinct } = incoming;
  const given = new Headers();
  for (const [name, values] of Object.entries(headersDistinct)) {
    values.forEach((value) => name.startsWith(":") || given.append(name, value));
  }
  const hasBody = method !== "GET" && method !== "HEAD";
  const url = new URL(incoming.originalUrl ?? incoming.url, `http://${headers.host ?? "localhost"}`);
  // `express.json()` before the agent has read the body: what it made of it is sent on.
  if (hasBody && incoming.readableEnded && incoming.body !== undefined) {
    const { body } = incoming;
    ["content-length", "content-encoding", "transfer-encoding"].forEach((name) => given.delete(name));
    return new Request(url, { method, headers: given, signal, body: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body) });
  }
  return new Request(url, { method, headers: given, signal, ...(hasBody && { body: Readable.toWeb(incoming), duplex: "half" }) });
}
