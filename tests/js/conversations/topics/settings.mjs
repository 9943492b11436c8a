// Settings of the model.
import { anthropic, chat, gemini, responses, withTools } from "./requests.mjs";

const SCHEMA = {
  type: "object",
  properties: { answer: { type: "string" } },
  required: ["answer"],
  additionalProperties: false,
};
const config = (generationConfig) => gemini({ generationConfig });

export default [
  {
    topic: "structured output",
    sources: {
      responses: responses({
        text: { format: { type: "json_schema", name: "answer", schema: SCHEMA, strict: true } },
      }),
      chat: chat({
        response_format: {
          type: "json_schema",
          json_schema: { name: "answer", schema: SCHEMA, strict: true },
        },
      }),
      anthropic: anthropic({ output_config: { format: { type: "json_schema", schema: SCHEMA } } }),
      gemini: config({ responseMimeType: "application/json", responseJsonSchema: SCHEMA }),
    },
    targets: {
      responses: { text: { format: { type: "json_schema", schema: SCHEMA } } },
      chat: { response_format: { type: "json_schema", json_schema: { schema: SCHEMA } } },
      anthropic: { output_config: { format: { schema: SCHEMA } } },
      gemini: {
        generationConfig: { responseMimeType: "application/json", responseJsonSchema: SCHEMA },
      },
    },
  },
  {
    topic: "JSON mode",
    sources: {
      responses: responses({ text: { format: { type: "json_object" } } }),
      chat: chat({ response_format: { type: "json_object" } }),
      gemini: config({ responseMimeType: "application/json" }),
    },
    targets: {
      responses: { text: { format: { type: "json_object" } } },
      chat: { response_format: { type: "json_object" } },
      anthropic: null,
      gemini: { generationConfig: { responseMimeType: "application/json" } },
    },
  },
  {
    topic: "tool_choice required",
    sources: withTools({
      responses: { tool_choice: "required" },
      chat: { tool_choice: "required" },
      anthropic: { tool_choice: { type: "any" } },
      gemini: { toolConfig: { functionCallingConfig: { mode: "ANY" } } },
    }),
    targets: {
      responses: { tool_choice: "required" },
      chat: { tool_choice: "required" },
      anthropic: { tool_choice: { type: "any" } },
      gemini: { toolConfig: { functionCallingConfig: { mode: "ANY" } } },
    },
  },
  {
    topic: "tool_choice none",
    sources: withTools({
      responses: { tool_choice: "none" },
      chat: { tool_choice: "none" },
      anthropic: { tool_choice: { type: "none" } },
      gemini: { toolConfig: { functionCallingConfig: { mode: "NONE" } } },
    }),
    targets: {
      responses: { tool_choice: "none" },
      chat: { tool_choice: "none" },
      anthropic: { tool_choice: { type: "none" } },
      gemini: { toolConfig: { functionCallingConfig: { mode: "NONE" } } },
    },
  },
  {
    topic: "tool_choice by name",
    sources: withTools({
      responses: { tool_choice: { type: "function", name: "f" } },
      chat: { tool_choice: { type: "function", function: { name: "f" } } },
      anthropic: { tool_choice: { type: "tool", name: "f" } },
      gemini: {
        toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
      },
    }),
    targets: {
      // One allowed and required function is the same.
      responses: {
        tool_choice: {
          $oneOf: [
            { type: "function", name: "f" },
            { type: "allowed_tools", mode: "required", tools: [{ name: "f" }] },
          ],
        },
      },
      chat: {
        tool_choice: {
          $oneOf: [
            { function: { name: "f" } },
            { allowed_tools: { mode: "required", tools: [{ function: { name: "f" } }] } },
          ],
        },
      },
      anthropic: { tool_choice: { $oneOf: [{ type: "tool", name: "f" }, { type: "any" }] } },
      gemini: {
        toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
      },
    },
  },
  {
    topic: "tool_choice allowed_tools",
    sources: withTools({
      responses: {
        tool_choice: {
          type: "allowed_tools",
          mode: "required",
          tools: [{ type: "function", name: "f" }],
        },
      },
      chat: {
        tool_choice: {
          type: "allowed_tools",
          allowed_tools: {
            mode: "required",
            tools: [{ type: "function", function: { name: "f" } }],
          },
        },
      },
    }),
    targets: {
      responses: { tool_choice: { type: "allowed_tools", tools: [{ name: "f" }] } },
      chat: { tool_choice: { allowed_tools: { tools: [{ function: { name: "f" } }] } } },
      anthropic: null,
      gemini: { toolConfig: { functionCallingConfig: { allowedFunctionNames: ["f"] } } },
    },
  },
  {
    topic: "tool_choice without tools",
    sources: { responses: responses({ tool_choice: "auto", parallel_tool_calls: true }) },
    targets: {
      responses: { tool_choice: "auto" },
      chat: { tool_choice: undefined },
      anthropic: { tool_choice: undefined },
    },
  },
  {
    topic: "no parallel calls",
    sources: withTools({
      responses: { parallel_tool_calls: false },
      chat: { parallel_tool_calls: false },
      anthropic: { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
    }),
    targets: {
      responses: { parallel_tool_calls: false },
      chat: { parallel_tool_calls: false },
      anthropic: { tool_choice: { disable_parallel_tool_use: true } },
      gemini: null,
    },
  },
  {
    topic: "reasoning effort",
    sources: {
      responses: responses({ reasoning: { effort: "low" } }),
      chat: chat({ reasoning_effort: "low" }),
      anthropic: anthropic({ output_config: { effort: "low" } }),
      gemini: config({ thinkingConfig: { thinkingLevel: "low" } }),
    },
    targets: {
      responses: { reasoning: { effort: "low" } },
      chat: { reasoning_effort: "low" },
      anthropic: {
        $oneOf: [
          { output_config: { effort: "low" } },
          { thinking: { budget_tokens: { $any: true } } },
        ],
      },
      gemini: {
        generationConfig: {
          thinkingConfig: {
            $oneOf: [
              { thinkingLevel: { $oneOf: ["low", "LOW"] } },
              { thinkingBudget: { $any: true } },
            ],
          },
        },
      },
    },
  },
  {
    topic: "thinking budget",
    sources: {
      anthropic: anthropic({ thinking: { type: "enabled", budget_tokens: 2000 } }),
      gemini: config({ thinkingConfig: { thinkingBudget: 2000 } }),
    },
    targets: {
      responses: { reasoning: { effort: { $any: true } } },
      chat: { reasoning_effort: { $any: true } },
      anthropic: { thinking: { budget_tokens: 2000 } },
      gemini: { generationConfig: { thinkingConfig: { thinkingBudget: 2000 } } },
    },
  },
  {
    topic: "a budget above the maximum of tokens",
    sources: {
      gemini: config({ maxOutputTokens: 300, thinkingConfig: { thinkingBudget: 2000 } }),
      responses: responses({ max_output_tokens: 300, reasoning: { effort: "high" } }),
    },
    // The rules of Anthropic require a maximum above the budget.
    targets: { anthropic: { max_tokens: { $any: true } } },
  },
  {
    topic: "thinking and a required call",
    sources: withTools({
      gemini: {
        generationConfig: { thinkingConfig: { thinkingBudget: 2000 } },
        toolConfig: { functionCallingConfig: { mode: "ANY" } },
      },
    }),
    // Anthropic refuses both together: the call is the contract.
    targets: { anthropic: { tool_choice: { type: "any" } } },
  },
  {
    topic: "temperature above 1",
    sources: {
      responses: responses({ temperature: 1.6 }),
      chat: chat({ temperature: 1.6 }),
      gemini: config({ temperature: 1.6 }),
    },
    targets: {
      responses: { temperature: 1.6 },
      chat: { temperature: 1.6 },
      anthropic: { temperature: { $most: 1 } },
      gemini: { generationConfig: { temperature: 1.6 } },
    },
  },
  {
    topic: "temperature and top_p",
    sources: {
      responses: responses({ temperature: 0.5, top_p: 0.25 }),
      chat: chat({ temperature: 0.5, top_p: 0.25 }),
      anthropic: anthropic({ temperature: 0.5, top_p: 0.25 }),
      gemini: config({ temperature: 0.5, topP: 0.25 }),
    },
    targets: {
      responses: { temperature: 0.5, top_p: 0.25 },
      chat: { temperature: 0.5, top_p: 0.25 },
      anthropic: { temperature: 0.5, top_p: 0.25 },
      gemini: { generationConfig: { temperature: 0.5, topP: 0.25 } },
    },
  },
  {
    topic: "top_k",
    sources: { anthropic: anthropic({ top_k: 7 }), gemini: config({ topK: 7 }) },
    targets: {
      responses: null,
      chat: null,
      anthropic: { top_k: 7 },
      gemini: { generationConfig: { topK: 7 } },
    },
  },
  {
    topic: "maximum of tokens",
    sources: {
      responses: responses({ max_output_tokens: 99 }),
      chat: chat({ max_completion_tokens: 99 }),
      anthropic: anthropic({ max_tokens: 99 }),
      gemini: config({ maxOutputTokens: 99 }),
    },
    targets: {
      responses: { max_output_tokens: 99 },
      chat: { max_completion_tokens: 99 },
      anthropic: { max_tokens: 99 },
      gemini: { generationConfig: { maxOutputTokens: 99 } },
    },
  },
  {
    topic: "old name of the maximum of tokens",
    sources: { chat: chat({ max_tokens: 99 }) },
    targets: {
      responses: { max_output_tokens: 99 },
      anthropic: { max_tokens: 99 },
      gemini: { generationConfig: { maxOutputTokens: 99 } },
    },
  },
  {
    topic: "stop sequences",
    sources: {
      chat: chat({ stop: ["END"] }),
      anthropic: anthropic({ stop_sequences: ["END"] }),
      gemini: config({ stopSequences: ["END"] }),
    },
    targets: {
      responses: null,
      chat: { stop: { $oneOf: ["END", ["END"]] } },
      anthropic: { stop_sequences: ["END"] },
      gemini: { generationConfig: { stopSequences: ["END"] } },
    },
  },
  {
    topic: "one stop sequence as a text",
    sources: { chat: chat({ stop: "END" }) },
    targets: {
      responses: null,
      anthropic: { stop_sequences: ["END"] },
      gemini: { generationConfig: { stopSequences: ["END"] } },
    },
  },
  {
    topic: "seed and penalties",
    sources: {
      chat: chat({ seed: 5, frequency_penalty: 0.5, presence_penalty: 0.25 }),
      gemini: config({ seed: 5, frequencyPenalty: 0.5, presencePenalty: 0.25 }),
    },
    targets: {
      responses: null,
      chat: { seed: 5, frequency_penalty: 0.5, presence_penalty: 0.25 },
      anthropic: null,
      gemini: { generationConfig: { seed: 5, frequencyPenalty: 0.5, presencePenalty: 0.25 } },
    },
  },
  {
    topic: "safety_identifier",
    // From Anthropic, `user_id` is the `user` of both.
    sources: {
      responses: responses({ safety_identifier: "u1" }),
      chat: chat({ safety_identifier: "u1" }),
    },
    targets: {
      responses: { safety_identifier: "u1" },
      chat: { safety_identifier: "u1" },
      anthropic: { metadata: { user_id: "u1" } },
      gemini: null,
    },
  },
  {
    topic: "metadata",
    sources: {
      responses: responses({ metadata: { a: "b" } }),
      chat: chat({ metadata: { a: "b" }, store: true }),
    },
    targets: {
      responses: { metadata: { a: "b" } },
      chat: { metadata: { a: "b" } },
      anthropic: null,
      gemini: null,
    },
  },
  {
    topic: "metadata of a request that is not stored",
    sources: { responses: responses({ metadata: { a: "b" }, store: false }) },
    // OpenAI accepts metadata only with `store`, which would keep the request.
    targets: { chat: null },
  },
  {
    topic: "prompt_cache_key",
    sources: {
      responses: responses({ prompt_cache_key: "k" }),
      chat: chat({ prompt_cache_key: "k" }),
    },
    targets: {
      responses: { prompt_cache_key: "k" },
      chat: { prompt_cache_key: "k" },
      anthropic: null,
      gemini: null,
    },
  },
  {
    topic: "verbosity",
    sources: {
      responses: responses({ text: { verbosity: "low" } }),
      chat: chat({ verbosity: "low" }),
    },
    targets: {
      responses: { text: { verbosity: "low" } },
      chat: { verbosity: "low" },
      anthropic: null,
      gemini: null,
    },
  },
  {
    topic: "service_tier",
    sources: {
      responses: responses({ service_tier: "flex" }),
      chat: chat({ service_tier: "flex" }),
    },
    targets: {
      responses: { service_tier: "flex" },
      chat: { service_tier: "flex" },
      anthropic: null,
    },
  },
];
