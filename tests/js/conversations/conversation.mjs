// One conversation of a client with a fake model, through a server, and its result.
//
// | result    | meaning
// |
// |-----------|-------------------------------------------------------------------------------------------------------|
// | leak@n    | the state of one model is sent to another
// |
// | 400@n     | the API refuses request n
// |
// | error@n   | the client fails after n requests of the model
// |
// | content@n | texts, calls or results are missing, doubled or changed in request n
// |
// | answer@n  | the last text of the client is wrong
// |
// | setting@n | a setting of the client (tools, thinking) does not reach the model
// |
// | state@n   | the API accepts request n, but what only the model can read is missing: it
// continues without its reasoning |
// | order@n   | parallel calls arrive as steps that follow each other
// |
// | ok        | complete
// |
//
// The numbers after it count the values that have to come back: given by the model / arrived at the
// client / in the client's next requests.
// The last answer is never sent back, so 4/4/3 is complete.
import { LAST_TEXT } from "./script.mjs";
import { tap } from "./support/http.mjs";

const TIMEOUT_MS = 60_000;

/** The kinds of faults, the worst first. */
const KINDS = ["leak", "400", "error", "content", "answer", "setting", "state", "order"];

/** Has a conversation. Resolves to its result, the faults with their reasons, and the requests. */
export async function converse({ client, path, server, upstream, second }) {
  upstream.reset();
  second?.reset();
  const front = await tap(server.url);
  const parameters = path.isConfiguredByClients ? upstream.parameters : undefined;
  let [conversation, error] = [];
  try {
    conversation = await within(
      client.converse({ url: front.url, serverTools: path.serverTools, parameters }),
    );
  } catch (thrown) {
    error = thrown;
  }
  await front.close();
  const { recorded } = front;
  const requests = [...upstream.requests, ...(second?.requests ?? [])];
  const faults = requests.flatMap(faultsIn);
  const hasTools = path.serverTools || !client.hasNoTools;
  if (hasTools && upstream.script?.length === 2)
    faults.push({
      kind: "setting",
      turn: 1,
      reason: "the tools of the client do not reach the model",
    });
  const isRefused = faults.some(({ kind }) => kind === "400");
  if (error && !isRefused)
    faults.push({ kind: "error", turn: requests.length, reason: error.message });
  const text = conversation?.texts.at(-1);
  if (conversation && text !== LAST_TEXT)
    faults.push({
      kind: "answer",
      turn: requests.length,
      reason: `the last text is ${JSON.stringify(text)}`,
    });
  faults.push(...leaks(upstream, second));
  faults.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.turn - b.turn);
  const [worst] = faults;
  const counted = counts(upstream, conversation?.memory, recorded);
  const result = worst === undefined ? "ok" : `${worst.kind}@${worst.turn}`;
  return { result: [result, ...counted].join(" "), faults, requests, recorded };
}

function faultsIn({ refused, lost, state, settings, isReordered }, at) {
  const kinds = {
    400: refused ? [refused] : [],
    content: lost,
    setting: settings,
    state: state.map((entry) => entry.replace("state ", "")),
    order: isReordered
      ? ["parallel calls arrive as steps that follow each other, or in another order"]
      : [],
  };
  return Object.entries(kinds).flatMap(([kind, reasons]) =>
    reasons.length > 0 ? [{ kind, turn: at + 1, reason: reasons.join("; ") }] : [],
  );
}

/**
 * Values of the first model that only it can read, in requests of the second. Texts that a human
 * can read are no secrets.
 */
function leaks(upstream, second) {
  const own = secretsOf(upstream).filter((value) => !value.includes(" "));
  const at = (second?.requests ?? []).findIndex(({ text }) =>
    own.some((value) => text.includes(value)),
  );
  if (at < 0) return [];
  return [
    {
      kind: "leak",
      turn: upstream.requests.length + at + 1,
      reason: `the state of ${upstream.name} is sent to ${second.name}`,
    },
  ];
}

/**
 * How many of the values that have to come back were given, have arrived at the client, and are in
 * its requests; empty if there are none.
 */
function counts(upstream, memory, recorded) {
  const secrets = secretsOf(upstream);
  if (secrets.length === 0) return [];
  const received = JSON.stringify(memory ?? "") + recorded.map(({ answer }) => answer).join("\n");
  const sent = recorded.map(({ body }) => body).join("\n");
  const count = (text) => secrets.filter((value) => text.includes(value)).length;
  return [`${secrets.length}/${count(received)}/${count(sent)}`];
}

const secretsOf = (upstream) =>
  (upstream.script ?? []).slice(0, upstream.answered).flatMap((answer) => upstream.secrets(answer));

async function within(promise) {
  let timer;
  const late = new Promise(
    (_, reject) =>
      (timer = setTimeout(
        () => reject(new Error(`no end after ${TIMEOUT_MS / 1000} seconds`)),
        TIMEOUT_MS,
      )),
  );
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
