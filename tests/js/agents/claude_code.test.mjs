// Claude Code with every kind of model through the gateway.
import { claudeCode } from "./clients/claude_code.mjs";
import { NOTE, agentTests } from "./support/suite.mjs";

const calls = {
  run: (command, expect) => ({ tool: "Bash", args: { command, description: "A command" }, expect }),
  write: (path) => ({ tool: "Write", args: { file_path: path, content: NOTE }, expect: /created/ }),
};

agentTests(claudeCode, calls, { faults: { cut: true, error: true, "rate limit": true } });
