import { openFleet, closeServers } from "./runs_stores.mjs";
const fleet = await openFleet(process.argv[2], 2, { limits: { keepAliveMs: 200 } }, 1500);
const [first, second] = fleet.sites;
for (let round = 0; round < 5; round++) {
  const run = { threadId: crypto.randomUUID(), runId: crypto.randomUUID(), messages: [{ id: "a", role: "user", content: "count 60 25" }], forwardedProps: { runtime_mode: "chat" } };
  const t0 = Date.now();
  await first.client().createRun(run);
  const following = second.client().events(run.threadId, run.runId);
  const log = [`created ${Date.now() - t0}`];
  let killed = false;
  for await (const { snapshot } of following) {
    log.push(`${Date.now() - t0}:${following.connections.events}:${(snapshot.messages[1] ?? snapshot.messages[0])?.content?.length ?? ""}`);
    if (!killed && following.connections.events >= 4 + round) { killed = true; await first.end(); log.push(`killed ${Date.now() - t0}`); }
  }
  console.log(log.join(" "), (await following.finished()).snapshot.status, (await following.finished()).snapshot.error?.code, JSON.stringify(following.connections));
  await first.start();
}
await fleet.close();
await closeServers();
