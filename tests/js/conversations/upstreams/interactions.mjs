// A fake model of Gemini Interactions. A thought with a signature is before the text and the calls
// of each answer; the client sends it back if the server does not store the interaction.
import { interactionsRules, stepsOf } from "../rules/interactions.mjs";
import { secret } from "../script.mjs";
import { sendEvents } from "../support/http.mjs";
import { Upstream, callEntry } from "./upstream.mjs";

export class InteractionsUpstream extends Upstream {
  protocol = "interactions";
  name = "interactions";
  model = "gemini-3-flash-preview";
  base = "/v1beta";

  reset() {
    super.reset();
    /** The steps of conversations by the ids of the interactions that are stored. */
    this.stored = new Map();
  }

  validate(body) {
    interactionsRules(body, { state: this.state, stored: this.stored });
  }

  #steps(body) {
    return [...(this.stored.get(body.previous_interaction_id) ?? []), ...stepsOf(body)];
  }

  error({ message, status }) {
    return { error: { code: status, message, status: "INVALID_ARGUMENT" } };
  }

  begin({ tools = [] }) {
    return tools.some(({ type }) => type === "function");
  }

  signature({ id }) {
    return secret("google", "thought", id);
  }

  states({ id }) {
    return [`signature ${id}`];
  }

  secrets(answer) {
    return [this.signature(answer)];
  }

  history(body) {
    return this.#steps(body).flatMap((step) => this.#entries(step));
  }

  #entries({ type, signature, content, name, arguments: args, result }) {
    const answer = this.script.find((known) => this.signature(known) === signature);
    const state = answer ? [`state signature ${answer.id}`] : [];
    const told = (list) =>
      typeof list === "string" ? list : list.map(({ text = "" }) => text).join("");
    switch (type) {
      case "user_input":
        return [`user ${told(content)}`];
      case "model_output":
        return [`text ${told(content)}`];
      case "function_call":
        return [...state, callEntry(name, args)];
      case "function_result":
        return [`result ${told(result)}`];
      default:
        return state;
    }
  }

  #answered(answer) {
    const { reasoning, text, calls } = answer;
    return [
      {
        type: "thought",
        signature: this.signature(answer),
        summary: [{ type: "text", text: reasoning }],
      },
      ...(text ? [{ type: "model_output", content: [{ type: "text", text }] }] : []),
      ...calls.map(({ name, args }, at) => ({
        type: "function_call",
        id: this.callId(answer, at),
        name,
        arguments: args,
      })),
    ];
  }

  answer(response, answer, body) {
    const [steps, { store = true }] = [this.#answered(answer), body];
    const id = store ? `v1_${answer.id}` : "";
    if (store) this.stored.set(id, [...this.#steps(body), ...steps]);
    const interaction = (status, more) => ({
      interaction: { id, status, object: "interaction", model: this.model, ...more },
    });
    const status = answer.calls.length > 0 ? "requires_action" : "completed";
    const usage = { total_input_tokens: 10, total_output_tokens: 5, total_tokens: 15 };
    const events = [
      { event_type: "interaction.created", ...interaction("in_progress") },
      ...steps.flatMap(eventsOf),
      { event_type: "interaction.completed", ...interaction(status, { usage }) },
    ];
    sendEvents(response, events);
  }
}

/** The events of a step. */
function eventsOf(step, index) {
  const { type } = step;
  const [head, deltas] = {
    thought: () => [
      { type },
      [
        { type: "thought_summary", content: step.summary[0] },
        { type: "thought_signature", signature: step.signature },
      ],
    ],
    model_output: () => [{ type }, step.content],
    function_call: () => [
      { ...step, arguments: {}, signature: "" },
      [{ type: "arguments_delta", arguments: JSON.stringify(step.arguments) }],
    ],
  }[type]();
  return [
    { event_type: "step.start", index, step: head },
    ...deltas.map((delta) => ({ event_type: "step.delta", index, delta })),
    { event_type: "step.stop", index },
  ];
}
