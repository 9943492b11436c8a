// The agent: in the Agent API, or with `VITE_PROTOCOL=ag-ui` in AG-UI. Only one of them is built into the page.

import { useAgent as useAgUi } from "./agent_ag_ui";
import { useAgent as useAgentApi } from "./agent_api";

export const useAgent = import.meta.env["VITE_PROTOCOL"] === "ag-ui" ? useAgUi : useAgentApi;
