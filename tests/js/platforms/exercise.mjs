// The program for every environment: it reads a stream that arrives in chunks, emits one and reads
// it, and converts. Returns plain data: the results, and the milliseconds until the first text
// could be shown.

const TEXT = "Hello from 北京 👋";

const piece = (text) =>
  `data: ${JSON.stringify({ object: "content", msg_id: "m", type: "text", delta: true, index: 0, text })}\n\n`;
const STREAM = [
  'data: {"object":"response","id":"r","status":"in_progress"}\n\n',
  'data: {"object":"message","id":"m","type":"message","role":"assistant","status":"in_progress"}\n\n',
  ...TEXT.match(/.{1,4}/gsu).map(piece),
  `data: {"object":"content","msg_id":"m","type":"text","index":0,"status":"completed","text":${JSON.stringify(TEXT)}}\n\n`,
  'data: {"object":"message","id":"m","type":"message","role":"assistant","status":"completed","content":null}\n\n',
  'data: {"object":"response","id":"r","status":"completed","output":null}\n\n',
].join("");

/** The stream in chunks of 37 bytes, which split characters. */
function pieces() {
  const bytes = new TextEncoder().encode(STREAM);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) {
        controller.close();
      } else {
        controller.enqueue(bytes.slice(at, (at += 37)));
      }
    },
  });
}

const textOf = (snapshot) =>
  snapshot.output.map(({ content }) => content.map(({ text }) => text ?? "").join("")).join("");

/** `started` is the time at which the environment began to load the package. */
export async function exercise(
  { init, read, respond, convert, version },
  started = performance.now(),
) {
  await init();
  let first;
  const run = read(pieces(), { protocol: "auto" });
  for await (const { snapshot } of run) {
    if (first === undefined && textOf(snapshot) !== "") {
      first = performance.now() - started;
    }
  }
  const { snapshot } = await run.finished();

  const emitted = respond({}, { protocol: "ag-kit" }, async (out) => {
    const text = out.message().text();
    for (const word of ["Hello", " ", "back"]) {
      await text.delta(word);
    }
  });
  const back = await read(emitted, { protocol: "ag-kit" }).finished();

  const converted = await new Response(
    pieces().pipeThrough(convert({ from: "agent-api", to: "ag-kit" })),
  ).text();
  return {
    version: version(),
    read: textOf(snapshot),
    emitted: back.snapshot.parts.map(({ text }) => text).join(""),
    converted: converted.endsWith("data: [DONE]\n\n") && converted.includes('"content":"Hell"'),
    first: Math.round(first),
  };
}

export const expected = (version) => ({
  version,
  read: TEXT,
  emitted: "Hello back",
  converted: true,
});
