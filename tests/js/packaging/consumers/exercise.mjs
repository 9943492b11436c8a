// The use of the package by every consumer, independent of the import. It is copied into each of
// them.

/** Accepts the exports of the package, initialized; returns plain data that the test compares. */
export function exercise(agentwire) {
  return { version: agentwire.version() };
}
