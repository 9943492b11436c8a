// Which run this page shows: it stands in the address, so that a reload and a second tab show the same.

/** A thread, and its run that was started last. */
export interface Place {
  readonly threadId: string;
  readonly runId: string | null;
}

/** What the address says; a new thread if it says nothing. */
export function placeOfAddress(): Place {
  const said = new URLSearchParams(location.hash.slice(1));
  return { threadId: said.get("thread") ?? crypto.randomUUID(), runId: said.get("run") };
}

/** Lets the address say it. */
export function sayPlace({ threadId, runId }: Place): void {
  const said = new URLSearchParams({ thread: threadId, ...(runId !== null && { run: runId }) });
  history.replaceState(null, "", `#${said}`);
}
