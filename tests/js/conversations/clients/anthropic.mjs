// The official client of Anthropic: it passes the blocks of each message back, as the guides on
// extended thinking and tool use show.
import Anthropic from "@anthropic-ai/sdk";
import { QUESTIONS, resultOf, toolList } from "../script.mjs";
import { MAX_ROUNDS } from "./client.mjs";

export default {
  name: "@anthropic-ai/sdk",
  protocol: "anthropic",
  async converse({ url, serverTools, parameters }) {
    const client = new Anthropic({ baseURL: url, apiKey: "test", maxRetries: 0 });
    const tools = serverTools
      ? undefined
      : toolList().map(({ name, description, parameters: input_schema }) => ({
          name,
          description,
          input_schema,
        }));
    const settings = { model: "any", max_tokens: 4096, tools, ...parameters };
    const [messages, texts] = [[], []];
    for (const question of QUESTIONS) {
      messages.push({ role: "user", content: question });
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const { content } = await client.messages.stream({ ...settings, messages }).finalMessage();
        messages.push({ role: "assistant", content });
        const calls = content.filter(({ type }) => type === "tool_use");
        if (calls.length === 0) {
          texts.push(content.flatMap(({ type, text }) => (type === "text" ? [text] : [])).join(""));
          break;
        }
        messages.push({
          role: "user",
          content: calls.map(({ id, name, input }) => ({
            type: "tool_result",
            tool_use_id: id,
            content: resultOf(name, input),
          })),
        });
      }
    }
    return { texts, memory: messages };
  },
};
