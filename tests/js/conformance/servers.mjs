// The servers that `agentwire probe` asks: a handler of this package, the gateway, and those of the
// official libraries. Each function resolves to the origin and a function that stops the server.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { EventType } from "@ag-ui/core";
import { EventEncoder } from "@ag-ui/encoder";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "a2a-sdk-1/server";
import { agentCardHandler, jsonRpcHandler, UserBuilder } from "a2a-sdk-1/server/express";
import { toNodeListener } from "agentwire/node";
import { memoryStore } from "agentwire/stores";
import { createHandler } from "agentwire/server";
import { convertToModelMessages, safeValidateUIMessages, streamText } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import express from "express";

/** The program, built with the feature `gateway`. */
export const PROGRAM =
  process.env.GATEWAY ?? fileURLToPath(new URL("../../../target/debug/agentwire", import.meta.url));

const WORDS = ["Hello ", "there."];

/** Starts a server of Node on loopback. */
export async function listening(listener) {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, stop };
}

/** Calls the tool of the client if there is one, and answers with a sentence. */
async function agent(out, request) {
  await out.usage({ input_tokens: 5, output_tokens: 3, total_tokens: 8 });
  const [tool] = request.tools;
  if (tool !== undefined && request.answers.length === 0) {
    const call = out.tool(tool.name);
    await call.arguments('{"city":');
    await call.arguments('"Paris"}');
    return call.complete();
  }
  const text = out.message().text();
  for (const word of WORDS) await text.delta(word);
}

/** `createHandler` with every protocol. */
export const handler = () => listening(toNodeListener(createHandler({ agent })));

/** A handler with a store. */
export const service = () =>
  listening(toNodeListener(createHandler({ agent, store: memoryStore() })));

/** The server of `@a2a-js/sdk`, with express. */
export async function a2aSdk() {
  const executor = {
    async execute({ taskId, contextId }, bus) {
      const base = { taskId, contextId, metadata: undefined };
      const status = (state) => ({ state, message: undefined, timestamp: undefined });
      // The values of the states in the server's own types: working, completed.
      const task = { id: taskId, contextId, status: status(2), artifacts: [], history: [] };
      bus.publish(AgentEvent.task({ ...task, metadata: undefined }));
      const parts = [{ content: { $case: "text", value: WORDS.join("") } }];
      const artifact = { artifactId: "a", name: "", description: "", parts, extensions: [] };
      bus.publish(
        AgentEvent.artifactUpdate({
          ...base,
          artifact: { ...artifact, metadata: undefined },
          append: false,
          lastChunk: true,
        }),
      );
      bus.publish(AgentEvent.statusUpdate({ ...base, status: status(3) }));
      bus.finished();
    },
    async cancelTask() {},
  };
  const app = express();
  const server = await listening(app);
  const card = {
    name: "Official",
    description: "Answers with a sentence.",
    version: "1.0.0",
    provider: undefined,
    documentationUrl: "",
    supportedInterfaces: [
      {
        url: `${server.origin}/a2a`,
        protocolBinding: "JSONRPC",
        protocolVersion: "1.0",
        tenant: "",
      },
    ],
    capabilities: { streaming: true, pushNotifications: false, extensions: [] },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
    securitySchemes: {},
    securityRequirements: [],
    signatures: [],
  };
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
  const userBuilder = UserBuilder.noAuthentication;
  app.use("/a2a", jsonRpcHandler({ requestHandler, userBuilder }));
  return server;
}

/** `streamText` of the AI SDK and its response, with a mock model. */
export function aiSdk() {
  const usage = { inputTokens: { total: 5 }, outputTokens: { total: 3 } };
  const chunks = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "t" },
    ...WORDS.map((delta) => ({ type: "text-delta", id: "t", delta })),
    { type: "text-end", id: "t" },
    { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage },
  ];
  const model = new MockLanguageModelV3({
    doStream: async () => ({ stream: ReadableStream.from(chunks) }),
  });
  const app = express();
  app.use(express.json());
  app.post("/api/chat", async (request, response) => {
    const { messages } = request.body ?? {};
    const { success } = await safeValidateUIMessages({ messages });
    if (!success) return response.status(400).json({ error: "no messages" });
    const result = streamText({ model, messages: await convertToModelMessages(messages) });
    result.pipeUIMessageStreamToResponse(response);
  });
  return listening(app);
}

/** The official encoder of AG-UI, behind express. */
export function agUi() {
  const app = express();
  app.use(express.json());
  app.post("/ag-ui", (request, response) => {
    const { threadId, runId, messages, tools } = request.body ?? {};
    if (!Array.isArray(messages)) return response.status(422).json({ error: "no messages" });
    const encoder = new EventEncoder({ accept: request.headers.accept });
    response.setHeader("content-type", encoder.getContentType());
    response.setHeader("cache-control", "no-cache");
    const send = (event) => response.write(encoder.encodeSSE(event));
    send({ type: EventType.RUN_STARTED, threadId, runId });
    if (tools.length > 0 && messages.at(-1).role !== "tool") {
      const toolCallId = `call_${runId}`;
      send({ type: EventType.TOOL_CALL_START, toolCallId, toolCallName: tools[0].name });
      send({ type: EventType.TOOL_CALL_ARGS, toolCallId, delta: '{"city":"Paris"}' });
      send({ type: EventType.TOOL_CALL_END, toolCallId });
    } else {
      const messageId = `message_${runId}`;
      send({ type: EventType.TEXT_MESSAGE_START, messageId, role: "assistant" });
      for (const delta of WORDS) send({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta });
      send({ type: EventType.TEXT_MESSAGE_END, messageId });
    }
    send({ type: EventType.RUN_FINISHED, threadId, runId });
    response.end();
  });
  return listening(app);
}

/** The gateway, in front of a model that answers Chat Completions: the handler. */
export async function gateway() {
  const model = await handler();
  const upstream = `${model.origin}/v1`;
  const child = spawn(
    PROGRAM,
    ["serve", "--listen", "127.0.0.1:0", "--upstream", upstream, "--model", "small"],
    { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, AGENTWIRE_UPSTREAM_KEY: "key" } },
  );
  const lines = createInterface({ input: child.stderr });
  const [first] = await once(lines, "line");
  const stop = async () => {
    child.kill();
    await once(child, "exit");
    await model.stop();
  };
  return { origin: first.slice("agentwire: listening on ".length), stop };
}
