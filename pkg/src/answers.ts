// What the tools of a client came to, put into the order of the calls that wait for it.

import type { Json } from "./agentwire.js";
import { AgentwireError } from "./errors.js";

/** The answer to each pending call; throws if one is missing or one too many. */
export function inOrder(pending: readonly string[], answers: Readonly<Record<string, Json>>): [id: string, answer: Json][] {
  for (const id of Object.keys(answers)) {
    if (!pending.includes(id)) {
      throw new AgentwireError("not-pending", `the call \`${id}\` waits for no answer`);
    }
  }
  return pending.map((id) => {
    if (!Object.hasOwn(answers, id)) {
      const instead = "answer every call in one request; a tool that failed can say so in its answer";
      throw new AgentwireError("answer-missing", `the call \`${id}\` has no answer: ${instead}`);
    }
    return [id, answers[id]!];
  });
}
