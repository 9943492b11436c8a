// The options of `connect`.

import { knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";
import type { OptionsFor, Protocol } from "../core/outcome.js";
import type { Credentials, HeadersLike } from "../core/platform.js";
import type { Dialect } from "./dialect.js";
import { MESSAGES, fits } from "./fits.js";
import type { FilePart, Message } from "./message.js";
import type { Persist } from "./persist.js";
import { type AgentTools, checkTools } from "./tool.js";

/** A message that an application has stored: one of a chat, or a `UIMessage` of the AI SDK. */
export interface HistoryMessage extends Pick<Message, "id" | "role" | "metadata"> {
  readonly parts: readonly { readonly type: string }[];
}

/** The options of `connect` in every protocol. All are optional. */
export interface SharedConnectOptions<P extends Protocol> {
  /**
   * Headers of each request, for example `authorization`; or a function that returns them, called
   * once per request.
   */
  readonly headers?: HeadersLike | (() => HeadersLike | PromiseLike<HeadersLike>) | undefined;
  /** Whether cookies are sent to another origin, as for `fetch`. */
  readonly credentials?: Credentials | undefined;
  /** Sends the requests; the platform's `fetch` by default. */
  readonly fetch?:
    | ((request: Request, init?: RequestInit) => Response | PromiseLike<Response>)
    | undefined;
  /**
   * Whether redirects within the origin of the address are followed. False by default: a redirect
   * is an error with the code `redirected`. Redirects to other origins are never followed.
   */
  readonly followRedirects?: boolean | undefined;
  /** The options for reading the streams: `limits`, `mode` and the other options of `read`. */
  readonly read?: OptionsFor<P> | undefined;
  /**
   * What `send` does during a run. `queue`, the default: the message is shown immediately, and sent
   * when the run has ended and no question is open. `refuse`: it is not sent.
   */
  readonly whileBusy?: "queue" | "refuse" | undefined;
  /**
   * Returns the part for a file that the user sends, for example after an upload. By default the
   * part has the content of the file as a data URL, which each request of some protocols repeats.
   */
  readonly upload?:
    | ((file: File, options: { readonly signal: AbortSignal }) => FilePart | PromiseLike<FilePart>)
    | undefined;
  /**
   * The id of the conversation, in the protocols whose client chooses it. A new UUID by default. A
   * stored conversation has its own.
   */
  readonly id?: string | undefined;
  /**
   * The messages before the first one of this chat, for example from a database. They are shown,
   * and sent in the protocols whose client keeps the conversation. A stored conversation has its
   * own.
   */
  readonly messages?: readonly HistoryMessage[] | undefined;
  /** Where the conversation is stored, so that it continues after the page is reloaded. */
  readonly persist?: Persist<P> | undefined;
  /**
   * Whether an answer continues after a lost connection and, with `persist`, after a reload and in
   * a second tab. False by default. The server must support it: see the guide.
   */
  readonly resume?: boolean | undefined;
}

/** The options of the protocols whose requests list tools of the client. */
export interface ToolOptions {
  /**
   * The tools of the client by name. They are described to the agent, and executed when it calls
   * them.
   */
  readonly tools?: AgentTools | undefined;
  /**
   * The number of requests after one message that may answer calls of `tools` without the user: 8
   * by default. Later calls wait for `answer`.
   */
  readonly maxToolRounds?: number | undefined;
}

/** The options that a chat can receive later: from the next request on. */
export type ChangeableOptions<O> = Omit<O, "id" | "messages" | "persist" | "resume" | "protocol">;

/** The names of {@link ToolOptions}. */
export const TOOL_OPTIONS = ["tools", "maxToolRounds"] as const;

const CHANGEABLE = [
  "headers",
  "credentials",
  "fetch",
  "followRedirects",
  "read",
  "whileBusy",
  "upload",
];
const FIXED = ["id", "messages", "persist", "resume"];

/** All options, as a chat uses them. */
export type AllOptions<P extends Protocol> = SharedConnectOptions<P> & ToolOptions;

/** Checks the names of the options, and the values whose errors would appear late. */
export function checkOptions<P extends Protocol, O>(
  { options: own }: Dialect<P, O>,
  options: object,
): void {
  knownOptions("connect()", options, [...CHANGEABLE, ...FIXED, ...own]);
  checkValues("connect()", options);
  const { messages = [] } = options as AllOptions<P>;
  must(
    fits(messages, MESSAGES),
    "wrong-option",
    "connect(): option `messages` is a list of messages: { id, role, parts }",
  );
}

/** Checks the options of `set`. */
export function checkChanges<P extends Protocol, O>(
  { options: own }: Dialect<P, O>,
  options: object,
): void {
  knownOptions("set()", options, [...CHANGEABLE, ...own]);
  checkValues("set()", options);
}

function checkValues(called: string, options: object): void {
  const {
    tools = {},
    maxToolRounds = 0,
    whileBusy = "queue",
    upload = isFile,
  } = options as AllOptions<Protocol>;
  checkTools(called, tools);
  must(
    Number.isInteger(maxToolRounds) && maxToolRounds >= 0,
    "wrong-option",
    `${called}: option \`maxToolRounds\` is an integer from 0`,
  );
  must(
    whileBusy === "queue" || whileBusy === "refuse",
    "wrong-option",
    `${called}: option \`whileBusy\` is "queue" or "refuse"`,
  );
  must(
    typeof upload === "function",
    "wrong-option",
    `${called}: option \`upload\` is a function that returns the part for a file`,
  );
}

/** Returns whether a value is a file or a blob. */
export function isFile(value: unknown): boolean {
  return typeof Blob === "function" && value instanceof Blob;
}

const ENDED: ReadonlySet<unknown> = new Set<Message["status"]>(["done", "stopped", "failed"]);

/**
 * Returns a message of the option `messages`. One that was stored while it was in progress counts
 * as stopped, and its texts do not grow.
 */
export function earlierMessage(historyMessage: HistoryMessage): Message {
  const {
    status = "done",
    parts,
    ...message
  } = historyMessage as Omit<Message, "status"> & Partial<Pick<Message, "status">>;
  const ended = parts.map((part) =>
    "state" in part && part.state === "streaming" ? { ...part, state: "done" as const } : part,
  );
  return { ...message, parts: ended, status: ENDED.has(status) ? status : "stopped" };
}
