// The official client of OpenAI, without server state: it passes the items of each response back,
// as the guide on reasoning shows.
import OpenAI from "openai";
import { QUESTIONS, resultOf, toolList } from "../script.mjs";
import { ClientError, MAX_ROUNDS } from "./client.mjs";

export default {
  name: "openai",
  protocol: "responses",
  async converse({ url, serverTools, parameters }) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "test", maxRetries: 0 });
    const tools = serverTools
      ? undefined
      : toolList().map((tool) => ({ type: "function", strict: true, ...tool }));
    const settings = {
      model: "any",
      tools,
      store: false,
      include: ["reasoning.encrypted_content"],
      ...parameters,
    };
    const [input, texts] = [[], []];
    for (const question of QUESTIONS) {
      input.push({ role: "user", content: question });
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const { output } = await ask(client, { ...settings, input });
        input.push(...output);
        const answered = new Set(
          output.filter(({ type }) => type === "function_call_output").map(({ call_id: id }) => id),
        );
        const calls = output.filter(
          ({ type, call_id: id }) => type === "function_call" && !answered.has(id),
        );
        if (calls.length === 0) {
          texts.push(
            output
              .findLast(({ type }) => type === "message")
              ?.content.map(({ text }) => text)
              .join(""),
          );
          break;
        }
        for (const { call_id, name, arguments: json } of calls) {
          input.push({
            type: "function_call_output",
            call_id,
            output: resultOf(name, JSON.parse(json)),
          });
        }
      }
    }
    return { texts, memory: input };
  },
};

async function ask(client, request) {
  let response;
  for await (const event of await client.responses.create({ ...request, stream: true }))
    response = event.response ?? response;
  if (response.status !== "completed")
    throw new ClientError(response.error?.message ?? `the status is ${response.status}`);
  return response;
}
