// Changes to the events of any protocol that may happen in transit.

/**
 * Four ways to change a list of events at an index: the mutations of each protocol include them
 * first.
 */
export const DISORDERS = [
  /** Removes one. */
  (events, at) => void events.splice(at, 1),
  /** Repeats one. */
  (events, at, random) =>
    void events.splice(random(events.length + 1), 0, structuredClone(events[at])),
  /** Swaps two. */
  (events, at, random) => swap(events, at, random(events.length)),
  /** Moves one before its predecessor. */
  (events, at) => at + 1 < events.length && swap(events, at, at + 1),
];

function swap(events, one, other) {
  [events[one], events[other]] = [events[other], events[one]];
}
