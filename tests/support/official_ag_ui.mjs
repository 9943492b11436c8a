// AG-UI's official client, reading a stream that is there already.
import { HttpAgent } from "@ag-ui/client";

/** What the official client holds after a stream, and what it says. */
export async function official(sse) {
  const answer = () => Promise.resolve(new Response(sse, { headers: { "content-type": "text/event-stream" } }));
  const agent = new HttpAgent({ url: "http://127.0.0.1/agent", threadId: "t", fetch: answer });
  const said = [];
  const { warn, error } = console;
  console.warn = console.error = (...words) => void said.push(words.join(" "));
  try {
    await agent.runAgent({ runId: "r" });
  } catch (failure) {
    said.push(`threw: ${failure.message}`);
  } finally {
    Object.assign(console, { warn, error });
  }
  return { messages: agent.messages, state: agent.state, pendingInterrupts: agent.pendingInterrupts ?? [], said };
}
