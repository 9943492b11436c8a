import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "./test.mjs";
import { Converter, Decoder } from "agentwire";
import { openSample, paste, playground, replaced, settled, textOf } from "./playground.mjs";

const corpus = new URL("../../data/corpus/", import.meta.url);

describe("the playground and protocols", () => {
  const play = playground();

  for (const [sample, picker, status, verdict] of [
    [
      "61_agentscope_thinking_text_tool",
      "Auto: Agent API",
      "completed",
      "invalid, the answer is correct",
    ],
    ["k01_basic_text", "Auto: AG-Kit", "completed", "valid"],
    ["k03_client_tool_call", "Auto: AG-Kit", "awaiting tool results", "valid"],
    ["interrupt", "Auto: AG-Kit", "interrupted", "valid"],
    ["k13_create_agent_failure", "Auto: AG-Kit", "failed", "valid with notes, the run failed"],
    [
      "k10_agent_exception_midstream",
      "Auto: AG-Kit",
      "completed",
      "invalid, the answer is correct",
    ],
    ["cut_off_in_a_call", "Auto: AG-Kit", "truncated", "invalid, content lost"],
    ["a02_tool_with_result", "Auto: AG-UI", "finished", "valid"],
    ["20_failed_mid_stream_unknown_error", "Auto: Agent API", "failed", "invalid, the run failed"],
    ["jsonrpc_error_midstream", "Auto: A2A", "failed", "valid, the run failed"],
    ["data_parts", "Auto: AI SDK", "completed", "valid"],
    ["error_midstream", "Auto: OpenAI Chat Completions", "failed", "valid, the run failed"],
    ["parallel_tool_use", "Auto: Anthropic Messages", "completed", "valid"],
    ["grounding", "Auto: Gemini", "completed", "valid"],
  ]) {
    test(`detects the protocol from the first event: ${sample}`, () =>
      play(async (page) => {
        await openSample(page, sample);
        assert.equal(await page.locator("#protocol").inputValue(), "auto");
        assert.equal(await textOf(page, "#protocol option:checked"), picker);
        assert.equal(await textOf(page, "#answer-status"), status);
        assert.equal(await textOf(page, "#verdict-count"), verdict);
        assert.match(
          await textOf(page, ".facts"),
          new RegExp(`^protocol ?${picker.slice(6)}, detected from the first event`),
        );
        const isGood = verdict === "valid";
        assert.deepEqual(
          await Promise.all(
            ["#verdict-count .good", ".praise"].map((part) => page.locator(part).count()),
          ),
          isGood ? [1, 1] : [0, 0],
        );
      }));
  }

  for (const [name, text] of [
    ["only an end marker", "data: [DONE]\n\n"],
    ["the events of Dify", 'data: {"event":"message","answer":"Hi"}\n\n'],
  ]) {
    test(`detects no protocol for ${name}`, () =>
      play(async (page) => {
        await paste(page, text);
        assert.equal(await textOf(page, "#protocol option:checked"), "Auto");
        assert.doesNotMatch(await textOf(page, ".facts"), /^protocol/);
        assert.ok(
          (await page.locator(".rule h3").allTextContents()).some((rule) =>
            rule.startsWith("unknown-protocol"),
          ),
        );
      }));
  }

  test("reads a stream in the selected protocol, and in its own again", () =>
    play(async (page) => {
      await openSample(page, "k01_basic_text");
      const as = (protocol) => replaced(page, () => page.selectOption("#protocol", protocol));
      const read = () =>
        Promise.all(
          ["#answer-status", "#verdict-count", "#events-count"].map((id) => textOf(page, id)),
        );
      const asItself = await read();
      await as("agent-api");
      assert.match(await textOf(page, ".facts"), /^protocol ?Agent API ?ended/);
      assert.equal(await textOf(page, "#verdict-count"), "invalid, content lost");
      assert.ok(
        (await page.locator(".rule h3").allTextContents()).some((rule) =>
          rule.startsWith("no-terminal"),
        ),
      );
      await as("ag-kit");
      assert.deepEqual(await read(), asItself);
      await as("auto");
      assert.deepEqual(await read(), asItself);
      // The next stream is detected independently of this one.
      await openSample(page, "41_heartbeat");
      assert.equal(await textOf(page, "#protocol option:checked"), "Auto: Agent API");
    }));

  test("shows an AG-Kit turn as it grows", () =>
    play(async (page) => {
      await openSample(page, "server_tool");
      const at = async (position) => {
        await page.locator("#position").fill(String(position));
        await settled(page);
        return [await textOf(page, "#answer-status"), await textOf(page, "#chat")];
      };
      assert.deepEqual(await at(0), ["", ""]);
      assert.deepEqual(await at(1), ["streaming", "Let me see."]);
      assert.match((await at(3))[1], /get_weather ?c1 ?input streaming ?\{"city":"北京"\}/);
      assert.match((await at(4))[1], /input available ?\{ "city": "北京" \}/);
      assert.match((await at(5))[1], /output available.*\{ "temp": 25 \}/);
      assert.match((await at(7))[1], /It is 25°\.$/);
      assert.equal((await at(9))[0], "completed");
      assert.deepEqual(await page.locator(".row .object").allTextContents(), [
        "text",
        ...Array(3).fill("tool-call"),
        "tool-result",
        ...Array(2).fill("text"),
        "[DONE]",
        "end",
      ]);
      await page.click("#as-json");
      assert.match(
        await textOf(page, "#json"),
        /"toolCallName": "get_weather".*"pendingToolCallIds": \[\]/,
      );
    }));

  test("shows an error in the arguments of a call, and no buttons for a recorded interrupt", () =>
    play(async (page) => {
      await openSample(page, "arguments_not_json");
      assert.match(await textOf(page, ".tool .complaint"), /^no JSON: /);
      await openSample(page, "interrupt");
      assert.match(
        await textOf(page, ".interrupt"),
        /^interrupt ?i1 ?Delete it\?.*9007199254740993.*waits for an answer$/,
      );
      assert.equal(await page.locator(".interrupt button:visible").count(), 0);
    }));

  for (const [corpusFolder, folder, to] of [
    ["agent-api", "61_agentscope_thinking_text_tool", "ag-kit"],
    ["agent-api", "06_multi_content_text_image", "ag-kit"],
    ["ag-kit", "server_tool", "agent-api"],
    ["ag-kit", "interrupt", "agent-api"],
  ]) {
    test(`converts to the other protocol, with a list of losses: ${folder}`, () =>
      play(async (page) => {
        await openSample(page, folder);
        await page.click("#as-convert");
        await settled(page);
        await page.selectOption("#convert-to", to);
        await settled(page);
        assert.equal(await textOf(page, "#convert-verdict"), "valid");
        const expected = convertInNode(
          await readFile(new URL(`${corpusFolder}/${folder}/stream.sse`, corpus)),
          to,
        );
        assert.equal(
          withoutIds(await page.locator("#converted").textContent()),
          withoutIds(expected.text),
        );
        const counts = Object.entries(expected.counts);
        const shown = await page.locator(".loss h3").allTextContents();
        assert.deepEqual(shown.sort(), counts.map(([what, count]) => `${what} × ${count}`).sort());
        const total = counts.reduce((sum, [, count]) => sum + count, 0);
        assert.equal(
          await textOf(page, "#losses-title"),
          total === 0 ? "No losses" : `${total} ${total === 1 ? "loss" : "losses"}`,
        );
      }));
  }

  test("jumps from a loss to its event, and shows the output of each event", () =>
    play(async (page) => {
      await openSample(page, "61_agentscope_thinking_text_tool");
      await page.click("#as-convert");
      await page.selectOption("#convert-to", "ag-kit");
      await settled(page);
      await page.locator('.loss[data-kind="reasoning"] .event-link').first().click();
      await settled(page);
      // The first delta of the message that thinks.
      assert.match(await textOf(page, '.row[aria-selected="true"]'), /delta ?let me/);
      const made = async (position) => {
        await page.locator("#position").fill(String(position));
        await settled(page);
        return page.locator("#converted mark").textContent();
      };
      assert.equal(await made(1), "");
      const pieces = [];
      for (let position = 1; position <= 29; position++) {
        pieces.push(await made(position));
      }
      assert.equal(pieces.join(""), await page.locator("#converted").textContent());
      assert.ok(pieces.filter((piece) => piece !== "").length >= 8);
    }));

  test("opens the converted stream, copies it, and converts it back", () =>
    play(
      async (page) => {
        await openSample(page, "server_tool");
        await page.click("#as-convert");
        await page.selectOption("#convert-to", "agent-api");
        await settled(page);
        const converted = await page.locator("#converted").textContent();
        await page.click("#convert-copy");
        await page.waitForFunction(
          () => document.querySelector("#convert-copy").textContent === "Copied",
        );
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), converted);
        await replaced(page, () => page.click("#convert-open"));
        assert.equal(await textOf(page, "#protocol option:checked"), "Auto: Agent API");
        assert.equal(await textOf(page, "#verdict-count"), "valid");
        assert.equal(await page.locator("#convert-to").inputValue(), "ag-kit");
        assert.equal(await textOf(page, "#convert-verdict"), "valid");
        const original = await readFile(new URL("ag-kit/server_tool/stream.sse", corpus));
        const back = await page.locator("#converted").textContent();
        assert.deepEqual(turnOf(Buffer.from(back)), turnOf(original));
        await page.click("#as-chat");
        await settled(page);
        assert.match(await textOf(page, "#chat"), /Let me see\..*get_weather.*25.*It is 25°\./);
      },
      { permissions: ["clipboard-read", "clipboard-write"] },
    ));

  test("converts an invalid stream to a valid one", () =>
    play(async (page) => {
      await paste(
        page,
        'data: {"type":"tool-call-start","toolCallId":"c","toolCallName":"f"}\n\ndata: {"type":"text",',
      );
      assert.equal(await textOf(page, "#verdict-count"), "invalid, content lost");
      await page.click("#as-convert");
      for (const to of ["agent-api", "ag-kit"]) {
        await page.selectOption("#convert-to", to);
        await settled(page);
        assert.equal(await textOf(page, "#convert-verdict"), "valid", to);
        assert.notEqual(await textOf(page, "#converted"), "");
      }
    }));
});

function convertInNode(bytes, to) {
  const converter = new Converter({ from: "auto", to });
  const text = Buffer.concat([converter.push(bytes), converter.finish()]).toString();
  return { text, counts: converter.conversion.counts };
}

/** Ids and times are others each time. */
function withoutIds(text) {
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "")
    .replace(/"(created|completed)_at":\d+/g, '"$1_at":0');
}

function turnOf(bytes) {
  const decoder = new Decoder({ protocol: "ag-kit" });
  decoder.push(bytes);
  return decoder.finish().snapshot;
}
