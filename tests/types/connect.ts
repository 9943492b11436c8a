// `connect`: what is inferred from the entry point, and mistakes that the compiler finds.

import { connect, defineTool, type AgentState } from "agentwire";
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
  // @ts-expect-error AG-UI does not have these items
  agent.send([{ type: "message" }]);
  agUi("/ag-ui", { state: agent.state });
  // @ts-expect-error the state of another protocol
  responses("/v1/responses", { state: agent.state });
  const state: AgentState<"ag-ui", unknown> = agent.state;
  void state;
  return (await agent.retry().finished()).snapshot;
}

export function options() {
  // @ts-expect-error the option does not exist
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
  // @ts-expect-error the option does not exist
  createConversation(agUi("/ag-ui"), { persits: { key: "chat" } });
  // @ts-expect-error a storage needs a key
  createConversation(agUi("/ag-ui"), { persist: { storage: localStorage } });
  const { turns, send } = useConversation(responses("/v1/responses"), { persist: { load: () => null, save: async () => {} } });
  turns.map(({ message, snapshot }) => [message?.toUpperCase(), snapshot?.output]);
  send("Hello");
}

export function servers() {
  createServer(toNodeListener((request) => Response.json(request.url)));
  // @ts-expect-error the option does not exist
  toNodeListener(() => new Response(), { onerror() {} });
}

export function tools() {
  const paint = defineTool({
    description: "Paints.",
    parameters: {
      type: "object",
      properties: {
        color: { type: "string", enum: ["teal", "red"] },
        layers: { type: "array", items: { type: "object", properties: { opacity: { type: "number" }, name: { type: ["string", "null"] } }, required: ["opacity"] } },
        size: { anyOf: [{ type: "integer" }, { const: "full" }] },
      },
      required: ["color", "size"],
    },
    execute({ color, layers, size }, { call, signal }) {
      color satisfies "teal" | "red";
      size satisfies number | "full";
      layers satisfies readonly { readonly opacity: number; readonly name?: string | null }[] | undefined;
      // @ts-expect-error a property that is not required can be missing
      layers.length;
      call.id satisfies string | null;
      return signal.aborted ? null : color;
    },
  });
  agUi("/ag-ui", { tools: { paint, other: defineTool({ execute: (args) => args satisfies Readonly<Record<string, unknown>> }) } });
  responses("/v1/responses", { tools: { paint } });
  // @ts-expect-error the parameters have no such property
  defineTool({ parameters: { type: "object", properties: {} }, execute: ({ color }) => color });
  // @ts-expect-error without `defineTool`, the type of the arguments has to be declared
  agUi("/ag-ui", { tools: { paint: { execute: (args) => args.color } } });
  // @ts-expect-error the property does not exist
  defineTool({ name: "paint" });
  const schema: object = {};
  defineTool({ parameters: schema, execute: (args) => args satisfies unknown });
}
