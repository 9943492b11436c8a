// Further exports of `agentwire/interactions`.

export { resumeRequest } from "./create_request.js";
export { type ResumableOptions, resumable } from "./resumable.js";
