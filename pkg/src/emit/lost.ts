// The errors of requests that are refused because something of them would be lost.

import type { CountedLosses } from "../core/findings.js";
import { AgentError } from "./agent_error.js";

/** The number of losses that an error names. */
const NAMED = 5;

/**
 * Throws if a request has lost something that can make the answer wrong. The client receives the
 * error, with status 400.
 */
export function mustBeWhole({ losses, classes }: CountedLosses): void {
  const { contract = 0 } = classes;
  if (contract > 0) {
    const named = losses.filter((loss) => loss.class === "contract").slice(0, NAMED);
    const list = named.map(
      ({ kind, location, reason }) => `${[kind, location].filter(Boolean).join(" ")} (${reason})`,
    );
    const more = contract > named.length ? `, and ${contract - named.length} more` : "";
    throw new AgentError(
      "request-losses",
      `the request cannot be passed on as it is: ${list.join(", ")}${more}`,
      { status: 400 },
    );
  }
}

/**
 * Throws if a request has the result of a call that is not in it, or a message without those before
 * it. The client receives the error, with status 400.
 */
export function mustHaveHistory(
  { losses, counts }: CountedLosses,
  asked: CountedLosses | undefined,
): void {
  if (asked?.counts["history"] !== undefined) {
    throw new AgentError(
      "history-missing",
      "the message continues a conversation, and this server does not store its earlier messages",
      { status: 400 },
    );
  }
  if (counts["result-without-call"] !== undefined) {
    const { location = "" } = losses.find(({ kind }) => kind === "result-without-call") ?? {};
    const message = `the request has the result of the call \`${location}\`, but not the call: this server does not store conversations, so send the whole conversation`;
    throw new AgentError("history-missing", message, { status: 400 });
  }
}
