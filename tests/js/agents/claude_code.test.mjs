// Claude Code with every kind of model through the gateway.
import { claudeCode } from "./clients/claude_code.mjs";
import { NOTE, agentTests } from "./support/suite.mjs";

const calls = {
  run: (command, expect) => ({ tool: "Bash", args: { command, description: "A command" }, expect }),
  write: (path) => ({ tool: "Write", args: { file_path: path, content: NOTE }, expect: /created/ }),
};

// The state that a model needs back with a text is a block after it, as it is known no earlier.
const LAST_BLOCK = "`claude -p` prints the text of an answer only if it is the last block";

agentTests(claudeCode, calls, {
  faults: { cut: false, error: false, "rate limit": true },
  open: { "chat-gemini-compat": LAST_BLOCK, gemini: LAST_BLOCK, responses: LAST_BLOCK },
});
