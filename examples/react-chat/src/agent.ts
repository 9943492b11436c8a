// Selects the protocol of the agent: the Agent API, or AG-UI with `VITE_PROTOCOL=ag-ui`. The page contains only the selected one.

import { useAgent as useAgUi } from "./agent_ag_ui";
import { useAgent as useAgentApi } from "./agent_api";

export const useAgent = import.meta.env["VITE_PROTOCOL"] === "ag-ui" ? useAgUi : useAgentApi;
