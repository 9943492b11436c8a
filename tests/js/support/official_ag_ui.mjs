// The official AG-UI client, reading a complete stream.
import { HttpAgent } from "@ag-ui/client";

/** The state of the official client after a stream, and its console output. */
export async function official(sse) {
  const { messages, state, pendingInterrupts, said } = await reading(sse, "text/event-stream");
  return { messages, state, pendingInterrupts, said };
}

/**
 * The same for frames that arrive one by one, so that all frames before a refused one are applied.
 * `refused` has the message that the client throws and the number of that frame, counted from 0;
 * `ended` has the parameters of its subscribers for the last end of a run.
 */
export async function officialByFrames(frames, type = "text/event-stream") {
  let given = 0;
  const pull = async (controller) => {
    await new Promise(setImmediate);
    if (given === frames.length) controller.close();
    else controller.enqueue(Buffer.from(frames[given++]));
  };
  const { failure, ...held } = await reading(
    new ReadableStream({ pull }, { highWaterMark: 0 }),
    type,
  );
  return { ...held, refused: failure && { said: failure.message, at: given - 1 } };
}

async function reading(body, type) {
  const answer = () => Promise.resolve(new Response(body, { headers: { "content-type": type } }));
  const agent = new HttpAgent({ url: "http://127.0.0.1/agent", threadId: "t", fetch: answer });
  const said = [];
  let ended;
  let failure;
  const { warn, error } = console;
  console.warn = console.error = (...words) => void said.push(words.join(" "));
  try {
    await agent.runAgent(
      { runId: "r" },
      {
        onRunFinishedEvent: ({ outcome, result, pendingToolCallIds }) =>
          void (ended = { outcome, result, pendingToolCallIds }),
        onRunErrorEvent: ({ event: { message, code } }) =>
          void (ended = { error: { message, code } }),
      },
    );
  } catch (thrown) {
    failure = thrown;
    said.push(`threw: ${thrown.message}`);
  } finally {
    Object.assign(console, { warn, error });
  }
  return {
    messages: agent.messages,
    state: agent.state,
    pendingInterrupts: agent.pendingInterrupts ?? [],
    said,
    ended,
    failure,
  };
}
