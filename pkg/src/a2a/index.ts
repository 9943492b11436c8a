// Further exports of A2A in `agentwire/server`.

export { type A2aAdapterDefinition, type A2aSkill } from "./adapter.js";
export type { A2aLimits } from "./limits.js";
export {
  type ListTasks,
  MemoryTaskStore,
  type MemoryTaskStoreOptions,
  type StoredTask,
  type TaskPage,
  type TaskStore,
} from "./tasks.js";
