// Attachments and recordings: the accepted contents, how they are read again, and the refusals.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { pageModule } from "../browser/page_modules.mjs";
import { input, openRuns, ran } from "../support/runs_site.mjs";

const PNG = Uint8Array.from(
  atob(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
  ),
  (c) => c.charCodeAt(0),
);

/** A WAV file with so many bytes of silence, 8000 a second. */
function wav(bytes) {
  const file = new Uint8Array(44 + bytes);
  const view = new DataView(file.buffer);
  const text = (at, word) =>
    [...word].forEach((one, offset) => (file[at + offset] = one.charCodeAt(0)));
  text(0, "RIFF");
  view.setUint32(4, 36 + bytes, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 8000, true);
  view.setUint32(28, 8000, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  text(36, "data");
  view.setUint32(40, bytes, true);
  return file;
}

const blob = (bytes, type) => new Blob([bytes], { type });

describe("uploads of the runs service", () => {
  let site;
  let client;
  before(async () => {
    site = await openRuns();
    client = site.client();
  });
  after(() => site?.close());

  const post = (path, members) => {
    const body = new FormData();
    Object.entries(members).forEach(([name, value]) => body.set(name, value));
    return fetch(site.base + path, {
      method: "POST",
      body,
      headers: { authorization: "Bearer demo" },
    });
  };
  async function refused(response, status, code) {
    const text = await response.text();
    assert.equal(response.status, status, text);
    assert.equal(JSON.parse(text).code, code);
  }

  test("an image is uploaded, sent with a message and served at its URL", async () => {
    const request = input("echo look");
    const shares = [];
    const image = await client.upload(request.threadId, blob(PNG, "image/jpeg"), {
      onProgress: (share) => shares.push(share),
    });
    assert.equal(image.mimeType, "image/png", "by its content");
    assert.deepEqual([shares[0], shares.at(-1)], [0, 1]);
    const part = { type: "binary", mimeType: image.mimeType, url: image.url };
    request.messages[0].content = [{ type: "text", text: "echo look" }, part];
    await ran(client, request);
    const { messages } = await client.history({ threadId: request.threadId });
    // The history signs addresses again.
    const [{ url, ...rest }] = messages[0].attachments;
    assert.deepEqual(
      [rest, new URL(url).searchParams.get("path")],
      [{ mimeType: "image/png" }, image.path],
    );
    assert.equal((await fetch(url)).status, 200);

    const whole = await fetch(image.url);
    assert.equal(whole.status, 200);
    assert.deepEqual(new Uint8Array(await whole.arrayBuffer()), PNG);
    const { headers } = whole;
    assert.equal(headers.get("content-type"), "image/png");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.match(headers.get("content-security-policy"), /sandbox/);
    const etag = headers.get("etag");
    assert.equal((await fetch(image.url, { headers: { "if-none-match": etag } })).status, 304);
    const again = await client.signedUrl(image.bucket, image.path);
    assert.equal((await fetch(again.url)).status, 200);

    const size = PNG.length;
    const ranges = {
      "bytes=0-3": [206, PNG.slice(0, 4), `bytes 0-3/${size}`],
      "bytes=60-": [206, PNG.slice(60), `bytes 60-${size - 1}/${size}`],
      "bytes=-5": [206, PNG.slice(-5), `bytes ${size - 5}-${size - 1}/${size}`],
      "bytes=0-9999": [206, PNG, `bytes 0-${size - 1}/${size}`],
      "bytes=9-3": [200, PNG, null],
      "bytes=0-1,3-4": [200, PNG, null],
      "lines=1-2": [200, PNG, null],
    };
    for (const [range, [status, bytes, said]] of Object.entries(ranges)) {
      const answer = await fetch(image.url, { headers: { range } });
      assert.deepEqual([answer.status, answer.headers.get("content-range")], [status, said], range);
      assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), bytes, range);
    }
    const outside = await fetch(image.url, { headers: { range: `bytes=${size}-` } });
    assert.equal(outside.headers.get("content-range"), `bytes */${size}`);
    await refused(outside, 416, "AGENT_RANGE_INVALID");
    const changed = await fetch(image.url, {
      headers: { range: "bytes=0-3", "if-range": '"other"' },
    });
    assert.equal(changed.status, 200);
  });

  test("a file is accepted in parts, and in any order of form fields", async () => {
    // Larger than one piece that the bucket accepts.
    const large = new Uint8Array(6 * 1024 * 1024);
    large.set(PNG);
    for (let at = PNG.length; at < large.length; at += 4096) {
      large[at] = at / 4096;
    }
    const threadId = crypto.randomUUID();
    for (const bytes of [PNG, large]) {
      for (const members of [
        { threadId, file: blob(bytes, "image/png") },
        { file: blob(bytes, "image/png"), threadId },
      ]) {
        const answer = await post("/attachments", members);
        assert.equal(answer.status, 200);
        const { attachment } = await answer.json();
        const kept = new Uint8Array(await (await fetch(attachment.url)).arrayBuffer());
        assert.equal(Buffer.compare(kept, bytes), 0);
      }
    }
    const many = await openRuns();
    try {
      const shares = [];
      const image = await many
        .client()
        .upload(threadId, blob(large, "image/png"), { onProgress: (share) => shares.push(share) });
      const part = await fetch(image.url, { headers: { range: "bytes=5242870-5242889" } });
      assert.equal(
        Buffer.compare(new Uint8Array(await part.arrayBuffer()), large.subarray(5242870, 5242890)),
        0,
      );
    } finally {
      await many.close();
    }
  });

  test("a signed URL is valid only for its path and until it expires", async () => {
    const { url, bucket, path } = await client.upload(crypto.randomUUID(), blob(PNG, "image/png"));
    const change = (name, value) => {
      const other = new URL(url);
      other.searchParams.set(name, value);
      return fetch(other);
    };
    const later = String(Number(new URL(url).searchParams.get("expires")) + 1);
    for (const answer of [
      change("path", `${path}x`),
      change("expires", later),
      change("expires", "1"),
      change("signature", "0".repeat(64)),
      change("signature", ""),
    ]) {
      await refused(await answer, 403, "AGENT_SIGNATURE_INVALID");
    }
    await refused(await fetch(`${site.base}/attachments/object`), 403, "AGENT_SIGNATURE_INVALID");
    const code = (status, code) => (error) => error.status === status && error.json.code === code;
    await assert.rejects(
      client.signedUrl(bucket, "somebody/else.png"),
      code(403, "AGENT_FORBIDDEN"),
    );
    await assert.rejects(
      client.signedUrl(bucket, `${path}x`),
      code(404, "AGENT_ATTACHMENT_NOT_FOUND"),
    );
    await assert.rejects(client.signedUrl("other", path), code(404, "AGENT_ATTACHMENT_NOT_FOUND"));
  });

  test("invalid uploads are rejected", async () => {
    const threadId = crypto.randomUUID();
    const page = blob("<html><script>alert(1)</script>", "image/png");
    await refused(
      await post("/attachments", { threadId, file: page }),
      422,
      "AGENT_ATTACHMENT_UNSUPPORTED_TYPE",
    );
    await refused(
      await post("/attachments", { threadId, file: blob("<svg/>", "image/svg+xml") }),
      422,
      "AGENT_ATTACHMENT_UNSUPPORTED_TYPE",
    );
    await refused(
      await post("/attachments", { threadId, file: blob("", "image/png") }),
      422,
      "AGENT_ATTACHMENT_EMPTY",
    );
    await refused(
      await post("/attachments", { threadId, file: "text" }),
      422,
      "AGENT_PAYLOAD_INVALID",
    );
    await refused(
      await post("/attachments", { file: blob(PNG, "image/png") }),
      422,
      "AGENT_SESSION_ID_INVALID",
    );
    await refused(
      await post("/attachments", { threadId: "../../..", file: blob(PNG, "image/png") }),
      422,
      "AGENT_SESSION_ID_INVALID",
    );
    const large = new Uint8Array(10 * 1024 * 1024 + 1);
    large.set(PNG);
    await refused(
      await post("/attachments", { threadId, file: blob(large, "image/png") }),
      413,
      "AGENT_ATTACHMENT_TOO_LARGE",
    );
    const two = new FormData();
    two.append("threadId", threadId);
    two.append("file", blob(PNG, "image/png"));
    two.append("file", blob(PNG, "image/png"));
    const headers = { authorization: "Bearer demo" };
    await refused(
      await fetch(`${site.base}/attachments`, { method: "POST", headers, body: two }),
      422,
      "AGENT_PAYLOAD_INVALID",
    );
    const cut = new Blob([
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n',
      PNG,
    ]);
    const form = { ...headers, "content-type": "multipart/form-data; boundary=b" };
    await refused(
      await fetch(`${site.base}/attachments`, { method: "POST", headers: form, body: cut }),
      422,
      "AGENT_PAYLOAD_INVALID",
    );
    await refused(
      await fetch(`${site.base}/attachments`, { method: "POST", headers, body: "x" }),
      415,
      "AGENT_UNSUPPORTED_MEDIA_TYPE",
    );
    const streamed = fetch(`${site.base}/attachments`, {
      method: "POST",
      headers,
      body: blob(PNG, "").stream(),
      duplex: "half",
    });
    await refused(await streamed, 411, "AGENT_LENGTH_REQUIRED");
    // The client does not send a file that would be refused.
    await assert.rejects(client.upload(threadId, blob("x", "text/plain")), { code: "bad-request" });
    await assert.rejects(client.upload(threadId, blob(large, "image/png")), {
      code: "bad-request",
    });
  });

  test("a recording is transcribed; without a speech service, the text is its duration", async () => {
    assert.equal(await client.transcribe(blob(wav(12_000), "audio/wav")), "(1.5 seconds of sound)");
    assert.equal(await client.transcribe(blob(wav(800), "audio/x-wav")), "(0.1 seconds of sound)");
    await refused(
      await post("/transcribe", { audio: blob(wav(0), "audio/wav") }),
      422,
      "AGENT_AUDIO_EMPTY",
    );
    await refused(
      await post("/transcribe", { audio: blob("", "audio/wav") }),
      422,
      "AGENT_AUDIO_EMPTY",
    );
    await refused(
      await post("/transcribe", { audio: blob(wav(800), "audio/mpeg") }),
      422,
      "AGENT_AUDIO_UNSUPPORTED_FORMAT",
    );
    await refused(
      await post("/transcribe", { audio: blob("ID3 no wav", "audio/wav") }),
      422,
      "AGENT_AUDIO_UNSUPPORTED_FORMAT",
    );
    await refused(
      await post("/transcribe", { audio: blob(wav(10 * 1024 * 1024), "audio/wav") }),
      413,
      "AGENT_AUDIO_TOO_LARGE",
    );
    await assert.rejects(client.transcribe(blob("x", "audio/mpeg")), { code: "bad-request" });
  });

  test("a speech service is called, and its errors are reported", async () => {
    const asked = [];
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        asked.push([request.method, request.url]);
        response.writeHead(asked.length === 1 ? 200 : 500, { "content-type": "application/json" });
        response.end(JSON.stringify({ text: "你好" }));
      });
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const own = await openRuns(
      {},
      {
        services: {
          ASR: { external: { address: `127.0.0.1:${server.address().port}`, http: {} } },
        },
      },
    );
    try {
      const speaker = own.client();
      assert.equal(await speaker.transcribe(blob(wav(800), "audio/wav")), "你好");
      await assert.rejects(
        speaker.transcribe(blob(wav(800), "audio/wav")),
        (error) => error.status === 503 && error.json.code === "AGENT_ASR_UNAVAILABLE",
      );
      assert.deepEqual(asked, Array(2).fill(["POST", "/v1/audio/transcriptions"]));
    } finally {
      await own.close();
      server.close();
    }
  });
});

describe("transcription by Workers AI", () => {
  test("the model receives the recording and returns its text", async () => {
    const { transcribe } = await pageModule("../worker/runs/transcribe.ts");
    const asked = [];
    const AI = {
      async run(model, { audio }) {
        asked.push([model, Buffer.from(audio, "base64")]);
        return { text: "你好", word_count: 1 };
      },
    };
    const sound = wav(100_000);
    const audio = blob(sound, "audio/wav");
    assert.equal(await transcribe({ audio, env: { AI } }), "你好");
    assert.equal(await transcribe({ audio, env: { AI, ASR_MODEL: "@cf/other" } }), "你好");
    assert.deepEqual(
      asked.map(([model]) => model),
      ["@cf/openai/whisper-large-v3-turbo", "@cf/other"],
    );
    assert.equal(Buffer.compare(asked[0][1], sound), 0);
  });

  test("a model that fails or returns no text causes a 503", async () => {
    const { transcribe } = await pageModule("../worker/runs/transcribe.ts");
    const { memoryStore } = await import("agentwire/stores");
    const { runsService } = await import("../support/runs_agent.mjs");
    for (const run of [
      async () => Promise.reject(new Error("no capacity")),
      async () => ({}),
      async () => null,
    ]) {
      const service = runsService({
        store: memoryStore(),
        agent() {},
        authenticate: () => "ann",
        transcribe,
        env: { AI: { run } },
        onError: () => {},
      });
      const body = new FormData();
      body.set("audio", blob(wav(800), "audio/wav"));
      const encoded = new Request("http://here/api/v1/agent/transcribe", { method: "POST", body });
      const whole = await encoded.arrayBuffer();
      const headers = {
        "content-type": encoded.headers.get("content-type"),
        "content-length": String(whole.byteLength),
      };
      const answer = await service(
        new Request(encoded.url, { method: "POST", body: whole, headers }),
      );
      assert.deepEqual([answer.status, (await answer.json()).code], [503, "AGENT_ASR_UNAVAILABLE"]);
      service.close();
    }
  });
});
