// The Agent API to OpenAI Responses by hand: JSON.parse, a switch, JSON.stringify. It has no
// checks, and expects valid streams: text, reasoning, calls of functions and their outputs, usage,
// and the end.
import { frames } from "./frames.mjs";
import { converterOf } from "./to_agent_api.mjs";

const NOW = 1_767_225_600;
const IN_PROGRESS = { status: "in_progress" };
const COMPLETED = { status: "completed" };

/** Converts chunks of bytes; returns the output of each. */
export function toResponses() {
  let out = "";
  let number = 0;
  let shared;
  const output = [];
  /** The open messages, by their id. */
  const open = new Map();

  const send = (type, members) =>
    (out += `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...members })}\n\n`);
  const response = (type, more) => send(type, { response: { ...shared, ...more } });

  const opened = (id, type, role) => {
    const message = { item: itemOf(id, type, role), at: output.length, parts: [], isOpen: false };
    open.set(id, message);
    if (message.item.type !== "function_call" && message.item.type !== "function_call_output") {
      add(message, { ...message.item, ...IN_PROGRESS, ...EMPTY[message.item.type] });
    }
  };
  const add = (message, item) => {
    message.isOpen = true;
    message.at = output.push(undefined) - 1;
    send("response.output_item.added", { output_index: message.at, item });
  };
  const placeOf = ({ item, at }, content_index) => ({
    item_id: item.id,
    output_index: at,
    content_index,
  });
  const partOf = (message, index) => {
    if (message.parts[index] === undefined) {
      message.parts[index] = { text: "", done: false };
      send("response.content_part.added", {
        ...placeOf(message, index),
        part: WORDS[message.item.type].part(""),
      });
    }
    return message.parts[index];
  };
  const call = (message, { call_id, name }) => {
    if (!message.isOpen) {
      Object.assign(message.item, { call_id, name });
      add(message, { ...message.item, ...IN_PROGRESS, arguments: "" });
    }
  };

  const content = ({ msg_id, type, index, delta, text, data }) => {
    const message = open.get(msg_id);
    const { item } = message;
    if (type === "text") {
      const part = partOf(message, index);
      const words = WORDS[item.type];
      const place = placeOf(message, index);
      if (delta) {
        part.text += text;
        send(words.delta, { ...place, ...words.more, delta: text });
      } else {
        part.done = true;
        part.text = text;
        send(words.done, { ...place, text, ...words.more });
        send("response.content_part.done", { ...place, part: words.part(text) });
      }
    } else if (item.type === "function_call") {
      call(message, data);
      const place = { item_id: item.id, output_index: message.at };
      if (delta) {
        send("response.function_call_arguments.delta", { ...place, delta: data.arguments });
      } else {
        item.arguments = data.arguments;
        send("response.function_call_arguments.done", {
          ...place,
          name: item.name,
          arguments: data.arguments,
        });
      }
    } else {
      Object.assign(item, { call_id: data.call_id, output: data.output });
      add(message, { ...item, ...IN_PROGRESS });
    }
  };

  const closed = (id) => {
    const message = open.get(id);
    open.delete(id);
    const { item, at, parts } = message;
    const words = WORDS[item.type];
    if (words !== undefined) {
      item.content = parts.map(({ text }) => words.part(text));
    }
    const done = { ...item, ...COMPLETED, ...(item.type === "reasoning" ? { summary: [] } : {}) };
    output[at] = done;
    send("response.output_item.done", { output_index: at, item: done });
  };

  const on = (data) => {
    const event = JSON.parse(data);
    switch (event.object) {
      case "content":
        content(event);
        break;
      case "message":
        if (event.status === "completed") closed(event.id);
        else if (!open.has(event.id)) opened(event.id, event.type, event.role);
        break;
      case "response":
        if (event.status === "created") {
          shared = sharedOf(event);
          response("response.created", { ...IN_PROGRESS, output: [] });
          response("response.in_progress", { ...IN_PROGRESS, output: [] });
        } else if (event.status === "completed") {
          response("response.completed", { ...COMPLETED, output, usage: usageOf(event.usage) });
        }
    }
  };
  return converterOf(
    frames(on),
    () => out,
    () => (out = ""),
  );
}

const WORDS = {
  message: {
    delta: "response.output_text.delta",
    done: "response.output_text.done",
    more: { logprobs: [] },
    part: (text) => ({ type: "output_text", annotations: [], logprobs: [], text }),
  },
  reasoning: {
    delta: "response.reasoning_text.delta",
    done: "response.reasoning_text.done",
    more: {},
    part: (text) => ({ type: "reasoning_text", text }),
  },
};
const EMPTY = { message: { content: [] }, reasoning: { summary: [] } };

function itemOf(id, type, role) {
  return type === "message" ? { id, type, role } : { id, type };
}

/** Adds the members that the protocol requires. */
function usageOf(usage) {
  return {
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
    ...usage,
  };
}

function sharedOf({ id, session_id }) {
  return {
    id,
    object: "response",
    created_at: NOW,
    status: "in_progress",
    error: null,
    incomplete_details: null,
    model: "",
    output: [],
    usage: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: "auto",
    tools: [],
    top_p: null,
    ...(session_id === null ? {} : { conversation: { id: session_id } }),
  };
}
