// A fake model of Gemini's own API, of the third generation: signatures of function calls are
// validated in the current turn.
import { geminiRules } from "../rules/gemini.mjs";
import { refuse } from "../rules/refusal.mjs";
import { secret } from "../script.mjs";
import { sendEvents } from "../support/http.mjs";
import { Upstream, callEntry } from "./upstream.mjs";

export class GeminiUpstream extends Upstream {
  protocol = "gemini";
  name = "gemini";
  model = "gemini-3-flash-preview";
  base = "/v1beta";

  validate(body, { url }) {
    refuse(
      !url.includes(`/models/${this.model}:`),
      "models/… is not found for API version v1beta",
      { status: 404 },
    );
    geminiRules(body, { state: this.state });
  }

  error({ message, status }) {
    return { error: { code: status, message, status: "INVALID_ARGUMENT" } };
  }

  begin({ tools = [] }) {
    return tools.some(({ functionDeclarations: list = [] }) => list.length > 0);
  }

  signature({ id }) {
    return secret("google", "thought", id);
  }

  states({ id }) {
    return [`thoughtSignature ${id}`];
  }

  secrets(answer) {
    return [this.signature(answer)];
  }

  history({ contents }) {
    return contents.flatMap(({ role, parts }) =>
      parts.flatMap((part) => this.#entries(part, role)),
    );
  }

  #entries(
    { text, thought, thoughtSignature, functionCall: call, functionResponse: result },
    role,
  ) {
    const answer = this.script.find((known) => this.signature(known) === thoughtSignature);
    const { output, result: other = output } = result?.response ?? {};
    return [
      ...(answer ? [`state thoughtSignature ${answer.id}`] : []),
      ...(text && thought !== true ? [`${role === "model" ? "text" : "user"} ${text}`] : []),
      ...(call ? [callEntry(call.name, call.args)] : []),
      ...(result ? [`result ${other ?? JSON.stringify(result.response)}`] : []),
    ];
  }

  // Function calls of the developer API have no ids. The first part after the thoughts has the
  // signature; that of an answer without calls is on its text.
  // https://ai.google.dev/gemini-api/docs/thought-signatures
  answer(response, answer) {
    const { reasoning, text, calls } = answer;
    const thoughtSignature = this.signature(answer);
    const signed = (is) => (is ? { thoughtSignature } : {});
    const parts = [
      { text: reasoning, thought: true },
      ...(text ? [{ text, ...signed(calls.length === 0) }] : []),
      ...calls.map(({ name, args }, at) => ({ functionCall: { name, args }, ...signed(at === 0) })),
    ];
    const base = { responseId: `r${answer.id}`, modelVersion: this.model };
    const chunk = (list, more) => ({
      candidates: [{ content: { role: "model", parts: list }, index: 0, ...more }],
      ...base,
    });
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
    sendEvents(response, [
      ...parts.map((part) => chunk([part])),
      { ...chunk([{ text: "" }], { finishReason: "STOP" }), usageMetadata },
    ]);
  }
}
