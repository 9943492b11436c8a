// `connect` for the toy protocol, whose requests are those of the Agent API.

import { AGENT_API_DIALECT } from "../agent_api/connect.js";
import type { Chat } from "../connect/chat.js";
import type { Dialect } from "../connect/dialect.js";
import { createChat } from "../connect/create_chat.js";
import { textPart } from "../connect/native_parts.js";
import type { ChangeableOptions, SharedConnectOptions } from "../connect/options.js";
import { viewOfAnswers } from "../connect/view.js";
import type { Snapshots } from "../core/outcome.js";
import { TOY, callsOf } from "./protocol.js";

type Snapshot = Snapshots["toy"]["answer"];

/** The options of `connect`. */
export interface ToyConnectOptions extends SharedConnectOptions<"toy"> {}

/** The toy for `connect`. */
export const TOY_DIALECT: Dialect<"toy", ToyConnectOptions> = {
  protocol: "toy",
  reads: [TOY],
  callsOf,
  options: [],
  history: "server",
  stored: { status: "text", speeches: [{ type: "text", "text?": "text" }] },
  view: viewOfAnswers((snapshot, { isLive }) =>
    (snapshot as { readonly speeches: readonly { readonly text?: string }[] }).speeches.map(
      ({ text = "" }) => textPart(text, isLive),
    ),
  ),
  request: (url, { conversationId, requestId, user, history }, _, how) =>
    AGENT_API_DIALECT.request(
      url,
      { conversationId, requestId, user, history, before: [] },
      {},
      how,
    ),
};

/** Creates a chat with an agent. Sends no request yet. */
export function connect(
  url: string | URL,
  options: ToyConnectOptions = {},
): Chat<Snapshot, ChangeableOptions<ToyConnectOptions>> {
  return createChat(TOY_DIALECT, url, options);
}
