import assert from "node:assert/strict";
import { describe, test } from "./test.mjs";
import { agKitStream, answered, ask, playground, settled, textOf } from "./playground.mjs";

describe("the playground runs AG-Kit scenarios with an agent", () => {
  const inPage = playground();

  /** Runs `use(page, requests)`; `requests` are the bodies that the page has sent so far. */
  const play = (use, options) =>
    inPage((page) => {
      const requests = [];
      page.on(
        "request",
        (request) =>
          request.url().endsWith("/send-message") && requests.push(request.postDataJSON()),
      );
      return use(page, requests);
    }, options);

  test("basic chat", () =>
    play(async (page, requests) => {
      await ask(page, "Hello 你好 👋🏽", "echo", "ag-kit");
      assert.equal(await textOf(page, ".question"), "Hello 你好 👋🏽");
      assert.equal(await textOf(page, '.turn [data-type="text"]'), "Hello 你好 👋🏽");
      assert.equal(await textOf(page, "#answer-status"), "completed");
      assert.equal(await textOf(page, "#verdict-count"), "valid");
      assert.equal(await textOf(page, "#protocol option:checked"), "Auto: AG-Kit");
      assert.equal(await page.locator(".stream:visible").count(), 0);
      assert.equal(requests.length, 1);
      assert.deepEqual(requests[0].messages, [{ role: "user", content: "Hello 你好 👋🏽" }]);
      assert.deepEqual(
        requests[0].tools.map(({ name }) => name),
        ["change-background-color"],
      );
    }));

  test("a tool of the page is run, its result is sent, and the run continues", () =>
    play(async (page, requests) => {
      const before = await backgroundOf(page);
      await ask(page, "Change the background to teal", "", "ag-kit");
      const [asked, followUp, ...more] = requests;
      assert.deepEqual(more, []);
      assert.equal(followUp.conversationId, asked.conversationId);
      assert.deepEqual(followUp.tools, asked.tools);
      assert.deepEqual(
        followUp.messages.map(({ role, content }) => ({ role, content })),
        [{ role: "tool", content: "The background is teal now." }],
      );
      assert.match(
        await textOf(page, ".tool"),
        /^change-background-color ?.*answered by this page ?\{ "color": "teal" \} ?The background is teal now\.$/,
      );
      assert.notEqual(await backgroundOf(page), before);
      assert.equal(await textOf(page, "#answer-status"), "completed");
      assert.equal(await textOf(page, "#verdict-count"), "valid");
      assert.notEqual(await textOf(page, '.turn:last-child [data-type="text"]'), "");

      // Both streams are there to be looked at.
      assert.deepEqual(
        await page
          .locator(".stream")
          .evaluateAll((heads) => heads.map((head) => head.getAttribute("aria-current"))),
        [null, "true"],
      );
      await page.locator(".stream").first().click();
      await settled(page);
      assert.equal(await textOf(page, "#answer-status"), "awaiting tool results");
      assert.equal(await textOf(page, "#verdict-count"), "valid");
      const details = await page.locator('.row:has-text("tool-call") .detail').allTextContents();
      assert.deepEqual(details, ["start · change-background-color", "args", "args", "end"]);
      assert.equal(followUp.messages[0].toolCallId, await textOf(page, ".tool .id"));
      await page.locator("#position").fill("0");
      await settled(page);
      assert.equal(await page.locator(".turn:first-child .tool").count(), 0);
      assert.equal(await page.locator(".turn[data-later]").count(), 1);

      // The colour belongs to the conversation.
      await ask(page, "Hello", "echo", "ag-kit");
      assert.equal(await backgroundOf(page), before);
    }));

  test("a server tool is only shown", () =>
    play(async (page, requests) => {
      await ask(page, "How is the weather in 杭州?", "", "ag-kit");
      assert.equal(requests.length, 1);
      assert.match(await textOf(page, ".tool"), /^get_weather ?.*output available.*杭州/);
      assert.notEqual(await textOf(page, ".tool .output"), "");
      assert.equal(await textOf(page, "#answer-status"), "completed");
      assert.equal(await textOf(page, "#verdict-count"), "valid");
    }));

  for (const [button, approved, said] of [
    ["Approve", true, /approved/i],
    ["Decline", false, /declined/i],
  ]) {
    test(`an interrupt pauses the run, which continues after ${button}`, () =>
      play(async (page, requests) => {
        await ask(page, "Delete all files", "", "ag-kit");
        assert.equal(await textOf(page, "#answer-status"), "interrupted");
        assert.equal(await textOf(page, "#verdict-count"), "valid");
        assert.notEqual(await textOf(page, ".interrupt .asked"), "");
        assert.equal(requests.length, 1);
        await page.getByRole("button", { name: button }).click();
        await answered(page);
        const [asked, resumed, ...more] = requests;
        assert.deepEqual(more, []);
        assert.equal(resumed.conversationId, asked.conversationId);
        assert.equal(resumed.resume.interruptId, await textOf(page, ".interrupt .id"));
        assert.deepEqual(JSON.parse(resumed.resume.payload), { approved, value: null });
        assert.match(await textOf(page, ".interrupt .decision"), said);
        assert.match(await textOf(page, '.turn:last-child [data-type="text"]'), said);
        assert.equal(await textOf(page, "#answer-status"), "completed");
        assert.equal(await page.locator(".interrupt button:visible").count(), 0);
      }));
  }

  test("a run that fails", () =>
    play(async (page) => {
      await ask(page, "杭州", "failure", "ag-kit");
      assert.equal(await textOf(page, "#answer-status"), "failed");
      assert.notEqual(await textOf(page, ".turn .failure"), "");
    }));

  test("stop ends the stream", () =>
    play(
      async (page) => {
        await page.selectOption("#endpoint", "ag-kit");
        await page.selectOption("#variant", "slow");
        await page.fill("#question", "成都");
        await page.click("#send");
        await page.waitForSelector(".row");
        await page.click("#stop");
        await answered(page);
        assert.match(await textOf(page, ".facts"), /ended ?stopped by you/);
        const before = await textOf(page, "#events-count");
        await page.waitForTimeout(400);
        assert.equal(await textOf(page, "#events-count"), before);
      },
      { forgive: [/net::ERR_ABORTED/] },
    ));

  const call = (id, name, text) => [
    { type: "tool-call-start", toolCallId: id, toolCallName: name },
    { type: "tool-call-args", toolCallId: id, delta: text },
    { type: "tool-call-end", toolCallId: id },
  ];
  /** An agent that answers the requests in their order, the last answer again and again. */
  const scripted =
    (...streams) =>
    async (page) => {
      let at = 0;
      await page.route("**/send-message", (route) =>
        route.fulfill({
          contentType: "text/event-stream",
          body: streams[Math.min(at++, streams.length - 1)],
        }),
      );
    };

  test("invalid tool calls are answered with errors, and all results are sent in one request", () =>
    play(
      async (page, requests) => {
        const before = await backgroundOf(page);
        await ask(page, "Try", "", "ag-kit");
        assert.deepEqual(requests[1].messages, [
          { role: "tool", toolCallId: "a", content: 'Error: "var(--ink)" is no colour.' },
          { role: "tool", toolCallId: "c", content: "Error: null is no colour." },
          {
            role: "tool",
            toolCallId: "d",
            content: 'Error: "red; background: url(//x)" is no colour.',
          },
          { role: "tool", toolCallId: "e", content: "Error: the arguments are not JSON" },
        ]);
        // The page has not offered `launch`: in AG-Kit the server executes the other tools.
        assert.equal(await backgroundOf(page), before);
        assert.equal(await textOf(page, '.turn:last-child [data-type="text"]'), "Sorry.");
      },
      {
        prepare: scripted(
          agKitStream(
            ...call("a", "change-background-color", '{"color":"var(--ink)"}'),
            ...call("b", "launch", "{}"),
            ...call("c", "change-background-color", "{}"),
            ...call("d", "change-background-color", '{"color":"red; background: url(//x)"}'),
            ...call("e", "change-background-color", '{"color":'),
          ),
          agKitStream({ type: "text", content: "Sorry." }),
        ),
      },
    ));

  test("an agent that calls tools endlessly is stopped", () =>
    play(
      async (page, requests) => {
        await ask(page, "Go round", "", "ag-kit");
        assert.equal(requests.length, 9);
        assert.match(await textOf(page, ".turn:last-child .ending"), /asked for tools 9 times/);
      },
      {
        prepare: scripted(agKitStream(...call("a", "change-background-color", '{"color":"teal"}'))),
      },
    ));

  test("an unanswered interrupt is skipped by the next message", () =>
    play(
      async (page, requests) => {
        await ask(page, "Delete", "", "ag-kit");
        await ask(page, "Something else", "", "ag-kit");
        assert.notEqual(requests[1].conversationId, requests[0].conversationId);
        assert.equal(await page.locator(".interrupt").count(), 0);
      },
      {
        prepare: scripted(
          agKitStream({
            type: "interrupt",
            id: "i",
            reason: null,
            payload: { question: "Really?" },
          }),
          agKitStream({ type: "text", content: "Something else." }),
        ),
      },
    ));

  test("shows an error when the request is rejected", () =>
    play(
      async (page) => {
        await ask(page, "Hello", "", "ag-kit");
        assert.match(await textOf(page, ".ending"), /the server answered 422/);
      },
      {
        prepare: (page) =>
          page.route("**/send-message", (route) =>
            route.fulfill({ status: 422, body: '{"detail":[]}' }),
          ),
        forgive: [/422/],
      },
    ));
});

/** The colour of the answer's pane, once it has changed: without motion that is at once. */
function backgroundOf(page) {
  return page.locator("#answer").evaluate((pane) => getComputedStyle(pane).backgroundColor);
}

describe("the playground runs AG-UI scenarios with an agent", () => {
  const play = playground();

  test("shows messages, steps, an activity, an image, and the state as a tree that changes", () =>
    play(async (page) => {
      await ask(page, "What is the weather like in Paris?", "", "ag-ui");
      assert.equal(await textOf(page, "#answer-status"), "finished");
      assert.equal(await textOf(page, "#verdict-count"), "valid");
      assert.match(
        await textOf(page, ".tool"),
        /^get_weather ?call_paris_1 ?answered.*"city": "Paris"/,
      );
      assert.match(
        await textOf(page, '.message[data-type="activity"]'),
        /^WEATHER_SEARCH.*"answered": \d/,
      );
      assert.equal(await page.locator(".thread img").count(), 1);
      assert.match(
        await textOf(page, '.run li[data-kind="step"]'),
        /^step look up the weather finished$/,
      );
      assert.match(await textOf(page, ".tree"), /city ?"Paris".*phase ?"answered"/);
      // A position before the second state: the tree is that of the position, and collapsed nodes
      // stay collapsed.
      await page.click(".state > summary");
      await page.locator(".tree summary").nth(1).click();
      const rows = await page.locator("#position").getAttribute("max");
      await page.locator("#position").fill("3");
      await settled(page);
      assert.match(await textOf(page, ".tree"), /phase ?"thinking"/);
      assert.equal(await page.locator(".tree details:not([open])").count(), 1);
      await page.locator("#position").fill(rows);
      await settled(page);
      const changed = await page
        .locator(
          ".tree .branch[data-changed] > .key, .tree .branch[data-changed] > details > summary > .key",
        )
        .allTextContents();
      assert.deepEqual(changed.sort(), ["celsius", "phase", "sky"]);
    }));

  test("shows a subagent for each city", () =>
    play(async (page) => {
      await ask(page, "Compare Paris and Tokyo", "", "ag-ui");
      const lanes = await page.locator('.run li[data-kind="subagent"] b').allTextContents();
      assert.deepEqual(lanes, ["scout of Paris", "scout of Tokyo"]);
    }));

  test("runs a tool of the page, and continues after the answer to a question", () =>
    play(async (page) => {
      await ask(page, "Change the background to teal", "", "ag-ui");
      assert.equal(await page.locator(".turn").count(), 2);
      assert.match(
        await textOf(page, ".tool"),
        /answered by this page.*The background is teal now\./,
      );
      assert.match(
        await page.locator(".turn").nth(1).textContent(),
        /Your side says: The background is teal now\./,
      );
      await ask(page, "Delete all files", "", "ag-ui");
      await page.click(".interrupt button.main");
      await answered(page);
      assert.match(await textOf(page, ".interrupt"), /approved by you/);
      assert.match(
        await page.locator(".turn").nth(1).textContent(),
        /Approved: the files are gone/,
      );
    }));
});
