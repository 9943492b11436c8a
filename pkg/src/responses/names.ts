// Further exports of `agentwire/responses`.

export {
  type ClientSocket,
  type SocketFetch,
  type SocketFetchOptions,
  socketFetch,
} from "./socket/fetch.js";
