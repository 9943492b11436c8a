// Text deltas, which JavaScript writes without the core until another method of the stream is
// called.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentApiStreamBuilder } from "agentwire/server";

const PIECES = [
  "the",
  "",
  ' "quoted"\\',
  "你好",
  "\n\t\u0000\u001f\u007f",
  "\u0085\u2028\u2029",
  "😀",
  "a\u0085😀",
  "\ud83d",
  "\ude00",
  "x\ud83dy",
  "plain ".repeat(9),
  "你好😀".repeat(20),
  "\u2028 \ud83d".repeat(20),
];
/** As texts cross to the core. */
const wellFormed = (text) => text.replace(/\p{Cs}/gu, "\ufffd");

/** Returns a stream with an open message, and its events so far. */
function opened(options) {
  const response = new AgentApiStreamBuilder({ ids: "numbered", ...options });
  const made = [response.created(), response.inProgress()];
  const message = response.createMessageBuilder();
  made.push(message.inProgress());
  return { response, message, made };
}

for (const options of [
  {},
  { style: "compact" },
  { numbering: false },
  { numbering: false, style: "compact" },
]) {
  test(`text deltas add up to the text of the core, ${JSON.stringify(options)}`, () => {
    const { response, message, made } = opened(options);
    const content = message.createContentBuilder("text");
    const refusal = message.createContentBuilder("refusal");
    let text = "";
    let refused = "";
    for (let round = 0; round < 3; round++) {
      for (const piece of PIECES) {
        made.push(content.addTextDelta(piece));
        text += wellFormed(piece);
        if (round === 1) {
          made.push(refusal.addRefusalDelta(piece));
          refused += wellFormed(piece);
        }
        if (round === 2) {
          assert.equal(content.getContentData().text, text);
        }
      }
    }
    const [whole, other] = [content.complete(), refusal.complete()];
    made.push(whole, other, message.complete(), response.completed());
    assert.equal(whole.toObject().text, text);
    assert.equal(other.toObject().refusal, refused);
    const deltas = made.map((event) => event.toObject()).filter(({ delta }) => delta === true);
    assert.equal(deltas.map((event) => event.text ?? "").join(""), text);
    assert.equal(deltas.map((event) => event.refusal ?? "").join(""), refused);
    for (const [at, event] of made.entries()) {
      const number = options.style === "compact" ? undefined : null;
      assert.equal(event.toObject().sequence_number, options.numbering === false ? number : at);
      assert.doesNotMatch(event.toSse(), /[\u0085\u2028\u2029]/);
      assert.equal(event.toSse(), `data: ${event.json}\n\n`);
    }
  });

  test(`a delta is escaped as the core escapes a text, ${JSON.stringify(options)}`, () => {
    for (const piece of PIECES) {
      const { message } = opened(options);
      const delta = message.createContentBuilder("text").addTextDelta(piece);
      const value = opened(options).message.createContentBuilder("text").setText(piece);
      assert.equal(delta.json, value.json.replace('"delta":false', '"delta":true'));
    }
  });
}

test("calls between two deltas see the earlier deltas and affect the later ones", () => {
  const { response, message } = opened();
  const content = message.createContentBuilder("text");
  content.addTextDelta("a");
  content.addTextDelta("b");
  assert.throws(() => content.setText("x"), { code: "set-after-delta" });
  assert.throws(() => content.addRefusalDelta("x"), { code: "wrong-content-type" });
  assert.throws(() => content.addTextDelta(7), { code: "wrong-argument" });
  content.addTextDelta("c");
  const events = message.finishWith("canceled").map((event) => event.toObject());
  assert.equal(events[0].text, "abc");
  assert.equal(events[0].sequence_number, 6);
  assert.throws(() => content.addTextDelta("d"), { code: "content-after-message" });
  response.finishWith("canceled");
  response.reset();
  assert.throws(() => content.addTextDelta("d"), { code: "stale-builder" });
});

test("the text is kept when its content builder is freed", () => {
  const { response, message } = opened();
  const content = message.createContentBuilder("text");
  content.addTextDelta("a");
  content.addTextDelta("b");
  content.free();
  assert.throws(() => content.addTextDelta("c"), { code: "freed" });
  assert.equal(message.finishWith("completed")[0].toObject().text, "ab");
  assert.equal(response.completed().toObject().sequence_number, 7);
});

test("a long text is passed to the core before it ends", () => {
  const { message } = opened();
  const content = message.createContentBuilder("text");
  const piece = "0123456789".repeat(100);
  for (let at = 0; at < 100; at++) {
    assert.equal(content.addTextDelta(piece).toObject().sequence_number, at + 3);
  }
  assert.equal(content.complete().toObject().text, piece.repeat(100));
});
