// The modules of the runs service that are not public, with the core that they share.
import "../../../pkg/build/entries/runs_server.js";

export { EventScript, RunDriver } from "../../../pkg/build/runs/server/driver.js";
export { eventForm, RunFollowers } from "../../../pkg/build/runs/server/followers.js";
export { memoryStore } from "../../../pkg/build/stores/memory_store.js";
export { historyOf, messagesIn, messagesOf } from "../../../pkg/build/runs/server/messages.js";
export { retain } from "../../../pkg/build/runs/server/retention.js";
export { StoredUsers } from "../../../pkg/build/runs/server/users.js";
export { eventsIn } from "../../../pkg/build/runs/server/run_log.js";
export { Counts, RENEWAL, VALID } from "../../../pkg/build/runs/server/counts.js";
export { ThreadLog } from "../../../pkg/build/runs/server/thread_log.js";

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
