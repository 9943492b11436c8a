// A program that floods a handler with messages whose values take many times their bytes;
// `limits.test.mjs` runs it with a small heap.
import { createHandler } from "agentwire/server";

const isRunning = process.argv[2] === "running";
const agent = (out) => {
  out.message().text().delta("x");
  return isRunning && new Promise(() => {});
};
const handler = createHandler({ agent, onError: () => {} });
const params = `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"data":{"v":[${"{},".repeat(160_000)}0]}}]},"configuration":{"returnImmediately":${isRunning}}}`;
for (let number = 0; number < 16; number++) {
  const headers = { "content-type": "application/json", "a2a-version": "1.0" };
  const response = await handler(
    new Request("http://h/a2a", {
      method: "POST",
      headers,
      body: `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${params}}`,
    }),
  );
  if (![200, isRunning ? 429 : 200].includes(response.status))
    throw new Error(`status ${response.status}`);
  await response.text();
}
console.log("survived");
process.exit(0);
