import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "./test.mjs";
import { ask, openSample, paste, playground, replaced, settled, textOf } from "./playground.mjs";

const corpus = new URL("../../data/corpus/agent-api/", import.meta.url);

describe("the playground", () => {
  const play = playground();

  test("shows a run from the question to the image", () =>
    play(async (page) => {
      await ask(page, "How is the weather in 杭州?");
      assert.equal(await textOf(page, ".question"), "How is the weather in 杭州?");
      assert.match(await textOf(page, '.message[data-type="reasoning"]'), /get_weather knows it/);
      assert.match(
        await textOf(page, ".tool"),
        /^get_weather.*answered.*"city": "杭州".*"celsius"/,
      );
      assert.match(
        await textOf(page, '.message[data-type="message"] [data-type="text"]'),
        /^杭州现在 \d+ °C.*🍵.*👨‍👩‍👧:$/u,
      );
      assert.ok(
        await page
          .locator(".part img")
          .evaluate((image) => image.decode().then(() => image.naturalWidth > 100)),
      );
      assert.equal(await textOf(page, "#answer-status"), "completed");
      assert.equal(await textOf(page, "#verdict-count"), "valid");
      assert.match(await textOf(page, ".usage"), /output tokens \d+/);
    }));

  for (const [protocol, stopped] of [
    ["agent-api", "canceled"],
    ["responses", "stopped"],
  ]) {
    test(`shows the response as it grows, and stops it: ${protocol}`, () =>
      play(
        async (page) => {
          await page.fill("#question", "成都");
          await page.selectOption("#endpoint", protocol);
          await page.selectOption("#variant", "slow");
          await page.click("#send");
          await page.waitForSelector('.tool[data-state="streaming"]');
          assert.equal(await textOf(page, "#answer-status"), "in progress");
          await page.waitForSelector(".row.is-comment");
          await page.click("#stop");
          await page.waitForSelector("#send:visible");
          await settled(page);
          assert.equal(await textOf(page, "#answer-status"), stopped);
          assert.match(await textOf(page, ".facts"), /ended ?stopped by you/);
          const before = await textOf(page, "#events-count");
          await page.waitForTimeout(400);
          assert.equal(await textOf(page, "#events-count"), before);
        },
        { forgive: [/net::ERR_ABORTED/] },
      ));
  }

  for (const [variant, status, said] of [
    ["failure", "failed", /气象站没有响应/],
    ["cancel", "canceled", /杭州现在/],
    ["incomplete", "incomplete", /It is \d+ degrees/],
    ["reject", "rejected", /^$/],
  ]) {
    test(`shows a run with the status ${status}`, () =>
      play(async (page) => {
        await ask(page, "杭州", variant);
        assert.equal(await textOf(page, "#answer-status"), status);
        const hasFailed = status === "failed" || status === "rejected";
        assert.equal(
          await textOf(page, "#verdict-count"),
          hasFailed ? "valid, the run failed" : "valid",
        );
        assert.equal(
          await page.locator("#verdict-count .good, #violations .praise").count(),
          hasFailed ? 0 : 2,
        );
        const shown = (await page.locator("#chat .messages, #chat .ending").allTextContents()).join(
          "",
        );
        assert.match(shown, said);
        assert.ok(shown.split("气象站").length <= 2, shown);
      }));
  }

  for (const [name, reply, trouble] of [
    [
      "an HTTP error",
      { status: 500, contentType: "text/plain", body: "Internal Server Error" },
      /500/,
    ],
    [
      "an HTTP error whose body is a stream",
      {
        status: 502,
        contentType: "text/event-stream",
        body: 'data: {"object":"response","status":"created","id":"r"}\n\n',
      },
      /502/,
    ],
    [
      "an HTML page",
      { contentType: "text/html", body: "<!doctype html><title>Sign in</title>" },
      /text\/html/,
    ],
    ["an empty response", { contentType: "text/event-stream", body: "" }, null],
    ["no connection", null, /Failed to fetch/],
  ]) {
    test(`shows no verdict for ${name}`, () =>
      play(
        async (page) => {
          await page.route("**/process", (route) =>
            reply === null ? route.abort() : route.fulfill(reply),
          );
          await ask(page, "杭州");
          assert.equal(await textOf(page, "#answer-status"), "no answer");
          assert.match(
            await textOf(page, "#verdict-count"),
            trouble === null ? /^no events$/ : /^no stream$/,
          );
          assert.doesNotMatch(await textOf(page, "#violations"), /protocol|valid|order/);
          assert.equal(await page.locator(".rule").count(), 0);
          assert.equal(await page.locator("#protocol option:checked").textContent(), "Auto");
          const failures = await page.locator("#chat .failure").allTextContents();
          assert.equal(failures.length, trouble === null ? 0 : 1, String(failures));
          if (trouble) {
            assert.match(failures[0], trouble);
          }
          await page.click("#as-convert");
          await settled(page);
          assert.equal(await textOf(page, "#convert-verdict"), "");
        },
        { forgive: [/status of 50/, /net::ERR_FAILED/, /ERR_ABORTED/] },
      ));
  }

  test("shows no verdict for a file that is not a stream", () =>
    play(async (page) => {
      await paste(page, "<!doctype html><title>Sign in</title>");
      assert.equal(await textOf(page, "#verdict-count"), "no events");
      assert.match(await textOf(page, "#violations"), /not an event stream/);
      assert.equal(await page.locator("#protocol option:checked").textContent(), "Auto");
    }));

  test("lists the violations of an invalid stream, and jumps to them", () =>
    play(async (page) => {
      await paste(
        page,
        'data: {"object":"response","status":"created","id":"r"}\n\ndata: {"object":"content",\n\n: ping\n\n',
      );
      assert.equal(await textOf(page, "#verdict-count"), "invalid, content lost");
      const rules = await page.locator(".rule h3").allTextContents();
      for (const rule of ["malformed-event", "no-terminal", "sequence-number"]) {
        assert.ok(
          rules.some((text) => text.startsWith(rule)),
          `${rule} is not among ${rules}`,
        );
      }
      await page.locator('.rule:has-text("malformed-event") .event-link').click();
      await settled(page);
      assert.match(await textOf(page, '.row[aria-selected="true"]'), /unreadable/);
      assert.match(await textOf(page, "#frame"), /event 1.*data: \{"object":"content",LF/);
      assert.equal(await textOf(page, "#where"), "event 12 / 4");
    }));

  test("steps through a stream event by event", () =>
    play(async (page) => {
      await openSample(page, "61_agentscope_thinking_text_tool");
      assert.equal(await page.locator("#position").inputValue(), "29");
      await page.locator("#list").focus();
      await page.keyboard.press("Home");
      await settled(page);
      assert.equal(await textOf(page, "#where"), "start0 / 29");
      assert.equal(await page.locator("#chat .message").count(), 0);
      for (let step = 0; step < 8; step++) {
        await page.keyboard.press("ArrowRight");
      }
      await settled(page);
      assert.equal(await textOf(page, "#where"), "event 78 / 29");
      assert.match(await textOf(page, "#chat"), /let me think.*Hi there/);
      await page.keyboard.press("ArrowLeft");
      await settled(page);
      assert.doesNotMatch(await textOf(page, "#chat"), /there/);
      assert.equal((await page.locator(".row.future").count()) > 0, true);
      await page.locator("#position").fill("15");
      await settled(page);
      assert.match(await textOf(page, ".tool"), /streaming.*北京/);
      await page.click("#as-json");
      assert.match(await textOf(page, "#json mark >> nth=0"), /./);
    }));

  test("plays a stream", () =>
    play(async (page) => {
      await openSample(page, "41_heartbeat");
      // The sample is shown at its end, and the first frame of the playback shows its start: the
      // positions are recorded in the page, because a busy page passes several events between two
      // checks from outside.
      await page.evaluate(() => {
        const where = document.querySelector("#where");
        globalThis.shown = [];
        new MutationObserver(() =>
          globalThis.shown.push(document.querySelector("#position").valueAsNumber),
        ).observe(where, { childList: true, characterData: true, subtree: true });
      });
      await page.click("#play");
      await page.waitForFunction(
        () =>
          globalThis.shown.length > 0 &&
          document.querySelector('#play[aria-label="Play"]') !== null,
      );
      // The last position is drawn in a frame after the button's.
      await settled(page);
      const { shown, length } = await page.evaluate(() => ({
        shown: globalThis.shown,
        length: Number(document.querySelector("#position").max),
      }));
      assert.ok(shown[0] < length, `it begins at ${shown[0]} of ${length}`);
      assert.equal(shown.at(-1), length);
      assert.deepEqual(
        shown,
        shown.toSorted((a, b) => a - b),
      );
    }));

  for (const [sample, bytes] of [
    ["34_unicode", "6,939"],
    ["interrupt", "184"],
  ]) {
    test(`reads a stream with the same result at any chunk size: ${sample}`, () =>
      play(async (page) => {
        await openSample(page, sample);
        const slider = page.locator("#cut");
        const stops = Number(await slider.getAttribute("max"));
        const digests = new Set();
        for (let stop = 1; stop <= stops; stop++) {
          await slider.fill(String(stop));
          await page.waitForFunction(
            () => document.querySelector("#cut-verdict").dataset.outcome !== undefined,
          );
          const verdict = await textOf(page, "#cut-verdict");
          assert.match(
            verdict,
            /^Same answer, same violations · [0-9a-f]{16} · [\d,]+ chunks? in /,
          );
          digests.add(verdict.split(" · ")[1]);
          if ((await textOf(page, "#cut-size")) === "1 B") {
            assert.ok(verdict.includes(` ${bytes} chunks `), verdict);
          }
        }
        assert.equal(digests.size, 1);
      }));
  }

  for (const [sample, expected] of [
    [
      "34_unicode",
      {
        "CRLF line ends": [],
        "Heartbeats everywhere": [],
        "Drop the last blank line": ["framing-unterminated"],
        "Cut it off in the middle": ["no-terminal"],
        "Drop the last event": ["no-terminal"],
        "Duplicate a delta": ["sequence-number", "text-mismatch"],
        "Swap two deltas": ["sequence-number", "text-mismatch"],
        "Never end a tool call": null,
        "Go on after the end": ["after-terminal"],
        "Make one event no JSON": ["malformed-event"],
      },
    ],
    [
      "server_tool",
      {
        "CRLF line ends": [],
        "Heartbeats everywhere": [],
        "Drop the last blank line": ["framing-unterminated"],
        // The middle of it is inside a call.
        "Cut it off in the middle": ["truncated"],
        "Drop the last event": ["no-done"],
        // AG-Kit has no numbers and no completed texts, so the change cannot be detected.
        "Duplicate a delta": [],
        "Swap two deltas": [],
        "Never end a tool call": ["result-before-end"],
        "Go on after the end": ["after-done"],
        "Make one event no JSON": ["malformed-event"],
      },
    ],
  ]) {
    test(`applies each modification and shows its violations: ${sample}`, () =>
      play(async (page) => {
        const names = await page.locator("#break-menu b").allTextContents();
        assert.deepEqual(names, Object.keys(expected));
        for (const name of names) {
          await openSample(page, sample);
          await page.click("#break");
          const choose = () => page.locator("#break-menu button", { hasText: name }).click();
          if (expected[name] === null) {
            await choose();
            assert.match(await textOf(page, "#trouble"), /does not fit/);
            continue;
          }
          await replaced(page, choose);
          const rules = (await page.locator(".rule h3").allTextContents()).map(
            (text) => text.split(",")[0],
          );
          for (const rule of expected[name]) {
            assert.ok(rules.includes(rule), `${name}: ${rule} is not among ${rules}`);
          }
          assert.equal(rules.length === 0, expected[name].length === 0, `${name}: ${rules}`);
        }
      }));
  }

  test("shows every recorded stream, with a row for each violation", () =>
    play(async (page) => {
      const { samples } = await import("../../../www/samples.mjs");
      for (const { file, path } of samples) {
        await openSample(page, file.replace(".sse", ""));
        const read = async (name) =>
          JSON.parse(
            await readFile(new URL(`../../data/corpus/${path}/${name}`, import.meta.url), "utf8"),
          );
        const { protocol, detected = protocol } = await read("case.json");
        if (detected !== protocol) {
          // The case is about reading it as another protocol; the page shows the protocol of its
          // first event.
          continue;
        }
        const expected = await read("violations.json");
        assert.equal(await page.locator(".event-link").count(), expected.length, path);
        for (const violation of await page.locator(".event-link").all()) {
          await violation.click();
          await settled(page);
          assert.equal(await violation.getAttribute("aria-current"), "true", path);
        }
      }
    }));

  test("opens files", () =>
    play(async (page) => {
      await page.click("#tab-open");
      const buffer = await readFile(new URL("16_refusal/stream.sse", corpus));
      await page.setInputFiles("#file-input", {
        name: "refusal.sse",
        mimeType: "text/event-stream",
        buffer,
      });
      await page.waitForSelector('[data-type="refusal"]');
      assert.notEqual(await textOf(page, '[data-type="refusal"]'), "");
    }));
});
