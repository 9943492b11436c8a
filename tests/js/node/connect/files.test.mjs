// Files that the user sends: their content as data URLs, uploads, and their failures.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { until } from "../support/sources.mjs";
import { PROTOCOLS, linesOf, opened, storageOf } from "./agents.mjs";
import { FAULTS, faulty, server } from "./network.mjs";
import { watch } from "./watch.mjs";

const PNG = "data:image/png;base64,AQID";
const file = () => new File([new Uint8Array([1, 2, 3])], "a.png", { type: "image/png" });
const fileOf = (chat, at = 0) =>
  chat.getSnapshot().messages[at].parts.find(({ type }) => type === "file");

for (const protocol of Object.keys(PROTOCOLS).filter((protocol) => protocol !== "ag-kit")) {
  describe(`files in ${protocol}`, () => {
    test("a file is shown immediately, and sent as a data URL", async () => {
      const { handler } = server({
        answer: (out, request) =>
          out
            .message()
            .text()
            .delta(
              JSON.stringify(
                request
                  .toJSON()
                  .input.at(-1)
                  .content.map(({ type }) => type),
              ),
            ),
      });
      const sent = [];
      const persist = { key: "chat", storage: storageOf() };
      const { chat } = opened(protocol, {
        persist,
        fetch: async (request) => {
          sent.push(await request.clone().text());
          return handler(request);
        },
      });
      const run = chat.send([{ type: "text", text: "Look:" }, file()]);
      assert.match(fileOf(chat).url, /^blob:/);
      assert.deepEqual([fileOf(chat).mediaType, fileOf(chat).filename], ["image/png", "a.png"]);
      assert.match(await run.text(), /text.*(image|file|data)/);
      assert.deepEqual(fileOf(chat), {
        type: "file",
        mediaType: "image/png",
        url: PNG,
        filename: "a.png",
      });
      assert.match(sent[0], /AQID/);
      const { chat: reloaded } = opened(protocol, { persist });
      assert.deepEqual(fileOf(reloaded), fileOf(chat));
    });

    test("a blob without a type or a name, and a part with an address", async () => {
      const { handler, received } = server({
        answer: (out) => out.message().text().delta("Seen."),
      });
      const { chat } = opened(protocol, { fetch: handler });
      assert.equal(await chat.send([new Blob(["hi"])]).text(), "Seen.");
      assert.deepEqual(fileOf(chat), {
        type: "file",
        mediaType: "application/octet-stream",
        url: "data:application/octet-stream;base64,aGk=",
      });
      const part = { type: "file", mediaType: "image/png", url: "https://files.test/a.png" };
      assert.equal(await chat.send([{ type: "text", text: "This:" }, part]).text(), "Seen.");
      assert.deepEqual([fileOf(chat, 2), received.length], [part, 2]);
    });

    test("`upload` returns the part; its error is the error of the message, and retry() uploads again", async () => {
      const { handler } = server({ answer: (out) => out.message().text().delta("Seen.") });
      const uploads = [];
      const upload = (given, { signal }) => {
        uploads.push([given.name, given.type, given.size, signal.aborted]);
        if (uploads.length === 1) {
          throw new Error("no space");
        }
        return { type: "file", mediaType: given.type, url: `https://files.test/${given.name}` };
      };
      const { chat } = opened(protocol, { fetch: handler, upload });
      const watched = watch(chat);
      const state = await chat.send([{ type: "text", text: "Look:" }, file()]).finished();
      assert.deepEqual(
        [state.status, state.error.code, state.error.message, linesOf(chat)],
        ["error", "source-failed", "no space", ["user: Look: (failed)"]],
      );
      watched.check();
      chat.retry();
      await chat.finished();
      assert.deepEqual(
        [fileOf(chat).url, linesOf(chat)],
        ["https://files.test/a.png", ["user: Look:", "assistant: Seen."]],
      );
      assert.deepEqual(uploads, [
        ["a.png", "image/png", 3, false],
        ["a.png", "image/png", 3, false],
      ]);
    });
  });
}

test("AG-Kit has no files: the message fails with a remedy, and the next one is sent without it", async () => {
  const { chat, sent } = opened("ag-kit");
  const state = await chat.send([{ type: "text", text: "Look:" }, file()]).finished();
  assert.deepEqual(
    [state.error.code, linesOf(chat)],
    ["message-not-sendable", ["user: Look: (failed)"]],
  );
  assert.equal(await chat.send("One.").text(), "You said: One.");
  assert.equal(sent.length, 1);
});

test("what `upload` returns is checked", async () => {
  for (const part of [undefined, "https://x", { url: "https://x" }, { type: "text", text: "x" }]) {
    const { chat, sent } = opened("ag-ui", { upload: () => part });
    const state = await chat.send([file()]).finished();
    assert.deepEqual([state.error.code, sent.length], ["wrong-option", 0]);
  }
});

test("a file is uploaded once for a request that fails, and not again for its retry", async () => {
  const { handler } = server({ answer: (out) => out.message().text().delta("Seen.") });
  let uploads = 0;
  const upload = () => ({
    type: "file",
    mediaType: "image/png",
    url: `https://files.test/${++uploads}`,
  });
  const { chat } = opened("ag-ui", { fetch: faulty(handler, [FAULTS[500]]), upload });
  await chat.send([file()]).finished();
  chat.retry();
  await chat.finished();
  assert.deepEqual([uploads, linesOf(chat).length], [1, 2]);
});

test("a run that is stopped, and a chat that is cleared, during an upload send nothing", async () => {
  for (const end of ["stop", "clear"]) {
    let finish;
    let signal;
    const upload = (_, given) => {
      signal = given.signal;
      return new Promise((resolve) => (finish = resolve));
    };
    const { chat, sent } = opened("ag-ui", { upload });
    const run = chat.send([{ type: "text", text: "Look:" }, file()]);
    await until(() => finish !== undefined);
    chat[end]();
    assert.equal(signal.aborted, true);
    finish({ type: "file", mediaType: "image/png", url: "https://files.test/a.png" });
    await run.finished();
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual(
      [sent.length, linesOf(chat)],
      [0, end === "stop" ? ["user: Look: (stopped)"] : []],
    );
    if (end === "stop") {
      // The file is still there.
      finish = undefined;
      chat.retry();
      await until(() => finish !== undefined);
      finish({ type: "file", mediaType: "image/png", url: "https://files.test/a.png" });
      await chat.finished();
      assert.deepEqual([sent.length, fileOf(chat).url], [1, "https://files.test/a.png"]);
    }
  }
});

test("a file that waits in the queue when the page is reloaded is an error that describes the fix", async () => {
  const persist = { key: "chat", storage: storageOf() };
  const never = () => new Promise(() => {});
  const first = opened("ag-ui", { persist, fetch: never }).chat;
  first.send("One.");
  first.send([{ type: "text", text: "Look:" }, file()]);
  // What is stored is the queue at the last time that a run has begun or ended.
  first.stop();
  const { chat } = opened("ag-ui", { persist });
  chat.send("Three.");
  const { error, messages } = await chat.finished();
  assert.deepEqual(
    [error.code, error.remedy, messages.length],
    ["file-unavailable", "attach the file again", 3],
  );
  // The next messages do not fail because of it.
  assert.equal(chat.edit(messages[1].id, "Without."), true);
  assert.deepEqual((await chat.finished()).error, undefined);
});

test("two messages with files in the queue", async () => {
  const { handler, received } = server({ answer: (out) => out.message().text().delta("Seen.") });
  const { chat } = opened("ag-ui", { fetch: handler });
  const watched = watch(chat);
  for (const name of ["a", "b", "c"]) {
    chat.send([
      { type: "text", text: name },
      new File([name], `${name}.txt`, { type: "text/plain" }),
    ]);
  }
  await chat.finished();
  assert.deepEqual(
    [linesOf(chat), received.length],
    [["a", "b", "c"].flatMap((name) => [`user: ${name}`, "assistant: Seen."]), 3],
  );
  watched.check();
});
