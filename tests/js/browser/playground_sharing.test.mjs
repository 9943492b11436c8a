// Links, exports, the filter of events, and the comparison of runs.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as agentwire from "agentwire";
import { describe, test } from "./test.mjs";
import {
  agKitStream,
  ask,
  openSample,
  paste,
  playground,
  replaced,
  settled,
  textOf,
} from "./playground.mjs";
import { complaints } from "../node/support/corpus.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const permissions = ["clipboard-read", "clipboard-write"];

/** Chooses an item of the menu. */
async function share(page, name) {
  await page.click("#share");
  await page.click(`#share-menu button:has-text("${name}") >> nth=0`);
}

/** Copies with an item of the menu, and returns the text. */
async function copied(page, name) {
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await share(page, name);
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== "");
  return page.evaluate(() => navigator.clipboard.readText());
}

describe("the playground shares streams", () => {
  const play = playground();
  const open = async (page, link) => {
    await page.goto("about:blank");
    await page.goto(link);
    await page.waitForSelector("body.ready");
    await page.waitForFunction(() => document.querySelector(".panes").dataset.stream !== "");
    await settled(page);
  };

  test("a link restores a pasted stream, its protocol and the position", () =>
    play(
      async (page) => {
        await paste(
          page,
          agKitStream(...["Hello", " there", " 🍵"].map((content) => ({ type: "text", content }))),
        );
        await page.selectOption("#protocol", "ag-kit");
        await page.locator("#position").fill("2");
        await settled(page);
        const link = await copied(page, "Copy link");
        assert.match(link, /#stream=[\w-]+&as=ag-kit&at=2$/);
        assert.equal(page.url(), link);
        await open(page, link);
        assert.equal(await textOf(page, "#chat .part"), "Hello there");
        assert.equal(await page.inputValue("#protocol"), "ag-kit");
        assert.equal(await page.inputValue("#position"), "2");
        await openSample(page, "interrupt");
        assert.equal(
          new URL(page.url()).hash,
          "",
          "the address does not keep the link of another stream",
        );
        const sample = await copied(page, "Copy link");
        assert.match(sample, /#sample=interrupt\.sse$/);
        await open(page, sample);
        assert.equal(await page.inputValue("#sample"), "interrupt.sse");
      },
      { permissions, forgive: [/icon\.svg.*ERR_ABORTED/] },
    ));

  test("an error is shown for a stream that is too large for a link, and for damaged links", () =>
    play(
      async (page) => {
        const random = Array.from({ length: 1500 }, () => ({
          type: "text",
          content: crypto.randomUUID(),
        }));
        await paste(page, agKitStream(...random));
        await share(page, "Copy link");
        await page.waitForSelector("#trouble:visible");
        assert.match(await textOf(page, "#trouble"), /too large for a link \(\d+ kB\)/);
        const bomb = await page.evaluate(async () => {
          const stream = new Blob([new Uint8Array(20_000_000)])
            .stream()
            .pipeThrough(new CompressionStream("deflate-raw"));
          return btoa(
            String.fromCharCode(...new Uint8Array(await new Response(stream).arrayBuffer())),
          );
        });
        for (const fragment of [
          "stream=%%%",
          "stream=AAAA",
          `stream=${encodeURIComponent(bomb)}`,
          "sample=../../x",
          "request=AAAA",
        ]) {
          await page.goto("about:blank");
          await page.goto(`${play.url()}/#${fragment}`);
          await page.waitForSelector("#trouble:visible");
          assert.match(await textOf(page, "#trouble"), /could not be (opened|loaded)/, fragment);
        }
      },
      { forgive: [/404/, /ERR_ABORTED/] },
    ));

  test("a link to a request fills the form, sends nothing, and contains no credentials", () =>
    play(
      async (page) => {
        await ask(page, "Hello", "echo", "ag-ui");
        const link = await copied(page, "Copy link to the request");
        const requests = [];
        page.on(
          "request",
          (request) => request.method() === "POST" && requests.push(request.url()),
        );
        await page.goto("about:blank");
        await page.goto(link);
        await page.waitForFunction(() => document.querySelector("#request-url")?.value !== "");
        assert.equal(await page.inputValue("#request-url"), `${play.url()}/ag-ui`);
        assert.match(await page.inputValue("#request-body"), /"content":"Hello"/);
        assert.deepEqual(requests, []);
        await page.click("#request-more");
        await page.fill(
          "#request-headers",
          "content-type: application/json\nauthorization: Bearer secret\nx-api-key: secret\naccept: text/event-stream",
        );
        await page.click('#request-dialog button:has-text("Done")');
        await replaced(page, () => page.click("#request-send"));
        await page.waitForSelector("#request-send:visible");
        assert.equal(await textOf(page, "#verdict-count"), "valid");
        await page.goto(await copied(page, "Copy link to the request"));
        await page.reload();
        await page.waitForFunction(() => document.querySelector("#request-url")?.value !== "");
        assert.equal(
          await page.inputValue("#request-headers"),
          "content-type: application/json\naccept: text/event-stream",
        );
      },
      { permissions, forgive: [/icon\.svg.*ERR_ABORTED/] },
    ));

  test("the exported curl command and program repeat a request without credentials", () =>
    play(
      async (page) => {
        await ask(page, 'it\'s "me" $HOME', "echo", "ag-kit");
        const { stdout } = await promisify(execFile)("sh", [
          "-c",
          await copied(page, "Copy as curl"),
        ]);
        assert.match(stdout, /it's/);
        assert.match(stdout, /HOME/);
        assert.match(
          await run(await copied(page, "Copy as TypeScript")),
          /"text":"it's .*\ncompleted \[\]\n$/s,
        );
        await openSample(page, "interrupt");
        const sample = await readFile(
          new URL("../../data/corpus/ag-kit/interrupt/stream.sse", import.meta.url),
        );
        assert.match(
          await run(await copied(page, "Copy as TypeScript"), sample),
          /completed \[\]\n$/,
        );
        assert.match(
          await copied(page, "Copy as Rust"),
          /use agentwire::\{Reader, ag_kit::AgKit\};/,
        );
        await page.click("#share");
        assert.equal(
          await page.locator('#share-menu button:has-text("Copy as curl")').isDisabled(),
          true,
        );
      },
      { permissions, forgive: [/icon\.svg.*ERR_ABORTED/] },
    ));

  test("the tests of the corpus accept an exported corpus case", () =>
    play(async (page) => {
      for (const [protocol, sample] of [
        ["agent-api", "sequence_gap_and_repeat"],
        ["ag-kit", "interrupt"],
        ["ag-ui", "v15_finish_open_text"],
        ["responses", "mcp"],
        ["a2a", "file_parts"],
      ]) {
        await openSample(page, sample);
        const downloaded = page.waitForEvent("download");
        await share(page, "Download corpus case");
        const archive = await readFile(await (await downloaded).path());
        const files = await unpacked(archive);
        const text = (name) => files[`recorded/${name}`]?.toString();
        const about = JSON.parse(text("case.json"));
        assert.equal(about.protocol, protocol);
        const toolCalls = text("tool_calls.json") ?? null;
        const wanted = {
          path: sample,
          protocol,
          detected: protocol,
          options: {},
          ended: about.ended,
          stream: new Uint8Array(files["recorded/stream.sse"]),
          snapshot: text("snapshot.json"),
          violations: text("violations.json"),
          toolCalls,
        };
        assert.deepEqual(complaints(agentwire, wanted), []);
        const original = JSON.parse(
          await readFile(
            join(root, "tests/data/corpus", protocol, sample, "violations.json"),
            "utf8",
          ),
        );
        assert.deepEqual(JSON.parse(text("violations.json")), original);
      }
    }));
});

describe("the playground finds and compares", () => {
  const play = playground();

  test("a filter shows the rows that contain its words, or have violations", () =>
    play(async (page) => {
      await openSample(page, "61_agentscope_thinking_text_tool");
      const numbers = async () =>
        (
          await page
            .locator(".row")
            .evaluateAll((rows) => rows.map(({ dataset }) => Number(dataset.at)))
        ).sort((one, other) => one - other);
      const all = await numbers();
      await page.fill("#filter", "北京");
      await settled(page);
      const found = await numbers();
      assert.ok(found.length > 0 && found.length < all.length, String(found));
      assert.match(await textOf(page, "#events-count"), new RegExp(`^${found.length} of 29 rows$`));
      // The keys go from match to match.
      await page.locator("#list").focus();
      await page.keyboard.press("ArrowUp");
      await settled(page);
      assert.equal(
        await page.locator('.row[aria-selected="true"]').getAttribute("data-at"),
        String(found.at(-1)),
      );
      await page.keyboard.press("ArrowUp");
      await settled(page);
      assert.equal(
        await page.locator('.row[aria-selected="true"]').getAttribute("data-at"),
        String(found.at(-2)),
      );
      await page.fill("#filter", "is:violation delta");
      await settled(page);
      assert.equal(await page.locator(".row:not(.note, .warning, .error)").count(), 0);
      await page.fill("#filter", "no such words");
      await settled(page);
      assert.deepEqual(await numbers(), []);
      await page.fill("#filter", "");
      await settled(page);
      assert.match(await textOf(page, "#events-count"), /^28 events · /);
    }));

  test("a run is compared with another one, and with itself in another protocol", () =>
    play(async (page) => {
      const pieces = (last) =>
        agKitStream(...["one", " two", last].map((content) => ({ type: "text", content })));
      await paste(page, pieces(" three"));
      await paste(page, pieces(" four"));
      await page.click("#as-compare");
      await settled(page);
      assert.match(
        await textOf(page, "#compare-with option:checked"),
        /^run 1: pasted text \(AG-Kit, 4 events\)$/,
      );
      assert.equal(await textOf(page, "#compare-summary"), "+1 −1");
      assert.match(await textOf(page, "#compared ins"), /^\+ .*one two four/);
      assert.match(await textOf(page, "#compared del"), /^- .*one two three/);
      await page.selectOption("#compare-aspect", "events");
      assert.equal(await textOf(page, "#compare-summary"), "+1 −1");
      await page.selectOption("#compare-with", { label: "the same run in AG-UI" });
      assert.match(await textOf(page, "#compared"), /TEXT_MESSAGE_CONTENT/);
      // The same request twice: only ids and times differ.
      await page.click("#as-chat");
      await page.click("#tab-ask");
      await ask(page, "What is the weather like in Paris?", "", "responses");
      await ask(page, "What is the weather like in Paris?", "", "responses");
      await page.click("#as-compare");
      await settled(page);
      await page.selectOption("#compare-with", { index: 0 });
      await page.selectOption("#compare-aspect", "answer");
      assert.match(
        await textOf(page, "#compare-with option:checked"),
        /What is the weather.*OpenAI Responses/,
      );
      assert.equal(await textOf(page, "#compare-summary"), "equal");
      await page.uncheck("#compare-ids");
      assert.match(await textOf(page, "#compare-summary"), /^\+\d+ −\d+$/);
    }));
});

/** Runs a module beside a file `stream.sse`, and returns its output. */
async function run(source, stream = "") {
  const folder = await mkdtemp(join(root, "node_modules/.export-"));
  try {
    await writeFile(join(folder, "export.mjs"), source);
    await writeFile(join(folder, "stream.sse"), stream);
    return (await promisify(execFile)(process.execPath, ["export.mjs"], { cwd: folder })).stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The files of an archive, as `tar` unpacks them. */
async function unpacked(archive) {
  const folder = await mkdtemp(join(root, "node_modules/.case-"));
  try {
    await writeFile(join(folder, "case.tar"), archive);
    const { stdout } = await promisify(execFile)("tar", ["-xvf", "case.tar"], { cwd: folder });
    const names = stdout.trim().split("\n");
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))])),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
