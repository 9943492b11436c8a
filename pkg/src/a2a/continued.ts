// A task that waits for the user continues in the next exchange, whose stream begins with the whole
// task. Its earlier artifacts and messages belong to the answers before.

import type { A2aArtifact, A2aPart, A2aSnapshot, A2aTask } from "../agentwire.js";
import type { Exchange } from "../connect/exchange.js";
import { memo } from "../connect/parts.js";
import { stringifyJson } from "../core/json.js";

/**
 * Returns the exchanges with what is new in each of them. The same exchange is returned as the same
 * object.
 */
export function withNews(
  exchanges: readonly Exchange<A2aSnapshot>[],
): readonly Exchange<A2aSnapshot>[] {
  const tasks = new Map<string, A2aTask>();
  return exchanges.map((exchange) => {
    const task = exchange.snapshot?.task;
    if (task?.id === undefined) {
      return exchange;
    }
    const earlier = tasks.get(task.id);
    tasks.set(task.id, task);
    return earlier === undefined ? exchange : newsOf(exchange, earlier);
  });
}

const newsOf = /* @__PURE__ */ memo(
  (exchange: Exchange<A2aSnapshot>, earlier: A2aTask): Exchange<A2aSnapshot> => {
    const snapshot = exchange.snapshot!;
    const task = snapshot.task!;
    const known = new Map(
      (earlier.artifacts ?? []).map((artifact) => [artifact.artifactId, artifact]),
    );
    const artifacts = (task.artifacts ?? []).flatMap((artifact) => {
      const before = known.get(artifact.artifactId);
      return before === undefined ? [artifact] : newParts(artifact, before);
    });
    const read = new Set((earlier.history ?? []).map(({ messageId }) => messageId));
    const history = (task.history ?? []).filter(
      ({ messageId }) => messageId === undefined || !read.has(messageId),
    );
    return { ...exchange, snapshot: { ...snapshot, task: { ...task, artifacts, history } } };
  },
);

/**
 * Returns an artifact without the parts that it had before; nothing if it has no others. One that
 * was replaced is new.
 */
const newParts = /* @__PURE__ */ memo(
  (artifact: A2aArtifact, before: A2aArtifact): readonly A2aArtifact[] => {
    const [parts, old] = [artifact.parts ?? [], before.parts ?? []];
    const isContinued = jsonOf(parts.slice(0, old.length)) === jsonOf(old);
    const rest = isContinued ? parts.slice(old.length) : parts;
    return rest.length === 0 ? [] : [isContinued ? { ...artifact, parts: rest } : artifact];
  },
);

function jsonOf(parts: readonly A2aPart[]): string {
  return stringifyJson(parts as readonly object[]);
}
