// What a case of the Agent API corpus has to come to.

/** Members that say nothing about the answer. */
const DROPPED = new Set(["sequence_number", "object", "delta", "msg_id"]);

export function agentApiCase({ parseJson, stringify }, { snapshot, violations, toolCalls }) {
  const normal = (json) => stringify(parseJson(json));
  const comparisons = [
    { what: "the answer", actual: ({ response }) => stringify(stripped(response)), expected: normal(snapshot) },
    { what: "the violations", actual: (outcome) => stringify(verdictOf(outcome)), expected: normal(violations) },
    { what: "the tool calls", actual: (outcome) => stringify(outcome.toolCalls), expected: normal(toolCalls) },
  ];
  return { options: {}, comparisons };
}

/** A response without what is dropped: in itself, its messages and their contents, not in free JSON. */
export function stripped(object, lists = ["output", "content"]) {
  const [list, ...deeper] = lists;
  const members = Object.entries(object).filter(([key]) => !DROPPED.has(key));
  return Object.fromEntries(
    members.map(([key, value]) => [key, key === list ? value.map((item) => stripped(item, deeper)) : value]),
  );
}

/** The violations as the corpora note them. */
export function verdictOf({ report }) {
  return report.violations.map(({ rule, event, messageId, index }) => ({ rule, event, messageId, index }));
}
