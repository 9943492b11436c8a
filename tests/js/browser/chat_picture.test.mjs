// The picture of the README's chat in the documents: `UPDATE_SNAPSHOTS=1` makes it again. Only the
// styles are not in the sample.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { ChatServer, sample, say } from "./chat_page.mjs";
import { after, before } from "./test.mjs";

const picture = new URL("../../../docs/assets/chat.png", import.meta.url);
const SIZE = { width: 640, height: 400 };
const STYLE = `
  body { margin: 0; padding: 18px 24px; background: #fff; color: #1b1c20; font: 15px/1.5 "DejaVu Sans", sans-serif; }
  p { margin: 0 0 10px; padding: 8px 14px; border: 1px solid #e3e4ea; border-radius: 12px; width: fit-content; max-width: 80%; }
  p:nth-of-type(odd) { margin-left: auto; background: #eceefb; border-color: transparent; }
  form { display: flex; gap: 8px; margin-top: 6px; }
  input { flex: 1; padding: 9px 12px; border: 1px solid #c9cbd4; border-radius: 10px; font: inherit; }
  button { padding: 7px 14px; border: 1px solid #c9cbd4; border-radius: 10px; background: #fff; font: inherit; }
  body > main > button { border-color: transparent; background: #fdeceb; color: #b3261e; margin-bottom: 10px; }
`;

const ANSWERS = {
  "What is the weather like in Lisbon?":
    "18 degrees and windy: good enough for a walk along the Tejo, and a tea afterwards.",
  "And tomorrow?": "Warmer, and the wind goes down.",
};
const server = new ChatServer((out, request) => out.message().text().delta(ANSWERS[request.text]));
before(async () => server.start({ chat: { code: await sample("README.md", "chat") } }));
after(() => server.close());

server.test(
  "the picture shows the README's chat",
  "chat",
  async (page) => {
    await page.addStyleTag({ content: STYLE });
    for (const [at, question] of Object.keys(ANSWERS).entries()) {
      await say(page, question);
      await page
        .locator("p")
        .nth(2 * at + 1)
        .getByText(ANSWERS[question])
        .waitFor();
    }
    server.instead = (response) =>
      response.writeHead(503, { "content-type": "text/plain" }).end("come back later");
    await say(page, "What should I wear?");
    await page.getByRole("button", { name: "try again" }).waitFor();
    assert.equal(await page.locator("p").count(), 5);
    await page.locator("input").blur();
    const shot = await page.screenshot();
    if (process.env.UPDATE_SNAPSHOTS) await writeFile(picture, shot);
    const stored = await readFile(picture);
    // The header of a PNG has its size. Fonts differ between machines, so the pixels are not
    // compared.
    assert.deepEqual([stored.readUInt32BE(16), stored.readUInt32BE(20)], [SIZE.width, SIZE.height]);
    assert.ok(stored.length < 60_000, `${stored.length} bytes`);
  },
  { viewport: SIZE, forgive: [/\b503\b/] },
);
