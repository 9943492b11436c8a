// The tool results and decisions of a client, in the order of the pending calls and questions.

import type { Json } from "./agentwire.js";
import { check } from "./arguments.js";
import { AgentwireError } from "./errors.js";
import type { Said } from "./tool_call_view.js";

/** The results of tools by call id: text, or a JSON value, which is sent as text. */
export type ToolResults = Readonly<Record<string, Json>>;

/**
 * The decisions of the user by question id: `true` or `{ approved: true }` approves, other values decline, unless the
 * question has its own schema for the answer.
 */
export type Decisions = Readonly<Record<string, Json>>;

/** A pending call or question, and its answer. */
export interface Answered {
  readonly call: Said & { readonly id: string };
  readonly answer: Json;
}

/**
 * Returns the answer to each pending call and question, in the order of their appearance.
 *
 * @throws AgentwireError `answer-missing` if one has no answer, `not-pending` for an answer to another id
 */
export function answered(calls: readonly Said[] | undefined, results: ToolResults, decisions: Decisions): Answered[] {
  const pending = (calls ?? []).filter(({ pending, id }) => pending && id !== null) as Answered["call"][];
  for (const [kind, given] of [["call", results], ["approval", decisions]] as const) {
    for (const id of Object.keys(given)) {
      if (!pending.some((call) => call.kind === kind && call.id === id)) {
        throw new AgentwireError("not-pending", `the ${kind} \`${id}\` is not pending`);
      }
    }
  }
  return pending.map((call) => {
    const { id, kind } = call;
    const given = kind === "call" ? results : decisions;
    if (!Object.hasOwn(given, id)) {
      const instead = "answer every call in one request; a tool that failed can return its error as the result";
      throw new AgentwireError("answer-missing", `the ${kind} \`${id}\` has no answer: ${instead}`);
    }
    return { call, answer: given[id]! };
  });
}

/** Checks the arguments of `submitToolResults` and `resume`. */
export function checkAnswers(name: "submitToolResults" | "resume", previous: unknown, snapshot: unknown, answers: unknown): void {
  const last = name === "resume" ? "decisions" : "results";
  check(name, { previous: "object", snapshot: "object", [last]: "object" }, [previous, snapshot, answers]);
}
