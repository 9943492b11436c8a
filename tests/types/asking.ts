// Asking in OpenAI Responses and A2A as the compiler sees it.
import { type A2aRequestOptions, type A2aSendMessageRequest, answerTask, continueTask, sendMessageRequest, taskRequest } from "agentwire/a2a";
import type { A2aSnapshot, CreateResponse as OfToolkit } from "agentwire";
import { type CreateResponse, type PostOptions, answerResponse, continueResponse, createResponseRequest, read } from "agentwire/responses";

export async function responses(options: PostOptions, signal: AbortSignal): Promise<CreateResponse> {
  const request: CreateResponse = { model: "m", input: [{ role: "user", content: "hi" }], tools: [{ type: "function", name: "f" }] };
  createResponseRequest("/v1/responses", "hi", { signal }) satisfies Request;
  createResponseRequest(new URL("https://a.example"), [{ type: "item_reference", id: "i" }]);
  const { snapshot } = await read(fetch(createResponseRequest("/v1/responses", request, options))).finished();
  continueResponse(request, snapshot, "more") satisfies OfToolkit;
  // @ts-expect-error a number is no input
  createResponseRequest("/v1/responses", 7);
  // @ts-expect-error answers are by id
  answerResponse(request, snapshot, ["c"]);
  // @ts-expect-error a function is no JSON
  answerResponse(request, snapshot, { c: () => {} });
  return answerResponse(request, snapshot, { c1: { rows: 2n }, q1: true }, "and now?");
}

export function a2a(snapshot: A2aSnapshot, options: A2aRequestOptions): A2aSendMessageRequest {
  sendMessageRequest("/a2a", "hi", options) satisfies Request;
  sendMessageRequest("/a2a", [{ text: "hi" }, { data: [1] }], { version: "0.3" });
  sendMessageRequest("/a2a", continueTask(snapshot, "yes"));
  taskRequest("/a2a", "SubscribeToTask", "t") satisfies Request;
  // @ts-expect-error there is no such version
  sendMessageRequest("/a2a", "hi", { version: "0.2" });
  // @ts-expect-error there is no such method
  taskRequest("/a2a", "DeleteTask", "t");
  return answerTask(snapshot, { q1: { approved: true } });
}
