// Asking in OpenAI Responses and A2A as the compiler sees it.
import {
  cancelTask,
  createRequest as createA2aRequest,
  getTask,
  nextRequest as nextA2aRequest,
  type RequestInput as A2aSendMessageRequest,
  type RequestOptions as A2aRequestOptions,
  resume,
  type Snapshot as A2aSnapshot,
  subscribeToTask,
} from "agentwire/a2a";

import {
  createRequest as createResponsesRequest,
  nextRequest as nextResponsesRequest,
  type RequestOptions,
  read,
  type RequestInput as CreateResponse,
  submitToolResults,
} from "agentwire/responses";

export async function responses(
  options: RequestOptions,
  signal: AbortSignal,
): Promise<CreateResponse> {
  const request: CreateResponse = {
    model: "m",
    input: [{ role: "user", content: "hi" }],
    tools: [{ type: "function", name: "f" }],
  };
  createResponsesRequest("/v1/responses", "hi", { signal }) satisfies Request;
  createResponsesRequest(new URL("https://a.example"), [{ type: "item_reference", id: "i" }]);
  const { snapshot } = await read(
    fetch(createResponsesRequest("/v1/responses", request, options)),
  ).finished();
  nextResponsesRequest(request, snapshot, "more") satisfies CreateResponse;
  // @ts-expect-error a number is not an input
  createResponsesRequest("/v1/responses", 7);
  // @ts-expect-error answers are by id
  submitToolResults(request, snapshot, ["c"]);
  // @ts-expect-error a function is not JSON
  submitToolResults(request, snapshot, { c: () => {} });
  return submitToolResults(
    request,
    snapshot,
    { c1: { rows: 2n } },
    { decisions: { q1: true }, input: "and now?" },
  );
}

export function a2a(snapshot: A2aSnapshot, options: A2aRequestOptions): A2aSendMessageRequest {
  createA2aRequest("/a2a", "hi", options) satisfies Request;
  createA2aRequest("/a2a", [{ text: "hi" }, { data: [1] }], { version: "0.3" });
  createA2aRequest("/a2a", nextA2aRequest(undefined, snapshot, "yes"));
  subscribeToTask("/a2a", "t") satisfies Request;
  // @ts-expect-error the version does not exist
  createA2aRequest("/a2a", "hi", { version: "0.2" });
  cancelTask("/a2a", "t", options) satisfies Request;
  // @ts-expect-error an id is a string
  getTask("/a2a", 7);
  return resume(undefined, snapshot, { q1: { approved: true } });
}
