// An agent that repeats the last message, word by word. Replace it with yours.
import { setTimeout as sleep } from "node:timers/promises";
import { respond } from "agentwire/server";

export function agent({ threadId, runId }, { history, signal }) {
  return respond(
    { signal },
    { protocol: "ag-ui", sessionId: threadId, responseId: runId },
    async (out) => {
      for (const word of history.at(-1).content.split(" ")) {
        await sleep(50, undefined, { signal });
        await out.text(`${word} `);
      }
    },
  );
}
