// The tests of a table: the conversations of clients with fake models through one path, and those
// that change the model.
import { after, before, describe, test } from "node:test";
import { converse } from "./conversation.mjs";
import { expectedResults } from "./expected.mjs";
import { CLIENTS } from "./clients/index.mjs";
import { saveRequests } from "./support/save.mjs";
import { UPSTREAMS, upstreamNamed } from "./upstreams/index.mjs";

/** Adds the tests of a path: all clients, or some of them, with each fake model. */
export function pathTests(path, clients = CLIENTS) {
  // Only a developer can add a tool of the model's server, and the programs have none.
  const isPossible = ({ serverTools }) => serverTools.length === 0 || path.canHaveServerTools;
  const columns = UPSTREAMS.map((Kind) => ({ upstream: new Kind() })).filter(({ upstream }) =>
    isPossible(upstream),
  );
  const served = clients.filter(({ needsStore }) => !needsStore || path.hasStore);
  tableTests(path, served, columns, clients === CLIENTS);
}

/** The pairs of models of a conversation that changes from one to the other. */
const SWITCHES = [
  ["anthropic-adaptive", "gemini"],
  ["gemini", "anthropic-enabled"],
  ["gemini", "chat-deepseek"],
  ["anthropic-adaptive", "responses"],
  ["chat-gemini-compat", "chat-openai"],
  ["anthropic-adaptive", "chat-openrouter"],
  ["interactions", "anthropic-adaptive"],
  ["interactions", "responses"],
  ["interactions", "gemini"],
  ["interactions", "chat-openai"],
  ["anthropic-adaptive", "interactions"],
  ["responses", "interactions"],
  ["gemini", "interactions"],
  ["chat-openai", "interactions"],
];

/** Clients that send the whole conversation. */
const STATELESS = [
  "openai",
  "openai chat",
  "openai chat whole",
  "@anthropic-ai/sdk",
  "@ag-ui/client",
  "ai",
  "raw agent-api",
];

/** Adds the tests of conversations that change the model. */
export function switchTests(path) {
  const clients = CLIENTS.filter(({ name }) => STATELESS.includes(name));
  const columns = SWITCHES.map(([first, second]) => ({
    upstream: upstreamNamed(first),
    second: upstreamNamed(second),
  }));
  tableTests(path, clients, columns, true);
}

function tableTests(path, clients, columns, isComplete) {
  const expected = expectedResults(path.name);
  for (const { upstream, second } of columns) {
    const column = second ? `${upstream.name} → ${second.name}` : upstream.name;
    describe(`${path.name}, ${column}`, () => {
      const models = second ? [upstream, second] : [upstream];
      let server;
      before(async () => {
        await Promise.all(models.map((model) => model.start()));
        server = await path.start(...models);
      });
      after(() => Promise.all([server?.close(), ...models.map((model) => model.close())]));

      for (const client of clients) {
        test(client.name, async () => {
          const { result, faults, ...exchange } = await converse({
            client,
            path,
            server,
            upstream,
            second,
          });
          const folder = saveRequests([path.name, client.name, column], exchange);
          const reasons = faults.map(({ kind, turn, reason }) => `  ${kind}@${turn} ${reason}`);
          expected.check(client.name, column, result, [...reasons, folder].join("\n"));
        });
      }
    });
  }
  if (isComplete) expected.complete();
}
