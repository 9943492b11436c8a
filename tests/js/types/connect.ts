// `connect`: what is inferred from the entry point, and mistakes that the compiler finds.

import { connect, defineTool } from "agentwire";
import { connect as agUi, type Snapshot as AgUiSnapshot } from "agentwire/ag-ui";
import { connect as a2a } from "agentwire/a2a";
import { connect as responses } from "agentwire/responses";
import { createServer } from "./node_types.js";
import { toNodeListener } from "agentwire/node";
import { useChat } from "agentwire/react";

export async function chats(): Promise<AgUiSnapshot | undefined> {
  const chat = agUi("/ag-ui", {
    tools: {
      paint: {
        description: "Paints.",
        parameters: { type: "object" },
        execute: (input, { signal }) => (signal.aborted ? null : input),
      },
    },
    headers: async () => ({ authorization: "Bearer x" }),
    body: { forwardedProps: { a: 1 } },
    read: { mode: "strict", limits: { messages: 10 } },
    persist: { key: "chat" },
    whileBusy: "refuse",
    upload: async (file) => ({
      type: "file",
      mediaType: file.type,
      url: "https://files.example/1",
    }),
  });
  for await (const { snapshot, messages, status, pending } of chat.send("Hello")) {
    snapshot?.messages.map(({ role }) => role);
    messages.map(({ id, role, status, parts }) => [
      id.length,
      role satisfies "user" | "assistant" | "system",
      status,
      parts.length,
    ]);
    status satisfies "ready" | "submitted" | "streaming" | "error";
    pending.map((part) => part.state === "approval-requested" && chat.approve(part.approval.id));
  }
  chat.send([{ type: "text", text: "Hello" }, new Blob([])], {
    signal: AbortSignal.timeout(1),
    metadata: { a: [1] },
  });
  // @ts-expect-error a chat does not have the items of a protocol
  chat.send([{ type: "message" }]);
  chat.answer("call", { n: 1 }) satisfies boolean;
  chat.decline("question", "why") satisfies boolean;
  chat.set({ tools: {}, headers: { "x-a": "b" } });
  // @ts-expect-error the id of a conversation does not change
  chat.set({ id: "x" });
  const text: string = await chat.send("Hi").text();
  void text;
  return (await chat.finished()).snapshot;
}

export function options() {
  // @ts-expect-error the option does not exist
  agUi("/ag-ui", { header: {} });
  // @ts-expect-error the tools of an agent of A2A are its own
  a2a("/a2a", { tools: {} });
  // @ts-expect-error the input is written by `send`
  responses("/v1/responses", { body: { input: "x" } });
  responses("/v1/responses", {
    store: false,
    body: { model: "m", include: ["reasoning.encrypted_content"] },
  });
  // @ts-expect-error no protocol has that name
  connect("/ag-ui", { protocol: "agui" });
  // @ts-expect-error the protocol is missing
  connect("/ag-ui");
  connect("/v1/responses", { protocol: "responses", store: false }).getSnapshot().snapshot
    ?.output satisfies readonly unknown[] | undefined;
  connect("/a2a", { protocol: "a2a", version: "0.3" }).getSnapshot().snapshot?.task?.id satisfies
    | string
    | undefined;
}

export function hooks() {
  const chat = agUi("/ag-ui", { persist: { key: "chat" } });
  const { messages, send, snapshot } = useChat(chat);
  messages.map(({ parts }) => parts.length);
  snapshot?.messages.length;
  send("Hello");
  const own = useChat(
    () => responses("/v1/responses", { persist: { load: () => null, save: async () => {} } }),
    { tools: {} },
  );
  own.snapshot?.output.length;
  // @ts-expect-error the option does not exist
  agUi("/ag-ui", { persits: { key: "chat" } });
  // @ts-expect-error a storage needs a key
  agUi("/ag-ui", { persist: { storage: localStorage } });
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
        layers: {
          type: "array",
          items: {
            type: "object",
            properties: { opacity: { type: "number" }, name: { type: ["string", "null"] } },
            required: ["opacity"],
          },
        },
        size: { anyOf: [{ type: "integer" }, { const: "full" }] },
      },
      required: ["color", "size"],
    },
    execute({ color, layers, size }, { call, signal }) {
      color satisfies "teal" | "red";
      size satisfies number | "full";
      layers satisfies
        | readonly { readonly opacity: number; readonly name?: string | null }[]
        | undefined;
      // @ts-expect-error a property that is not required can be missing
      layers.length;
      call.id satisfies string | null;
      return signal.aborted ? null : color;
    },
  });
  agUi("/ag-ui", {
    tools: {
      paint,
      other: defineTool({ execute: (args) => args satisfies Readonly<Record<string, unknown>> }),
    },
  });
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
