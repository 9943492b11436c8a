// The adapter of the AI SDK.

import { asAgentRequest } from "../convert/request.js";
import { type Adapter, type AdapterDefinition, defineAdapter } from "../server/adapter.js";
import { REQUESTS } from "./request.js";

/**
 * Creates an adapter that serves `useChat` of the AI SDK. The path is `/api/chat` by default, as in `DefaultChatTransport`.
 *
 * `GET {path}/{id}/stream` requests a stream to resume. The response is status 204, which means that no stream is stored.
 */
export function aiSdkAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  const adapter = defineAdapter({
    path: "/api/chat",
    protocol: "ai-sdk",
    convertRequest: (body) => asAgentRequest("ai-sdk", REQUESTS.parse(body)),
    ...definition,
  });
  const resumes = (pathname: string): boolean => pathname.startsWith(`${adapter.path}/`) && pathname.endsWith("/stream");
  return {
    ...adapter,
    handles: (pathname) => resumes(pathname) || adapter.handles?.(pathname) === true,
    async answer(http, agent, options) {
      const isResumed = http.method === "GET" && resumes(new URL(http.url).pathname);
      return isResumed ? new Response(null, { status: 204 }) : adapter.answer(http, agent, options);
    },
  };
}
