// The run of this page in the address, so that a reload and a second tab show the same run.

/** A thread, and its latest run. */
export interface Place {
  readonly threadId: string;
  readonly runId: string | null;
}

/** Parses the address; returns a new thread if the address has none. */
export function placeOfAddress(): Place {
  const said = new URLSearchParams(location.hash.slice(1));
  return { threadId: said.get("thread") ?? crypto.randomUUID(), runId: said.get("run") };
}

/** Writes the place into the address. */
export function sayPlace({ threadId, runId }: Place): void {
  const said = new URLSearchParams({ thread: threadId, ...(runId !== null && { run: runId }) });
  history.replaceState(null, "", `#${said}`);
}
