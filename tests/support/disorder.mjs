// What may happen to the events of any protocol on their way.

/** Four ways to change a list of events at one of its places: the first four of what a protocol's own mutations choose from. */
export const DISORDERS = [
  /** One gets lost. */
  (events, at) => void events.splice(at, 1),
  /** One comes twice. */
  (events, at, random) => void events.splice(random(events.length + 1), 0, structuredClone(events[at])),
  /** Two change places. */
  (events, at, random) => swap(events, at, random(events.length)),
  /** One comes before the one that it follows. */
  (events, at) => at + 1 < events.length && swap(events, at, at + 1),
];

function swap(events, one, other) {
  [events[one], events[other]] = [events[other], events[one]];
}
