// Paths of the protocols that have their own form of refusals.

/** OpenAI Responses: its own path, and the path of AgentScope's runtime. */
export const RESPONSES: readonly string[] = ["/v1/responses", "/compatible-mode/v1/responses"];

/** Returns whether a path is the path of responses, or of one response. */
export function isResponses(pathname: string): boolean {
  return RESPONSES.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}

/** The lists of models, beside the paths of responses. */
const MODELS = RESPONSES.map((path) => path.replace(/responses$/, "models"));

/** Returns whether a path is a list of models, or a model. */
export function isModels(pathname: string): boolean {
  return MODELS.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}

/** Returns whether a path belongs to OpenAI's API, also without an endpoint at the path. */
export function isOpenAi(pathname: string): boolean {
  return pathname.startsWith("/v1/") || pathname.startsWith("/compatible-mode/v1/");
}

/** A2A: JSON-RPC at this path, REST below it. */
export const A2A = "/a2a";

/** Returns whether a path is the path of A2A, or below it. */
export function isTask(pathname: string): boolean {
  return pathname === A2A || pathname.startsWith(`${A2A}/`);
}
