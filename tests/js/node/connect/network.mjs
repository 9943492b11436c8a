// A network with faults, and a server of every protocol that notes what its agent receives.
import { createHandler } from "agentwire/server";
import { agent } from "./agents.mjs";

/**
 * A server, and the texts that its agent has received: one list for each request that reached it.
 */
export function server({ answer = agent, ...options } = {}) {
  const received = [];
  const handler = createHandler({
    agent: (out, request) => {
      received.push(
        request
          .toJSON()
          .input.flatMap(({ content = [] }) => content.flatMap(({ text }) => text ?? [])),
      );
      return answer(out, request);
    },
    onError: () => {},
    ...options,
  });
  return { handler, received };
}

/** The frames of the response to a request. */
export async function framesOf(response) {
  return (await response.text()).split(/(?<=\n\n)/).filter((frame) => frame !== "");
}

const stream = (body) => new Response(body, { headers: { "content-type": "text/event-stream" } });
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * A body of these frames, each in its own task. With `isLost` the connection breaks after them,
 * with `stays` nothing follows.
 */
export function bodyOf(frames, { isLost = false, stays = false } = {}) {
  const queue = [...frames];
  return new ReadableStream({
    async pull(controller) {
      await wait(0);
      if (queue.length > 0) {
        return controller.enqueue(new TextEncoder().encode(queue.shift()));
      }
      if (stays) {
        return new Promise(() => {});
      }
      if (isLost) {
        controller.error(new TypeError("terminated"));
      } else {
        controller.close();
      }
    },
  });
}

/**
 * The faults of one request: functions of the request and the handler. The answer of the agent
 * arrives frame by frame.
 */
export const FAULTS = {
  "late headers": async (request, handler) => {
    await wait(15);
    return handler(request);
  },
  "a late first event": async (request, handler) => {
    const frames = await framesOf(await handler(request));
    return stream(
      new ReadableStream(
        {
          pull: async (controller) => {
            await wait(15);
            controller.enqueue(new TextEncoder().encode(frames.splice(0).join("")));
            return controller.close();
          },
        },
        { highWaterMark: 0 },
      ),
    );
  },
  401: () => Response.json({ error: "sign in" }, { status: 401 }),
  500: () => new Response("oops", { status: 500 }),
  "502 with HTML": () =>
    new Response("<html><title>Bad gateway</title></html>", {
      status: 502,
      headers: { "content-type": "text/html" },
    }),
  "200 with HTML": () =>
    new Response("<html><title>Log in</title></html>", {
      headers: { "content-type": "text/html" },
    }),
  "a refused connection": () => Promise.reject(new TypeError("fetch failed")),
  "an empty stream": () => stream(""),
  "a stream of another protocol": () => stream('data: {"say":"hello"}\n\ndata: {"bye":true}\n\n'),
  "a stream that is no JSON": () => stream("data: hello\n\ndata: world\n\n"),
};

/**
 * The fault after a number of frames: the connection is lost, the body ends, or (`stays`) nothing
 * more arrives.
 */
export const cutAfter = (count, how) => async (request, handler) =>
  stream(bodyOf((await framesOf(await handler(request))).slice(0, count), how));

/** A `fetch` with these faults in their order; a missing one is none. */
export function faulty(handler, faults) {
  let requests = 0;
  return async (request) => (faults[requests++] ?? ((each) => handler(each)))(request, handler);
}
