// The turns before an OpenAI response: the items of the responses that it continues, and those of
// its own request.

import type { Json } from "../../agentwire.js";
import { isObject, parseJson, stringifyJson } from "../../core/json.js";

/** The members of an item, or of a body. */
export type ItemMembers = { readonly [key: string]: Json };

/**
 * Parses the members of a body; returns an empty object if the body is not an object, which the
 * adapter refuses.
 */
export function membersOf(body: string): ItemMembers {
  try {
    const members = parseJson(body);
    return isObject(members) ? members : {};
  } catch {
    return {};
  }
}

/** Returns the body of a request with the items before it, which are a JSON list. */
export function withTurns(body: string, before: string | undefined): string {
  const members = before === undefined ? undefined : membersOf(body);
  const own = members && itemsOf(members.input);
  // An input that is not valid stays unchanged, and the adapter refuses it.
  return members === undefined || own === undefined
    ? body
    : stringifyJson({ ...members, input: [...(parseJson(before!) as Json[]), ...own] });
}

/**
 * Returns the items of a request in the form of OpenAI's server: each with an id, and the content
 * in parts.
 */
export function inputItemsOf(
  body: string,
  before: string | undefined,
  name: string,
): ItemMembers[] {
  const earlier = before === undefined ? [] : (parseJson(before) as ItemMembers[]);
  const own = itemsOf(membersOf(body).input) ?? [];
  return [
    ...earlier,
    ...own.map((item, number) => listedItem(item as ItemMembers, `${name.slice(0, 48)}${number}`)),
  ];
}

/**
 * Returns one page of a list in the form of OpenAI's server, or the name of the parameter that is
 * not valid.
 */
export function pageOf(
  items: readonly ItemMembers[],
  query: URLSearchParams,
): ItemMembers | { readonly wrong: string } {
  const limit = query.get("limit") ?? "20";
  const order = query.get("order") ?? "desc";
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > 100) {
    return { wrong: "limit" };
  }
  if (order !== "asc" && order !== "desc") {
    return { wrong: "order" };
  }
  const ordered = order === "asc" ? items : [...items].reverse();
  const after = query.get("after");
  const at = after === null ? -1 : ordered.findIndex(({ id }) => id === after);
  if (after !== null && at < 0) {
    return { wrong: "after" };
  }
  const data = ordered.slice(at + 1, at + 1 + Number(limit));
  const has_more = at + 1 + data.length < ordered.length;
  return {
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more,
  };
}

/** Returns the items of an input; undefined if the input is not valid. */
function itemsOf(input: Json | undefined): readonly Json[] | undefined {
  if (typeof input === "string") {
    return [{ role: "user", content: input }];
  }
  return Array.isArray(input) ? input : input === undefined || input === null ? [] : undefined;
}

function listedItem(item: ItemMembers, number: string): ItemMembers {
  if (
    typeof item !== "object" ||
    item === null ||
    (item.type !== undefined && item.type !== null && item.type !== "message")
  ) {
    return { id: `item_${number}`, ...item };
  }
  const { content } = item;
  const isAgents = item.role === "assistant";
  const part = (text: Json): Json =>
    isAgents
      ? { type: "output_text", text, annotations: [], logprobs: [] }
      : { type: "input_text", text };
  return {
    id: `msg_${number}`,
    status: "completed",
    ...item,
    type: "message",
    content: typeof content === "string" ? [part(content)] : (content ?? []),
  };
}
