// AG-Kit requests: reading them on a server, writing them as the server wants them, going on with a conversation.

import type { AgKitInterruptPart, AgKitTurn, Json, SendMessageInput } from "../agentwire.js";
import { inOrder } from "../answers.js";
import { check } from "../arguments.js";
import { jsonOf } from "../emit/options.js";
import { parseJson } from "../json.js";
import { type RequestProblem, accepted } from "../request.js";
import { toolkit } from "../wasm.js";

/**
 * Reads the body of a request. Both spellings of names are taken, null for what may be left out, tool parameters and
 * resume payloads as any JSON; what comes back is in the documented form. Throws a `RequestError` whose `toResponse()`
 * answers as AG-Kit's server does.
 */
export function parseSendMessageInput(body: string): SendMessageInput {
  check("parseSendMessageInput", { body: "string" }, [body]);
  return accepted(toolkit().call("parseSendMessageInput", body))[0] as SendMessageInput;
}

/**
 * A request as the body to send: camelCase, nothing null, tool parameters and the resume payload as JSON text.
 *
 * Throws an `AgentwireError` if it is no request (`bad-request`), if an assistant message has no id
 * (`message-without-id`), or if a tool's parameters are text and no JSON (`parameters-not-json`).
 */
export function sendMessageBody(input: SendMessageInput): string {
  check("sendMessageBody", { input: "object" }, [input]);
  return toolkit().call("writeSendMessageInput", jsonOf(input as unknown as Json));
}

/** What a server would refuse in a request as it is; `sendMessageBody` mends what can be mended. */
export function validateSendMessageInput(input: SendMessageInput): RequestProblem[] {
  check("validateSendMessageInput", { input: "object" }, [input]);
  return parseJson(toolkit().call("validateSendMessageInput", jsonOf(input as unknown as Json))) as unknown as RequestProblem[];
}

/**
 * The next request of a turn that is `awaiting-tool-results`: one message for each pending call, in their order.
 *
 * @param answers what the tools came to, by call id: text, or any JSON, which is sent as text
 * @throws AgentwireError when a pending call has no answer (`answer-missing`), or an answer no pending call
 *   (`not-pending`)
 */
export function toolAnswers(
  conversationId: string,
  turn: AgKitTurn,
  answers: Readonly<Record<string, Json>>,
): SendMessageInput {
  const parameters = { conversationId: "string", turn: "object", answers: "object" } as const;
  check("toolAnswers", parameters, [conversationId, turn, answers]);
  const messages = inOrder(turn.pendingToolCallIds, answers).map(([toolCallId, answer]) => {
    return { role: "tool" as const, content: textOf(answer), toolCallId };
  });
  return { conversationId, messages };
}

/**
 * The next request of a turn that is `interrupted`: the answer to one of its interrupts. It can be any JSON and is sent
 * as JSON text, a text in quotes, as the official client sends it.
 */
export function resuming(
  conversationId: string,
  interrupt: Pick<AgKitInterruptPart, "id">,
  answer: Json,
): SendMessageInput {
  const parameters = { conversationId: "string", interrupt: { id: "string" }, answer: "json?" } as const;
  check("resuming", parameters, [conversationId, interrupt, answer]);
  return { conversationId, messages: [], resume: { interruptId: interrupt.id, payload: jsonOf(answer) } };
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : jsonOf(value);
}
