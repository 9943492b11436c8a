// Further exports of `agentwire/ag-ui`.

export { pendingInterrupts } from "./create_request.js";
export type { InterruptDecisions, NextOptions } from "./create_request.js";
