// OpenAI Responses: each request has the whole conversation as items, and the server keeps nothing. (With one that keeps responses, leave
// out `store: false`: then a request names the response before, and has what is new.)

import { createRequest, init, nextRequest, read, type RequestInput as CreateResponse, type Snapshot as ResponsesResponse, submitToolResults } from "agentwire/responses";
import type { TurnRequest } from "agentwire/store";

/** The tools of this page, as the agent hears of them. */
const tools = [{ type: "function", name: "paint", strict: false, parameters: { type: "object", properties: { color: { type: "string" } } } }];

/** What every request has. */
const ALWAYS: CreateResponse = { model: "demo", store: false, include: ["reasoning.encrypted_content"], tools };

/** What `createConversation` and `useConversation` take as `request`. */
export async function ask({ message, answers, turns, signal }: TurnRequest<"responses">) {
  await init();
  // A turn that failed has left nothing to go on with.
  const done = turns.filter(({ status }) => status === "done");
  let request = ALWAYS;
  let last: ResponsesResponse | undefined;
  for (const turn of [...done, { message, answers, snapshot: undefined }]) {
    request = next(request, last, turn);
    last = turn.snapshot;
  }
  return read(fetch(createRequest("/v1/responses", request, { signal })), { signal });
}

/** The request of a turn. */
function next(request: CreateResponse, last: ResponsesResponse | undefined, { message, answers }: Pick<TurnRequest<"responses">, "message" | "answers">) {
  const input = message ?? [];
  if (last === undefined) {
    return { ...request, input };
  }
  const results = Object.fromEntries(answers.flatMap(({ kind, id, value }) => (kind === "call" ? [[id, value]] : [])));
  const decisions = Object.fromEntries(answers.flatMap((answer) => (answer.kind === "approval" ? [[answer.id, answer.approved]] : [])));
  return answers.length > 0 ? submitToolResults(request, last, results, { decisions, input }) : nextRequest(request, last, input);
}
