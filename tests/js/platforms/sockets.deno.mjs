// Responses over WebSocket in Deno.
import { handler } from "../support/socket_handler.mjs";

globalThis.Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.error(`listening on http://127.0.0.1:${port}`),
  handler: (request) => handler(request),
});
