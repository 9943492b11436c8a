// The rules of the APIs of models, by the names of their protocols in agentwire.
import { anthropicRules } from "./anthropic.mjs";
import { chatRules } from "./chat.mjs";
import { geminiRules } from "./gemini.mjs";
import { interactionsRules } from "./interactions.mjs";
import { ANY_STATE, NO_STATE, refusalOf } from "./refusal.mjs";
import { responsesRules } from "./responses.mjs";

const RULES = {
  chat: chatRules,
  anthropic: anthropicRules,
  gemini: geminiRules,
  interactions: interactionsRules,
  responses: responsesRules,
};

/** The protocols that are judged. */
export const JUDGED = Object.keys(RULES);

/** Returns the provider of a protocol: OpenAI has two APIs. */
export const providerOf = (protocol) =>
  ({ responses: "openai", chat: "openai" })[protocol] ?? protocol;

/**
 * Protocols whose requests cannot have the state of another provider. Those of clients and
 * Responses can, and Chat has formats of OpenRouter.
 */
const WITHOUT_FOREIGN_STATE = ["anthropic", "gemini", "interactions"];

/**
 * Returns the error of the API for a single request that was converted from a protocol, or
 * undefined if it accepts the request.
 */
export function invalidity(protocol, body, from = protocol) {
  const isForeign =
    WITHOUT_FOREIGN_STATE.includes(from) && providerOf(from) !== providerOf(protocol);
  const request = protocol === "gemini" ? body : { model: "m", ...body };
  return refusalOf(() => RULES[protocol](request, { state: isForeign ? NO_STATE : ANY_STATE }))
    ?.message;
}
