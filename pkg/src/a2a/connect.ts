// `connect` for A2A. The server keeps the conversation, so a request contains one message with the
// ids of the context and the task that the server returned. The client has no tools. An agent that
// does not stream is asked again without a stream.

import type { A2aInputPart, A2aSendMessageRequest, A2aSnapshot } from "../agentwire.js";
import type { Chat } from "../connect/chat.js";
import { type Dialect, lastWith, repliesToSend, unsentMessages } from "../connect/dialect.js";
import type { Exchange, Reply } from "../connect/exchange.js";
import type { StoredShape } from "../connect/fits.js";
import { createChat } from "../connect/create_chat.js";
import type { UserPart } from "../connect/message.js";
import type { ChangeableOptions, SharedConnectOptions } from "../connect/options.js";
import { contentOf, metadataOf as userMetadata } from "../connect/user_parts.js";
import { viewOfAnswers } from "../connect/view.js";
import { A2A, callsOf } from "./protocol.js";
import { withNews } from "./continued.js";
import {
  callRequest,
  cancelTask,
  createRequest,
  nextRequest,
  subscribeToTask,
} from "./create_request.js";
import type { Snapshot } from "../generated/a2a/types.js";
import { answered } from "./unstreamed.js";
import { WORKS, metadataOf, partsOf } from "./view.js";

/** The options of `connect`. All are optional. */
export interface A2aConnectOptions extends SharedConnectOptions<"a2a"> {
  /** The protocol version in the server's agent card. 1.0 by default. */
  readonly version?: "1.0" | "0.3" | undefined;
  /** Further parameters of each request: `configuration`, `metadata`. */
  readonly body?: Partial<Omit<A2aSendMessageRequest, "message">> | undefined;
}

/** A part of a stored message or artifact. */
const PART: StoredShape = {
  "text?": "text",
  "url?": "text",
  "raw?": "text",
  "mediaType?": "text",
  "filename?": "text",
};

/** A stored message. */
const MESSAGE = {
  "messageId?": "text",
  "contextId?": "text",
  "role?": "text",
  "parts?": [PART],
} satisfies StoredShape;

/** A2A for `connect`. */
export const A2A_DIALECT: Dialect<"a2a", A2aConnectOptions> = {
  protocol: "a2a",
  reads: [A2A],
  callsOf,
  options: ["version", "body"],
  history: "server",
  stored: {
    "task?": {
      "id?": "text",
      "contextId?": "text",
      "status?": { "state?": "text", "message?": MESSAGE },
      "artifacts?": [{ "artifactId?": "text", "parts?": [PART] }],
      "history?": [MESSAGE],
    },
    "message?": MESSAGE,
  },
  view(tools) {
    const view = viewOfAnswers(partsOf, metadataOf)(tools);
    return (exchanges) => view(withNews(exchanges));
  },
  request(url, { before: all, user }, { version, body }, how) {
    const before = all.map(withoutRefusal);
    const snapshot = lastWith(before)?.snapshot ?? NOTHING;
    const replies = repliesToSend(before);
    const unsent = unsentMessages({ before, user });
    const parts = [
      ...replies.map(replyPart),
      ...unsent.flatMap((message) => message.parts.map(inputOf)),
    ];
    const next = nextRequest(undefined, snapshot, parts);
    const asks = (callsOf(snapshot) ?? []).some(({ pending }) => pending);
    if (asks && replies.length === 0) {
      // The message ignores the question and starts a new task.
      delete next.message.taskId;
    }
    const metadata = userMetadata(unsent);
    // A repeated request has the same id.
    const messageId = user?.id ?? `${before.at(-1)?.id}-replies`;
    const params = {
      ...body,
      message: { ...next.message, messageId, ...(metadata && { metadata }) },
    };
    const options = { ...how, version };
    return {
      request: createRequest(url, params, options),
      answered: (response, send) =>
        answered(
          response,
          params,
          (method, each) => send(callRequest(url, method, each as A2aSendMessageRequest, options)),
          how.signal,
        ),
    };
  },
  cancellation: (url, { task }, { version }, how) =>
    task?.id && WORKS.has(task.status?.state)
      ? cancelTask(url, task.id, { ...how, version })
      : undefined,
  resumption(url, { snapshot }, _conversationId, { version }, how) {
    const task = snapshot?.task;
    return task?.id && WORKS.has(task.status?.state)
      ? subscribeToTask(url, task.id, { ...how, version })
      : undefined;
  },
};

/**
 * Creates a chat with an agent. Sends no request yet. `stop` also cancels the task, which otherwise
 * continues without a connection.
 *
 * ```js
 * const chat = connect("/a2a");
 * for await (const { messages } of chat.send("Weather in Beijing?")) render(messages);
 * ```
 *
 * @param url the address of the agent. Outside of pages it must be absolute
 * @throws AgentwireError `wrong-option` for an option that does not exist
 */
export function connect(
  url: string | URL,
  options: A2aConnectOptions = {},
): Chat<Snapshot, ChangeableOptions<A2aConnectOptions>> {
  return createChat(A2A_DIALECT, url, options);
}

const NOTHING: A2aSnapshot = { task: null, message: null, error: null };

/**
 * Returns an exchange without a snapshot if the server has refused the message with an error: the
 * agent has not received it.
 */
function withoutRefusal(exchange: Exchange<A2aSnapshot>): Exchange<A2aSnapshot> {
  const { snapshot } = exchange;
  return snapshot !== undefined && snapshot.task == null && snapshot.message == null
    ? { ...exchange, snapshot: undefined }
    : exchange;
}

function replyPart({ id, name, kind, value, approved }: Reply): A2aInputPart {
  return {
    data:
      kind === "approval"
        ? { approval_request_id: id, approved: approved === true, value }
        : { call_id: id, name, output: value },
  };
}

function inputOf(part: UserPart): A2aInputPart {
  if (part.type === "text") {
    return { text: part.text };
  }
  const { url, mediaType, filename } = part;
  const raw = contentOf(part);
  return {
    ...(raw === undefined ? { url } : { raw }),
    mediaType,
    ...(filename !== undefined && { filename }),
  };
}
