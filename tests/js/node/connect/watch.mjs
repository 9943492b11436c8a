// Checks each state that a chat publishes: no message is lost, shown twice, moved or shortened, and
// unchanged ones are the same objects.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

const lengthOf = (part) => JSON.stringify(part.text ?? part.rawInput ?? "").length;

/** Returns a text for a state, for the message of an error. */
const shown = ({ messages }) =>
  JSON.stringify(
    messages.map(({ role, status, parts }) => [
      role,
      status,
      ...parts.map((part) => part.text ?? part.state ?? part.type),
    ]),
  );

/**
 * Fails unless each message of the state before is in the next one, in the same order and not
 * shorter.
 */
function compare(before, now, replaced) {
  const ids = now.messages.map(({ id }) => id);
  const about = () => `\n  ${shown(before)}\n  ${shown(now)}`;
  assert.equal(new Set(ids).size, ids.length, `an id is repeated:${about()}`);
  const kept = before.messages.filter(({ id }) => !replaced(id));
  assert.deepEqual(
    ids.filter((id) => kept.some((message) => message.id === id)),
    kept.map(({ id }) => id),
    `a message is lost or moved:${about()}`,
  );
  for (const message of kept) {
    const next = now.messages.find(({ id }) => id === message.id);
    assert.ok(next.parts.length >= message.parts.length, `a part is lost:${about()}`);
    for (const [at, part] of message.parts.entries()) {
      assert.equal(next.parts[at].type, part.type, `a part is replaced:${about()}`);
      assert.ok(
        lengthOf(next.parts[at]) >= lengthOf(part) || part.state === "input-streaming",
        `a text is shorter:${about()}`,
      );
      assert.ok(
        next.parts[at] === part || !isDeepStrictEqual(next.parts[at], part),
        `an unchanged part is another object:${about()}`,
      );
    }
    assert.ok(
      next === message || !isDeepStrictEqual(next, message),
      `an unchanged message is another object:${about()}`,
    );
  }
}

/** Fails unless the members of a state agree. */
function agree(state) {
  const { messages, status, isBusy, pending, canRetry, error } = state;
  assert.equal(isBusy, status === "submitted" || status === "streaming", `${status} ${isBusy}`);
  assert.ok(!(isBusy && canRetry), "nothing can be retried during a run");
  assert.equal(status === "error", !isBusy && error !== undefined, `${status} ${error?.code}`);
  const parts = new Set(messages.flatMap((message) => message.parts));
  assert.ok(
    pending.every((part) => parts.has(part)),
    "what waits for the user is in the messages",
  );
  const texts = messages
    .filter(({ role }) => role === "user")
    .map((message) => message.parts.map(({ text, url }) => text ?? url).join());
  assert.equal(new Set(texts).size, texts.length, `a message is shown twice: ${shown(state)}`);
  assert.ok(
    messages.every((message) => message.role !== "assistant" || message.parts.length > 0),
    "an answer has parts",
  );
  const live = messages.filter(
    (message) => message.status === "streaming" || message.status === "sending",
  );
  assert.ok(
    live.length <= (isBusy ? 1 : 0),
    `${live.length} messages are in progress in the status ${status}: ${shown(state)}`,
  );
}

/**
 * Watches a chat. The texts that a test sends must differ.
 *
 * @returns `states`: the published states; `replacing`: does something that may remove messages,
 * those for which `which` returns true, by default all; `end`: ends the watch, and checks that no
 * state has changed after its publication
 */
export function watch(chat) {
  const states = [];
  const errors = [];
  const copies = new Map();
  let last = chat.getSnapshot();
  let replaced = () => false;
  const look = () => {
    const now = chat.getSnapshot();
    try {
      agree(now);
      compare(last, now, replaced);
    } catch (error) {
      errors.push(error);
    }
    last = now;
    states.push(now);
    copies.set(now, JSON.stringify(now.messages));
  };
  const leave = chat.subscribe(look);
  const check = () => {
    for (const error of errors) {
      throw error;
    }
  };
  return {
    states,
    check,
    replacing(work, which = () => true) {
      replaced = which;
      const result = work();
      look();
      replaced = () => false;
      return result;
    },
    /** Repeats the last request. Only its partial answer may disappear. */
    retry() {
      const sent = last.messages.filter(({ status }) => status !== "queued");
      const isAnswer = sent.at(-1)?.role === "assistant";
      return this.replacing(
        () => chat.retry(),
        (id) => isAnswer && id === sent.at(-1).id,
      );
    },
    end() {
      leave();
      check();
      for (const [state, copy] of copies) {
        assert.equal(JSON.stringify(state.messages), copy, "a published state has changed");
      }
      return states;
    },
  };
}
