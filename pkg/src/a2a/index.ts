// The exports of A2A that `agentwire/server` exports.

export { a2aAdapter } from "./adapter.js";
export type { A2aAdapterDefinition, A2aSkill } from "./adapter.js";
export { MemoryTaskStore } from "./tasks.js";
export type { ListTasks, TaskPage, TaskStore } from "./tasks.js";
