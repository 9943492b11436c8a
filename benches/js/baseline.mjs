// The opponent: the code of a careful user today. A TextDecoder before eventsource-parser (as in
// `eventsource` and the AI SDK), JSON.parse per event, and a reducer by hand for the Agent API's
// events.
import { createParser } from "eventsource-parser";

/**
 * Passes every event to `onEvent`, which is the parser's own callback: a closure in between would
 * cost the opponent a sixth of its speed. Returns the parser.
 */
export function feed(chunks, onEvent) {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent });
  for (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
  }
  return parser;
}

/** Does the same chunk by chunk, for loops with other work in between. */
export function feeder(onEvent) {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent });
  return (chunk) => parser.feed(decoder.decode(chunk, { stream: true }));
}

/** Returns a mutable answer. */
export function mutableState() {
  return { response: { id: null, status: null, usage: null }, order: [], byId: new Map() };
}

/** Appends to a map of messages. */
export function reduceMutable(state, event) {
  if (event.object === "content") {
    let message = state.byId.get(event.msg_id);
    if (!message) {
      message = { id: event.msg_id, type: null, role: null, status: null, content: [] };
      state.byId.set(message.id, message);
      state.order.push(message);
    }
    const index = event.index ?? 0;
    let content = message.content[index];
    if (!content) {
      content = { type: event.type, status: null, text: "", data: null };
      message.content[index] = content;
    }
    content.status = event.status;
    if (event.type === "text") {
      if (event.delta) content.text += event.text ?? "";
      else content.text = event.text ?? "";
    } else if (event.type === "data") {
      if (!event.delta || !content.data) content.data = event.data;
      else mergeInto(content.data, event.data);
    }
    return message;
  }
  if (event.object === "message") {
    let message = state.byId.get(event.id);
    if (!message) {
      message = {
        id: event.id,
        type: event.type,
        role: event.role,
        status: event.status,
        content: [],
      };
      state.byId.set(message.id, message);
      state.order.push(message);
    }
    message.type = event.type;
    message.role = event.role;
    message.status = event.status;
    return message;
  }
  if (event.object === "response") {
    state.response.id = event.id;
    state.response.status = event.status;
    state.response.usage = event.usage;
  }
  return null;
}

/** Returns an immutable answer. */
export function immutableState() {
  return { response: { id: null, status: null, usage: null }, messages: [] };
}

/**
 * Creates a new list, message, list of contents and content per event, as users of React write it.
 */
export function reduceImmutable(state, event) {
  if (event.object === "content") {
    let found = false;
    const messages = state.messages.map((message) => {
      if (message.id !== event.msg_id) return message;
      found = true;
      const content = message.content.slice();
      const index = event.index ?? 0;
      content[index] = reduceContent(
        content[index] ?? { type: event.type, status: null, text: "", data: null },
        event,
      );
      return { ...message, content };
    });
    return found ? { ...state, messages } : state;
  }
  if (event.object === "message") {
    const { id, type, role, status } = event;
    if (!state.messages.some((message) => message.id === id)) {
      return { ...state, messages: [...state.messages, { id, type, role, status, content: [] }] };
    }
    const messages = state.messages.map((message) =>
      message.id === id ? { ...message, type, role, status } : message,
    );
    return { ...state, messages };
  }
  if (event.object === "response") {
    return { ...state, response: { id: event.id, status: event.status, usage: event.usage } };
  }
  return state;
}

function reduceContent(content, event) {
  const { status } = event;
  if (event.type === "text") {
    return {
      ...content,
      status,
      text: event.delta ? content.text + (event.text ?? "") : (event.text ?? ""),
    };
  }
  if (!event.delta || !content.data) {
    return { ...content, status, data: event.data };
  }
  const data = { ...content.data };
  mergeInto(data, event.data);
  return { ...content, status, data };
}

/** Appends texts, except those of the call's name and id; null changes nothing. */
function mergeInto(data, added) {
  for (const key in added) {
    const value = added[key];
    if (value == null) continue;
    const old = data[key];
    const grows =
      typeof value === "string" && typeof old === "string" && key !== "call_id" && key !== "name";
    data[key] = grows ? old + value : value;
  }
}
