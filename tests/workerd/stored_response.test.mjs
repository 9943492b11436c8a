// A stored response as a whole object: each of its frames is read once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pageModule } from "../browser/page_modules.mjs";

const { responseOf } = await pageModule("../worker/runs/stored_response.ts");

const frame = (type, members) => `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

/** Returns the frames of a run that writes this number of words. */
function run(words) {
  const response = (status, output) => ({ response: { id: "resp_1", object: "response", status, output } });
  const place = { item_id: "m", output_index: 0, content_index: 0 };
  const said = Array.from({ length: words }, (_, word) => `${word} `);
  const message = { id: "m", type: "message", status: "completed", role: "assistant", content: [{ type: "output_text", annotations: [], text: said.join("") }] };
  return [
    frame("response.created", response("in_progress", [])),
    frame("response.output_item.added", { output_index: 0, item: { ...message, status: "in_progress", content: [] } }),
    frame("response.content_part.added", { ...place, part: { type: "output_text", annotations: [], text: "" } }),
    ...said.map((delta) => frame("response.output_text.delta", { ...place, delta })),
    frame("response.completed", response("completed", [message])),
  ];
}

/** A log that receives one frame for each call of `more`, and counts the characters that are read from it. */
class Log {
  characters = 0;
  waits = 0;
  #all;
  #length = 0;

  constructor(frames) {
    this.#all = frames;
  }

  isOver = () => this.#length === this.#all.length;

  read = () => {
    const frames = this.#all.slice(0, this.#length);
    this.characters += frames.join("").length;
    return frames;
  };

  more = async () => {
    this.waits++;
    this.#length = Math.min(this.#length + 1, this.#all.length);
  };
}

const sizeOf = (frames) => frames.join("").length;

test("each frame is read once, regardless of their number and timing", async () => {
  for (const words of [10, 100, 1000]) {
    const frames = run(words);
    const log = new Log(frames);
    const { status, output } = JSON.parse(await responseOf(log, true));
    assert.deepEqual([status, output[0].content[0].text.split(" ").length], ["completed", words + 1]);
    assert.deepEqual([log.characters, log.waits], [sizeOf(frames), frames.length]);
  }
});

test("a response in progress contains the frames so far, and each request reads them once", async () => {
  const frames = run(100);
  const log = new Log(frames);
  const first = JSON.parse(await responseOf(log, false));
  assert.deepEqual([first.status, log.waits, log.characters], ["in_progress", 1, frames[0].length]);
  for (let word = 0; word < 12; word++) await log.more();
  const before = log.characters;
  const { output } = JSON.parse(await responseOf(log, false));
  assert.equal(output[0].content[0].text, "0 1 2 3 4 5 6 7 8 9 ");
  assert.equal(log.characters - before, sizeOf(frames.slice(0, 13)));
});
