// The playground sends questions to the worker in every protocol, shows the answers, and continues
// where the agent has a question.
import assert from "node:assert/strict";
import { describe, test } from "./test.mjs";
import { PROTOCOL_TITLES } from "agentwire";
import { answered, ask, openSample, playground, settled, textOf } from "./playground.mjs";

const PATHS = {
  "agent-api": "/process",
  "ag-kit": "/send-message",
  "ag-ui": "/ag-ui",
  responses: "/v1/responses",
  a2a: "/a2a",
  "ai-sdk": "/api/chat",
};
/** The protocols whose requests list no tools. */
const WITHOUT_TOOLS = ["a2a", "ai-sdk"];
const DONE = { "ag-ui": "finished" };

describe("the playground sends requests in every protocol", () => {
  const inPage = playground();

  /** Runs `use(page, requests)`; `requests` are the bodies that the page has posted so far. */
  const play = (protocol, use, options) =>
    inPage(
      (page) => {
        const requests = [];
        page.on(
          "request",
          (request) =>
            new URL(request.url()).pathname === PATHS[protocol] &&
            requests.push(request.postDataJSON()),
        );
        return use(page, requests);
        // A stored answer ends a moment after its last event, at which the page has finished.
      },
      protocol === "responses" || protocol === "a2a"
        ? { forgive: [/net::ERR_ABORTED/], ...options }
        : options,
    );

  for (const protocol of Object.keys(PATHS)) {
    const title = PROTOCOL_TITLES[protocol];

    test(`${title}: reasoning, a server tool, text, and the raw events are shown`, () =>
      play(protocol, async (page, requests) => {
        await ask(page, "How is the weather in 杭州?", "", protocol);
        assert.equal(requests.length, 1);
        assert.equal(await textOf(page, "#answer-status"), DONE[protocol] ?? "completed");
        assert.equal(await textOf(page, "#verdict-count"), "valid");
        assert.equal(await textOf(page, "#protocol option:checked"), `Auto: ${title}`);
        assert.equal(await textOf(page, ".question"), "How is the weather in 杭州?");
        assert.match(await textOf(page, ".tool"), /^get_weather.*"city": "杭州".*"celsius"/);
        assert.match(await textOf(page, "#chat"), /杭州现在 \d+ °C/);
        // AG-Kit has neither.
        if (protocol !== "ag-kit") {
          assert.match(await textOf(page, "#chat"), /get_weather knows it/);
          assert.ok(
            await page
              .locator(".part img")
              .evaluate((image) => image.decode().then(() => image.naturalWidth > 100)),
          );
        }
        // Every row has a name.
        const objects = await page.locator(".row .object").allTextContents();
        assert.ok(
          objects.length > 10 &&
            !objects.some((object) => ["", "unknown", "no object"].includes(object)),
          String(objects),
        );
        const before = await page.locator("#chat").textContent();
        await page.locator("#position").fill("12");
        await settled(page);
        assert.ok((await page.locator("#chat").textContent()).length < before.length);
      }));

    test(`${title}: the error of a failed run is shown`, () =>
      play(protocol, async (page) => {
        await ask(page, "杭州", "failure", protocol);
        assert.equal(await textOf(page, "#answer-status"), "failed");
        assert.match(await textOf(page, "#chat .failure:visible"), /气象站没有响应/);
        const shown = await page.locator("#chat").innerText();
        assert.equal(shown.split("气象站没有响应").length, 2, shown);
        assert.equal(await textOf(page, "#verdict-count"), "valid, the run failed");
        assert.equal(await page.locator("#verdict-count .good, #violations .praise").count(), 0);
      }));

    for (const [button, said] of [
      ["Approve", /approved/i],
      ["Decline", /declined/i],
    ]) {
      test(`${title}: ${button} answers a question, and the run continues`, () =>
        play(protocol, async (page, requests) => {
          await ask(page, "Delete all files", "", protocol);
          assert.equal(requests.length, 1);
          assert.equal(await textOf(page, ".interrupt .asked"), "Delete all files?");
          assert.equal(await page.locator(".interrupt").count(), 1);
          assert.equal(await page.locator("#chat .tool:visible").count(), 0);
          await page.getByRole("button", { name: button, exact: true }).click();
          await answered(page);
          assert.equal(requests.length, 2);
          assert.match(await textOf(page, ".interrupt .decision"), said);
          assert.match(await textOf(page, ".turn:last-child"), said);
          assert.equal(await textOf(page, "#answer-status"), DONE[protocol] ?? "completed");
          assert.equal(await textOf(page, "#verdict-count"), "valid");
        }));
    }

    test(
      WITHOUT_TOOLS.includes(protocol)
        ? `${title}: requests cannot list tools`
        : `${title}: a tool of the page is run, and the run continues`,
      () =>
        play(protocol, async (page, requests) => {
          await ask(page, "Change the background to teal", "", protocol);
          if (WITHOUT_TOOLS.includes(protocol)) {
            assert.match(await textOf(page, "#chat"), /you have no tool change-background-color/);
            return;
          }
          assert.equal(requests.length, 2);
          assert.match(
            await textOf(page, ".tool"),
            /^change-background-color.*answered by this page.*"color": "teal".*The background is teal now\.$/,
          );
          assert.match(
            await textOf(page, ".turn:last-child"),
            /Your side says: The background is teal now\./,
          );
          assert.notEqual(await page.locator("#answer").getAttribute("data-tinted"), null);
        }),
    );

    test(`${title}: the error of a rejected request is shown`, () =>
      play(
        protocol,
        async (page) => {
          await page.route(`**${PATHS[protocol]}`, (route) =>
            route.fulfill({ status: 429, json: { error: { message: "slow down" } } }),
          );
          await ask(page, "Hello", "", protocol);
          assert.match(await textOf(page, "#chat .failure"), /429.*slow down/);
          assert.equal(await textOf(page, "#answer-status"), "no answer");
          assert.equal(await textOf(page, "#verdict-count"), "no stream");
          assert.doesNotMatch(await textOf(page, "#violations"), /protocol|valid|order/);
        },
        { forgive: [/429/] },
      ));
  }

  for (const [sample, shown] of [
    ["reasoning_summary", /reasoning/],
    ["code_interpreter", /code interpreter call ?ci_1 ?completed ?\{ ?"code": "print\(1\+1\)"/],
    ["web_search_citations", /web search call.*"url_citation"/],
    ["mcp", /mcp list tools/],
    ["refusal", /assistant/],
    ["v03_input_required", /agent ?which city\?/],
    ["parallel_artifacts", /./],
    ["jsonrpc_error_midstream", /-32/],
  ]) {
    test(`shows a recorded stream: ${sample}`, () =>
      inPage(async (page) => {
        await openSample(page, sample);
        assert.match(await textOf(page, "#chat"), shown);
        for (
          let position = 0;
          position <= Number(await page.locator("#position").getAttribute("max"));
          position++
        ) {
          await page.locator("#position").fill(String(position));
        }
        await settled(page);
        assert.match(await textOf(page, "#chat"), shown);
      }));
  }

  test("an OpenAI image that is refined is shown at every step", () =>
    inPage(async (page) => {
      await openSample(page, "image_generation");
      assert.equal(await page.locator('#chat [data-type="picture"]').count(), 1);
    }));
});
