// What a client is told about an error.

import type { ErrorInfo } from "../agentwire.js";
import { isA } from "../errors.js";
import type { RequestContext } from "../server/context.js";

/**
 * An error that an agent throws for its client to read: `code` and `message` are told as they are. Every other error is
 * masked.
 *
 * ```js
 * throw new AgentError("QUOTA_EXCEEDED", "no more questions today", { cause });
 * ```
 */
export class AgentError extends Error {
  override readonly name: string = "AgentError";
  /** The protocol's codes are in capitals. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Hears an error, and how the request came that it belongs to: its `id` is the one that the client is told of an error that
 * is masked. What is returned, also by a promise, is told to the client in place of that.
 */
export type OnError<Env = any, Ctx = any> = (
  error: unknown,
  context: RequestContext<Env, Ctx>,
) => ErrorInfo | undefined | void | PromiseLike<ErrorInfo | undefined | void>;

/**
 * What a client is told about an error: what `onError` says, what an `AgentError` says, or an id after the words of `what`.
 * Never rejects.
 */
export async function told(
  error: unknown,
  onError: OnError | undefined,
  what: string,
  context: RequestContext,
): Promise<ErrorInfo> {
  const masked = `${what}, its id is ${context.id}`;
  const said = onError === undefined ? log(masked, error) : await heard(error, onError, context);
  return said ?? meant(error) ?? { code: UNKNOWN, message: masked };
}

/** How many milliseconds `onError` has to say something. */
const PATIENCE = 5000;
/** The code that AgentScope's runtime gives to errors that it does not know. */
const UNKNOWN = "AGENT_UNKNOWN_ERROR";

async function heard(error: unknown, onError: OnError, context: RequestContext): Promise<ErrorInfo | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), PATIENCE)));
  try {
    return infoOf(await Promise.race([onError(error, context), late]));
  } catch (failure) {
    print(`onError failed when it was given the error ${context.id}`, failure);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** An error that says what the client may know. Any value can be thrown, also one that throws when it is looked at. */
function meant(error: unknown): ErrorInfo | undefined {
  try {
    return isA(error, AgentError) ? infoOf(error) : undefined;
  } catch {
    return undefined;
  }
}

function infoOf(said: unknown): ErrorInfo | undefined {
  if (typeof said !== "object" || said === null) {
    return undefined;
  }
  const { code, message } = said as { code?: unknown; message?: unknown };
  if (typeof message !== "string") {
    return undefined;
  }
  return { code: typeof code === "string" && code !== "" ? code : UNKNOWN, message };
}

/** What is done with an error if nobody asks for something else. What was meant for the client needs no attention. */
function log(what: string, error: unknown): undefined {
  if (meant(error) === undefined) {
    print(what, error);
  }
}

function print(what: string, error: unknown): void {
  try {
    console.error(`agentwire: ${what}:`, error);
  } catch {
    // An error that cannot be printed, or a console that does not work.
  }
}
