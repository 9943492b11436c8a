// Calls a model, or another agent, with the request that an agent has received.

import type { AgentRequest, Json } from "../agentwire.js";
import { type CoreRequest, type RequestTools, converted, lossesOf } from "../convert/request.js";
import { check, knownOptions } from "../core/arguments.js";
import { HttpError, isA, must } from "../core/errors.js";
import { logError, mustBeHandler } from "../core/error_handler.js";
import type { CountedLosses, Loss } from "../core/findings.js";
import { isObject } from "../core/json.js";
import type { Protocol } from "../core/outcome.js";
import { toolkit } from "../core/wasm.js";
import { toolsOf } from "../generated/registry/requests.js";
import { type Beginning, beginningOf } from "../emit/beginning.js";
import { watchedBy } from "../emit/emission.js";
import { setOrigin } from "../emit/forward.js";
import { mustBeWhole, mustHaveHistory } from "../emit/lost.js";
import { type RunLosses, runLossesOf } from "../emit/run_losses.js";
import { below } from "../http/address.js";
import { bearer, setHeaders } from "../http/headers.js";
import { send } from "../http/origin.js";
import { POST_OPTIONS, type PostOptions, post } from "../http/post.js";
import { mustSucceed } from "../read/body.js";
import { Conversation, isCopy } from "../conversation/conversation.js";

/** A model: its API, its address and its key. */
export interface ModelOptions {
  /**
   * The protocol of the API: `chat`, `responses`, `anthropic`, `gemini` or `interactions`; or that of another
   * agent.
   */
  readonly protocol: Protocol;
  /**
   * The base address of the API, as `baseURL` of its official client: `https://api.openai.com/v1`.
   * By default that of the provider. Its query, for example `?api-version=…`, follows the path. For
   * another agent, the address of its endpoint.
   */
  readonly url?: string | URL | undefined;
  /** The key. It is sent in the header of the protocol. */
  readonly key?: string | undefined;
  /** The name of the model; by default the one in the request. */
  readonly model?: string | undefined;
  /**
   * Properties of the request that replace those of the client: limits, and what its protocol
   * cannot ask for. For example
   * `{ max_tokens: 2000, thinking: { type: "enabled", budget_tokens: 1024 } }`.
   */
  readonly settings?: Partial<AgentRequest> | undefined;
  /**
   * Whether a request is refused, instead of sent, if something of it is lost that can make the
   * answer wrong: losses of the class `contract`. By default as the handler has it.
   */
  readonly strict?: boolean | undefined;
  /** Called with what of the request the model does not receive, before the request is sent. */
  readonly onLosses?: ((losses: readonly Loss[]) => unknown) | undefined;
  /** The function that sends the request; `fetch` by default. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /**
   * Whether redirects within the origin of the address are followed. False by default: a redirect
   * is an error with the code `redirected`. Redirects to other origins are never followed, so that
   * no other server receives the key and the conversation.
   */
  readonly followRedirects?: boolean | undefined;
}

/** The names of {@link ModelOptions}. */
const MODEL_OPTIONS: readonly string[] = [
  "protocol",
  "url",
  "key",
  "model",
  "settings",
  "strict",
  "onLosses",
  "fetch",
  "followRedirects",
];

/** A model, and what it is asked. */
export interface CallModelOptions extends ModelOptions, PostOptions {
  /** The request that the agent has received; one of the Agent API, or the text of a user. */
  readonly request: Conversation | AgentRequest | string;
}

/**
 * Calls a model with the request that an agent has received, whatever the client's protocol, and
 * returns the response with the stream.
 *
 * ```js
 * async function agent(out, request) {
 *   await out.forward(await callModel({ protocol: "chat", key, model: "gpt-5-mini", request, signal: out.signal }));
 * }
 * ```
 *
 * The response can also be read: `read(response, { protocol })`. Then the calls have the names that
 * the model knows, which differ from those of the client's tools if the model does not accept
 * these.
 *
 * What the model does not receive is passed to `onLosses` here, and to that of the handler. Until
 * the agent of `createHandler` has written something, the status of the error is also that of its
 * response, with `retry-after`.
 *
 * @throws AgentwireError `wrong-option`, `wrong-argument` for an address, `unknown-protocol`,
 * `redirected`; RequestError if the request is not valid; AgentError `history-missing` if the
 * request has the result of a call, and not the call, and `request-losses` with `strict`; HttpError
 * if the status is not 2xx; the error of `fetch`
 */
export function callModel(options: CallModelOptions): Promise<Response> {
  const losses = runLossesOf(options?.signal, options?.request);
  return watchedBy(losses, () => called(options, losses));
}

async function called(
  { request, ...options }: CallModelOptions,
  losses: RunLosses | undefined,
): Promise<Response> {
  check("callModel", { options: "object" }, [options]);
  const model = new Model("callModel()", options, losses);
  return model.call(model.prepare(request), beginningOf(options.signal, request));
}

/** A request as a model receives it. */
export interface PreparedRequest {
  readonly body: object;
  /** The names of the client's tools at the model, in the form of the core. */
  readonly names: Json;
}

/** A model with its options, which are checked. */
export class Model {
  readonly tools: RequestTools<object>;
  readonly #options: Omit<CallModelOptions, "request">;
  readonly #run: RunLosses | undefined;
  /** The name of the model: that of the options, or of the request. */
  #name: string | undefined;

  /** @param run the losses of the run that calls */
  constructor(
    caller: string,
    options: Omit<CallModelOptions, "request">,
    run: RunLosses | undefined,
  ) {
    knownOptions(caller, options, [...MODEL_OPTIONS, ...POST_OPTIONS]);
    const { protocol, url, key, settings, strict, onLosses } = options;
    this.tools = toolsOf(protocol) as RequestTools<object>;
    must(
      url !== undefined || this.tools.model !== undefined,
      "wrong-option",
      `${caller} needs the option \`url\`: the address of the agent`,
    );
    must(key === undefined || typeof key === "string", "wrong-option", "option `key` is a string");
    must(
      settings === undefined || isObject(settings),
      "wrong-option",
      "option `settings` is an object with properties of a request",
    );
    must(
      strict === undefined || typeof strict === "boolean",
      "wrong-option",
      "option `strict` is true or false",
    );
    mustBeHandler(caller, onLosses, "onLosses");
    this.#options = options;
    this.#run = run;
  }

  get protocol(): Protocol {
    return this.#options.protocol;
  }

  /** The name of the model and the scope of its state, for the core. */
  get settings(): { readonly model: string | undefined; readonly scope: string | undefined } {
    const { url } = this.#options;
    const base = url ?? this.tools.model?.url;
    const scope =
      this.tools.model === undefined || this.#name === undefined
        ? undefined
        : toolkit().call("requestScope", String(base), this.#name);
    return { model: this.#name, scope };
  }

  /** Returns the request of the model for that of an agent. */
  prepare(request: CallModelOptions["request"]): PreparedRequest {
    const { settings, model, strict = this.#run?.isStrict } = this.#options;
    const whole = { ...agentRequest(request), ...settings };
    this.#name = model ?? whole.model ?? undefined;
    const { session_id: _, ...conversation } = whole;
    // A model receives the whole conversation with each request: it has no use for its id.
    const sent: CoreRequest = converted(
      "agent-api",
      this.protocol,
      this.tools.model === undefined ? whole : conversation,
      this.settings,
    );
    if (this.tools.model) {
      mustHaveHistory(sent, lossesOf(Object(whole.input)));
    }
    if (strict === true) {
      mustBeWhole(sent);
    }
    this.lost(sent);
    return { body: this.tools.model?.streamed(sent.request) ?? sent.request, names: sent.names };
  }

  /** Notes what a request has lost. */
  lost(lost: CountedLosses): void {
    this.#run?.add(lost);
    if (lost.losses.length > 0) {
      try {
        Promise.resolve(this.#options.onLosses?.(lost.losses)).catch(ignored);
      } catch (error) {
        ignored(error);
      }
    }
  }

  /** Sends a request. `beginning` is that of the run that calls. */
  call(request: PreparedRequest, beginning: Beginning | undefined): Promise<Response> {
    const call = (): Promise<Response> => this.#call(request);
    return beginning?.during(call) ?? call();
  }

  async #call({ body: request, names }: PreparedRequest): Promise<Response> {
    const { posted, answered } = this.tools;
    const { body, headers } = posted?.(request) ?? { body: request, headers: {} };
    const send = (value: object, more = {}): Promise<Response> =>
      this.#send(value, { ...headers, ...more });
    const response = await send(body);
    const whole = (await answered?.(response, request, send, this.#options.signal)) ?? response;
    await mustSucceed(whole).catch((error: unknown) =>
      Promise.reject(withoutKey(error, this.#options.key)),
    );
    const answer = this.#continued(whole);
    setOrigin(answer, { protocol: this.protocol, names, scope: this.settings.scope });
    return answer;
  }

  /** Returns a response whose stream continues after a lost connection, if the API has that. */
  #continued(response: Response): Response {
    const { continued } = this.tools.model ?? {};
    if (continued === undefined || response.body === null) {
      return response;
    }
    const { key, headers, signal, followRedirects, fetch: ask = fetch } = this.#options;
    const { status, statusText, headers: own, body } = response;
    const stream = continuedStream(body, signal, (first, left) =>
      continued(this.#address as URL, new Response(first, { status }), {
        headers: setHeaders(new Headers(this.tools.model!.headers(key)), headers),
        signal: left,
        fetch: (request) => send(request, ask, followRedirects),
      }),
    );
    return new Response(stream, { status, statusText, headers: own });
  }

  /** The address of the requests. */
  get #address(): string | URL {
    const { url } = this.#options;
    const api = this.tools.model;
    return api === undefined ? url! : below(url ?? api.url, api.path(this.#name), api.query);
  }

  #send(body: object, own: Readonly<Record<string, string>>): Promise<Response> {
    const { key, headers, signal, followRedirects, fetch: ask = fetch } = this.#options;
    const keyHeaders = (this.tools.model?.headers ?? bearer)(key);
    return send(
      post(this.#address, body, { headers, signal }, { ...own, ...keyHeaders }),
      ask,
      followRedirects,
    );
  }
}

/**
 * Returns a stream of the bytes that an iterator yields when they are asked for. `continued` makes
 * the iterator of a body, and of a signal for the other connections. Both are stopped with the
 * stream.
 */
function continuedStream(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  continued: (body: ReadableStream<Uint8Array>, left: AbortSignal) => AsyncIterator<Uint8Array>,
): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const leave = (): void => left.abort(signal?.reason);
  const end = (): void => signal?.removeEventListener("abort", leave);
  signal?.addEventListener("abort", leave, { once: true });
  const reader = body.getReader();
  const first = new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        const { done, value } = await reader.read();
        return done ? out.close() : out.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  const bytes = continued(first, left.signal);
  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        try {
          const { done, value } = await bytes.next();
          if (!done) {
            return out.enqueue(value);
          }
          end();
          out.close();
        } catch (error) {
          end();
          throw error;
        }
      },
      async cancel(reason) {
        end();
        leave();
        await reader.cancel(reason).catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}

/** Logs the error of a function that receives losses. */
function ignored(error: unknown): void {
  logError("onLosses failed", error);
}

/** Returns the error of a server without the key, which some repeat. */
function withoutKey(error: unknown, key = ""): unknown {
  const isRepeated = error instanceof HttpError && key.length >= 8 && error.body.includes(key);
  return isRepeated
    ? new HttpError(error.status, error.headers, error.body.replaceAll(key, "[key]"))
    : error;
}

/** Returns the request of an agent; that of a user's text has one message. */
export function agentRequest(request: CallModelOptions["request"]): AgentRequest {
  if (isA(request, Conversation)) {
    return request.toJSON();
  }
  must(
    !isCopy(Object(request)),
    "wrong-argument",
    "the request is a copy of the one that the agent has received, without its messages: copy `request.toJSON()`",
  );
  return typeof request === "string"
    ? ({
        input: [{ role: "user", content: [{ type: "text", text: request }] }],
      } as unknown as AgentRequest)
    : request;
}
