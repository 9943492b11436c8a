// How the agent is asked: in the Agent API, or with `VITE_PROTOCOL=ag-ui` in AG-UI. Only one of them gets into the page.

import type { TurnRequest } from "agentwire/react";

const agent = import.meta.env["VITE_PROTOCOL"] === "ag-ui" ? import("./agent_ag_ui") : import("./agent_api");

export const ask = async (request: TurnRequest<"agent-api">) => (await agent).ask(request);
