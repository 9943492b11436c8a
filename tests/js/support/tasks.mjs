// Tasks of A2A, requested by the official client.
import { Message, StreamResponse, Task } from "a2a-sdk-1";
import { ClientFactory } from "a2a-sdk-1/client";

export const textOf = ({ artifacts = [] }) =>
  artifacts
    .flatMap(({ parts }) => parts)
    .map(({ text = "" }) => text)
    .join("");
export const stateOf = ({ status }) => status.state.replace("TASK_STATE_", "");

let messages = 0;

/** A request with this message to the demo agent. */
export const say = (text, demo = { delay: 0 }, ids = {}, configuration = undefined) => ({
  tenant: "",
  message: Message.fromJSON({
    messageId: `m${++messages}`,
    role: "ROLE_USER",
    parts: [{ text }],
    ...ids,
  }),
  configuration,
  metadata: { demo },
});

/** Follows a stream; stops after this number of events. */
export async function followed(stream, most = Infinity) {
  const events = [];
  for await (const event of stream) {
    events.push(StreamResponse.toJSON(event));
    if (events.length >= most) break;
  }
  return events;
}
/** The artifacts of a follower: those of the task, with all appended and replaced parts. */
export function folded(events) {
  const { id, artifacts = [] } = events.find(({ task }) => task).task;
  const all = new Map(artifacts.map((artifact) => [artifact.artifactId, artifact]));
  for (const { artifactUpdate: update } of events) {
    if (update) {
      const before = update.append ? (all.get(update.artifact.artifactId)?.parts ?? []) : [];
      all.set(update.artifact.artifactId, {
        ...update.artifact,
        parts: [...before, ...(update.artifact.parts ?? [])],
      });
    }
  }
  return { id, artifacts: [...all.values()] };
}

/**
 * Requests to the server at the address; `client()` creates a new one each time, so all requests
 * work across connections.
 */
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
