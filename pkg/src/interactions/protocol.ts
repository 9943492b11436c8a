// Gemini Interactions as a readable protocol, and its tool calls.

import type { InteractionsInteraction, InteractionsStep, Json } from "../agentwire.js";
import { textOf, textOrEmpty } from "../core/json.js";
import { TABLES } from "../generated/interactions/tables.js";
import { GROWTH } from "../read/more_ops.js";
import type { Readable } from "../read/patch.js";
import type { RawToolCall } from "../read/tool_call_view.js";

/** The tables and the sample stream of Gemini Interactions. */
export const INTERACTIONS: Readable = { tables: TABLES, more: GROWTH, sample };

function sample(): string {
  const event = (type: string, members: string): string =>
    `event: ${type}\ndata: {${members},"event_type":"${type}"}\n\n`;
  const interaction = (status: string): string =>
    `"interaction":{"id":"v1_a","status":"${status}","object":"interaction","model":"m"}`;
  return [
    event("interaction.created", interaction("in_progress")),
    event("step.start", `"index":0,"step":{"type":"model_output"}`),
    event("step.delta", `"index":0,"delta":{"text":"é a","type":"text"}`).repeat(24),
    event("step.stop", `"index":0`),
    event(
      "step.start",
      `"index":1,"step":{"id":"c","type":"function_call","name":"n","arguments":{}}`,
    ),
    event("step.delta", `"index":1,"delta":{"arguments":"{}","type":"arguments_delta"}`),
    event("step.stop", `"index":1`),
    event("interaction.completed", interaction("requires_action")),
  ].join("");
}

/** A step with the properties of every type. */
type AnyStep = InteractionsStep & { readonly [member: string]: Json | undefined };

/**
 * Returns the calls of functions and of the server's tools, in order. Undefined if the value is not
 * an interaction. The calls of functions wait for the client when the interaction has ended.
 */
export function callsOf(interaction: InteractionsInteraction): RawToolCall[] | undefined {
  if (!("steps" in interaction)) {
    return undefined;
  }
  const steps = interaction.steps as readonly AnyStep[];
  const results = new Map(
    steps.flatMap(({ type, call_id: id, result }) =>
      type.endsWith("_result") && typeof id === "string"
        ? [[id, textOrEmpty(result)] as const]
        : [],
    ),
  );
  const { status } = interaction;
  const ended = status === "completed" || status === "requires_action";
  const over = status !== "in_progress" && status !== "queued";
  return steps.flatMap((step, at): RawToolCall[] => {
    if (!step.type.endsWith("_call")) {
      return [];
    }
    const { partial_arguments: raw } = step;
    const id = textOrEmpty(step["id"]);
    const result = results.get(id);
    // A step is complete when the next one has started, or its arguments have been parsed.
    const done = over || at + 1 < steps.length;
    const state = result !== undefined ? "answered" : done ? "called" : "streaming";
    const given = step["arguments"];
    const argumentsText = raw === undefined || raw === "" ? textOf(given ?? {}) : raw;
    const pending = ended && step.type === "function_call" && result === undefined;
    const name =
      step["name"] === undefined ? step.type.replace(/_call$/, "") : textOrEmpty(step["name"]);
    return [{ id, name, kind: "call", state, argumentsText, holder: step, result, pending }];
  });
}
