// A2A compared with its official client and the store of the same package: a response of JSON-RPC
// read to the task.
import { read } from "agentwire/a2a";
import { installed } from "../place.mjs";
import { cut, framesOf, pieces } from "./made.mjs";
import { brief, compareReaders, ours, recordedOf, responseOf } from "./official.mjs";

/**
 * Major versions of the SDK are installed side by side: `package.json` has this one under that
 * name.
 */
const SDK = "a2a-sdk-1";

/** Measures one of the rows of `cells.mjs`. */
export async function a2a(row, effort) {
  const sdk = await parts();
  // Streams of JSON-RPC 1.0 that the client accepts, and whose result is a task.
  const isTaken = ({ outcome, wire, folded }, name) =>
    outcome === "ok" && wire === "1.0" && folded?.task !== undefined && !EXCEPTIONS.includes(name);
  const streams = row === "recorded" ? recordedOf("a2a", isTaken) : [cut(framesOf(eventsOf()))];
  const held = ({ task }) => told(JSON.parse(JSON.stringify(task)));
  const contestants = [ours(read, streams, held), ...(sdk ? [theirs(sdk, streams)] : [])];
  return compareReaders(row, streams, contestants, sdk ? [] : ["@a2a-js/sdk"], effort);
}

/**
 * Recorded streams that do not pass through the client as JSON-RPC, or about which the store prints
 * to the console.
 */
const EXCEPTIONS = ["rest_binding", "two_terminals"];

async function parts() {
  const [messages, client, server] = [
    await installed(SDK),
    await installed(`${SDK}/client`),
    await installed(`${SDK}/server`),
  ];
  return messages && client && server && { ...messages, ...client, ...server };
}

/** Returns a task with one artifact in 4,000 pieces. */
function eventsOf() {
  const place = { taskId: "task", contextId: "context" };
  const status = (state) => ({
    state: `TASK_STATE_${state}`,
    timestamp: "2026-01-01T00:00:00.000Z",
  });
  const piece = (text, at) => ({
    artifactUpdate: {
      ...place,
      artifact: { artifactId: "a", parts: [{ text }] },
      ...(at > 0 && { append: true }),
    },
  });
  const results = [
    { task: { id: "task", contextId: "context", status: status("SUBMITTED") } },
    { statusUpdate: { ...place, status: status("WORKING") } },
    ...pieces(1_000).map(piece),
    { statusUpdate: { ...place, status: status("COMPLETED") } },
  ];
  return results.map((result) => ({ jsonrpc: "2.0", id: 1, result }));
}

/** Returns JSON with the members in a fixed order. */
function told(task) {
  const sorted = (value) => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((name) => [name, sorted(value[name])]),
    );
  };
  return brief(sorted(task));
}

function theirs(
  {
    ClientFactory,
    JsonRpcTransportFactory,
    Message,
    Task,
    InMemoryTaskStore,
    ResultManager,
    ServerCallContext,
  },
  streams,
) {
  return {
    name: "@a2a-js/sdk 1: sendMessageStream + ResultManager",
    async pass() {
      const alive = [];
      const answers = [];
      for (const list of streams) {
        const factory = new ClientFactory({
          transports: [new JsonRpcTransportFactory({ fetchImpl: async () => responseOf(list) })],
        });
        const client = await factory.createFromAgentCard(CARD);
        const store = new ResultManager(new InMemoryTaskStore(), new ServerCallContext({}));
        const message = Message.fromJSON({
          messageId: "m",
          role: "ROLE_USER",
          parts: [{ text: "hi" }],
        });
        for await (const { payload } of client.sendMessageStream({ tenant: "", message })) {
          if (payload !== undefined) {
            await store.processEvent({ kind: payload.$case, data: payload.value });
          }
        }
        const task = Task.toJSON(store.currentTask);
        answers.push(told(JSON.parse(JSON.stringify(task))));
        alive.push(task);
      }
      return { answer: answers.join("; "), alive };
    },
  };
}

const CARD = {
  name: "bench",
  description: "",
  version: "1",
  supportedInterfaces: [
    { url: "http://127.0.0.1/", protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "" },
  ],
  capabilities: { streaming: true, extensions: [] },
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
  signatures: [],
  securitySchemes: {},
  securityRequirements: [],
};
