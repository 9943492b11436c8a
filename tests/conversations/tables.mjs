// The tests of a table: the conversations of clients with fake models through one path, and those that change the model.
import { after, before, describe, test } from "node:test";
import { converse } from "./conversation.mjs";
import { expectedResults } from "./expected.mjs";
import { CLIENTS } from "./clients/index.mjs";
import { saveRequests } from "./support/save.mjs";
import { UPSTREAMS, upstreamNamed } from "./upstreams/index.mjs";

/** Adds the tests of a path: each of the clients with each fake model. `clients` are all of them if the table is complete. */
export function pathTests(path, clients = CLIENTS) {
  // Only a developer can add a tool of the model's server, and the programs have none.
  const isPossible = ({ serverTools }) => serverTools.length === 0 || path.canHaveServerTools;
  const models = UPSTREAMS.map((Kind) => new Kind()).filter(isPossible);
  tableTests(path, clients, models.map((upstream) => ({ upstream })));
}

/** The pairs of models of a conversation that changes from one to the other. */
const SWITCHES = [
  ["anthropic-adaptive", "gemini"],
  ["gemini", "anthropic-enabled"],
  ["gemini", "chat-deepseek"],
  ["anthropic-adaptive", "responses"],
  ["chat-gemini-compat", "chat-openai"],
  ["anthropic-adaptive", "chat-openrouter"],
];

/** Adds the tests of conversations that change the model, of the clients that send the whole conversation. */
export function switchTests(path, names = ["openai", "@ag-ui/client", "ai", "raw agent-api"]) {
  const clients = CLIENTS.filter(({ name }) => names.includes(name));
  tableTests(path, clients, SWITCHES.map(([first, second]) => ({ upstream: upstreamNamed(first), second: upstreamNamed(second) })));
}

function tableTests(path, clients, columns) {
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
          const { result, faults, ...exchange } = await converse({ client, path, server, upstream, second });
          const folder = saveRequests([path.name, client.name, column], exchange);
          const reasons = faults.map(({ kind, turn, reason }) => `  ${kind}@${turn} ${reason}`);
          expected.check(client.name, column, result, [...reasons, folder].join("\n"));
        });
      }
    });
  }
  if (clients.length === CLIENTS.length || path.name === "switch") expected.complete();
}
