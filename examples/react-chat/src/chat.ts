// The conversation with the agent. Another protocol is another import and another address:
// `agentwire/responses` and "/v1/responses", or
// `agentwire/a2a` and "/a2a", whose agents have their own tools: without `tools`.

import { connect } from "agentwire/ag-ui";
import { tools } from "./tools";

export const chat = connect("/ag-ui", { tools, persist: { key: "chat" } });
