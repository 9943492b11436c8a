// What a case of the AG-Kit corpus has to come to.
import { verdictOf } from "./corpus_agent_api.mjs";

const UNREAD = { parts: [], interrupt: null, error: null, text: "", pendingToolCallIds: [], status: "truncated" };

export function agKitCase({ parseJson, stringify }, { expected, violations, options, isAgUi }) {
  const { final } = parseJson(expected);
  const recorded = isAgUi ? UNREAD : final;
  const member = (name) => ({
    what: name,
    actual: ({ response }) => stringify(answer(response)[name]),
    expected: stringify(recorded[name]),
  });
  const comparisons = [
    ...Object.keys(UNREAD).map(member),
    {
      what: "how it ended",
      actual: ({ report }) => `${isAgUi ? report.ended : report.ended === "terminal"}`,
      expected: `${isAgUi ? "refused" : final.done}`,
    },
    { what: "the violations", actual: (outcome) => stringify(verdictOf(outcome)), expected: stringify(parseJson(violations)) },
    {
      what: "the tool calls",
      actual: ({ toolCalls }) => stringify(toolCalls.map(({ toolCallId }) => toolCallId)),
      expected: stringify(recorded.parts.filter(({ type }) => type === "tool-call").map(({ toolCallId }) => toolCallId)),
    },
  ];
  return { options: { protocol: "ag-kit", ...options }, comparisons };
}

/** A turn in the form of `final`: interrupts and errors stand beside the parts, and nothing is null. */
function answer({ status, parts, error, pendingToolCallIds }) {
  const shown = parts.filter(({ type }) => type === "text" || type === "tool-call").map(withoutNulls);
  const interrupt = parts.filter(({ type }) => type === "interrupt").at(-1);
  const { type: _, ...asked } = interrupt ?? {};
  return {
    parts: shown,
    interrupt: interrupt === undefined ? null : asked,
    error: error === null ? null : withoutNulls(error),
    text: shown.map(({ text }) => text ?? "").join(""),
    pendingToolCallIds,
    status,
  };
}

/** In the order of the recordings. */
function withoutNulls({ state, parsedArguments, argumentsError, result, ...part }) {
  const members = Object.entries({ ...part, state, parsedArguments, argumentsError, result });
  return Object.fromEntries(members.filter(([, value]) => value != null));
}
