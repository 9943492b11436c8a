// What every consumer does with the package, whichever way it has got it. It is copied into each of them.

/** Takes the package's exports, initialised; returns plain data that the test compares. */
export function exercise(agentwire) {
  return { version: agentwire.version() };
}
