// `connect`: what is inferred from the entry point, and mistakes that the compiler finds.

import { connect, type AgentState } from "agentwire";
import { connect as agUi, type Snapshot as AgUiSnapshot } from "agentwire/ag-ui";
import { connect as a2a } from "agentwire/a2a";
import { connect as responses } from "agentwire/responses";
import { createServer } from "./node_types.js";
import { toNodeListener } from "agentwire/node";
import { createConversation } from "agentwire/store";
import { useConversation } from "agentwire/react";

export async function snapshots(): Promise<AgUiSnapshot> {
  const agent = agUi("/ag-ui", {
    tools: { paint: { description: "Paints.", parameters: { type: "object" }, execute: ({ color }: { readonly color: string }, { signal }) => (signal.aborted ? null : color) } },
    headers: async () => ({ authorization: "Bearer x" }),
    body: { forwardedProps: { a: 1 } },
    read: { mode: "strict", limits: { messages: 10 } },
  });
  for await (const { snapshot, round, changes } of agent.send("Hello")) {
    snapshot.messages.map(({ role }) => role);
    round.toFixed();
    changes.length;
  }
  agent.send([{ id: "1", role: "user", content: [{ type: "text", text: "Hello" }] }], { signal: AbortSignal.timeout(1) });
  agent.resume({ question: true, other: { approved: false, value: "why" } }, { toolResults: { call: { n: 1 } } });
  // @ts-expect-error there are no such items in AG-UI
  agent.send([{ type: "message" }]);
  agUi("/ag-ui", { state: agent.state });
  // @ts-expect-error the state of another protocol
  responses("/v1/responses", { state: agent.state });
  const state: AgentState<"ag-ui", unknown> = agent.state;
  void state;
  return (await agent.retry().finished()).snapshot;
}

export function options() {
  // @ts-expect-error there is no such option
  agUi("/ag-ui", { header: {} });
  // @ts-expect-error the tools of an agent of A2A are its own
  a2a("/a2a", { tools: {} });
  // @ts-expect-error the input is written by `send`
  responses("/v1/responses", { body: { input: "x" } });
  responses("/v1/responses", { store: false, body: { model: "m", include: ["reasoning.encrypted_content"] } });
  // @ts-expect-error no protocol has that name
  connect("/ag-ui", { protocol: "agui" });
  // @ts-expect-error the protocol is missing
  connect("/ag-ui");
  connect("/v1/responses", { protocol: "responses", store: false }).snapshot?.output satisfies readonly unknown[] | undefined;
  connect("/a2a", { protocol: "a2a", version: "0.3" }).snapshot?.task?.id satisfies string | undefined;
}

export function conversations() {
  const conversation = createConversation(agUi("/ag-ui"), { persist: { key: "chat" }, keepAlive: true });
  conversation.getSnapshot().turns.map(({ message, snapshot }) => [message?.toUpperCase(), snapshot?.messages]);
  conversation.send("Hello");
  // @ts-expect-error there is no such option
  createConversation(agUi("/ag-ui"), { persits: { key: "chat" } });
  // @ts-expect-error a storage needs a key
  createConversation(agUi("/ag-ui"), { persist: { storage: localStorage } });
  const { turns, send } = useConversation(responses("/v1/responses"), { persist: { load: () => null, save: async () => {} } });
  turns.map(({ message, snapshot }) => [message?.toUpperCase(), snapshot?.output]);
  send("Hello");
}

export function servers() {
  createServer(toNodeListener((request) => Response.json(request.url)));
  // @ts-expect-error there is no such option
  toNodeListener(() => new Response(), { onerror() {} });
}
