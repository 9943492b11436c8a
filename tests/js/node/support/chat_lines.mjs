// A custom protocol, as an application would define it: newline-delimited JSON, invented for these
// tests and the documentation.
import { defineProtocol } from "agentwire";

/** A factory, because the tests use different names and framings. */
export const chatLines = (more = {}) =>
  defineProtocol({
    name: "chat-lines",
    detect: (line) => /^\{"(say|think|call|bye)"/.test(line),
    decode(line, hub) {
      const { say, think, call, name, args, done, result, ask, bye, error } = JSON.parse(line);
      if (say !== undefined) hub.text(say);
      if (think !== undefined) hub.reasoning(think);
      if (name !== undefined) hub.toolCall(call, name);
      if (args !== undefined) hub.toolArguments(call, args);
      if (done) hub.toolCallEnd(call);
      if (result !== undefined) hub.toolResult(call, result);
      if (ask !== undefined) hub.interrupt(call, ask);
      if (error !== undefined) hub.fail(error);
      if (bye) hub.end();
    },
    state: () => ({ calls: new Map() }),
    encode(step, emit, { calls }) {
      const send = (event) => emit(JSON.stringify(event));
      switch (step.type) {
        case "text":
          return send({ say: step.piece });
        case "reasoning":
          return send({ think: step.piece });
        case "call":
          calls.set(`${step.message}.${step.part}`, step.id);
          return send({ call: step.id, name: step.name });
        case "arguments":
          return send({ call: calls.get(`${step.message}.${step.part}`), args: step.piece });
        case "end-part": {
          const call = calls.get(`${step.message}.${step.part}`);
          return call === undefined ? undefined : send({ call, done: true });
        }
        case "result":
          return send({ call: step.id, result: step.output });
        case "interrupt":
          return send({ call: step.id, ask: step.payload });
        case "end":
          return step.error === undefined
            ? send({ bye: true })
            : send({ error: step.error.message });
      }
    },
    ...more,
  });
