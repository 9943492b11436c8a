// Where the protocols are whose refusals have a form of their own.

/** OpenAI Responses: at their own path, and at that of AgentScope's runtime. */
export const RESPONSES: readonly string[] = ["/v1/responses", "/compatible-mode/v1/responses"];

/** Whether a path is that of responses, or of one. */
export function isResponses(pathname: string): boolean {
  return RESPONSES.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}

/** Whether OpenAI's clients ask at a path, also for what is not here. */
export function isOpenAi(pathname: string): boolean {
  return pathname.startsWith("/v1/") || pathname.startsWith("/compatible-mode/v1/");
}

/** A2A: JSON-RPC there, REST below it. */
export const A2A = "/a2a";

/** Whether a path is that of A2A, or below it. */
export function isTask(pathname: string): boolean {
  return pathname === A2A || pathname.startsWith(`${A2A}/`);
}
