// Servers on loopback.
import { createServer, request as forwarded } from "node:http";

/** Starts a server at a free port. */
export async function listen(handle) {
  const server = createServer((request, response) => {
    Promise.resolve(handle(request, response)).catch((error) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error?.stack ?? error));
    });
  });
  await new Promise((resolve, reject) =>
    server.listen(0, "127.0.0.1", resolve).on("error", reject),
  );
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

export async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export function sendJson(response, status, value) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

/**
 * Sends events: objects, or texts as they are. With `named`, each has an `event` line with its
 * type.
 */
export function sendEvents(response, events, named = false) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    const data = typeof event === "string" ? event : JSON.stringify(event);
    response.write(`${named ? `event: ${event.type}\n` : ""}data: ${data}\n\n`);
  }
  response.end();
}

/**
 * Starts a server in front of another one that records requests and answers, and passes everything
 * on with the host that the client named.
 */
export async function tap(target) {
  const recorded = [];
  const { hostname, port } = new URL(target);
  const server = await listen(async (request, response) => {
    const body = await textOf(request);
    const record = { path: request.url, body, answer: "" };
    if (request.method === "POST") recorded.push(record);
    await new Promise((resolve, reject) => {
      const { url: path, method, headers } = request;
      const passed = forwarded({ hostname, port, path, method, headers }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        response.flushHeaders();
        answer.on("data", (chunk) => (record.answer += chunk));
        answer.on("error", reject).on("end", resolve);
        answer.pipe(response);
      });
      passed.on("error", reject).end(body);
      // A client can leave a stream that has no end.
      response.on("close", () => {
        passed.destroy();
        resolve();
      });
    });
  });
  return { ...server, recorded };
}
