// The official client of AG-UI with tools of the front end: it keeps the messages, with their
// encrypted values.
import { randomUUID } from "node:crypto";
import { HttpAgent } from "@ag-ui/client";
import { QUESTIONS, resultOf, toolList } from "../script.mjs";
import { ClientError, MAX_ROUNDS } from "./client.mjs";

export default {
  name: "@ag-ui/client",
  protocol: "ag-ui",
  async converse({ url, serverTools, parameters = {} }) {
    const agent = new HttpAgent({ url: `${url}/ag-ui`, threadId: "thread-1" });
    const request = { tools: serverTools ? [] : toolList(), forwardedProps: parameters };
    const texts = [];
    for (const question of QUESTIONS) {
      agent.addMessage({ id: randomUUID(), role: "user", content: question });
      for (let round = 0; round < MAX_ROUNDS; round++) {
        await run(agent, request);
        const answered = new Set(
          agent.messages.filter(({ role }) => role === "tool").map(({ toolCallId }) => toolCallId),
        );
        const calls = agent.messages
          .flatMap(({ toolCalls = [] }) => toolCalls)
          .filter(({ id }) => !answered.has(id));
        if (calls.length === 0) {
          texts.push(
            agent.messages.findLast(({ role, content }) => role === "assistant" && content)
              ?.content,
          );
          break;
        }
        for (const { id: toolCallId, function: called } of calls) {
          const content = resultOf(called.name, JSON.parse(called.arguments));
          agent.addMessage({ id: randomUUID(), role: "tool", toolCallId, content });
        }
      }
    }
    return { texts, memory: agent.messages };
  },
};

async function run(agent, request) {
  let failed;
  // The client reports a failure on the console, too.
  const { error: print } = console;
  console.error = () => {};
  const running = agent.runAgent(request, {
    onRunErrorEvent: ({ event }) => void (failed = event.message),
  });
  await running.catch((error) => (failed ??= error.message)).finally(() => (console.error = print));
  if (failed !== undefined) throw new ClientError(failed);
}
