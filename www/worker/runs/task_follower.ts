// The A2A task of a stored answer: requested in the dialect and binding of the request that started it.

import { type Json, parseJson, stringifyJson } from "agentwire";

type Members = { readonly [key: string]: Json };
type Operation = "get" | "cancel" | "subscribe";

const DATA = "data: ";

/** The names of an operation in JSON-RPC of 1.0 and 0.3, and in REST. */
const OPERATIONS: { readonly [operation in Operation]: readonly [v1: string, v03: string, http: string, path: string] } = {
  get: ["GetTask", "tasks/get", "GET", ""],
  cancel: ["CancelTask", "tasks/cancel", "POST", ":cancel"],
  subscribe: ["SubscribeToTask", "tasks/resubscribe", "POST", ":subscribe"],
};

/** The task of an answer. */
export class TaskFollower {
  readonly #begun: Request;
  readonly #body: string;
  readonly #id: string;
  readonly #shape: "1.0" | "0.3" | "rest";

  /**
   * @param begun the request that started it, and its body
   * @param first the first frame of the answer, which is the task
   */
  constructor(begun: Request, body: string, first: string) {
    [this.#begun, this.#body] = [begun, body];
    const { jsonrpc, result, ...event } = parsed(first);
    const answer = (jsonrpc === undefined ? event : result) as Members;
    this.#shape = jsonrpc === undefined ? "rest" : answer.kind === undefined ? "1.0" : "0.3";
    this.#id = String(((answer.task ?? answer) as Members).id);
  }

  /** Returns the request for an operation. */
  request(operation: Operation): Request {
    const { url, headers, signal } = this.#begun;
    const [v1, v03, http, path] = OPERATIONS[operation];
    if (this.#shape === "rest") {
      const tasks = `${url.slice(0, url.lastIndexOf("/message:"))}/tasks`;
      return new Request(`${tasks}/${encodeURIComponent(this.#id)}${path}`, { method: http, headers, signal });
    }
    const body = { ...parsed(this.#body), method: this.#shape === "1.0" ? v1 : v03, params: { id: this.#id } };
    return new Request(url, { method: "POST", headers, body: stringifyJson(body), signal });
  }

  /** Returns the task in its present state, and its later events. */
  async follow(ask: (request: Request) => Promise<Response>): Promise<Response> {
    const following = await ask(this.request("subscribe"));
    if (following.body !== null && following.headers.get("content-type")?.startsWith("text/event-stream") === true) {
      const [begin, all] = following.body.tee();
      const reader = begin.pipeThrough(new TextDecoderStream()).getReader();
      const { value = "" } = await reader.read();
      void reader.cancel();
      // In JSON-RPC a refusal is a stream, too.
      if (!value.startsWith(`${DATA}{"jsonrpc"`) || !("error" in parsed(value))) {
        return new Response(all, following);
      }
      void all.cancel();
    }
    // The task has ended.
    const got = parseJson(await (await ask(this.request("get"))).text()) as Members;
    const event = { "0.3": got, "1.0": { ...got, result: { task: got.result! } }, rest: { task: got } }[this.#shape];
    return new Response(`${DATA}${stringifyJson(event as Json)}\n\n`, { headers: { "content-type": "text/event-stream" } });
  }
}

/** Parses the JSON of a frame, or of a body. */
function parsed(text: string): Members {
  const at = text.indexOf(DATA);
  return parseJson(text.startsWith("{") ? text : text.slice(at + DATA.length)) as Members;
}
