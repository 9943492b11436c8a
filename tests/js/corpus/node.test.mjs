// Every random program in Node with `agentwire/reader`, in a separate process: if `agentwire` is
// loaded too, its module does the reading. The suite `node` reads them with `agentwire`.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as agentwire from "agentwire/reader";
import { complaintsAbout } from "../support/builder_programs.mjs";
import { PROGRAMS } from "./programs.mjs";

test("agentwire/reader alone: the events of the official builder yield the snapshot of its objects", async () => {
  const programs = await readFile(PROGRAMS);
  assert.deepEqual(await complaintsAbout(agentwire, programs), []);
});
