// The adapter of the AI SDK.

import type { AiSdkRequest, Json } from "../agentwire.js";
import { jsonText } from "../core/json.js";
import { toolkit } from "../core/wasm.js";
import { accepted } from "../http/request.js";
import { asAgentRequest } from "../convert/request.js";
import { type Adapter, type AdapterDefinition, defineAdapter } from "../server/adapter.js";
import { REQUESTS } from "./request.js";

/**
 * Creates an adapter that serves `useChat` of the AI SDK. The path is `/api/chat` by default, as in
 * `DefaultChatTransport`.
 *
 * `GET {path}/{id}/stream` requests the running answer of a chat. Without a store the response has
 * status 204: nothing is running.
 */
export function aiSdkAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  const requests = new WeakMap<Request, AiSdkRequest>();
  const adapter = defineAdapter({
    path: "/api/chat",
    protocol: "ai-sdk",
    convertRequest(body, http) {
      const request = REQUESTS.parse(body);
      requests.set(http, request);
      return asAgentRequest("ai-sdk", request);
    },
    ...definition,
    options(request, http) {
      const own = requests.get(http);
      // The answer continues a message of the client, which has its id.
      return { ...(own && echoOf(own)), ...definition.options?.(request, http) };
    },
  });
  const resumes = (pathname: string): boolean =>
    pathname.startsWith(`${adapter.path}/`) && pathname.endsWith("/stream");
  return {
    ...adapter,
    handles: (pathname) => resumes(pathname) || adapter.handles?.(pathname) === true,
    async answer(http, agent, options) {
      const isResumed = http.method === "GET" && resumes(new URL(http.url).pathname);
      return isResumed ? new Response(null, { status: 204 }) : adapter.answer(http, agent, options);
    },
  };
}

/** Returns the option `echo` for the answer to a request. */
function echoOf(request: AiSdkRequest): { readonly echo?: { readonly [key: string]: Json } } {
  const [echo] = accepted(toolkit().call("uiRequestEcho", jsonText(request))) as [
    { [key: string]: Json } | null,
  ];
  return echo === null ? {} : { echo };
}
