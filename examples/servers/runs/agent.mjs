// An agent that repeats the last message, word by word. Replace it with yours.
import { setTimeout as sleep } from "node:timers/promises";

export async function agent(out, request) {
  for (const word of request.text.split(" ")) {
    await sleep(50, undefined, { signal: out.signal });
    await out.text(`${word} `);
  }
}
