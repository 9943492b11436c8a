// An agent as a model of Chat Completions.
import { chatAdapter, createHandler } from "agentwire/server";

export default {
  fetch: createHandler({
    adapters: [chatAdapter()],
    async agent(out, request) {
      const [result] = request.answers;
      if (result === undefined) {
        await out.reasoning().delta("A color.");
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
