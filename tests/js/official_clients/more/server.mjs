// A server on loopback with one agent for Responses, Chat Completions, AG-UI and A2A, for official
// clients.
import { createServer } from "node:http";
import { toNodeListener } from "agentwire/node";
import {
  AgentError,
  a2aAdapter,
  agUiAdapter,
  chatAdapter,
  createHandler,
  responsesAdapter,
} from "agentwire/server";

/** Runs a tool, calls a tool of the client, asks a question, fails, or writes text. */
async function agent(out, request) {
  const [given] = request.answers;
  const asked = request.text;
  if (given !== undefined) {
    return out
      .message()
      .text()
      .delta(given.kind === "call" ? `You picked ${given.text}.` : `Decided: ${given.approved}.`);
  }
  if (asked.includes("weather")) {
    await out.message().text().delta("Let me look. ");
    const call = out.tool("get_weather", { callId: "call_1", type: "plugin_call" });
    await call.arguments('{"city":');
    await call.arguments('"Paris"}');
    await call.result({ celsius: 19 });
    return out.message().text().delta("19 degrees.");
  }
  if (asked.includes("color")) {
    const call = out.tool("pick_color", { callId: "call_2" });
    await call.arguments('{"of":"sky"}');
    await call.complete();
    // TanStack AI runs a tool of the client at this event; it shows AG-UI's call without running
    // it.
    return out.custom("tool-input-available", {
      toolCallId: "call_2",
      toolName: "pick_color",
      input: { of: "sky" },
    });
  }
  if (asked.includes("delete")) {
    return out.interrupt({
      id: "question_1",
      reason: "approval",
      payload: { name: "delete_files", arguments: "{}" },
    });
  }
  if (asked.includes("fail")) {
    await out.message().text().delta("half");
    throw new AgentError("QUOTA", "no more today");
  }
  const text = out.message().text();
  for (const piece of ["Hel", "lo 你好"]) await text.delta(piece);
}

/** Starts it; resolves to its address, the requests so far, and a function that stops it. */
export async function start() {
  const seen = [];
  const serve = createHandler({
    adapters: [
      responsesAdapter(),
      chatAdapter(),
      agUiAdapter(),
      a2aAdapter({ name: "agent", description: "for tests" }),
    ],
    agent,
  });
  const listener = toNodeListener(serve);
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    void listener(request, response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}`, seen, close };
}
