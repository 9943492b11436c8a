// The readers of this package as clients of the APIs of models: `read`, `nextRequest` and
// `submitToolResults`, without a conversion.
import * as anthropic from "agentwire/anthropic";
import * as chat from "agentwire/chat";
import * as gemini from "agentwire/gemini";
import * as interactions from "agentwire/interactions";
import * as responses from "agentwire/responses";
import { ADDRESS, SETTINGS } from "./native.mjs";

export const READERS = { anthropic, chat, gemini, interactions, responses };

/** The members of the first question. */
const FIRST = {
  chat: (content) => ({ messages: [{ role: "user", content }] }),
  anthropic: (content) => ({ messages: [{ role: "user", content }] }),
  gemini: (text) => ({ contents: [{ role: "user", parts: [{ text }] }] }),
  interactions: (input) => ({ input }),
  responses: (content) => ({ input: [{ role: "user", content }] }),
};

/** Returns the first request of a conversation. */
export const firstRequest = (upstream, text) => ({
  ...SETTINGS[upstream.protocol](upstream),
  ...FIRST[upstream.protocol](text),
});

/** Returns a client with the functions of those in native.mjs. */
export function readerClient(upstream) {
  const { protocol } = upstream;
  const { createRequest, nextRequest, pendingToolCalls, read, submitToolResults } =
    READERS[protocol];
  const headers = { "anthropic-version": "2023-06-01" };
  let [request, snapshot] = [];
  return {
    ask(text) {
      request =
        request === undefined ? firstRequest(upstream, text) : nextRequest(request, snapshot, text);
    },
    async step() {
      ({ snapshot } = await read(
        fetch(createRequest(ADDRESS[protocol](upstream), request, { headers })),
      ).finished());
      if (snapshot.error) throw new Error(snapshot.error.message);
      return pendingToolCalls(snapshot).map(({ id, name, arguments: args }) => ({
        id,
        name,
        args,
      }));
    },
    results: (list) =>
      void (request = submitToolResults(
        request,
        snapshot,
        Object.fromEntries(list.map(({ id, result }) => [id, result])),
      )),
  };
}
