// The part of a thread that a run's agent receives, the requests that continue a run, and the
// history of both.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { SignJWT } from "jose";
import { input, openRuns, ran } from "../support/runs_site.mjs";

const SECRET = "a secret of at least thirty-two bytes";
const SIGNING_SECRET = "the secret of addresses";
const TOOL = {
  name: "change-background-color",
  description: "d",
  parameters: { type: "object", properties: { color: { type: "string" } } },
};

describe("the turns of a thread", () => {
  let site;
  let client;
  before(async () => {
    site = await openRuns({ KEEP_ALIVE: "100", JWT_SECRET: SECRET, SIGNING_SECRET });
    client = site.client();
  });
  after(() => site?.close());

  const said = ({ snapshot }) =>
    snapshot.messages.findLast(({ role }) => role === "assistant").content;
  const historyOf = async (threadId) => (await client.history({ threadId })).messages;
  const rolesOf = async (threadId) =>
    (await historyOf(threadId)).map(({ role, content }) => [role, content]);
  /** A request that has only these messages. */
  const continuing = (threadId, messages, members) => ({
    ...input("", { delay: 0 }, { threadId, ...members }),
    messages,
  });

  test("the agent receives the earlier messages, including those of a cancelled run", async () => {
    const first = input("echo My name is Ada");
    const { threadId } = first;
    await ran(client, first);
    const cut = await client.createRun(
      input("tell me a long story", { variant: "long", delay: 20, tokens: 5000 }, { threadId }),
    );
    await client.cancel(cut.threadId, cut.runId);
    await client.events(cut.threadId, cut.runId).finished();
    const answer = await ran(client, input("What did I say?", { delay: 0 }, { threadId }));
    assert.equal(
      said(answer),
      "Before this you said: “echo My name is Ada”, “tell me a long story”.",
    );
    // Another thread has others.
    assert.equal(
      said(await ran(client, input("What did I say?"))),
      "You have said nothing before.",
    );
  });

  test("the agent receives the user", async () => {
    assert.equal(said(await ran(client, input("Who am I?"))), "You are demo.");
    const token = await new SignJWT({ sub: "eve" })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode(SECRET));
    const hers = site.client({ headers: { authorization: `Bearer ${token}` } });
    assert.equal(said(await ran(hers, input("Who am I?"))), "You are eve.");
  });

  test("a tool result continues a run, alone and with the repeated messages", async () => {
    const question = input("change the background to red", { delay: 0 }, { tools: [TOOL] });
    const { threadId } = question;
    const called = await ran(client, question);
    const {
      toolCalls: [call],
    } = called.snapshot.messages.findLast(({ toolCalls }) => toolCalls !== undefined);
    const result = { id: "t1", role: "tool", toolCallId: call.id, content: "it is red" };
    assert.match(
      said(await ran(client, continuing(threadId, [result]))),
      /Your side says: it is red/,
    );
    const expected = [
      ["user", "change the background to red"],
      ["assistant", "One moment. "],
      ["tool", "it is red"],
      ["assistant", "Done. Your side says: it is red"],
    ];
    assert.deepEqual(await rolesOf(threadId), expected);
    // The same call in another run, with the earlier messages, as other clients send it.
    const again = { ...question, runId: crypto.randomUUID() };
    await ran(client, again);
    const repeated = { id: crypto.randomUUID(), role: "assistant", toolCalls: [call] };
    const second = { ...result, id: "t2", content: "it is still red" };
    assert.match(
      said(await ran(client, continuing(threadId, [question.messages[0], repeated, second]))),
      /it is still red/,
    );
    // A question that is sent alone is a new one, even with a known text and id.
    const more = [
      ["user", "change the background to red"],
      ["assistant", "One moment. "],
      ["tool", "it is still red"],
      ["assistant", "Done. Your side says: it is still red"],
    ];
    assert.deepEqual(await rolesOf(threadId), [...expected, ...more]);
    assert.match(
      said(await ran(client, input("What did I say?", { delay: 0 }, { threadId }))),
      /said: “change the background to red”, “change the background to red”\.$/,
    );
  });

  test("`resume` continues a run without a message", async () => {
    for (const [approved, answer] of [
      [true, /Approved/],
      [false, /Declined/],
    ]) {
      const question = input("delete all files");
      const { threadId } = question;
      const asked = await ran(client, question);
      assert.equal(asked.snapshot.outcome.type ?? asked.snapshot.outcome, "interrupt");
      const resume = [{ interruptId: "approval_1", status: "resolved", payload: { approved } }];
      assert.match(said(await ran(client, continuing(threadId, [], { resume }))), answer);
      assert.deepEqual(
        (await historyOf(threadId)).map(({ role }) => role),
        ["user", "assistant", "assistant"],
      );
    }
  });

  test("the history and the agent receive valid attachment URLs", async () => {
    const png = new Blob(
      [Uint8Array.from("\x89PNG\r\n\x1a\n and more", (one) => one.charCodeAt(0))],
      { type: "image/png" },
    );
    const request = input("echo look");
    const { threadId } = request;
    const { url, path, mimeType } = await client.upload(threadId, png);
    // An expired address, and an address of another user.
    const at = (path, expires) => {
      const signature = createHmac("sha256", SIGNING_SECRET)
        .update(`GET\n${expires}\n${path}`)
        .digest("hex");
      return `${url.split("?")[0]}?${new URLSearchParams({ path, expires, signature })}`;
    };
    const [late, others] = [at(path, "1"), at(`${"0".repeat(32)}/other.png`, "1")];
    assert.equal((await fetch(late)).status, 403);
    const addresses = [
      late,
      new URL(late).pathname + new URL(late).search,
      others,
      "https://images.example/x.png",
    ];
    request.messages[0].content = [
      { type: "text", text: "echo look" },
      ...addresses.map((url) => ({ type: "binary", mimeType, url })),
    ];
    await ran(client, request);
    const [{ attachments }] = await historyOf(threadId);
    const statuses = await Promise.all(
      attachments.slice(0, 2).map(async ({ url }) => (await fetch(url)).status),
    );
    assert.deepEqual(statuses, [200, 200]);
    assert.deepEqual(
      attachments.slice(2).map(({ url }) => url),
      addresses.slice(2),
      "what is not the user's is not signed",
    );
  });

  test("a chat run has the steps router and worker, and an automation run has none", async () => {
    const steps = async (runtime_mode) => {
      const { threadId, runId } = await client.createRun(
        input("echo hi", { delay: 0 }, { forwardedProps: { runtime_mode } }),
      );
      const text = await (
        await fetch(`${site.base}/runs/${threadId}/events?runId=${runId}`, {
          headers: { authorization: "Bearer demo" },
        })
      ).text();
      return text.match(/"stepName":"\w+"/g) ?? [];
    };
    assert.deepEqual(
      await steps("chat"),
      ["router", "router", "worker", "worker"].map((name) => `"stepName":"${name}"`),
    );
    assert.deepEqual(await steps("automation"), []);
  });
});
