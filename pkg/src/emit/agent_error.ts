// The error information that a client receives.

import type { ErrorInfo } from "../agentwire.js";
import { logError } from "../core/error_handler.js";
import { isA, must } from "../core/errors.js";
import { within } from "../core/timers.js";
import { type RequestContext, contextOf } from "../http/context.js";

/** The options of an {@link AgentError}. */
export interface AgentErrorOptions extends ErrorOptions {
  /**
   * The HTTP status of the response of `createHandler`, from 400 to 599, if the agent throws the
   * error before it has written something. Without it, the response is a stream that has failed.
   */
  readonly status?: number | undefined;
}

/**
 * An error whose `code` and `message` are sent to the client unchanged. All other errors are
 * masked.
 *
 * ```js
 * throw new AgentError("QUOTA_EXCEEDED", "no more questions today", { status: 429, cause });
 * ```
 */
export class AgentError extends Error {
  override readonly name: string = "AgentError";
  /** The error code, in capitals by convention of the protocol. */
  readonly code: string;
  /** See {@link AgentErrorOptions.status}. */
  readonly status: number | undefined;

  constructor(code: string, message: string, { status, ...options }: AgentErrorOptions = {}) {
    super(message, options);
    const isStatus =
      status === undefined || (Number.isInteger(status) && status >= 400 && status < 600);
    must(isStatus, "wrong-option", "new AgentError(): `status` is an HTTP status from 400 to 599");
    this.code = code;
    this.status = status;
  }
}

/**
 * Called with an error and the context of its request. The `id` of the context is the one that the
 * client receives with a masked error. A returned value, also by a promise, is sent to the client
 * instead.
 */
export type OnError<Env = any, Ctx = any> = (
  error: unknown,
  context: RequestContext<Env, Ctx>,
) => ErrorInfo | undefined | void | PromiseLike<ErrorInfo | undefined | void>;

/**
 * Returns the error information to send: that of `onError`, that of an `AgentError`, or the text
 * `what` with an id. Never rejects.
 *
 * @param code the code of a masked error
 */
export async function errorInfoFor(
  error: unknown,
  onError: OnError | undefined,
  what: string,
  context: RequestContext,
  code: string = UNKNOWN,
): Promise<ErrorInfo> {
  const masked = `${what}, its id is ${context.id}`;
  const info =
    onError === undefined ? log(masked, error) : await fromHandler(error, onError, context);
  return info ?? ofAgentError(error) ?? { code, message: masked };
}

/**
 * Reports an error that does not end the run. Resolves to what the client and the model may
 * receive; never rejects.
 */
type Reporter = (error: unknown, what: string) => Promise<ErrorInfo>;

const REPORTERS = new WeakMap<object, Reporter>();

/** Sets the function that reports the errors of a run. */
export function reportErrorsOf(out: object, reporter: Reporter): void {
  REPORTERS.set(out, reporter);
}

/** Reports an error of a run that does not end it. */
export function reported(out: object, error: unknown, what: string): Promise<ErrorInfo> {
  const reporter = REPORTERS.get(out);
  return reporter === undefined
    ? errorInfoFor(error, undefined, what, contextOf(undefined, {}))
    : reporter(error, what);
}

/** The milliseconds that `onError` may take. */
const PATIENCE = 5000;
/** The code of AgentScope's runtime for unknown errors. */
const UNKNOWN = "AGENT_UNKNOWN_ERROR";

async function fromHandler(
  error: unknown,
  onError: OnError,
  context: RequestContext,
): Promise<ErrorInfo | undefined> {
  try {
    return infoOf(await within(onError(error, context), PATIENCE, () => undefined));
  } catch (failure) {
    logError(`onError failed when it was given the error ${context.id}`, failure);
    return undefined;
  }
}

/**
 * Returns the information of an `AgentError`. Any value can be thrown, including one whose
 * inspection throws.
 */
function ofAgentError(error: unknown): ErrorInfo | undefined {
  try {
    return isA(error, AgentError) ? infoOf(error) : undefined;
  } catch {
    return undefined;
  }
}

function infoOf(value: unknown): ErrorInfo | undefined {
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const { code, message } = value as { code?: unknown; message?: unknown };
  if (typeof message !== "string") {
    return undefined;
  }
  return { code: typeof code === "string" && code !== "" ? code : UNKNOWN, message };
}

/**
 * Logs an error; the default for `onError`. An `AgentError` is meant for the client and is not
 * logged.
 */
function log(what: string, error: unknown): undefined {
  if (ofAgentError(error) === undefined) {
    logError(what, error);
  }
}
