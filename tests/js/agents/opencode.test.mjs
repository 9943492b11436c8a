// opencode with every kind of model through the gateway.
import { opencode } from "./clients/opencode.mjs";
import { NOTE, agentTests } from "./support/suite.mjs";

const calls = {
  run: (command, expect) => ({ tool: "bash", args: { command, description: "A command" }, expect }),
  write: (path) => ({
    tool: "write",
    args: { filePath: path, content: NOTE },
    expect: /Wrote|Success/,
    // What it offers to models whose name is that of a GPT-5.
    or: { tool: "apply_patch", args: { patchText: patch(path) } },
  }),
};

const patch = (path) => `*** Begin Patch\n*** Add File: ${path}\n+${NOTE}\n*** End Patch`;

agentTests(opencode, calls, {
  faults: { cut: true, error: true, "rate limit": true },
  // opencode sends `max_tokens`, which GPT-5 refuses, and what has the protocol of the model is not changed.
  models: { "chat-openai": "gpt-4.1-mini" },
  // Its client of Chat Completions sends back `reasoning_content` and nothing else.
  keepsState: false,
});
