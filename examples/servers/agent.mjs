// The agent that all these servers run. It knows no protocol: it is asked, and writes.

/** Says what it was asked, piece by piece. Put your model here. */
export async function agent(out, request, { id }) {
  const asked = request.input.at(-1)?.content?.[0]?.text ?? "nothing";
  await out.state({ asked, request: id });
  const text = out.message().text();
  for (const token of ["You asked: ", ...asked.split(/(?<= )/)]) {
    await text.delta(token); // waits while the client is slow; rejects when it has gone, and so does `out.signal`
  }
}

/** Where errors go that clients are not told: your log. `id` is what the client was told. */
export function onError(error, { id }) {
  console.error(`request ${id}:`, error);
}
