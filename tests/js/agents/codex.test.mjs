// Codex with every kind of model through the gateway: with the catalog of the gateway, and with its
// own descriptions of models, which offer tools in other forms.
import { codex } from "./clients/codex.mjs";
import { NOTE, agentTests } from "./support/suite.mjs";

const patch = (path) =>
  `*** Begin Patch\n*** Add File: ${path.split("/").at(-1)}\n+${NOTE}\n*** End Patch\n`;
const FAULTS = { cut: true, error: true, "rate limit": true };

/** Tools beside each other: functions, a custom tool, and that of an MCP server in a namespace. */
const direct = {
  run: (cmd, expect) => ({ tool: "exec_command", args: { cmd }, expect }),
  write: (path) => ({ tool: "apply_patch", text: patch(path), expect: /Success/ }),
};
const count = { tool: "count_words", args: { text: "one two three" }, expect: /3 words/ };
const namespace = { reasoning: "Count.", calls: [count] };

/** The tools are found with `tool_search`, and called from the next request on. */
const search = {
  reasoning: "Search.",
  calls: [{ tool: "tool_search", args: { query: "count words" }, expect: /count_words/ }],
};

/** All tools are functions of the programs that the tool `exec` runs. */
const program = (code, expect) => ({ tool: "exec", text: code, expect });
const programs = {
  run: (cmd, expect) =>
    program(
      `const { output } = await tools.exec_command(${JSON.stringify({ cmd })}); notify("half"); text(output);`,
      expect,
    ),
  write: (path) => program(`text(await tools.apply_patch(${JSON.stringify(patch(path))}))`, /./),
};

agentTests(codex(), { ...direct, extra: [namespace] }, { faults: FAULTS });
agentTests(codex("gpt-5.5"), { ...direct, extra: [search, namespace] });
agentTests(codex("gpt-5.6-sol"), programs);
agentTests(codex("gpt-5.5", { sockets: true }), { ...direct, extra: [search, namespace] });
