// Further exports of OpenAI Responses in `agentwire/server`.

export { responsesEcho } from "./adapter.js";
export {
  type ServerSocket,
  type SocketLimits,
  type UpgradeRequest,
  serveSocket,
} from "./socket/serve.js";
export {
  type ClientSocket,
  type SocketFetch,
  type SocketFetchOptions,
  socketFetch,
} from "./socket/fetch.js";
