// An agent that repeats the last message, word by word. Replace it with yours.
import { setTimeout as sleep } from "node:timers/promises";
import { userText } from "agentwire/server";

export async function agent(out, request) {
  const text = out.message().text();
  for (const word of userText(request).split(" ")) {
    await sleep(50, undefined, { signal: out.signal });
    await text.delta(`${word} `);
  }
}
