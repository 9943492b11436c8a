// The end of a run: its status, and the reason of a failure.

import { AgentwireError, HttpError, isA } from "../core/errors.js";
import type { Report } from "../core/findings.js";
import type { AnyProtocol, Outcome } from "../core/outcome.js";

/** The reason why a run has failed. */
export interface ChatError {
  /**
   * The code of the thrown `AgentwireError` (`http-status`, `connection-lost` …), or the code of
   * the agent; `cut-off` if the stream ended without a terminal event, `refused` if a strict reader
   * stopped at a violation, `limit-exceeded` if a limit has cut the answer, `agent-failed` if the
   * agent sent no code, and `source-failed` if a function of the options threw another error.
   */
  readonly code: string;
  /** The error message, for people. */
  readonly message: string;
  /** What may help, for people; undefined if nothing is known. */
  readonly remedy?: string | undefined;
  /** The HTTP status of a refused request. */
  readonly status?: number | undefined;
  /** The time that the server asks to wait before a retry, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The thrown value; undefined if the stream reported the failure, and after a reload. */
  readonly cause?: unknown;
}

/** The status of a run that has ended, and the reason why it has failed. */
export interface Ending {
  readonly status: "done" | "failed" | "stopped";
  readonly error: ChatError | undefined;
  /** Whether no event has come. */
  readonly isEmpty?: true;
}

/** Returns the ending for the outcome of a stream. */
export function endingOf({ snapshot, report }: Outcome<AnyProtocol>): Ending {
  const { endReason, events, unknown, violations } = report;
  const {
    error,
    task,
    parts,
    status = task?.status?.state?.replace("TASK_STATE_", "").toLowerCase() ?? "",
  } = snapshot as SnapshotEnd;
  if (endReason === "aborted" || status.startsWith("cancel")) {
    return { status: "stopped", error: undefined };
  }
  if (error != null || status === "failed" || status === "rejected" || endReason === "error") {
    const text =
      (typeof error === "string" ? error : error?.message) ||
      task?.status?.message?.parts?.find(({ text }) => text)?.text;
    return failure(
      String((typeof error === "object" && error?.code) || "agent-failed"),
      text || `the run is ${status}`,
      TRY_AGAIN,
    );
  }
  if (endReason === "refused") {
    const { rule, actual } = violations.at(-1) ?? { rule: "another protocol", actual: "" };
    return failure(
      endReason,
      `the stream is not read any further: ${rule}${actual && `: ${actual}`}`,
      'read with `read: { mode: "lenient" }`, or mend the server',
    );
  }
  if (isCut(report)) {
    const { actual = "" } = violations.find(({ rule }) => rule === CUT) ?? {};
    return failure(
      CUT,
      `a limit of the reader has cut the response: ${actual}; raise it in the option \`limits\` of the reader`,
      "raise the limit in `read: { limits }`, and try again",
    );
  }
  const other = violations.find(({ rule }) => rule === "unknown-protocol");
  // `[DONE]` ends the streams of several protocols.
  const isOther = other !== undefined && parts?.length === 0;
  // Some servers omit the terminal event of complete responses.
  if ((endReason === "completed" || (events > 0 && WHOLE.includes(status))) && !isOther) {
    return { status: "done", error: undefined };
  }
  const isUnknown = events === Object.values(unknown).reduce((sum, count) => sum + count, 0);
  if (other !== undefined) {
    return failure(
      "cut-off",
      `the stream is of another protocol: ${other.actual}`,
      "check the address, and the entry point that `connect` is imported from",
    );
  }
  if (events === 0) {
    return {
      ...failure("cut-off", "no event has come: the body is empty, or no event stream", TRY_AGAIN),
      isEmpty: true,
    };
  }
  return isUnknown
    ? failure(
        "cut-off",
        `no event is of this protocol: ${Object.keys(unknown).slice(0, 3).join(", ")}`,
        "check the address, and the entry point that `connect` is imported from",
      )
    : failure("cut-off", "the stream ended before the answer was complete", TRY_AGAIN);
}

const TRY_AGAIN = "try again";

/** The rule of a value that a limit refused. */
const CUT = "limit-exceeded";

/** Returns whether a limit of the reader has cut the snapshot. */
export function isCut({ counts }: Report): boolean {
  return Object.hasOwn(counts, CUT);
}

/**
 * Returns whether a stream had no event of its protocol so far as its report shows it: no event at
 * all, or the error of something else.
 */
export function isForeign({ events, counts }: Report): boolean {
  return events === 0 || Object.hasOwn(counts, "foreign-error");
}

/** The properties of snapshots that describe their end; for tasks, in their status. */
interface SnapshotEnd {
  readonly error?: { readonly code?: unknown; readonly message?: string } | string | null;
  readonly status?: string;
  readonly parts?: readonly unknown[];
  readonly task?: {
    readonly status?: {
      readonly state?: string;
      readonly message?: { readonly parts?: readonly { readonly text?: string }[] };
    };
  } | null;
}

const WHOLE: readonly string[] = ["completed", "awaiting-tool-results", "interrupted"];

/** Returns the ending of a run that threw an error. */
export function endingBy(cause: unknown): Ending {
  const code = isA(cause, AgentwireError) ? cause.code : "source-failed";
  const message = isA(cause, Error) ? cause.message : String(cause);
  if (!isA(cause, HttpError)) {
    return failure(code, message, REMEDIES[code], { cause });
  }
  const { status, retryAfterMs } = cause;
  const remedy =
    cause.code === "content-type"
      ? "check the address, and the proxy in front of the server"
      : remedyOf(status, retryAfterMs);
  return failure(code, message, remedy, {
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    cause,
  });
}

const REMEDIES: Readonly<Record<string, string>> = {
  "connection-lost": "check the connection, and try again",
  "limit-exceeded": "raise the limit in `read: { limits }`, and try again",
  redirected: "use the address that the server names, or set `followRedirects`",
  "interrupt-expired": "the question has expired: send a message",
  "file-unavailable": "attach the file again",
};

function remedyOf(status: number, retryAfterMs: number | undefined): string | undefined {
  if (status === 401 || status === 403) {
    return "sign in again";
  }
  if (status === 404 || status === 405) {
    return "check the address";
  }
  if (status === 413) {
    return "send a shorter message, or smaller files";
  }
  if (status === 429 || status >= 500) {
    return retryAfterMs === undefined || retryAfterMs === 0
      ? TRY_AGAIN
      : `try again in ${Math.ceil(retryAfterMs / 1000)} s`;
  }
  return status === 408 || status === 409 ? TRY_AGAIN : undefined;
}

function failure(
  code: string,
  message: string,
  remedy: string | undefined,
  more: Partial<ChatError> = {},
): Ending {
  return {
    status: "failed",
    error: { code, message, ...(remedy !== undefined && { remedy }), ...more },
  };
}
