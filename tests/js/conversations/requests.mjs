// All requests of conversions: single ones by topic, those after recorded answers, and those that
// the fake models receive in conversations.
import { ONE_PER_PROTOCOL } from "./clients/index.mjs";
import { requestsAfterAnswers } from "./answers.mjs";
import { converse } from "./conversation.mjs";
import { conversions } from "./fidelity.mjs";
import { handler, withTools } from "./paths/handler.mjs";
import { JUDGED } from "./rules/index.mjs";
import { UPSTREAMS } from "./upstreams/index.mjs";

/**
 * Resolves to a list of `{ row, column, protocol, request }`, and `source`, the request in the same
 * protocol, if there is one.
 */
export async function allRequests() {
  return [
    ...ofTopics(),
    ...(await ofAnswers()),
    ...(await ofConversations(handler)),
    ...(await ofConversations(withTools)),
  ];
}

function ofTopics() {
  return conversions().flatMap(({ topic, directions }) =>
    directions
      .filter(({ to }) => JUDGED.includes(to))
      .map(({ from, to, request, judge }) => ({
        row: topic,
        column: `${from} → ${to}`,
        protocol: to,
        request: judge().sent,
        source: from === to ? request : undefined,
      })),
  );
}

async function ofAnswers() {
  const requests = await requestsAfterAnswers();
  return requests.map(({ name, to, make }) => ({
    row: name,
    column: to,
    protocol: to,
    request: resultOf(make),
  }));
}

/** The requests of a conversation, numbered from 1. */
async function ofConversations(path) {
  const all = [];
  for (const Kind of UPSTREAMS) {
    const upstream = new Kind();
    await upstream.start();
    const server = await path.start(upstream);
    for (const client of ONE_PER_PROTOCOL) {
      const { requests } = await converse({ client, path, server, upstream });
      const row = `${path.name}, ${upstream.name}`;
      all.push(
        ...requests.map(({ body }, at) => ({
          row,
          column: `${client.name} ${at + 1}`,
          protocol: upstream.protocol,
          request: body,
        })),
      );
    }
    await Promise.all([server.close(), upstream.close()]);
  }
  return all;
}

/** Returns the request, or undefined if the conversion throws, which other tests report. */
function resultOf(make) {
  try {
    return make();
  } catch {
    return undefined;
  }
}
