// Services of other packages with the events of the agent in `tests/js/support/runs_agent.mjs`:
// node benches/runs/rivals.mjs <name>. A process sends its address to its parent.
// `POST /?run=…&count=…&ms=…` begins a run, which is in progress while its response is read;
// `GET /?run=…` reads it from its beginning.
import { createServer } from "node:http";

/**
 * By name: whether a run can be read after its end, and a function that returns its service: a
 * function from a run to the chunks of a response.
 */
export const RIVALS = {
  "resumable-stream": { isKept: false, open: resumableStream },
  "TanStack AI": { isKept: true, open: tanstack },
};

/** The events of a run, one each `ms` milliseconds, or all together. */
async function* events(count, ms) {
  for (let at = 0; at < count; at++) {
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    yield { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: `${at + 1} ` };
  }
}

/** The log is in Redis, at the address in `REDIS_URL`. */
async function resumableStream() {
  const { createResumableStreamContext } = await import("resumable-stream");
  const context = createResumableStreamContext({ waitUntil: null });
  const frames = async function* (count, ms) {
    let id = 0;
    for await (const event of events(count, ms))
      yield `id: ${id++}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  };
  return ({ run, isNew, count, ms }) =>
    isNew
      ? context.createNewResumableStream(run, () => ReadableStream.from(frames(count, ms)))
      : context.resumeExistingStream(run);
}

/**
 * The log is in the memory of the process: `memoryStream` is the adapter in the package. The one
 * for a server of Durable Streams is not published.
 */
async function tanstack() {
  const { memoryStream, resumeServerSentEventsResponse, toServerSentEventsResponse } = await import(
    "@tanstack/ai"
  );
  return ({ run, isNew, count, ms }) => {
    const adapter = memoryStream(isNew ? { runId: run } : { runId: run, offset: "-1" });
    return (
      isNew
        ? toServerSentEventsResponse(events(count, ms), { durability: { adapter } })
        : resumeServerSentEventsResponse({ adapter })
    ).body;
  };
}

const rival = RIVALS[process.argv[2]];
if (process.send !== undefined && rival !== undefined) {
  const open = await rival.open();
  const server = createServer(async (request, answer) => {
    const { searchParams: query } = new URL(request.url, "http://host");
    const [count, ms] = ["count", "ms"].map((name) => Number(query.get(name)));
    answer.writeHead(200, { "content-type": "text/event-stream" });
    answer.flushHeaders();
    for await (const chunk of (await open({
      run: query.get("run"),
      isNew: request.method === "POST",
      count,
      ms,
    })) ?? [])
      answer.write(chunk);
    answer.end();
  });
  server.listen(0, "127.0.0.1", () => process.send(`http://127.0.0.1:${server.address().port}`));
}
