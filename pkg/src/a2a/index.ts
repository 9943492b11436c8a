// The exports of A2A that `agentwire/server` exports.

export { type A2aAdapterDefinition, type A2aSkill, a2aAdapter } from "./adapter.js";
export { type ListTasks, MemoryTaskStore, type TaskPage, type TaskStore } from "./tasks.js";
