// Changes to the events of any protocol that may happen in transit.

/** Four ways to change a list of events at one of its places: the first four that a protocol's own mutations choose from. */
export const DISORDERS = [
  /** One gets lost. */
  (events, at) => void events.splice(at, 1),
  /** One is repeated. */
  (events, at, random) => void events.splice(random(events.length + 1), 0, structuredClone(events[at])),
  /** Two change places. */
  (events, at, random) => swap(events, at, random(events.length)),
  /** One moves before its predecessor. */
  (events, at) => at + 1 < events.length && swap(events, at, at + 1),
];

function swap(events, one, other) {
  [events[one], events[other]] = [events[other], events[one]];
}
