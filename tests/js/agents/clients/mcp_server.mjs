// A server of the Model Context Protocol on standard input and output, with one tool.
import { createInterface } from "node:readline";

const TOOL = {
  name: "count_words",
  description: "Counts the words of a text.",
  inputSchema: {
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
  },
};

/** The results of the methods. Any other method has no result. */
const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "notes", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [TOOL] }),
  "tools/call": ({ arguments: { text } }) => ({
    content: [{ type: "text", text: `${text.split(/\s+/).length} words` }],
  }),
};

createInterface(process.stdin).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer =
    method in METHODS
      ? { result: METHODS[method](params ?? {}) }
      : { error: { code: -32601, message: `there is no method ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
});
