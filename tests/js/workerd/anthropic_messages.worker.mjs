// An agent as a model of Anthropic Messages.
import { anthropicAdapter, createHandler } from "agentwire/server";

export default {
  fetch: createHandler({
    adapters: [anthropicAdapter()],
    async agent(out, request) {
      const [result] = request.answers;
      if (result === undefined) {
        const thoughts = out.reasoning();
        await thoughts.delta("A color.");
        await thoughts.complete();
        const call = out.tool("pick_color", { callId: "call_1" });
        await call.arguments('{"of":');
        await call.arguments('"sky"}');
        return call.complete();
      }
      const text = out.message().text();
      for (const piece of ["You picked ", `${result.text}.`]) await text.delta(piece);
    },
  }),
};
