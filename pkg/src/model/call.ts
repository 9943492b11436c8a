// Calls a model, or another agent, with the request that an agent has received.

import type { AgentRequest } from "../agentwire.js";
import type { RequestTools } from "../convert/request.js";
import { check, knownOptions } from "../core/arguments.js";
import { HttpError, must } from "../core/errors.js";
import type { Protocol } from "../core/outcome.js";
import { toolsOf } from "../generated/registry/requests.js";
import { bearer } from "../http/headers.js";
import { POST_OPTIONS, type PostOptions, post } from "../http/post.js";

/** A model: its API, its address and its key. */
export interface ModelOptions {
  /** The protocol of the API: `chat`, `responses`, `anthropic` or `gemini`; or that of another agent. */
  readonly protocol: Protocol;
  /**
   * The base address of the API, as `baseURL` of its official client: `https://api.openai.com/v1`. By default that of the provider.
   * For another agent, the address of its endpoint.
   */
  readonly url?: string | URL | undefined;
  /** The key. It is sent in the header of the protocol. */
  readonly key?: string | undefined;
  /** The name of the model; by default the one in the request. */
  readonly model?: string | undefined;
  /** The function that sends the request; `fetch` by default. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** The names of {@link ModelOptions}. */
const MODEL_OPTIONS: readonly string[] = ["protocol", "url", "key", "model", "fetch"];

/** A model, and what it is asked. */
export interface CallModelOptions extends ModelOptions, PostOptions {
  /** The request that the agent has received, or the text of a user. */
  readonly request: AgentRequest | string;
}

/**
 * Calls a model with the request that an agent has received, whatever the client's protocol, and returns the response with the stream.
 *
 * ```js
 * async function agent(out, request) {
 *   await out.forward(await callModel({ protocol: "chat", key, model: "gpt-5-mini", request, signal: out.signal }));
 * }
 * ```
 *
 * The response can also be read: `read(response, { protocol })`.
 *
 * @throws AgentwireError `wrong-option`, `unknown-protocol`; HttpError if the status is not 2xx; the error of `fetch`
 */
export async function callModel({ request, ...options }: CallModelOptions): Promise<Response> {
  check("callModel", { options: "object" }, [options]);
  const model = new Model("callModel()", options);
  return model.call(model.request(request));
}

/** A model with its options, which are checked. */
export class Model {
  readonly tools: RequestTools<object>;
  readonly #options: Omit<CallModelOptions, "request">;

  constructor(caller: string, options: Omit<CallModelOptions, "request">) {
    knownOptions(caller, options, [...MODEL_OPTIONS, ...POST_OPTIONS]);
    const { protocol, url, key } = options;
    this.tools = toolsOf(protocol) as RequestTools<object>;
    must(url !== undefined || this.tools.model !== undefined, "wrong-option", `${caller} needs the option \`url\`: the address of the agent`);
    must(key === undefined || typeof key === "string", "wrong-option", "option `key` is a string");
    this.#options = options;
  }

  get protocol(): Protocol {
    return this.#options.protocol;
  }

  /** The name of the model: that of the options, or of the request. */
  #name: string | undefined;

  /** Returns the request of the model for that of an agent. */
  request(request: AgentRequest | string): object {
    const agentInput = agentRequest(request);
    const { model = agentInput.model } = this.#options;
    this.#name = model ?? undefined;
    const converted = this.tools.fromAgentRequest(model === undefined ? agentInput : { ...agentInput, model }).request;
    return this.tools.model?.streamed(converted) ?? converted;
  }

  /** Sends a request. */
  async call(request: object): Promise<Response> {
    const { url, key, headers, signal, fetch: send = fetch } = this.#options;
    const api = this.tools.model;
    const to = api === undefined ? url! : `${String(url ?? api.url).replace(/\/+$/, "")}${api.path(this.#name)}`;
    const { body, headers: own } = this.tools.posted?.(request) ?? { body: request, headers: {} };
    const response = await send(post(to, body, { headers, signal }, { ...own, ...(api?.headers ?? bearer)(key) }));
    if (!response.ok) {
      throw new HttpError(response.status, response.headers, (await response.text()).slice(0, LONGEST_BODY), response.url);
    }
    return response;
  }
}

/** Returns the request of an agent; that of a user's text has one message. */
export function agentRequest(request: AgentRequest | string): AgentRequest {
  return typeof request === "string" ? ({ input: [{ role: "user", content: [{ type: "text", text: request }] }] } as unknown as AgentRequest) : request;
}

/** The characters of an error page that are kept. */
const LONGEST_BODY = 64 * 1024;
