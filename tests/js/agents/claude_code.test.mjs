// Claude Code with every kind of model through the gateway.
import { claudeCode } from "./clients/claude_code.mjs";
import { NOTE, agentTests } from "./support/suite.mjs";

const calls = {
  run: (command, expect) => ({ tool: "Bash", args: { command, description: "A command" }, expect }),
  write: (path) => ({ tool: "Write", args: { file_path: path, content: NOTE }, expect: /created/ }),
};

/**
 * It repeats a request without a stream if no block of the answer was complete. Gemini has completed
 * its thoughts before the fault, and the failure of a response completes its reasoning.
 */
const INCOMPLETE = ["chat-openai", "anthropic-adaptive"];

agentTests(claudeCode, calls, {
  faults: { cut: [...INCOMPLETE, "responses"], error: INCOMPLETE, "rate limit": true },
});
