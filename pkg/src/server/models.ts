// The list of the models of a handler, in the form that a client asks for: that of OpenAI, of
// Anthropic or of Codex.

import { jsonText } from "../core/json.js";
import { must } from "../core/errors.js";
import { toolkit } from "../core/wasm.js";
import { REQUEST_ID, contextOf } from "../http/context.js";
import { type Adapter, errorResponse } from "./adapter.js";
import { openAiError } from "./open_ai.js";

/** A model that a handler lists. */
export interface ListedModel {
  /**
   * The name by which requests ask for it. Claude Code lists only names that contain `claude` or
   * `anthropic`.
   */
  readonly id: string;
  /** The name for people. Default: the id. */
  readonly displayName?: string | undefined;
  /** How many tokens a request and its answer can have. Default: not known. */
  readonly contextWindowTokens?: number | undefined;
}

/** What the paths of the APIs end with whose clients ask for models. */
const APIS = ["/responses", "/chat/completions", "/messages"];

const METHODS = "GET, HEAD, OPTIONS";
const ONLY = `this path takes ${METHODS}`;

/**
 * Returns the adapters of the lists of models: one beside each API whose clients ask for it. The
 * list is at `/v1/models` for an API at `/v1/responses`.
 */
export function modelLists(
  models: readonly (string | ListedModel)[],
  adapters: readonly Adapter[],
): readonly Adapter[] {
  const bases = adapters.flatMap(({ path }) => {
    const api = APIS.find((end) => path.endsWith(end));
    return api === undefined ? [] : [path.slice(0, -api.length)];
  });
  const listed = jsonText(
    models.map((model) => (typeof model === "string" ? { id: model } : model)),
  );
  return [...new Set(bases)].map((base) => modelList(base, listed));
}

function modelList(base: string, models: string): Adapter {
  const path = `${base}/models`;
  const below = `${path}/`;
  return {
    path,
    handles: (pathname) => pathname === path || pathname.startsWith(below),
    convertError: openAiError,
    answer(http, _agent, options) {
      const context = contextOf(http, options);
      const headers = { [REQUEST_ID]: context.id };
      if (http.method === "OPTIONS") {
        return Promise.resolve(new Response(null, { status: 204, headers: { allow: METHODS } }));
      }
      if (http.method !== "GET" && http.method !== "HEAD") {
        const code = "method_not_allowed";
        const refused = { status: 405, code, message: ONLY, requestId: context.id };
        return Promise.resolve(errorResponse(refused, { ...headers, allow: METHODS }, openAiError));
      }
      const { pathname, search } = new URL(http.url);
      const isAnthropic = http.headers.has("anthropic-version");
      const asked = pathname.slice(base.length);
      const [status, body] = JSON.parse(
        toolkit().call("modelList", models, asked, search.slice(1), isAnthropic),
      ) as [number, object];
      return Promise.resolve(Response.json(body, { status, headers }));
    },
  };
}

/** Refuses an option `models` that is not a list of models. */
export function mustBeModels(models: unknown): void {
  const isModel = (model: unknown): boolean =>
    typeof model === "string" || typeof Object(model).id === "string";
  must(
    Array.isArray(models) && models.every(isModel),
    "wrong-option",
    "createHandler(): option `models` is a list of names, or of objects with an `id`",
  );
}
