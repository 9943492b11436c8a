// Attachments: the store receives only paths that the service has issued, uploads of one user leave
// room for others, and a deletion deletes what it can and can be repeated.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { memoryBlobs } from "agentwire/runs/server";
import { memoryStore } from "agentwire/stores";
import { agent, runsService } from "../../support/runs_agent.mjs";

const ORIGIN = "http://runs.example";
const PNG = "\x89PNG\r\n\x1a\n and more";
const ISSUED = /^[0-9a-f]{32}\/[0-9a-f-]{36}\.png$/;

/** A store of an author, which accepts every path, and records them. */
function recording(blobs = memoryBlobs()) {
  const paths = [];
  const record =
    (name) =>
    (path, ...more) => {
      paths.push(path);
      return blobs[name](path, ...more);
    };
  return {
    paths,
    put: record("put"),
    head: record("head"),
    get: record("get"),
    delete: record("delete"),
  };
}

function open(blobs, options) {
  const errors = [];
  const runs = runsService({
    store: memoryStore(),
    blobs,
    onError: (error) => errors.push(error),
    ...options,
  });
  const ask = (user, path, { headers, ...init } = {}) =>
    runs(
      new Request(`${ORIGIN}/api/v1/agent${path}`, {
        ...init,
        headers: {
          authorization: `Bearer ${user}`,
          ...(typeof init.body === "string" && { "content-type": "application/json" }),
          ...headers,
        },
      }),
    );
  const form = async (fields) => {
    const body = new FormData();
    Object.entries(fields).forEach(([name, value]) => body.set(name, value));
    const encoded = new Response(body);
    const bytes = await encoded.arrayBuffer();
    return {
      method: "POST",
      body: bytes,
      headers: {
        "content-type": encoded.headers.get("content-type"),
        "content-length": String(bytes.byteLength),
      },
    };
  };
  const upload = async (user, threadId) => {
    const response = await ask(
      user,
      "/attachments",
      await form({
        threadId,
        file: new File([Buffer.from(PNG, "latin1")], "a.png", { type: "image/png" }),
      }),
    );
    return (await response.json()).attachment;
  };
  /** Starts a run with images at these addresses, and waits for its end. */
  const run = async (user, threadId, ...urls) => {
    const runId = crypto.randomUUID();
    const images = urls.map((value) => ({
      type: "image",
      source: { type: "url", value, mimeType: "image/png" },
    }));
    const messages = [
      { id: runId, role: "user", content: [{ type: "text", text: "count 1" }, ...images] },
    ];
    const created = await ask(user, "/runs", {
      method: "POST",
      body: JSON.stringify({ threadId, runId, messages, forwardedProps: { runtime_mode: "chat" } }),
    });
    assert.equal(created.status, 202, await created.text());
    await (await ask(user, `/runs/${threadId}/events?runId=${runId}`)).text();
  };
  return { runs, ask, form, upload, run, errors };
}

/**
 * Paths below a folder that are not those of an attachment in it; `other` is an attachment of
 * another user.
 */
const hostile = (folder, other) => [
  `${folder}/..`,
  `${folder}/.`,
  `${folder}/`,
  `${folder}`,
  `${folder}/../${other}`,
  `${folder}/./${other}`,
  `${folder}//${other.split("/")[1]}`,
  `${folder}/${other}`,
  `${folder}/../../private/payroll.csv`,
  `${folder}/..%2f${other}`,
  `${folder}/%2e%2e/${other}`,
  `${folder}/%2e%2e%2f${other}`,
  `${folder}/%252e%252e/${other}`,
  `${folder}/..\\${other}`,
  `${folder}\\..\\${other}`,
  `${folder}/..?list-type=2&x=`,
  `${folder}/a.png?list-type=2`,
  `${folder}/a.png#x`,
  `${folder}/a.png/`,
  `${folder}/a.png/b.png`,
  `${folder}/a.png\0`,
  `${folder}/a\0.png`,
  `${folder}/a.png\n`,
  `${folder}/a b.png`,
  `${folder}/\u2024\u2024/a.png`,
  `${folder}/\uff0e\uff0e/a.png`,
  `${folder}/\u00e4.png`,
  `${folder}/a..png`,
  `${folder}/.png`,
  `${folder}/a.`,
  `${folder}/a`,
  `${folder}/${"a".repeat(100_000)}.png`,
  `${folder}/a.${"g".repeat(5000)}`,
  ` ${folder}/a.png`,
  `/${folder}/a.png`,
  `${folder.toUpperCase()}/a.png`,
  "../a.png",
  "",
];

describe("the paths of attachments", () => {
  test("no store receives a path of another form than the service has issued, whatever a client sends", async () => {
    const blobs = recording();
    const { runs, ask, upload, run } = open(blobs);
    const threadId = crypto.randomUUID();
    const [victims, own] = [
      await upload("eve", crypto.randomUUID()),
      await upload("ann", threadId),
    ];
    const [folder] = own.path.split("/");
    const paths = hostile(folder, victims.path);
    for (const path of paths) {
      for (const query of [
        new URLSearchParams({ bucket: "attachments", path }),
        `bucket=attachments&path=${path.replaceAll("#", "%23").replace(/[\0\n ]/g, escape)}`,
      ]) {
        const { status } = await ask("ann", `/attachments/signed-url?${query}`);
        assert.ok(
          status >= 400 && status < 500,
          `${status} for ${JSON.stringify(path.slice(0, 80))}`,
        );
      }
      const forged = await ask(
        "ann",
        `/attachments/object?${new URLSearchParams({ path, expires: "99999999999", signature: "0".repeat(64) })}`,
      );
      assert.equal(forged.status, 403);
    }
    const addresses = paths.flatMap((path) => {
      const at = `/api/v1/agent/attachments/object?${new URLSearchParams({ path })}`;
      return [at, `http://elsewhere.example${at}`, `/x/..${at}&expires=1`];
    });
    await run("ann", threadId, ...addresses, own.url);
    const { messages } = await (await ask("ann", `/history?threadId=${threadId}`)).json();
    const signed = messages[0].attachments
      .map(({ url }) => url)
      .filter((url) => url.includes("signature"));
    assert.equal(signed.length, 1, "only the own attachment is signed again");
    assert.equal(new URL(signed[0]).searchParams.get("path"), own.path);
    assert.equal((await ask("ann", `/runs/${threadId}`, { method: "DELETE" })).status, 200);
    assert.deepEqual(
      blobs.paths.filter((path) => !ISSUED.test(path)),
      [],
    );
    assert.deepEqual(
      [await blobs.head(own.path), (await blobs.head(victims.path)).size],
      [undefined, PNG.length],
    );
    await runs.close();
  });

  test("users whose names differ have different folders", async () => {
    const names = [
      "a",
      "A",
      "a ",
      "\u00e9",
      "e\u0301",
      "al\ud800",
      "al\ud801",
      "al\ufffd",
      "al\udfff",
      "a\0",
      "a\0b",
      "\u0001a",
      '\u0001"al\\ud800"',
      "__proto__",
    ];
    const { runs, ask, form } = open(memoryBlobs(), {
      authenticate: ({ headers }) => JSON.parse(decodeURIComponent(headers.get("x-user"))),
    });
    const folders = new Set();
    for (const name of names) {
      const { headers, ...init } = await form({
        threadId: crypto.randomUUID(),
        file: new File([Buffer.from(PNG, "latin1")], "a.png"),
      });
      const response = await ask("", "/attachments", {
        ...init,
        headers: { ...headers, "x-user": encodeURIComponent(JSON.stringify(name)) },
      });
      folders.add((await response.json()).attachment.path.split("/")[0]);
    }
    assert.equal(folders.size, names.length);
    await runs.close();
  });
});

describe("the deletion of a thread", () => {
  test("deletes the other attachments if one cannot be deleted, and can be repeated", async () => {
    let failing;
    const blobs = memoryBlobs();
    const deleting = {
      ...blobs,
      delete: (path) =>
        path === failing ? Promise.reject(new Error("the bucket is away")) : blobs.delete(path),
    };
    const { runs, ask, upload, run, errors } = open(deleting);
    const threadId = crypto.randomUUID();
    const images = [];
    for (let at = 0; at < 3; at++) images.push(await upload("ann", threadId));
    await run("ann", threadId, ...images.map(({ url }) => url));
    failing = images[0].path;
    const remove = async () => (await ask("ann", `/runs/${threadId}`, { method: "DELETE" })).status;
    assert.equal(await remove(), 503);
    assert.deepEqual(
      images.map(({ path }) => blobs.head(path) !== undefined),
      [true, false, false],
    );
    assert.equal(
      (await ask("ann", `/history?threadId=${threadId}`)).status,
      200,
      "the thread still exists",
    );
    assert.equal(await remove(), 503);
    failing = undefined;
    assert.equal(await remove(), 200);
    assert.deepEqual([blobs.head(images[0].path), await remove()], [undefined, 404]);
    assert.ok(errors.every(({ message }) => message === "the bucket is away"));
    await runs.close();
  });

  test("of another user deletes nothing", async () => {
    const blobs = recording();
    const { runs, ask, upload, run } = open(blobs);
    const threadId = crypto.randomUUID();
    const image = await upload("ann", threadId);
    await run("ann", threadId, image.url);
    assert.equal((await ask("eve", `/runs/${threadId}`, { method: "DELETE" })).status, 403);
    assert.notEqual(await blobs.head(image.path), undefined);
    await runs.close();
  });
});

describe("uploads", () => {
  const slow = () => ({
    body: new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }),
    duplex: "half",
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=b", "content-length": "100" },
  });

  test("of one user leave places for others, with every number of places", async () => {
    for (const [limits, most] of [
      [{}, 2],
      [{ uploads: 1 }, 1],
      [{ uploads: 2 }, 1],
      [{ uploads: 8, userUploads: 3 }, 3],
      [{ uploads: 3, userUploads: 9 }, 2],
    ]) {
      const { runs, ask, upload } = open(memoryBlobs(), { limits: { bodyMs: 5000, ...limits } });
      // Each is refused at once, or waits for its body.
      const refused = (user, path) =>
        Promise.race([
          ask(user, path, slow()).then(({ status }) => status),
          new Promise((resolve) => setTimeout(resolve, 50)),
        ]);
      const statuses = [];
      for (let at = 0; at < 6; at++)
        statuses.push(await refused("eve", at % 2 ? "/attachments" : "/transcribe"));
      assert.deepEqual(
        statuses,
        Array.from({ length: 6 }, (_, at) => (at < most ? undefined : 429)),
        JSON.stringify(limits),
      );
      if (limits.uploads !== 1)
        assert.match((await upload("ann", crypto.randomUUID())).path, ISSUED);
      await runs.close();
    }
  });

  test("a place is free after an upload, and after a refused one", async () => {
    const { runs, ask, form, upload } = open(memoryBlobs());
    for (let at = 0; at < 10; at++) {
      assert.equal(
        (
          await ask(
            "ann",
            "/attachments",
            await form({ threadId: "x", file: new File(["no image"], "a.png") }),
          )
        ).status,
        422,
      );
      assert.match((await upload("ann", crypto.randomUUID())).path, ISSUED);
    }
    await runs.close();
  });

  test("a form has at most 100 parts, and a recording of a million chunks is read", async () => {
    const { runs, ask } = open(memoryBlobs(), { transcribe: ({ seconds }) => `${seconds} s` });
    const send = async (path, body) => {
      const response = await ask("ann", path, {
        method: "POST",
        body,
        headers: {
          "content-type": 'multipart/form-data; boundary="b-b"',
          "content-length": String(body.length),
        },
      });
      return [response.status, await response.json()];
    };
    const part = (name, text) =>
      Buffer.concat([
        Buffer.from(
          `--b-b\r\ncontent-disposition: form-data; name="${name}"; filename="f"\r\ncontent-type: audio/wav\r\n\r\n`,
        ),
        text,
        Buffer.from("\r\n"),
      ]);
    const many = Buffer.concat([
      ...Array.from({ length: 40_000 }, () => part("x", Buffer.from(""))),
      Buffer.from("--b-b--\r\n"),
    ]);
    const [status, { detail }] = await send("/attachments", many);
    assert.deepEqual([status, detail], [422, "a form has at most 100 parts"]);
    const chunks = Buffer.alloc(9_000_000);
    for (let at = 0; at < chunks.length; at += 8) chunks.write("junk", at, "latin1");
    const head = Buffer.from(
      "RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0",
      "latin1",
    );
    const data = Buffer.concat([Buffer.from("data\x80\x3e\0\0", "latin1"), Buffer.alloc(16_000)]);
    const form = Buffer.concat([
      part("audio", Buffer.concat([head, chunks, data])),
      Buffer.from("--b-b--\r\n"),
    ]);
    assert.deepEqual(await send("/transcribe", form), [200, { transcript: "1 s" }]);
    await runs.close();
  });
});
