import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "./test.mjs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cases, frameCases } from "../node/support/cases.mjs";
import { pageModule } from "./page_modules.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const www = join(root, "www");

describe("the playground's rows", () => {
  test("equal the events that the core counts, in every stream and at any chunk boundary", async () => {
    const { Recording } = await pageModule("recording.ts");
    const streams = [...(await cases()), ...(await frameCases())];
    for (const { name, stream } of streams) {
      for (const size of [Infinity, 1, 7]) {
        const recording = new Recording({});
        for (let at = 0; at < stream.length; at += size) {
          recording.push(stream.subarray(at, at + size));
        }
        recording.finish(false);
        const events = recording.rows.filter(({ event }) => event !== null);
        // The core counts only the first event of a refused stream; the rows show all events.
        const counted = recording.report.endReason === "refused" ? events.slice(0, 1) : events;
        assert.equal(counted.length, recording.report.events, `${name} in pieces of ${size}`);
        assert.equal(recording.rows.at(-1).end, stream.length, name);
        for (const { rule, event, offset } of recording.report.violations) {
          const row = recording.rowOfEvent(event);
          // A mark at the start of the stream and empty lines belong to the row, but not to the
          // event.
          const here = row.start <= offset && offset < row.end;
          // The protocol is that of the stream, which begins at 0.
          // The events of a list have the offset of the list.
          const isListed = stream[offset] === 0x5b;
          assert.ok(
            row.label.kind === "end" || rule === "unknown-protocol" || here || isListed,
            `${name}: event ${event} is at ${offset}`,
          );
        }
      }
    }
  });

  test("can be restored at any position, forwards and backwards", async () => {
    const [{ Recording }, { Cursor }] = await Promise.all([
      pageModule("recording.ts"),
      pageModule("cursor.ts"),
    ]);
    for (const [sample, positions] of [
      ["61_agentscope_thinking_text_tool", [0, 5, 6, 6, 3, 29, 28, 29, 0, 12]],
      ["server_tool", [0, 1, 4, 3, 9, 8, 9, 0, 5]],
    ]) {
      const { stream } = (await cases()).find(({ name }) => name === sample);
      const recording = Recording.of({}, stream);
      const at = (position) => JSON.stringify(new Cursor(recording).at(position));
      const cursor = new Cursor(recording);
      for (const position of positions) {
        assert.equal(JSON.stringify(cursor.at(position)), at(position), `${sample} at ${position}`);
      }
    }
  });
});

describe("the sources of the site", () => {
  test("compile without type errors", async () => {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    await promisify(execFile)(process.execPath, [tsc, "-p", www]).catch(({ stdout }) =>
      assert.fail(stdout),
    );
  });

  test("create no markup from strings, and import only the package", async () => {
    for (const folder of ["page", "worker"]) {
      for (const name of await readdir(join(www, folder), { recursive: true })) {
        if (!name.endsWith(".ts")) {
          continue;
        }
        const source = await readFile(join(www, folder, name), "utf8");
        assert.doesNotMatch(
          source,
          /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
          name,
        );
        const imported = [...source.matchAll(/^(?:import|export)\b[^;]*? from "([^"]+)"/gm)].map(
          ([, specifier]) => specifier,
        );
        const allowed =
          name.startsWith("runs") && folder === "worker"
            ? /^agentwire(\/|$)|^cloudflare:|^\.\.?\//
            : /^agentwire(\/|$)|^(diff|marked)$|^\.\.?\//;
        assert.deepEqual(
          imported.filter((specifier) => !allowed.test(specifier)),
          [],
          name,
        );
        assert.ok(source.split("\n").length < 300, `${name} is too long`);
      }
    }
  });
});
