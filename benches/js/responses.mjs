// OpenAI Responses compared with the official client's `stream` helper: a response of HTTP read to
// the final Response object.
import { read } from "agentwire/responses";
import { installed } from "../place.mjs";
import { cut } from "./made.mjs";
import { responsesStream } from "./made_responses.mjs";
import { brief, compareReaders, ours, recordedOf, responseOf } from "./official.mjs";

/**
 * Recorded streams for which the client's result differs: the reason is in
 * `tests/rust/integration/responses.rs`, and a lone surrogate stays one in a JavaScript string.
 */
const EXCEPTIONS = ["member_type", "lone_surrogate"];
/** Members that the client adds. */
const ADDED = new Set([
  "output_text",
  "output_parsed",
  "parsed",
  "parsed_arguments",
  "_request_id",
]);

/** Measures one of the rows of `cells.mjs`. */
export async function responses(row, effort) {
  const client = await installed("openai");
  const isTaken = ({ outcome }, name) => outcome === "ok" && !EXCEPTIONS.includes(name);
  const streams =
    row === "recorded" ? recordedOf("responses", isTaken) : [cut(responsesStream(row))];
  const contestants = [ours(read, streams, told), ...(client ? [theirs(client, streams)] : [])];
  return compareReaders(row, streams, contestants, client ? [] : ["openai"], effort);
}

function told(response) {
  return brief(without(response));
}

/** Returns a value with its members in one order, and without those that the client adds. */
function without(value) {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).filter((name) => !ADDED.has(name));
  return Object.fromEntries(names.sort().map((name) => [name, without(value[name])]));
}

function theirs({ OpenAI }, streams) {
  return {
    name: "openai 7: client.responses.stream(…).finalResponse()",
    async pass() {
      const alive = [];
      const answers = [];
      for (const list of streams) {
        const client = new OpenAI({
          apiKey: "none",
          baseURL: "http://127.0.0.1/v1",
          maxRetries: 0,
          fetch: async () => responseOf(list),
        });
        const response = await client.responses.stream({ model: "m", input: "i" }).finalResponse();
        answers.push(told(response));
        alive.push(response);
      }
      return { answer: answers.join("; "), alive };
    },
  };
}
