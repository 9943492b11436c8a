// The stores of attachments. The server of S3 is `s3s-fs`, which is a single program, verifies
// signatures, and serves ranges; `s3rver` of npm does neither, and others need a container or an
// account.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { folderBlobs, memoryBlobs, s3Blobs } from "agentwire/runs/server";
import { freePort } from "../../support/process.mjs";
import { until } from "../../support/until.mjs";

const program = process.env.PATH.split(":")
  .map((folder) => join(folder, "s3s-fs"))
  .find((path) => existsSync(path));
const skip =
  program === undefined &&
  "s3s-fs is not installed (`cargo install s3s-fs@0.14.1 --features binary --locked`)";

const KEY = "key-of-the-test";
const PATH = "0a1b/7d0c8b52-9f3e-4c55-8d7a-0d4c9f6b7a11.png";
const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => (at * 7) % 251);

let folder;
let server;
let bucket;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "agentwire-blobs-"));
  if (!skip) {
    await mkdir(join(folder, "s3", "attachments"), { recursive: true });
    const port = await freePort();
    const options = [
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
      "--access-key",
      KEY,
      "--secret-key",
      KEY,
      join(folder, "s3"),
    ];
    server = spawn(program, options, { stdio: "ignore" });
    await until(() =>
      fetch(`http://127.0.0.1:${port}`).then(
        () => true,
        () => false,
      ),
    );
    bucket = `http://127.0.0.1:${port}/attachments`;
  }
});
after(async () => {
  server?.kill();
  await rm(folder, { recursive: true, force: true });
});

const STORES = {
  memory: () => memoryBlobs(),
  folder: () => folderBlobs(join(folder, "files")),
  S3: () => s3Blobs({ bucket, accessKeyId: KEY, secretAccessKey: KEY }),
};
const bytesOf = async (body) => new Uint8Array(await new Response(body).arrayBuffer());

for (const [name, open] of Object.entries(STORES)) {
  describe(`attachments: ${name}`, { skip: name === "S3" && skip }, () => {
    test("a blob is stored, read in whole and in part, and deleted", async () => {
      const blobs = open();
      assert.equal(await blobs.head(PATH), undefined);
      assert.equal(await blobs.get(PATH), undefined);
      await blobs.put(PATH, bytes, "image/png");
      const { size, type, etag } = await blobs.head(PATH);
      assert.deepEqual([size, type], [bytes.length, "image/png"]);
      assert.match(etag, /^".+"$/);
      assert.deepEqual(await bytesOf(await blobs.get(PATH)), bytes);
      for (const [offset, length] of [
        [0, 1],
        [1000, 70_000],
        [bytes.length - 1, 1],
      ]) {
        assert.deepEqual(
          await bytesOf(await blobs.get(PATH, { offset, length })),
          bytes.slice(offset, offset + length),
        );
      }
      await blobs.delete(PATH);
      await blobs.delete(PATH);
      assert.equal(await blobs.head(PATH), undefined);
    });
  });
}

test("a bucket that refuses or does not answer is an error, not a missing blob", {
  skip,
}, async () => {
  const wrong = s3Blobs({ bucket, accessKeyId: KEY, secretAccessKey: "another" });
  for (const ask of [
    () => wrong.head(PATH),
    () => wrong.get(PATH),
    () => wrong.put(PATH, bytes, "image/png"),
    () => wrong.delete(PATH),
  ]) {
    await assert.rejects(ask, /the bucket has answered 403/);
  }
  const closed = s3Blobs({
    bucket: "http://127.0.0.1:1/attachments",
    accessKeyId: KEY,
    secretAccessKey: KEY,
  });
  await assert.rejects(closed.head(PATH), /fetch failed/);
  assert.throws(() => s3Blobs({ bucket: "attachments", accessKeyId: KEY, secretAccessKey: KEY }), {
    code: "wrong-option",
  });
});
