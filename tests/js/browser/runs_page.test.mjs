// The page of runs in Chromium: a run continues through a cut connection, a reload and a second
// tab, and no part of it is lost or shown twice.
import assert from "node:assert/strict";
import { describe, test } from "./test.mjs";
import { RunsClient } from "agentwire/runs";
import { playground } from "./playground.mjs";

/** A reload aborts pending requests, and the end of a run aborts its connection. */
const forgive = [/net::ERR_ABORTED/];
const LONG = "Tell me a long story";

describe("the page of runs", () => {
  const play = playground();
  const open = (use, options = {}) =>
    play(
      async (page) => {
        await page.goto(`${play.url()}/runs`);
        await page.waitForSelector("body.ready");
        await use(page);
      },
      { ...options, forgive: [...forgive, ...(options.forgive ?? [])] },
    );

  async function say(page, text) {
    const before = page.url();
    await page.fill("#question", text);
    await page.click("#send");
    await page.waitForURL((url) => url.href !== before);
  }
  /** Waits until the run that the address names is over. */
  const over = (page) =>
    page.waitForFunction(
      () =>
        document.querySelector('[data-fact="run"]').textContent ===
          new URLSearchParams(location.hash.slice(1)).get("run") &&
        /^(finished|failed|cancelled)$/.test(document.querySelector("#run-status").textContent),
    );
  const answer = (page) => page.locator('#live [data-role="assistant"] .part[data-type="text"]');
  const fact = async (page, name) =>
    (await page.locator(`[data-fact="${name}"]`).textContent()).trim();
  /** Waits until so much of the answer is shown; returns the shown text. */
  async function grown(page, length) {
    await page.waitForFunction((length) => {
      const text = document.querySelector('#live [data-role="assistant"] .part[data-type="text"]');
      return (text?.textContent.length ?? 0) >= length;
    }, length);
    return (await answer(page).allTextContents()).join("");
  }
  /** The whole answer, as a reader gets it whom nothing has happened to. */
  async function whole(page) {
    const said = new URLSearchParams(new URL(page.url()).hash.slice(1));
    const runs = new RunsClient(`${play.url()}/api/v1/agent`, {
      headers: { authorization: "Bearer demo" },
    });
    const { snapshot } = await runs.events(said.get("thread"), said.get("run")).finished();
    return snapshot.messages.findLast(({ role }) => role === "assistant").content;
  }
  async function isWhole(page) {
    await over(page);
    const [text, expected] = [(await answer(page).allTextContents()).join(""), await whole(page)];
    assert.equal(text, expected);
    assert.ok(text.length > 1000, `${text.length} characters`);
  }

  test("continues after a reload during a response", () =>
    open(async (page) => {
      await say(page, LONG);
      const before = await grown(page, 200);
      const address = page.url();
      await page.reload();
      assert.equal(page.url(), address);
      const after = await grown(page, before.length);
      assert.ok(after.startsWith(before));
      assert.equal(await page.locator("#stop").isVisible(), true, "the run is under way still");
      await isWhole(page);
      assert.deepEqual(await page.locator("#history .said").allTextContents(), [LONG]);
    }));

  test("resumes from its cursor after interrupted connections", () =>
    open(async (page) => {
      await say(page, LONG);
      const lost = (times) =>
        page.waitForFunction(
          (times) => document.querySelectorAll('#log [data-kind="lost"]').length >= times,
          times,
        );
      for (const cuts of [1, 2, 3]) {
        await grown(page, cuts * 100);
        await page.click("#cut");
        await lost(cuts);
      }
      // Without a network nothing comes; with it, it goes on where it was.
      await page.check("#offline");
      await page.waitForFunction(
        () => document.querySelector("#connection-status").textContent === "waiting",
      );
      const still = await answer(page).allTextContents();
      await page.waitForTimeout(300);
      assert.deepEqual(await answer(page).allTextContents(), still);
      await page.uncheck("#offline");
      await isWhole(page);
      // The first, one after each cut unless that came before its answer, and the last.
      assert.ok(Number(await fact(page, "connections")) >= 3, await fact(page, "connections"));
      assert.equal(await fact(page, "restarts"), "0");
      const log = await page.locator("#log li").allTextContents();
      assert.ok(log.some((line) => /asked for what came after \w+-\d+$/.test(line)));
      assert.match(log.at(-1), /the run is finished$/);
    }));

  test("two tabs show one run, either can stop it, and both show the next one", () =>
    open(async (page) => {
      await say(page, LONG);
      await grown(page, 100);
      const second = await page.context().newPage();
      await second.goto(page.url());
      await grown(second, 200);
      await second.click("#stop");
      await Promise.all([over(page), over(second)]);
      const [one, other] = await Promise.all([
        answer(page).allTextContents(),
        answer(second).allTextContents(),
      ]);
      assert.deepEqual(one, other);
      assert.equal(await page.locator("#run-status").textContent(), "cancelled");
      await say(second, "echo the next one");
      await page.waitForFunction(() =>
        document.querySelector("#live")?.textContent.includes("the next one"),
      );
      await over(page);
      assert.equal(page.url(), second.url());
      assert.equal(await page.locator("#history .said").count(), 2);
    }));

  test("an image is attached, sent and kept in the history", () =>
    open(
      async (page) => {
        const png = Buffer.from(
          "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
          "base64",
        );
        await page.setInputFiles("#image", { name: "dot.png", mimeType: "image/png", buffer: png });
        await page.waitForSelector("#attachments img");
        await say(page, "echo what a dot");
        await over(page);
        const image = page.locator("#history .said img");
        assert.equal(
          await image.evaluate((image) => image.decode().then(() => image.naturalWidth)),
          1,
        );
        assert.equal(await page.locator("#attachments img").count(), 0);
        // A file that is not an image is refused, and the page shows the error.
        await page.setInputFiles("#image", {
          name: "page.png",
          mimeType: "image/png",
          buffer: Buffer.from("<html>"),
        });
        await page.waitForSelector("#trouble:visible");
        assert.match(
          await page.locator("#trouble").textContent(),
          /^The image was not taken: .*422/,
        );
      },
      { forgive: [/422/] },
    ));

  test("a voice note is transcribed", () =>
    open(
      async (page) => {
        await page.click("#voice");
        await page.waitForSelector('#voice[aria-pressed="true"]');
        await page.waitForTimeout(1200);
        await page.click("#voice");
        await page.waitForFunction(() => document.querySelector("#question").value !== "");
        const [, seconds] = /^\((\d+\.\d) seconds of sound\)$/.exec(
          await page.inputValue("#question"),
        );
        assert.ok(Number(seconds) >= 0.8 && Number(seconds) < 4, seconds);
      },
      { prepare: (page) => page.addInitScript(humming) },
    ));

  test("the history is kept when the thread continues, and a new thread has none", () =>
    open(async (page) => {
      await say(page, "echo first");
      await over(page);
      await say(page, "echo second");
      await over(page);
      assert.deepEqual(await page.locator("#history > *").allTextContents(), [
        "echo first",
        "first",
        "echo second",
      ]);
      await page.reload();
      await page.waitForFunction(() =>
        document.querySelector("#live")?.textContent.includes("second"),
      );
      await over(page);
      assert.deepEqual(await page.locator("#history > *").allTextContents(), [
        "echo first",
        "first",
        "echo second",
      ]);
      await page.waitForSelector("#actions button");
      assert.deepEqual(await page.locator("#actions button").allTextContents(), [
        "Compare Paris and Tokyo",
        "Tell me a long story",
      ]);
      await page.locator("#actions button").first().click();
      await page.waitForFunction(
        () =>
          document.querySelector("#history > :last-child").textContent ===
          "Compare Paris and Tokyo",
      );
      await over(page);
      await page.click("#new-thread");
      await page.waitForSelector("#nothing:visible");
      assert.equal(await page.locator("#history > *").count(), 0);
    }));

  test("a history that arrives late is not shown in the thread that was opened after it", () =>
    open(async (page) => {
      await say(page, "echo first");
      await over(page);
      let arrived;
      const isHeld = new Promise((resolve) => (arrived = resolve));
      let release;
      const released = new Promise((resolve) => (release = resolve));
      // The history is read when the run is shown, and again when it has ended.
      let requests = 0;
      await page.route(/\/history/, async (route) => {
        if (++requests < 2) {
          return route.continue();
        }
        const response = await route.fetch();
        arrived();
        await released;
        await route.fulfill({ response });
      });
      await say(page, "echo second");
      await over(page);
      await isHeld;
      const late = page.waitForResponse(/\/history/);
      await page.click("#new-thread");
      await page.waitForSelector("#nothing:visible");
      release();
      await (await late).finished();
      // The response is read and drawn in the frames that follow.
      await page.evaluate(
        () =>
          new Promise((resolve) =>
            setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)), 100),
          ),
      );
      assert.equal(await page.locator("#history > *").count(), 0);
      assert.equal(await page.locator("#nothing").isVisible(), true);
    }));

  test("the error of a failed run is shown", () =>
    open(async (page) => {
      await say(page, "please fail");
      await over(page);
      assert.match(await page.locator("#live .failure").textContent(), /weather station/);
      assert.equal(await page.locator("#run-status").textContent(), "failed");
    }));
});

/** A microphone that hums. */
function humming() {
  navigator.mediaDevices.getUserMedia = async () => {
    const context = new AudioContext();
    await context.resume();
    const [tone, out] = [context.createOscillator(), context.createMediaStreamDestination()];
    tone.connect(out);
    tone.start();
    return out.stream;
  };
}
