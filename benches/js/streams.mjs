// Streams of any size, for cost against size. Like the corpora, but generated on demand.

/** Enough of the corpora's words that texts do not repeat soon. */
const WORDS = ["the", " and", " model", "ing", " stream", ".", " tool", "tion"];

/** Bytes per chunk: the average of `net`. */
export const CHUNK = 2560;

/** A response that is being written. */
export class Stream {
  #blocks = [];
  #number = 0;

  constructor() {
    this.#response("created", null);
    this.#response("in_progress", null);
  }

  /** Returns the bytes since the last call. */
  take() {
    const bytes = new TextEncoder().encode(this.#blocks.join(""));
    this.#blocks = [];
    return bytes;
  }

  open(number = 0) {
    const message = {
      id: `msg_${number.toString(16).padStart(8, "0")}-1111-4222-a333-444455556666`,
      text: "",
    };
    this.announce(message);
    return message;
  }

  /** Writes that a message is in progress, for the first time or again. */
  announce(message) {
    this.#message(message, "in_progress");
  }

  delta(message, text = WORDS[(this.#number * 5) % WORDS.length]) {
    message.text += text;
    this.#content(message, "in_progress", true, text);
  }

  /** Writes the text once more, and the message's end. */
  complete(message) {
    this.#content(message, "completed", false, message.text);
    this.close(message);
  }

  /** Writes only the message's end. */
  close(message) {
    this.#message(message, "completed");
  }

  end() {
    this.#response("completed", []);
  }

  #response(status, output) {
    const times = { created_at: 1760000000, completed_at: null };
    this.#event("response", status, {
      id: "response_0b9c1f4e",
      ...times,
      output,
      usage: null,
      session_id: "session_0b9c1f4e",
    });
  }

  #message({ id }, status) {
    const rest = { content: null, code: null, message: null, usage: null };
    // Only every other one has it, so that consecutive ones differ: reading identical ones is
    // faster.
    const more = this.#number % 2 === 0 ? { metadata: null } : {};
    this.#event("message", status, { id, type: "message", role: "assistant", ...rest, ...more });
  }

  #content({ id: msg_id }, status, delta, text) {
    this.#event("content", status, { type: "text", index: 0, delta, msg_id, text });
  }

  #event(object, status, rest) {
    const event = { sequence_number: this.#number++, object, status, error: null, ...rest };
    this.#blocks.push(`data: ${JSON.stringify(event)}\n\n`);
  }
}

/** Returns one message of `deltas` deltas. */
export function ofEvents(deltas) {
  const stream = new Stream();
  const message = stream.open();
  for (let at = 0; at < deltas; at++) {
    stream.delta(message);
  }
  stream.complete(message);
  stream.end();
  return stream.take();
}

/** Returns one message whose text is in one event of about `bytes` bytes. */
export function ofOneEvent(bytes) {
  const stream = new Stream();
  const message = stream.open();
  const sentence = WORDS.join("");
  message.text = sentence.repeat(Math.ceil(bytes / sentence.length));
  stream.complete(message);
  stream.end();
  return stream.take();
}

/** Returns chunks that share the bytes' memory. */
export function cut(bytes, length) {
  const chunks = [];
  for (let from = 0; from < bytes.length; from += length) {
    chunks.push(bytes.subarray(from, from + length));
  }
  return chunks;
}
