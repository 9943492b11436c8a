// Exchanges that the page or another tab has stored, as a chat takes them over.

import { lengthOf } from "./answer_run.js";
import { type Exchange, isOver } from "./exchange.js";
import { withObjectsOf } from "./parts.js";

/** Returns an exchange for a stored one. One that was in progress counts as stopped. */
export function restored<S>(exchange: Exchange<S>): Exchange<S> {
  const { status } = exchange;
  if (isOver(status) || status === "queued") {
    return exchange;
  }
  return {
    ...exchange,
    status: "stopped",
    ...(status === "calling" && { isAnswered: true as const }),
  };
}

/**
 * Returns stored exchanges, and behind them the messages in the queue of this tab. Equal values are
 * the objects of this tab.
 *
 * @param own the exchanges of this tab
 * @param isRunning whether another tab runs the chat, so that the last exchange keeps its status
 */
export function withStored<S>(
  own: readonly Exchange<S>[],
  stored: readonly Exchange<S>[],
  isRunning: boolean,
): readonly Exchange<S>[] {
  const byId = new Map(own.map((exchange) => [exchange.id, exchange]));
  const known = new Set(stored.map(({ id }) => id));
  const exchanges = stored.map((each) => {
    const before = byId.get(each.id);
    const exchange = withObjectsOf(before, each) as Exchange<S>;
    // This tab has read more of the answer than the other one has stored. A repeated request has
    // another address.
    const isBehind =
      before !== undefined &&
      !isOver(each.status) &&
      each.resumeUrl === before.resumeUrl &&
      lengthOf(each.snapshot) < lengthOf(before.snapshot);
    const latest = isBehind ? { ...exchange, snapshot: before.snapshot } : exchange;
    return isRunning ? latest : restored(latest);
  });
  return [...exchanges, ...own.filter(({ id, status }) => status === "queued" && !known.has(id))];
}
