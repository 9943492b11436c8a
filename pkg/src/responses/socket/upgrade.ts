// The upgrade of a request to a WebSocket, where the platform does it.

import type { ServerSocket } from "./serve.js";

/** A socket, and the response that opens it. */
export interface Upgrade {
  readonly socket: ServerSocket;
  readonly response: Response;
}

/** Upgrades a request: on Workers and in Deno. Elsewhere the server does it, and the result is undefined. */
export function upgraded(http: Request): Upgrade | undefined {
  const { WebSocketPair, Deno } = globalThis as {
    WebSocketPair?: new () => {
      readonly 0: unknown;
      readonly 1: ServerSocket & { accept(): void };
    };
    Deno?: { upgradeWebSocket?(request: Request): Upgrade };
  };
  if (WebSocketPair !== undefined) {
    const { 0: client, 1: socket } = new WebSocketPair();
    socket.accept();
    return {
      socket,
      response: new Response(null, { status: 101, webSocket: client } as ResponseInit),
    };
  }
  return Deno?.upgradeWebSocket?.(http);
}
