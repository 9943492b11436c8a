// Agents behind the APIs of models, and the handler that serves them to official clients.

import { AgentError, createHandler } from "agentwire/server";

export const say = (out, text) => out.message().text().delta(text);

/** The agents, by the text of the user. */
export const MODEL_AGENTS = {
  async thoughts(out) {
    const thoughts = out.reasoning();
    for (const piece of ["Hm", "."]) await thoughts.delta(piece);
    await thoughts.complete();
    await say(out, "Yes.");
  },
  async refusal(out) {
    const refusal = out.message().refusal();
    for (const piece of ["I can't ", "help."]) await refusal.delta(piece);
  },
  async weather(out) {
    await say(out, "Let me look. ");
    const call = out.tool("get_weather", { callId: "call_weather" });
    await call.arguments('{"city":"Paris"}');
    await call.result({ celsius: 19 });
    await say(out, "19 degrees.");
  },
  async colors(out, request) {
    const results = request.answers;
    if (results.length > 0) {
      return say(out, `You picked ${results.map(({ text }) => text).join(" and ")}.`);
    }
    await say(out, "Two colors. ");
    const calls = ["sky", "sea"].map((of) => [
      of,
      out.tool("pick_color", { callId: `call_${of}`, parallel: true }),
    ]);
    // Their arguments are interleaved.
    for (const [, call] of calls) await call.arguments('{"of":');
    for (const [of, call] of calls) await call.arguments(`"${of}"}`);
    for (const [, call] of calls) await call.complete();
  },
  async question(out) {
    await say(out, "Wait.");
    await out.interrupt({ id: "q", reason: "approval", payload: { text: "Delete all files?" } });
  },
  async empty() {},
  async limit(out) {
    await say(out, "Once upon a");
    await out.incomplete("max_output_tokens");
  },
  async early() {
    throw new AgentError("QUOTA", "no more today");
  },
};

const textOf = ({ content }) =>
  typeof content === "string" ? content : (content?.find(({ text }) => text)?.text ?? "");

/** Returns a handler with one adapter, whose agent is the one that the user names first. */
export const serving = (adapter, agents) =>
  createHandler({
    adapters: [adapter],
    onError: () => {},
    agent(out, request, context) {
      const asked = request
        .toJSON()
        .input.filter(({ role }) => role === "user")
        .map(textOf);
      return agents[asked[0]](out, request, context);
    },
  });
