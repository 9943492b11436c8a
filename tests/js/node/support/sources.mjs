// Streams that tests can inspect: the number of pulls, and the reason of a cancellation.

/** A body of these chunks; a chunk may be a promise, and `"never"` keeps the stream open. */
export function body(chunks, { onPull = () => {} } = {}) {
  const log = { pulled: 0, canceled: undefined };
  const queue = [...chunks];
  const stream = new ReadableStream(
    {
      async pull(controller) {
        onPull(log.pulled);
        if (queue.length === 0) {
          return controller.close();
        }
        const chunk = await queue.shift();
        if (chunk === "never") {
          return new Promise(() => {});
        }
        log.pulled++;
        if (chunk instanceof Error) {
          controller.error(chunk);
        } else {
          controller.enqueue(chunk);
        }
      },
      cancel(reason) {
        log.canceled = { reason };
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, log };
}

/** The same as a response. */
export function answer(
  chunks,
  { status = 200, contentType = "text/event-stream; charset=utf-8", onPull } = {},
) {
  const { stream, log } = body(chunks, { onPull });
  const headers = contentType === null ? {} : { "content-type": contentType };
  return { response: new Response(stream, { status, headers }), log };
}

/** All updates of a run. */
export async function updatesOf(run) {
  const updates = [];
  for await (const update of run) {
    updates.push(update);
  }
  return updates;
}

/** When all that can happen without waiting has happened. */
export function settled() {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

export { until } from "../../support/until.mjs";
