// The users of a runs service: JSON Web Tokens by a secret and by public keys, in the header and in
// a cookie.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { SignJWT, exportJWK, generateKeyPair } from "jose";
import { jwtUsers } from "agentwire/runs/server";
import { memoryStore } from "agentwire/stores";
import { runsService } from "../../support/runs_agent.mjs";

const SECRET = "a secret of at least thirty-two bytes";
const servers = [];
after(() => servers.forEach((server) => server.close()));

const tokenOf = (claims, key = new TextEncoder().encode(SECRET), header = { alg: "HS256" }) =>
  new SignJWT({ exp: Math.floor(Date.now() / 1000) + 600, ...claims })
    .setProtectedHeader(header)
    .sign(key);
const request = (headers) =>
  new Request("https://chat.example/api/v1/agent/history", {
    headers: { host: "chat.example", ...headers },
  });
const bearer = async (users, ...given) =>
  users(request({ authorization: `Bearer ${await tokenOf(...given)}` }));

test("a token signed with the secret identifies the user, and invalid tokens do not", async () => {
  const users = jwtUsers({ secret: SECRET, issuer: "https://issuer.example", audience: "chat" });
  const valid = { sub: "ann", iss: "https://issuer.example", aud: "chat" };
  const now = Math.floor(Date.now() / 1000);
  assert.equal(await bearer(users, valid), "ann");
  assert.equal(
    await bearer(users, { ...valid, exp: now - 20 }),
    "ann",
    "a difference of 20 seconds between clocks is tolerated",
  );
  const refused = [
    [{ ...valid, exp: now - 40 }],
    [{ ...valid, exp: undefined }],
    [{ ...valid, nbf: now + 60 }],
    [{ ...valid, iss: "https://other.example" }],
    [{ ...valid, aud: "other" }],
    [{ ...valid, sub: undefined }],
    [valid, new TextEncoder().encode("another secret of thirty-two bytes!!")],
    [valid, new TextEncoder().encode(SECRET), { alg: "HS512" }],
  ];
  for (const [at, given] of refused.entries()) {
    assert.equal(await bearer(users, ...given), undefined, `token ${at}`);
  }
  for (const sub of [5, { id: 1 }, null, "", [1]]) {
    assert.equal(await bearer(users, { ...valid, sub }), undefined, `sub ${JSON.stringify(sub)}`);
  }
  for (const header of ["Bearer", "Bearer x.y.z", "Basic abc", `Bearer ${"x".repeat(10_000)}`]) {
    assert.equal(await users(request({ authorization: header })), undefined, header.slice(0, 20));
  }
  assert.equal(await users(request({})), undefined);
});

test("a token signed with a public key of the issuer identifies the user, and a new key is fetched", async () => {
  const pairs = {};
  let fetched = 0;
  const add = async (kid) => (pairs[kid] = await generateKeyPair("ES256"));
  const server = createServer(async (_, response) => {
    fetched++;
    const keys = await Promise.all(
      Object.entries(pairs).map(async ([kid, { publicKey }]) => ({
        ...(await exportJWK(publicKey)),
        kid,
        alg: "ES256",
      })),
    );
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ keys }));
  });
  servers.push(server);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const users = jwtUsers({ jwksUrl: `http://127.0.0.1:${server.address().port}/jwks.json` });
  const { privateKey } = await add("one");
  const header = { alg: "ES256", kid: "one" };
  assert.equal(await bearer(users, { sub: "ann" }, privateKey, header), "ann");
  assert.equal(await bearer(users, { sub: "bob" }, privateKey, header), "bob");
  assert.equal(fetched, 1, "the keys are cached");
  const other = await generateKeyPair("ES256");
  assert.equal(await bearer(users, { sub: "ann" }, other.privateKey, header), undefined);
  // The public key used as a secret: a known attack.
  assert.equal(
    await bearer(
      users,
      { sub: "ann" },
      new TextEncoder().encode(JSON.stringify(await exportJWK(pairs.one.publicKey))),
    ),
    undefined,
  );
  assert.equal(
    await bearer(users, { sub: "ann" }, other.privateKey, { alg: "ES256", kid: "two" }),
    undefined,
  );
});

test("a failure to fetch the keys is a server error", async () => {
  const errors = [];
  const authenticate = jwtUsers({ jwksUrl: "http://127.0.0.1:9/jwks.json" });
  const runs = runsService({
    store: memoryStore(),
    agent() {},
    authenticate,
    onError: (error) => errors.push(error),
  });
  const { privateKey } = await generateKeyPair("ES256");
  const answer = await runs(
    request({
      authorization: `Bearer ${await tokenOf({ sub: "ann" }, privateKey, { alg: "ES256", kid: "one" })}`,
    }),
  );
  assert.deepEqual([answer.status, errors.length], [500, 1]);
  runs.close();
});

test("a cookie is accepted only from pages of the same origin", async () => {
  const users = jwtUsers({ secret: SECRET, cookie: "user" });
  const cookie = `theme=dark; user=${await tokenOf({ sub: "ann" })}; other=1`;
  assert.equal(await users(request({ cookie })), "ann");
  assert.equal(await users(request({ cookie, "sec-fetch-site": "same-origin" })), "ann");
  assert.equal(await users(request({ cookie, "sec-fetch-site": "none" })), "ann");
  assert.equal(await users(request({ cookie, origin: "https://chat.example" })), "ann");
  for (const headers of [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://evil.example" },
    { origin: "null" },
  ]) {
    assert.equal(await users(request({ cookie, ...headers })), undefined, JSON.stringify(headers));
  }
  // A header decides, also if it is wrong.
  assert.equal(await users(request({ cookie, authorization: "Bearer x" })), undefined);
  assert.equal(
    await jwtUsers({ secret: SECRET })(request({ cookie })),
    undefined,
    "without the option",
  );
});

test("invalid options are rejected", () => {
  assert.throws(() => jwtUsers({}), { code: "wrong-option" });
  assert.throws(() => jwtUsers({ secret: "s", jwksUrl: "https://issuer.example" }), {
    code: "wrong-option",
  });
  const service = { store: memoryStore(), agent() {}, authenticate: () => "ann" };
  for (const wrong of [
    { authenticate: undefined },
    { store: undefined },
    { store: {} },
    { agnet: 1 },
    { whileRunning: "wait" },
    { limits: { userRun: 1 } },
    { limits: { runMs: 2 ** 31 } },
    { retention: { logBytes: -1 } },
  ])
    assert.throws(
      () => runsService({ ...service, ...wrong }),
      { code: "wrong-option" },
      JSON.stringify(wrong),
    );
});
