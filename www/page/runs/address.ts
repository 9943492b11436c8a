// The run of this page in the address, so that a reload and a second tab show the same run.

/** A thread, and its latest run. */
export interface Place {
  readonly threadId: string;
  readonly runId: string | null;
}

/** Parses the address; returns a new thread if the address has none. */
export function placeOfAddress(): Place {
  const parameters = new URLSearchParams(location.hash.slice(1));
  return {
    threadId: parameters.get("thread") ?? crypto.randomUUID(),
    runId: parameters.get("run"),
  };
}

/** Writes the place into the address. */
export function writePlace({ threadId, runId }: Place): void {
  const parameters = new URLSearchParams({
    thread: threadId,
    ...(runId !== null && { run: runId }),
  });
  history.replaceState(null, "", `#${parameters}`);
}
