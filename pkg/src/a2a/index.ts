// The exports of A2A that `agentwire/server` exports.

export { type A2aAdapterDefinition, type A2aSkill, a2aAdapter } from "./adapter.js";
export type { A2aLimits } from "./limits.js";
export {
  type ListTasks,
  MemoryTaskStore,
  type MemoryTaskStoreOptions,
  type StoredTask,
  type TaskPage,
  type TaskStore,
} from "./tasks.js";
