// Further exports of `agentwire/a2a`.

export { cancelTask, getTask, subscribeToTask } from "./create_request.js";
