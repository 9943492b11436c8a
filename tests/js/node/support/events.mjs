// Streams for tests: events of the Agent API, numbered and framed as servers do it.

const encoder = new TextEncoder();

/** A writer of one stream; each method returns the bytes of one event. */
export class Events {
  #number = 0;

  response(status, members = {}) {
    return this.event({ object: "response", status, id: "r", ...members });
  }

  message(id, status, members = {}) {
    return this.event({
      object: "message",
      status,
      id,
      type: "message",
      role: "assistant",
      content: null,
      ...members,
    });
  }

  text(id, index, text, members = {}) {
    return this.#content(id, index, {
      type: "text",
      delta: true,
      status: "in_progress",
      text,
      ...members,
    });
  }

  data(id, index, data, members = {}) {
    return this.#content(id, index, {
      type: "data",
      delta: true,
      status: "in_progress",
      data,
      ...members,
    });
  }

  /** A content that has ended. */
  whole(id, index, members) {
    return this.#content(id, index, { delta: false, status: "completed", ...members });
  }

  /** The events at the start of every stream, and a message. */
  opening(id = "m") {
    return concat([
      this.response("created"),
      this.response("in_progress"),
      this.message(id, "in_progress"),
    ]);
  }

  /** The end of a response. */
  end(output, members = {}) {
    return this.response("completed", { completed_at: 2, output, ...members });
  }

  /** Any event; a string is JSON to be sent as it is. */
  event(event) {
    const text =
      typeof event === "string"
        ? event
        : JSON.stringify({ sequence_number: this.#number++, ...event });
    return encoder.encode(`data: ${text}\n\n`);
  }

  #content(msg_id, index, members) {
    return this.event({ object: "content", msg_id, index, ...members });
  }
}

/** A short run with one message, `m`, of this text. */
export function shortRun(text = "Hello") {
  const events = new Events();
  return [
    events.opening(),
    events.text("m", 0, text.slice(0, 2)),
    events.text("m", 0, text.slice(2)),
    events.whole("m", 0, { type: "text", text }),
    events.message("m", "completed", { content: [part(text)] }),
    events.end([message("m", [part(text)])]),
  ];
}

/** A text as a part of a message. */
export function part(text, index = 0, msg_id = "m") {
  return {
    object: "content",
    type: "text",
    status: "completed",
    delta: false,
    msg_id,
    index,
    text,
  };
}

/** A message as a part of a response. */
export function message(id, content, members = {}) {
  return {
    object: "message",
    status: "completed",
    id,
    type: "message",
    role: "assistant",
    content,
    ...members,
  };
}

/** Chunks as one. */
export function concat(chunks) {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Pushes a chunk; returns the update, if any. */
export function pushed(decoder, chunk) {
  decoder.push(chunk);
  return decoder.update();
}
