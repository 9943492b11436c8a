// Responses over WebSocket, where the runtime upgrades requests.
import { handler } from "../support/socket_handler.mjs";

export default { fetch: handler };
