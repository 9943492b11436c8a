// The modules of the runs service that are not public, with the core that they share.
import "../../../pkg/dist/entries/runs-server/node.js";

export { EventScript, RunDriver } from "../../../pkg/dist/runs/server/driver.js";
export { eventForm, RunFollowers } from "../../../pkg/dist/runs/server/followers.js";
export { memoryStore } from "../../../pkg/dist/runs/server/memory_store.js";
export { historyOf, messagesIn, messagesOf } from "../../../pkg/dist/runs/server/messages.js";
export { retain } from "../../../pkg/dist/runs/server/retention.js";
export { Counts, RENEWAL, VALID } from "../../../pkg/dist/runs/server/store.js";

/** A run to store. */
export const newRun = (runId, members) => ({
  owner: "ann",
  base: "",
  runId,
  taskId: "task",
  hash: "",
  input: "{}",
  at: 0,
  key: null,
  messages: [],
  ...members,
});
