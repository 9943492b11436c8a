// The cards and the questions of an answer's tool calls, in the package's form for all protocols.

import { type Outcome, type Protocol, stringifyJson, type ToolCall, toolCalls } from "agentwire";
import type { Reply } from "./conversation.js";
import type { Question } from "./questions_view.js";
import type { Card } from "./tool_card.js";

/** Returns the card of a call; `reply` has the answers of this page to its stream. */
export function cardOf(
  {
    id,
    name,
    state,
    argumentsText: raw,
    partialArguments: partial,
    arguments: value,
    result,
    pending,
  }: ToolCall,
  reply: Reply | undefined,
): Card {
  const answer = reply?.toolAnswers[id ?? ""];
  const isOurs = result === undefined && answer !== undefined;
  // The input of some tools is a plain text.
  const isBroken = state !== "streaming" && /^\s*[{[]/.test(raw) && value === undefined;
  return {
    name,
    about: id ?? "",
    state: isOurs ? "answered" : state,
    stateText: isOurs ? "answered by this page" : pending ? "waits for the client" : undefined,
    args: { raw, value: state === "streaming" ? partial : value },
    argsError: isBroken ? "the arguments are not JSON" : null,
    output: isOurs
      ? { raw: answer, value: undefined }
      : result && { raw: result.text, value: result.value },
  };
}

/** Returns the questions of an answer that are pending. */
export function questionsOf(answer: Outcome<Protocol>["snapshot"]): Question[] {
  return toolCalls(answer)
    .filter(({ kind, result }) => kind === "approval" && result === undefined)
    .map(({ id, name, argumentsText: raw, arguments: value }) => ({
      id: id ?? "",
      reason: name,
      payload: value ?? (raw === "" ? null : raw),
    }));
}

/** Returns the card of an item's own members, for a tool that the server runs by itself. */
export function cardOfItem(
  name: string,
  about: string,
  status: string | undefined,
  rest: { readonly [member: string]: unknown },
): Card {
  const value = rest as Card["args"]["value"];
  const isOpen =
    status === "in_progress" ||
    status === "searching" ||
    status === "generating" ||
    status === "interpreting";
  return {
    name,
    about,
    state: isOpen ? "streaming" : "answered",
    stateText: status?.replaceAll("_", " "),
    args: { raw: stringifyJson(value!), value },
  };
}
