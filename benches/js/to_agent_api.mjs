// OpenAI Responses to the Agent API by hand: JSON.parse, a switch, JSON.stringify. It has no
// checks, and expects valid streams: text, summaries of reasoning, calls of functions, usage, and
// the end.
import { frames } from "./frames.mjs";

const ENCODER = new TextEncoder();
const NOW = 1_767_225_600;

/** Converts chunks of bytes; returns the output of each. */
export function toAgentApi() {
  let out = "";
  let number = 0;
  let id;
  let model;
  const output = [];
  /** The open items, by their position in the response. */
  const open = new Map();

  const send = (event) => (out += `data: ${JSON.stringify(event)}\n\n`);
  const response = (status, more) =>
    send({
      sequence_number: number++,
      object: "response",
      status,
      error: null,
      id,
      created_at: NOW,
      completed_at: null,
      output: [],
      usage: null,
      session_id: null,
      model,
      ...more,
    });
  const message = (status, { id, type, content, metadata }) => ({
    sequence_number: number++,
    object: "message",
    status,
    error: null,
    id,
    type,
    role: "assistant",
    content,
    code: null,
    message: null,
    usage: null,
    metadata,
  });
  const whole = (msg_id, payload) => ({
    sequence_number: number++,
    object: "content",
    status: "completed",
    error: null,
    ...payload,
    index: 0,
    delta: false,
    msg_id,
  });
  const start = (id, type) =>
    send(message("in_progress", { id, type, content: null, metadata: null }));
  const end = (id, type, payload, metadata = null) => {
    const content = whole(id, payload);
    send(content);
    const done = message("completed", { id, type, content: [content], metadata });
    send(done);
    output.push(done);
  };
  const delta = (msg_id, type, name, piece) =>
    send({
      sequence_number: number++,
      object: "content",
      status: "in_progress",
      error: null,
      type,
      index: 0,
      delta: true,
      msg_id,
      [name]: piece,
    });

  const on = (data) => {
    const event = JSON.parse(data);
    switch (event.type) {
      case "response.created": {
        ({ id, model } = event.response);
        response("created");
        response("in_progress");
        break;
      }
      case "response.output_item.added": {
        const { item, output_index } = event;
        open.set(output_index, item);
        start(item.id, item.type);
        if (item.type === "function_call") {
          delta(item.id, "data", "data", { call_id: item.call_id, name: item.name, arguments: "" });
        }
        break;
      }
      case "response.output_text.delta":
      case "response.reasoning_summary_text.delta":
        delta(event.item_id, "text", "text", event.delta);
        break;
      case "response.function_call_arguments.delta":
        delta(event.item_id, "data", "data", { arguments: event.delta });
        break;
      case "response.output_item.done": {
        const { item, output_index } = event;
        open.delete(output_index);
        switch (item.type) {
          case "reasoning":
            end(
              item.id,
              item.type,
              { type: "text", text: item.summary[0].text },
              { summary: true },
            );
            break;
          case "function_call":
            end(item.id, item.type, {
              type: "data",
              data: { call_id: item.call_id, name: item.name, arguments: item.arguments },
            });
            break;
          default:
            end(item.id, item.type, { type: "text", text: item.content[0].text });
        }
        break;
      }
      case "response.completed":
        response("completed", { completed_at: NOW, output, usage: event.response.usage });
        break;
    }
  };
  return converterOf(
    frames(on),
    () => out,
    () => (out = ""),
  );
}

/** Returns a conversion whose output is the text that `take` returns. */
export function converterOf(push, take, clear) {
  return (chunk) => {
    push(chunk);
    const bytes = ENCODER.encode(take());
    clear();
    return bytes;
  };
}
