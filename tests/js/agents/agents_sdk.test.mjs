// An agent of the OpenAI Agents SDK with every kind of model through the gateway.
import { agentsSdk } from "./clients/agents_sdk.mjs";
import { NOTE, agentTests } from "./support/suite.mjs";

const calls = {
  run: (command, expect) => ({ tool: "run_command", args: { command }, expect }),
  write: (path) => ({ tool: "write_file", args: { path, content: NOTE }, expect: /wrote/ }),
};

agentTests(agentsSdk, calls, { faults: { cut: false, error: false, "rate limit": true } });
