// `connect` for OpenAI Responses. If the server stores responses, a request names the last one;
// otherwise (`store: false`), a request contains all items of the conversation.

import type {
  CreateResponse,
  Json,
  ResponsesInputItem,
  ResponsesItem,
  ResponsesResponse,
} from "../agentwire.js";
import type { Chat } from "../connect/chat.js";
import type { Dialect } from "../connect/dialect.js";
import type { Reply } from "../connect/exchange.js";
import { type StoredShape, either } from "../connect/fits.js";
import { createChat } from "../connect/create_chat.js";
import {
  type ChangeableOptions,
  type SharedConnectOptions,
  TOOL_OPTIONS,
  type ToolOptions,
} from "../connect/options.js";
import { NOT_ANSWERED, functionsOf } from "../connect/tool.js";
import { onlyText } from "../connect/user_parts.js";
import { viewOfAnswers } from "../connect/view.js";
import { textOf } from "../core/json.js";
import { below, segment } from "../http/address.js";
import { getStream } from "../http/post.js";
import { answerItems, createRequest, outputItem } from "./create_request.js";
import { assistantItem, itemsOfMessage, userItem } from "./history.js";
import { RESPONSES, callsOf } from "./protocol.js";
import type { Snapshot } from "../generated/responses/types.js";
import { metadataOf, partsOf } from "./view.js";

/** The options of `connect`. All are optional. */
export interface ResponsesConnectOptions extends SharedConnectOptions<"responses">, ToolOptions {
  /**
   * Whether the server stores the responses. With `false`, each request contains the whole
   * conversation.
   */
  readonly store?: boolean | undefined;
  /** Further properties of each request: `model`, `instructions`, `include`, more `tools`. */
  readonly body?:
    | (CreateResponse & { readonly input?: never; readonly stream?: never; readonly store?: never })
    | undefined;
}

/** A stored item of the output. */
const ITEM = {
  type: "text",
  "id?": "text",
  "call_id?": "text",
  "name?": "text",
  "arguments?": "any",
  "role?": "text",
  "status?": "text",
  "content?": either("text", [
    { type: "text", "text?": "text", "refusal?": "text", "annotations?": ["object"] },
  ]),
  "summary?": [{ type: "text", "text?": "text" }],
} satisfies StoredShape;

/** OpenAI Responses for `connect`. */
export const RESPONSES_DIALECT: Dialect<"responses", ResponsesConnectOptions> = {
  protocol: "responses",
  reads: [RESPONSES],
  callsOf,
  options: [...TOOL_OPTIONS, "store", "body"],
  history: "branches",
  stored: { id: "text", status: "text", output: [ITEM] },
  view: viewOfAnswers(partsOf, metadataOf),
  request(url, { before, user, history }, { tools, store, body }, how) {
    const listed = [
      ...functionsOf(tools).map((tool) => ({ type: "function", strict: false, ...tool })),
      ...(body?.tools ?? []),
    ];
    const items = history.flatMap(itemsOfMessage);
    let previous: string | undefined;
    // The replies to the last complete response, and what the page shows after it.
    let replies: readonly ResponsesInputItem[] = [];
    let unsent: ResponsesInputItem[] = [];
    for (const exchange of before) {
      const { snapshot, status } = exchange;
      unsent.push(...(exchange.user === undefined ? [] : [userItem(exchange.user.parts)]));
      if (snapshot === undefined || status !== "done") {
        unsent.push(...textsOf(snapshot));
        continue;
      }
      // Servers that store nothing send `store: false` even if the request did not ask for it.
      const isStored =
        (store ?? (snapshot as { readonly store?: Json }).store) !== false &&
        (body?.conversation != null || snapshot.id !== "");
      if (isStored) {
        items.length = 0;
      } else {
        items.push(
          ...replies,
          ...unsent,
          ...(snapshot.output as unknown as readonly ResponsesInputItem[]),
        );
      }
      previous = isStored && body?.conversation == null ? snapshot.id : previous;
      replies = replyItems(snapshot, exchange.replies);
      unsent = [];
    }
    const input = [
      ...items,
      ...replies,
      ...unsent,
      ...(user === undefined ? [] : [userItem(user.parts)]),
    ];
    const text =
      input.length === 1 && previous === undefined && user !== undefined
        ? onlyText(user.parts)
        : undefined;
    const request: CreateResponse = {
      ...body,
      ...(store !== undefined && { store }),
      ...(listed.length > 0 && { tools: listed }),
      ...(previous !== undefined && { previous_response_id: previous }),
      input: text ?? input,
    };
    return { request: createRequest(url, request, how) };
  },
  resumption(url, { snapshot }, _conversationId, _options, how) {
    // Only a response that is created in the background continues without a connection.
    const { id, background } = (snapshot ?? {}) as Partial<ResponsesResponse> & {
      readonly background?: Json;
    };
    return id && background === true
      ? getStream(below(url, `/${segment("the id of the response", id)}`, { stream: "true" }), how)
      : undefined;
  },
};

/**
 * Creates a chat with an agent. Sends no request yet.
 *
 * ```js
 * const chat = connect("/v1/responses", { body: { model: "gpt-5" }, tools: { paint: { description: "Paints the page.", parameters, execute: paint } } });
 * for await (const { messages } of chat.send("Weather in Beijing?")) render(messages);
 * ```
 *
 * @param url the address of the agent. Outside of pages it must be absolute
 * @throws AgentwireError `wrong-option` for an option that does not exist
 */
export function connect(
  url: string | URL,
  options: ResponsesConnectOptions = {},
): Chat<Snapshot, ChangeableOptions<ResponsesConnectOptions>> {
  return createChat(RESPONSES_DIALECT, url, options);
}

/**
 * Returns the texts of an incomplete answer: the page shows them, so the agent receives them too.
 */
function textsOf(snapshot: ResponsesResponse | undefined): readonly ResponsesInputItem[] {
  return (snapshot?.output ?? []).flatMap((item) => {
    const contents = item.type === "message" && Array.isArray(item.content) ? item.content : [];
    const text = contents
      .map(
        ({ text, refusal }: { readonly text?: string; readonly refusal?: string }) =>
          text ?? refusal ?? "",
      )
      .join("");
    return text === "" ? [] : [assistantItem(text)];
  });
}

/**
 * Returns the items that answer all calls and questions of a response: those without a reply are
 * not answered or declined. Calls of an incomplete response cannot be answered, but servers refuse
 * a conversation in which a call has no output.
 */
function replyItems(
  snapshot: ResponsesResponse,
  replies: readonly Reply[],
): readonly ResponsesInputItem[] {
  const calls = callsOf(snapshot) ?? [];
  const pending = calls.filter(({ pending }) => pending);
  const answers = (
    kind: Reply["kind"],
    answer: (reply: Reply | undefined) => Json,
  ): Record<string, Json> =>
    Object.fromEntries(
      pending
        .filter((call) => call.kind === kind)
        .map(({ id }) => [
          id,
          answer(
            replies.find((each) => each.kind === kind && each.id === id && each.isDropped !== true),
          ),
        ]),
    );
  const results = answers("call", (reply) => (reply === undefined ? NOT_ANSWERED : reply.value));
  // The protocol has a text for the further content of a decision.
  const decisions = answers("approval", (reply) => ({
    approve: reply?.approved === true,
    ...(reply?.value != null && { reason: textOf(reply.value) }),
  }));
  const open = calls.filter(
    ({ pending, kind, result, holder }) =>
      !pending &&
      kind === "call" &&
      result === undefined &&
      (holder as ResponsesItem).type !== "mcp_call",
  );
  return [
    ...answerItems(snapshot, results, decisions),
    ...open.map(({ id, holder }) => outputItem(holder as ResponsesItem, id!, NOT_ANSWERED)),
  ];
}
