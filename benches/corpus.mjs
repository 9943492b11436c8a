// The corpora: Agent API streams as agentscope-runtime's models print them (field order, null
// members), the same bytes on every machine and in every home. This module does not depend on a
// platform: the page uses it, too.
//
// | name | what |
// |---|---|
// | text | one message, 20,000 text deltas of about four characters, then the completed text three
// times |
// | mixed | 40 rounds of reasoning, a tool call whose arguments are streamed, its output, a message
// of two texts, a comment |
// | long | 160 contents of 64 K characters, half of them texts and half tool outputs |

export const CORPORA = ["text", "mixed", "long"];
export const CHUNKINGS = ["net", "event", "c16", "c64k"];

/** The beginning of the sha256 of each corpus: figures are only comparable for the same bytes. */
const SHA256 = { text: "8b7f7bd842e1b887", mixed: "826b9de0ca2190b4", long: "6efcb7c8d8cf62cc" };

const WORDS =
  "the| and| of| to|ing| in| that| model| for| you|.|,| with| can| stream| is|er| tool| run| agent| is| a|tion| be|!| on| it| use|-|s".split(
    "|",
  );
const CHINESE =
  "你好|我们|可以|天气|北京|的|，|。|工具|调用|结果|是|一个|流式|消息|状态|完成|推理".split("|");
const AWKWARD = [
  "\n\n",
  "```js\n",
  '"quoted"',
  "\t",
  "\\",
  "</div>",
  "🙂",
  " 👩‍💻",
  "é",
  " — ",
  "`x = 1`",
  "\n- ",
];

/**
 * Returns a corpus: its bytes, the number of its events, and the end of each block of the stream.
 */
export async function corpus(name) {
  const blocks = MAKERS[name]();
  const encoded = blocks.map((block) => new TextEncoder().encode(block));
  const ends = [];
  let length = 0;
  for (const { length: added } of encoded) {
    ends.push((length += added));
  }
  const bytes = new Uint8Array(length);
  encoded.forEach((block, at) => bytes.set(block, ends[at] - block.length));
  const sha256 = await hexOfSha256(bytes);
  if (!sha256.startsWith(SHA256[name])) {
    throw new Error(
      `corpus ${name} has sha256 ${sha256}, not ${SHA256[name]}…: the generator has changed`,
    );
  }
  return { name, bytes, ends, events: blocks.filter((block) => block.startsWith("data:")).length };
}

/** Returns the corpus in chunks of their own memory, as a network reader returns them. */
export function chunks({ bytes, ends }, chunking) {
  const cut = [];
  let from = 0;
  for (const length of chunkLengths({ bytes, ends }, chunking)) {
    cut.push(bytes.slice(from, (from += length)));
  }
  return cut;
}

/** `net`: 1 to 4 KB; `event`: one block each; `c16` and `c64k`: 16 bytes and 64 KiB. */
export function chunkLengths({ bytes, ends }, chunking) {
  switch (chunking) {
    case "net": {
      const random = xorshift(0xc0ffee ^ bytes.length);
      return cutInto(bytes.length, () => 1024 + Math.trunc(random() * 3073));
    }
    case "event":
      return ends.map((end, at) => end - (ends[at - 1] ?? 0));
    case "c16":
      return cutInto(bytes.length, () => 16);
    case "c64k":
      return cutInto(bytes.length, () => 65536);
    default:
      throw new Error(`there is no chunking ${chunking}`);
  }
}

function cutInto(total, next) {
  const lengths = [];
  for (let rest = total; rest > 0; rest -= lengths.at(-1)) {
    lengths.push(Math.min(rest, next()));
  }
  return lengths;
}

const MAKERS = {
  text() {
    const stream = new Stream(0x5eed0001);
    const message = stream.open("message");
    let text = "";
    for (let count = 0; count < 20000; count++) {
      const piece = stream.pick(WORDS);
      text += piece;
      stream.delta(message, 0, { text: piece });
    }
    stream.whole(message, 0, { text });
    stream.close(message, [{ text }]);
    return stream.end(true);
  },

  mixed() {
    const stream = new Stream(0x5eed0002);
    for (let round = 0; round < 40; round++) {
      stream.comment("ping");
      reasoning(stream);
      toolCall(stream);
      answer(stream);
    }
    return stream.end(true);
  },

  long() {
    const stream = new Stream(0x5eed0003);
    for (let count = 0; count < 160; count++) {
      const isText = count % 2 === 1;
      const message = stream.open(
        isText ? "message" : "function_call_output",
        isText ? "assistant" : "tool",
      );
      const text = longText(stream);
      stream.whole(
        message,
        0,
        isText
          ? { text }
          : { data: { call_id: `call_${stream.hex(24)}`, name: "read_file", output: text } },
      );
      stream.message(message, "completed", null);
    }
    return stream.end(false);
  },
};

function reasoning(stream) {
  const message = stream.open("reasoning");
  let text = "";
  for (let count = 0; count < 120; count++) {
    const piece = stream.random() < 0.3 ? stream.pick(CHINESE) : stream.pick(WORDS);
    text += piece;
    stream.delta(message, 0, { text: piece });
  }
  stream.whole(message, 0, { text });
  stream.close(message, [{ text }]);
}

function toolCall(stream) {
  const call = stream.open("function_call");
  const call_id = `call_${stream.hex(24)}`;
  const name = stream.pick(["search", "get_weather", "run_code", "read_file"]);
  const text = JSON.stringify({
    query: "SELECT \"a\", 'b' FROM t WHERE x > 1",
    city: stream.pick(CHINESE),
    limit: 10,
    nested: { path: `C:\\tmp\\${stream.hex(6)}`, tags: ["x", "y", stream.pick(CHINESE)] },
    note: `line1\nline2 ${stream.pick(WORDS)}`,
  });
  for (let from = 0; from < text.length; ) {
    const to = Math.min(text.length, from + 2 + Math.trunc(stream.random() * 5));
    const head = from === 0 ? { call_id, name } : { call_id: null, name: null };
    stream.delta(call, 0, { data: { ...head, arguments: text.slice(from, to) } });
    from = to;
  }
  const data = { call_id, name, arguments: text };
  stream.whole(call, 0, { data });
  stream.close(call, [{ data }]);

  const output = stream.open("function_call_output", "tool");
  const rows = [0, 1, 2, 3, 4, 5].map((id) => ({
    id,
    v: stream.hex(12),
    t: stream.pick(CHINESE) + stream.pick(WORDS),
    n: Math.round(stream.random() * 1e6) / 1000,
  }));
  const answered = { call_id, name, output: JSON.stringify(rows) };
  stream.whole(output, 0, { data: answered });
  stream.close(output, [{ data: answered }]);
}

function answer(stream) {
  const message = stream.open("message");
  const parts = [0, 1].map((index) => {
    let text = "";
    for (let count = 0; count < 120; count++) {
      const kind = stream.random();
      const piece = stream.pick(kind < 0.5 ? WORDS : kind < 0.85 ? CHINESE : AWKWARD);
      text += piece;
      stream.delta(message, index, { text: piece });
    }
    stream.whole(message, index, { text });
    return { text };
  });
  stream.close(message, parts);
}

function longText(stream) {
  let text = "";
  while (text.length < 65536) {
    const kind = stream.random();
    text += stream.pick(kind < 0.92 ? WORDS : kind < 0.96 ? CHINESE : AWKWARD);
  }
  // Not within a surrogate pair.
  return text.slice(0, 65536).replace(/[\ud800-\udbff]$/, "");
}

/** A response that is being written, event by event. */
class Stream {
  #blocks = [];
  #number = 0;
  #output = [];
  #id;
  #session;

  constructor(seed) {
    this.random = xorshift(seed);
    this.#id = `response_${this.#uuid()}`;
    this.#session = `session_${this.hex(8)}`;
    this.#response("created");
    this.#response("in_progress");
  }

  pick(list) {
    return list[Math.trunc(this.random() * list.length)];
  }

  hex(digits) {
    return Array.from({ length: digits }, () => Math.trunc(this.random() * 16).toString(16)).join(
      "",
    );
  }

  comment(text) {
    this.#blocks.push(`: ${text}\n\n`);
  }

  open(type, role = "assistant") {
    const message = { id: `msg_${this.#uuid()}`, type, role };
    this.message(message, "created", null);
    this.message(message, "in_progress", null);
    return message;
  }

  message(message, status, content) {
    this.#event(messageEvent(this.#number, message, status, content));
  }

  delta(message, index, value) {
    this.#event(contentEvent(this.#number, message, index, "in_progress", true, value));
  }

  whole(message, index, value) {
    this.#event(contentEvent(this.#number, message, index, "completed", false, value));
  }

  close(message, values) {
    const content = values.map((value, index) =>
      contentEvent(null, message, index, "completed", false, value),
    );
    this.message(message, "completed", content);
    this.#output.push(messageEvent(null, message, "completed", content));
  }

  /** Returns all blocks; the last event lists the messages if `listed`. */
  end(listed) {
    const usage = { input_tokens: 1234, output_tokens: 5678, total_tokens: 6912 };
    this.#response("completed", {
      completed_at: CREATED_AT + 60,
      output: listed ? this.#output : [],
      usage,
    });
    return this.#blocks;
  }

  #response(status, { completed_at = null, output = null, usage = null } = {}) {
    const rest = {
      id: this.#id,
      created_at: CREATED_AT,
      completed_at,
      output,
      usage,
      session_id: this.#session,
    };
    this.#event({
      sequence_number: this.#number,
      object: "response",
      status,
      error: null,
      ...rest,
    });
  }

  #event(event) {
    this.#number++;
    this.#blocks.push(`data: ${JSON.stringify(event)}\n\n`);
  }

  #uuid() {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-a${this.hex(3)}-${this.hex(12)}`;
  }
}

const CREATED_AT = 1760000000;

function messageEvent(sequence_number, { id, type, role }, status, content) {
  const rest = { content, code: null, message: null, usage: null, metadata: null };
  return { sequence_number, object: "message", status, error: null, id, type, role, ...rest };
}

/** Returns the event of a content; `value` is `{ text }` or `{ data }`. */
function contentEvent(sequence_number, { id: msg_id }, index, status, delta, value) {
  const type = "text" in value ? "text" : "data";
  return {
    sequence_number,
    object: "content",
    status,
    error: null,
    type,
    index,
    delta,
    msg_id,
    ...value,
  };
}

/** Returns a generator of numbers from 0 to 1, the same ones on every machine. */
function xorshift(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state = (state ^ (state << 13)) >>> 0;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state / 2 ** 32;
  };
}

async function hexOfSha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
