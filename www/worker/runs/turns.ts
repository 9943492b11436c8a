// The turns before an OpenAI response: the items of the responses that it continues, and those of its own request.

import { type Json, parseJson, stringifyJson } from "agentwire";
import type { RunsRefusal } from "agentwire/runs/server";
import type { RunsEnv } from "./env.js";

type Item = { readonly [key: string]: Json };

/** The id of a response, which contains the name of its object. */
const ID = /^resp_([0-9a-f]{64})$/;

/** Returns the name of the object with the response of that id, if the id is valid. */
export function nameOf(id: string): string | undefined {
  return ID.exec(id)?.[1];
}

/** The maximum number of bytes of a stored request with its earlier items: a row of the log has less than 2 MB. */
export const MOST = 1024 * 1024;

/** The reason why the earlier turns are not available. */
export interface NoTurns {
  readonly message: string;
  readonly code: string;
}

/** Returns the items before a request as a JSON list, if it continues a response; or the reason why it cannot. */
export async function earlierTurns(env: RunsEnv, body: string): Promise<string | undefined | NoTurns> {
  const id = previousOf(body);
  if (id === undefined) {
    return undefined;
  }
  const name = nameOf(id);
  const turns = name === undefined ? undefined : await env.ANSWERS.getByName(name).turns();
  if (turns === undefined || "refused" in turns) {
    return { message: `Previous response with id '${id}' not found.`, code: "previous_response_not_found" };
  }
  if (!turns.ended) {
    return { message: `Previous response with id '${id}' is still in progress.`, code: "previous_response_in_progress" };
  }
  const bytes = new TextEncoder().encode(body + turns.items).length;
  return bytes > MOST
    ? { message: `The earlier turns and this request have ${bytes} bytes together, of ${MOST} at most.`, code: "context_length_exceeded" }
    : turns.items;
}

/** The items that a response can continue. */
export type Turns = RunsRefusal | { readonly ended: boolean; readonly items: string };

/** Returns the body of a request with the items before it. */
export function withTurns(body: string, before: string | undefined): string {
  const members = before === undefined ? undefined : membersOf(body);
  const own = members && itemsOf(members.input);
  // An input that is not valid stays unchanged, and the adapter refuses it.
  return members === undefined || own === undefined ? body : stringifyJson({ ...members, input: [...(parseJson(before!) as Json[]), ...own] });
}

/** Returns the items of a request in the form of OpenAI's server: each with an id, and the content in parts. */
export function inputItemsOf(body: string, before: string | undefined, name: string): Item[] {
  const earlier = before === undefined ? [] : (parseJson(before) as Item[]);
  const own = itemsOf(membersOf(body).input) ?? [];
  return [...earlier, ...own.map((item, number) => listedItem(item as Item, `${name.slice(0, 48)}${number}`))];
}

/** Returns one page of a list in the form of OpenAI's server, or the name of the parameter that is not valid. */
export function pageOf(items: readonly Item[], query: URLSearchParams): Item | { readonly wrong: string } {
  const limit = query.get("limit") ?? "20";
  const order = query.get("order") ?? "desc";
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > 100) {
    return { wrong: "limit" };
  }
  if (order !== "asc" && order !== "desc") {
    return { wrong: "order" };
  }
  const ordered = order === "asc" ? items : items.toReversed();
  const after = query.get("after");
  const at = after === null ? -1 : ordered.findIndex(({ id }) => id === after);
  if (after !== null && at < 0) {
    return { wrong: "after" };
  }
  const data = ordered.slice(at + 1, at + 1 + Number(limit));
  const has_more = at + 1 + data.length < ordered.length;
  return { object: "list", data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more };
}

/** Parses the members of a body; returns an empty object if the body is not an object, which the adapter refuses. */
export function membersOf(body: string): Item {
  try {
    const members = parseJson(body);
    return typeof members === "object" && members !== null && !Array.isArray(members) ? (members as Item) : {};
  } catch {
    return {};
  }
}

function previousOf(body: string): string | undefined {
  const { previous_response_id: id } = membersOf(body);
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Returns the items of an input; undefined if the input is not valid. */
function itemsOf(input: Json | undefined): readonly Json[] | undefined {
  if (typeof input === "string") {
    return [{ role: "user", content: input }];
  }
  return Array.isArray(input) ? input : input === undefined || input === null ? [] : undefined;
}

function listedItem(item: Item, number: string): Item {
  if (typeof item !== "object" || item === null || (item.type !== undefined && item.type !== null && item.type !== "message")) {
    return { id: `item_${number}`, ...item };
  }
  const { content } = item;
  const isAgents = item.role === "assistant";
  const part = (text: Json): Json => (isAgents ? { type: "output_text", text, annotations: [], logprobs: [] } : { type: "input_text", text });
  return { id: `msg_${number}`, status: "completed", ...item, type: "message", content: typeof content === "string" ? [part(content)] : content ?? [] };
}
