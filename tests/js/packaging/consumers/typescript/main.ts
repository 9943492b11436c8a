import * as agentwire from "agentwire";
import * as server from "agentwire/server";
import * as slim from "agentwire/slim";
import * as agKit from "agentwire/ag-kit";
import * as agentApi from "agentwire/agent-api/slim";
import * as runs from "agentwire/runs";
import * as store from "agentwire/store";
import module from "agentwire/agentwire.wasm";

const version: string = agentwire.version();
const done: Promise<void> = agentwire.init();
const same: Promise<void> = slim.init(module);
// @ts-expect-error slim has nothing to fall back on
slim.init();

// Each entry point selects its protocol without an option.
const turn: agKit.Snapshot = new agKit.Decoder({ doneIsOptional: true }).finish().snapshot;
const response: agentApi.Snapshot = new agentApi.Decoder({ keepHeartbeats: true }).finish()
  .snapshot;
// @ts-expect-error an option of another protocol
new agKit.Decoder({ keepHeartbeats: true });
// @ts-expect-error another protocol
agKit.read(new Response(), { protocol: "agent-api" });

const serve: (request: Request) => Promise<Response> = server.createHandler({
  protocols: ["agent-api"],
  adapters: [server.agUiAdapter()],
  agent: () => {},
});
const { readable, writable } = agentwire.convert({ from: "auto", to: "agent-api" });
const client = new runs.RunsClient("https://agent.example", {
  headers: { authorization: "Bearer …" },
});
const stream = store.createStreamStore(() => agentwire.read(new Response()));
const chat = agKit.connect("https://agent.example/send-message", {
  tools: { now: agentwire.defineTool({ execute: () => 1 }) },
});

export { version, done, same, turn, response, serve, readable, writable, client, stream, chat };
