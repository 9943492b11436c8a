// `connect` for the runs endpoints: a request starts a run, and another one reads its events. The
// service keeps the conversation.

import type {
  AgUiSnapshot,
  Json,
  RunForwardedProps,
  RunInput,
  RunInputMessage,
} from "../agentwire.js";
import { AG_UI, callsOf } from "../ag_ui/protocol.js";
import { STORED_THREAD, resumeEntries, toolResults } from "../ag_ui/connect.js";
import { userContent } from "../ag_ui/history.js";
import { answerParts } from "../ag_ui/view.js";
import type { Chat } from "../connect/chat.js";
import { type Dialect, type ExchangeToSend, lastWith, unsentMessages } from "../connect/dialect.js";
import { createChat } from "../connect/create_chat.js";
import {
  type ChangeableOptions,
  type SharedConnectOptions,
  type ToolOptions,
} from "../connect/options.js";
import { functionsOf } from "../connect/tool.js";
import { viewOfAnswers } from "../connect/view.js";
import { HttpError } from "../core/errors.js";
import { jsonOf } from "../core/json.js";
import { below, requestTo, segment } from "../http/address.js";
import { getStream, post } from "../http/post.js";
import { checkRunInput } from "./run_input.js";

/** The options of `connect`. All are optional. */
export interface RunsConnectOptions extends SharedConnectOptions<"ag-ui">, ToolOptions {
  /**
   * Further properties of each request. `forwardedProps` are `{ runtime_mode: "chat" }` by default.
   */
  readonly body?: Partial<Omit<RunInput, "threadId" | "runId" | "messages" | "resume">> | undefined;
}

/** The runs endpoints for `connect`. */
export const RUNS_DIALECT: Dialect<"ag-ui", RunsConnectOptions> = {
  protocol: "ag-ui",
  reads: [AG_UI],
  callsOf,
  // Without a spread, which bundlers keep in pages that do not connect.
  options: ["tools", "maxToolRounds", "body"],
  history: "server",
  continues: true,
  stored: STORED_THREAD,
  view: (tools) => {
    const parts = answerParts(tools);
    return viewOfAnswers<AgUiSnapshot>((snapshot, context) =>
      parts(snapshot.messages, context, snapshot),
    )(tools);
  },
  request(base, exchange, options, how) {
    const input = inputOf(exchange, options);
    checkRunInput(jsonOf(input as unknown as Json));
    const url = endpoint(base, input.threadId, "events", input.runId).href;
    return {
      request: post(below(base, "/runs"), input, how, {
        accept: "application/json",
        "idempotency-key": input.runId,
      }),
      resumeUrl: url,
      async answered(response, send) {
        if (!response.ok) {
          throw new HttpError(
            response.status,
            response.headers,
            await response.text(),
            response.url,
          );
        }
        await response.body?.cancel();
        return send(getStream(url, how));
      },
    };
  },
  ending: (resumeUrl, how) =>
    requestTo(resumeUrl.replace(/\/events(?=\?|$)/, "/cancel"), {
      method: "POST",
      redirect: "manual",
      ...(how.signal && { signal: how.signal }),
    }),
};

/**
 * Connects to the runs endpoints of a service. Sends no request yet. Answers continue after a lost
 * connection and, with `persist`, after a reload; `stop` cancels the run.
 *
 * ```js
 * const chat = connect("/api/v1/agent", { persist: { key: "chat" } });
 * for await (const { messages } of chat.send("Weather in Beijing?")) render(messages);
 * ```
 *
 * @param base the address of the endpoints. Outside of pages it must be absolute
 * @throws AgentwireError `wrong-option` for an option that does not exist
 */
export function connect(
  base: string | URL,
  options: RunsConnectOptions = {},
): Chat<AgUiSnapshot, ChangeableOptions<RunsConnectOptions>> {
  return createChat(RUNS_DIALECT, base, options);
}

function endpoint(base: string | URL, threadId: string, name: string, runId: string): URL {
  return below(base, `/runs/${segment("the id of the conversation", threadId)}/${name}`, { runId });
}

/**
 * Returns the request of an exchange: the new message, and the answers to the calls of the last
 * run.
 */
function inputOf(
  exchange: ExchangeToSend<AgUiSnapshot>,
  { tools, body }: RunsConnectOptions,
): RunInput {
  const { conversationId: threadId, requestId: runId, before } = exchange;
  const last = lastWith(before);
  const unsent = unsentMessages(exchange);
  const listed = [...functionsOf(tools), ...(body?.tools ?? [])] as Json[];
  const resume = resumeEntries(before);
  // A request has one message of the user: those of requests that have failed are parts of it.
  const user =
    unsent.length === 0
      ? []
      : [
          {
            role: "user",
            id: unsent.at(-1)!.id,
            content: userContent(unsent.flatMap(({ parts }) => parts)),
          } as RunInputMessage,
        ];
  return {
    forwardedProps: { runtime_mode: "chat" } as RunForwardedProps,
    ...body,
    threadId,
    runId,
    messages: [...(toolResults(before) as RunInputMessage[]), ...user],
    ...(listed.length > 0 && { tools: listed }),
    ...(last?.snapshot.runId != null && { parentRunId: last.snapshot.runId }),
    ...(resume.length > 0 && { resume: resume as unknown as Json }),
  };
}
