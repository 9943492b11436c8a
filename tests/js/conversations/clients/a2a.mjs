// The official client of A2A. It sends one message at a time in the context that the server has
// chosen; A2A has no tools of the client.
import { Message, StreamResponse } from "a2a-sdk-1";
import { ClientFactory } from "a2a-sdk-1/client";
import { QUESTIONS } from "../script.mjs";
import { ClientError } from "./client.mjs";

export default {
  name: "@a2a-js/sdk",
  protocol: "a2a",
  hasNoTools: true,
  async converse({ url }) {
    const client = await new ClientFactory().createFromUrl(`${url}/`);
    const [texts, memory] = [[], []];
    let contextId;
    for (const [at, question] of QUESTIONS.entries()) {
      const message = Message.fromJSON({
        messageId: `m${at}`,
        role: "ROLE_USER",
        parts: [{ text: question }],
        contextId,
      });
      let [text, failed] = [""];
      // The stream is read to its end also after a failure, so that the server works at nothing any
      // more.
      for await (const event of client.sendMessageStream({
        tenant: "",
        message,
        configuration: undefined,
        metadata: {},
      })) {
        const json = StreamResponse.toJSON(event);
        memory.push(json);
        const { task, statusUpdate, artifactUpdate } = json;
        contextId = (task ?? statusUpdate ?? artifactUpdate)?.contextId ?? contextId;
        const { state, message: status } = statusUpdate?.status ?? task?.status ?? {};
        if (state === "TASK_STATE_FAILED")
          failed ??= status?.parts?.map(({ text }) => text).join("") ?? "failed";
        if (artifactUpdate === undefined) continue;
        const {
          append,
          artifact: { parts },
        } = artifactUpdate;
        // An artifact has at least one part: https://a2a-protocol.org/latest/specification,
        // `Artifact`.
        if (parts === undefined) failed ??= "an artifact without parts";
        const piece = (parts ?? []).map(({ text = "" }) => text).join("");
        text = append ? text + piece : piece || text;
      }
      if (failed !== undefined) throw new ClientError(failed);
      texts.push(text);
    }
    return { texts, memory };
  },
};
