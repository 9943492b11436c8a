import assert from "node:assert/strict";
import { describe, test } from "./test.mjs";
import { agKitStream, ask, openSample, paste, playground, settled, textOf } from "./playground.mjs";

describe("safety and usability of the playground", () => {
  const play = playground();

  test("content of a stream is shown as text everywhere", () =>
    play(async (page) => {
      const requests = [];
      page.on("request", (request) => requests.push(request.url()));
      const evil =
        '<img src="https://example.com/spy.png" onerror="alert(1)"><script>alert(2)</script>';
      const part = (index, members) => ({
        object: "content",
        status: "completed",
        index,
        delta: false,
        msg_id: "m",
        ...members,
      });
      const parts = [
        part(0, { type: "text", text: evil }),
        part(1, { type: "image", image_url: "javascript:alert(3)" }),
        part(2, { type: "image", image_url: "http://example.com/plain.png" }),
        part(3, { type: "image", image_url: "https://example.com/later.png" }),
        part(4, { type: "data", data: { [evil]: evil } }),
        part(5, { type: "file", filename: evil, file_url: "javascript:alert(4)" }),
      ];
      const events = [
        { object: "response", status: "created", id: evil },
        { object: "response", status: "in_progress", id: evil },
        { object: "message", status: "in_progress", id: "m", type: evil, role: evil },
        ...parts,
        { object: evil, type: evil },
        {
          object: "message",
          status: "failed",
          id: "m",
          type: evil,
          role: evil,
          error: { code: evil, message: evil },
          content: parts,
        },
        { object: "response", status: "failed", id: evil, error: { code: evil, message: evil } },
      ];
      await paste(page, events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
      for (let at = 0; at <= events.length; at++) {
        await page.locator("#position").fill(String(at));
        await settled(page);
      }
      await page.click("#as-json");
      await page.click("#frame-json");
      assert.equal(await page.locator("main img, main script, main a").count(), 0);
      assert.match(await textOf(page, "#chat"), /<script>alert\(2\)<\/script>/);
      assert.match(await textOf(page, "#chat"), /neither data: nor https:/);
      await page.click("#as-convert");
      await settled(page);
      assert.match(await textOf(page, "#losses"), /<script>alert\(2\)<\/script>/);
      await page.click("#as-chat");
      await paste(
        page,
        agKitStream(
          { type: "text", content: evil },
          { type: "tool-call-start", toolCallId: evil, toolCallName: evil },
          { type: "tool-call-args", toolCallId: evil, delta: evil },
          { type: "tool-call-end", toolCallId: evil },
          { type: "tool-result", toolCallId: evil, result: evil },
          { type: evil },
          { type: "interrupt", id: evil, reason: evil, payload: { question: evil, [evil]: evil } },
        ),
      );
      assert.match(await textOf(page, ".interrupt"), /<script>alert\(2\)<\/script>/);
      assert.equal(
        await page.locator(".interrupt button:visible").count(),
        0,
        "nobody can answer a recording",
      );
      await page.click("#as-convert");
      await settled(page);
      assert.equal(await page.locator("main img, main script, main a").count(), 0);
      assert.deepEqual(requests, []);
    }));

  test("the content security policy is strict, and the page needs no exception", async () => {
    const policy = (await fetch(play.url())).headers.get("content-security-policy");
    for (const rule of [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "require-trusted-types-for 'script'",
    ]) {
      assert.ok(policy.includes(rule), rule);
    }
    assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|\*/);
  });

  for (const [why, prepare] of [
    ["its file is missing", (page) => page.route(/agentwire\.packed/, (route) => route.abort())],
    ["the policy forbids it", (page) => page.route(`${play.url()}/`, withoutWasm)],
  ]) {
    test(`shows an error when the core does not load: ${why}`, () =>
      play(
        async (page) => {
          assert.match(
            await textOf(page, "#trouble"),
            /^The WebAssembly core did not load.*wasm-unsafe-eval/,
          );
          assert.equal(await page.locator("#trouble").isVisible(), true);
        },
        { prepare, forgive: [/./] },
      ));
  }

  test("shows an error when the agent cannot be reached", () =>
    play(
      async (page) => {
        await ask(page, "杭州");
        assert.match(await textOf(page, ".ending"), /could not be reached|the connection broke/);
      },
      { prepare: (page) => page.route("**/process", (route) => route.abort()), forgive: [/./] },
    ));

  test("shows an error when the response is not a stream", () =>
    play(
      async (page) => {
        await ask(page, "杭州");
        assert.match(await textOf(page, ".ending"), /the server answered 503/);
      },
      {
        prepare: (page) =>
          page.route("**/process", (route) => route.fulfill({ status: 503, body: "busy" })),
        forgive: [/503/],
      },
    ));

  test("every control is reachable with the keyboard, and the focus is visible", () =>
    play(async (page) => {
      await openSample(page, "61_agentscope_thinking_text_tool");
      await page.locator("#position").fill("12");
      await page.evaluate(() => document.activeElement.blur());
      const reached = [];
      for (let step = 0; step < 60; step++) {
        await page.keyboard.press("Tab");
        const { id, outline } = await page.evaluate(() => {
          const element = document.activeElement;
          return {
            id: element.id || element.className,
            outline: getComputedStyle(element).outlineStyle,
          };
        });
        // From the last element the focus leaves the page, and comes back at its start.
        if (id === "ready") {
          continue;
        }
        assert.notEqual(outline, "none", `no focus ring on ${id}`);
        reached.push(`#${id}`);
      }
      for (const control of [
        "tab-open",
        "theme",
        "sample",
        "paste",
        "file",
        "protocol",
        "break",
        "list",
        "frame-bytes",
        "as-json",
        "as-convert",
        "chat",
        "cut",
        "next",
        "position",
      ]) {
        assert.ok(reached.includes(`#${control}`), `${control} is not among ${reached.join(" ")}`);
      }
      await page.locator("#list").focus();
      await page.keyboard.press("ArrowDown");
      await settled(page);
      assert.equal(await page.locator("#list").getAttribute("aria-activedescendant"), "row-12");
      assert.equal(await page.locator("#row-12").getAttribute("aria-selected"), "true");
    }));

  test("has a dark and a light theme, and stores the choice", () =>
    play(
      async (page) => {
        const brightness = () =>
          page.evaluate(() => {
            const canvas = new OffscreenCanvas(1, 1).getContext("2d");
            canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
            canvas.fillRect(0, 0, 1, 1);
            return canvas.getImageData(0, 0, 1, 1).data[0];
          });
        assert.ok((await brightness()) < 60, "dark as the system");
        await page.click("#theme");
        assert.ok((await brightness()) > 200, "light");
        await page.reload();
        await page.waitForSelector("body.ready");
        assert.ok((await brightness()) > 200, "still light");
        await page.click("#theme");
        assert.ok((await brightness()) < 60, "dark");
      },
      { colorScheme: "dark" },
    ));

  test("shows one pane at a time on a phone", () =>
    play(
      async (page) => {
        await openSample(page, "61_agentscope_thinking_text_tool");
        for (const pane of ["events", "answer", "verdict"]) {
          await page.tap(`#show-${pane}`);
          await settled(page);
          const visible = await page
            .locator(".pane")
            .evaluateAll((panes) => panes.filter((pane) => pane.offsetParent).map(({ id }) => id));
          assert.deepEqual(visible, [pane]);
          const { width, height } = await page.evaluate(() => ({
            width: document.documentElement.scrollWidth - innerWidth,
            height: document.documentElement.scrollHeight - innerHeight,
          }));
          assert.ok(width <= 0 && height <= 0, `${pane} overflows by ${width} × ${height}`);
        }
        assert.equal(await page.locator("#show-verdict").getAttribute("data-count"), "13");
        // Every control of both sources stays within the window, and every kind of event has its
        // tick.
        for (const tab of ["open", "ask"]) {
          await page.tap(`#tab-${tab}`);
          await settled(page);
          const outside = await page
            .locator("button:visible, select:visible, input:visible")
            .evaluateAll((controls) =>
              controls
                .filter((control) => control.getBoundingClientRect().right > innerWidth)
                .map(({ id }) => id),
            );
          assert.deepEqual(outside, [], tab);
        }
        await openSample(page, "interrupt");
        await page.tap("#show-answer");
        await page.tap("#as-convert");
        await settled(page);
        const unseen = await page
          .locator("#ticks .behind path")
          .evaluateAll((paths) =>
            paths
              .filter((path) => !path.checkVisibility())
              .map((path) => path.getAttribute("class")),
          );
        assert.deepEqual(unseen, []);
      },
      { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    ));

  test("a response with ten thousand events renders few elements and stays responsive", () =>
    play(async (page) => {
      const delta = (at) =>
        `data: {"sequence_number":${at},"object":"content","status":"in_progress","type":"text","index":0,"delta":true,"msg_id":"m","text":"word "}\n\n`;
      const stream =
        'data: {"sequence_number":0,"object":"response","status":"created","id":"r"}\n\n' +
        'data: {"sequence_number":1,"object":"response","status":"in_progress","id":"r"}\n\n' +
        'data: {"sequence_number":2,"object":"message","status":"in_progress","id":"m","type":"message","role":"assistant"}\n\n' +
        Array.from({ length: 10_000 }, (_, at) => delta(at + 3)).join("");
      await page.click("#tab-open");
      await page.setInputFiles("#file-input", {
        name: "long.sse",
        mimeType: "text/plain",
        buffer: Buffer.from(stream),
      });
      await page.waitForFunction(() =>
        document.querySelector("#events-count").textContent.startsWith("10,003 events"),
      );
      await page.evaluate(async () => {
        const slider = document.querySelector("#position");
        for (const position of [1, 5000, 5001, 5000, 9999, 17]) {
          slider.value = String(position);
          slider.dispatchEvent(new Event("input"));
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        }
      });
      assert.ok((await page.evaluate(() => document.querySelectorAll("*").length)) < 1500);
    }));
});

async function withoutWasm(route) {
  const response = await route.fetch();
  const headers = { ...response.headers() };
  headers["content-security-policy"] = headers["content-security-policy"].replace(
    " 'wasm-unsafe-eval'",
    "",
  );
  await route.fulfill({ response, headers });
}
