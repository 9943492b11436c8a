// Exercises a Rust program with the streams, responses and objects of its JavaScript host: the same
// in node, in a browser and in an edge worker. Returns the results as plain data.

/** Instantiates the module of the bindings. */
export async function bind(glue, module) {
  const instance = await WebAssembly.instantiate(module, { "./rust_worker_bg.js": glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return glue;
}

const ask = (input) =>
  new Request("http://localhost/process", {
    method: "POST",
    body: JSON.stringify(input),
    headers: { "content-type": "application/json" },
  });
const question = (text) => ({
  session_id: "s",
  input: [{ role: "user", content: [{ type: "text", text }] }],
});

export async function exercise({ fetch, read, peek, snapshot: shown, conversation }) {
  const answered = await fetch(ask(question("one two 三 👋")));
  const headers = Object.fromEntries(answered.headers);
  const { snapshot, report } = await read(answered, () => {});

  const pieces = [];
  const delta = (text) =>
    new TextEncoder().encode(
      `data: {"object":"content","msg_id":"m","type":"text","delta":true,"index":0,"text":"${text}"}\n\n`,
    );
  const chunks = ["Hel", "lo", " 👋"].map(delta);
  const slow = new ReadableStream({
    pull: (controller) => (chunks.length ? controller.enqueue(chunks.shift()) : controller.close()),
  });
  await read(new Response(slow), (piece) => pieces.push(piece));

  const recorded = (text) => new Response(new TextEncoder().encode(text));
  const big = await read(
    recorded(
      'data: {"object":"content","msg_id":"m","type":"data","delta":true,"index":0,"data":{"id":9007199254740993,"n":1.5}}\n\n',
    ),
    () => {},
  );

  let cancelled;
  const endless = new ReadableStream({
    pull: (controller) =>
      controller.enqueue(
        new TextEncoder().encode('data: {"object":"response","status":"created","id":"r"}\n\n'),
      ),
    cancel: (reason) => void (cancelled = reason ?? "cancelled"),
  });
  const { ended } = await peek(new Response(endless));
  // The host cancels in a separate task.
  await new Promise((resolve) => setTimeout(resolve, 10));

  const refused = async (work) =>
    work().then(
      () => "no error",
      (error) => [error instanceof Error, error.message],
    );
  return {
    contentType: headers["content-type"],
    buffering: headers["x-accel-buffering"],
    status: snapshot.response.status,
    session: snapshot.response.session_id,
    text: snapshot.response.output.at(-1).content[0].text,
    calls: snapshot.toolCalls.map(({ name, state }) => [name, state]),
    pieces,
    ended: report.ended,
    violations: report.violations,
    big: String(big.snapshot.response.output[0].content[0].data.id),
    plain: big.snapshot.response.output[0].content[0].data.n,
    peeked: [ended, cancelled !== undefined],
    failed: await refused(async () =>
      read(new Response("no", { status: 500, statusText: "Oops" }), () => {}),
    ),
    noBody: await refused(async () => read(new Response(null), () => {})),
    shown: (await shown(await fetch(ask(question("hi"))))).response.output.length,
    turns: conversation(JSON.stringify(question("hi"))).turns.map(({ role, parts }) => [
      role,
      parts[0].content,
    ]),
    noConversation: await refused(async () => conversation("[]")),
    noRequest: (await refused(() => fetch(ask({ input: 1 }))))[1],
  };
}

export const expected = {
  contentType: "text/event-stream; charset=utf-8",
  buffering: "no",
  status: "completed",
  session: "s",
  text: "one two 三 👋",
  calls: [["count_words", "answered"]],
  pieces: ["lo", " 👋"],
  ended: "terminal",
  violations: [],
  big: "9007199254740993",
  plain: 1.5,
  peeked: ["aborted", true],
  failed: [true, "the server answered 500 Oops"],
  noBody: [true, "the response has no body"],
  shown: 3,
  turns: [["user", { text: "hi" }]],
  noConversation: [true, "body: Input should be a valid dictionary"],
  noRequest: "input: Input should be a valid list",
};
