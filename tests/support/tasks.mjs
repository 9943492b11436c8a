// Tasks of A2A, asked for by the official client.
import { Message, StreamResponse, Task } from "a2a-sdk-1";
import { ClientFactory } from "a2a-sdk-1/client";

export const textOf = ({ artifacts = [] }) => artifacts.flatMap(({ parts }) => parts).map(({ text = "" }) => text).join("");
export const stateOf = ({ status }) => status.state.replace("TASK_STATE_", "");

let messages = 0;

/** A request that says this to the demo agent. */
export const say = (text, demo = { delay: 0 }, ids = {}, configuration = undefined) => ({
  tenant: "",
  message: Message.fromJSON({ messageId: `m${++messages}`, role: "ROLE_USER", parts: [{ text }], ...ids }),
  configuration,
  metadata: { demo },
});

/** Follows a stream; leaves after so many events. */
export async function followed(stream, most = Infinity) {
  const events = [];
  for await (const event of stream) {
    events.push(StreamResponse.toJSON(event));
    if (events.length >= most) break;
  }
  return events;
}
/** What a follower has: the artifacts of the task, and what was appended or replaced since. */
export function folded(events) {
  const { id, artifacts = [] } = events.find(({ task }) => task).task;
  const all = new Map(artifacts.map((artifact) => [artifact.artifactId, artifact]));
  for (const { artifactUpdate: update } of events) {
    if (update) {
      const before = update.append ? (all.get(update.artifact.artifactId)?.parts ?? []) : [];
      all.set(update.artifact.artifactId, { ...update.artifact, parts: [...before, ...(update.artifact.parts ?? [])] });
    }
  }
  return { id, artifacts: [...all.values()] };
}

/** What is asked of the server there; `client()` is another one each time: whatever works does so across connections. */
export function tasksAt(url) {
  const client = () => new ClientFactory().createFromUrl(`${url}/`);
  const get = async (id) => Task.toJSON(await (await client()).getTask({ tenant: "", id }));
  async function settled(id) {
    for (;;) {
      const task = await get(id).catch(() => undefined);
      if (task !== undefined && !/SUBMITTED|WORKING/.test(stateOf(task))) return task;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return { client, get, settled };
}
