// Requests of Gemini Interactions, as a source and as a target.
import { has } from "./match.mjs";
import { BASE, FUNCTION, PARAMETERS, PNG, history, interactions, withTools } from "./requests.mjs";

const SCHEMA = { type: "object", properties: { answer: { type: "string" } } };
const image = { type: "image", data: PNG, mime_type: "image/png" };
const user = (...content) => ({ type: "user_input", content });
const text = (said) => ({ type: "text", text: said });
const call = { type: "function_call", id: "c1", name: "f", arguments: { city: "Oslo" } };
const result = { type: "function_result", call_id: "c1", name: "f", result: "18" };
const OTHERS = ["responses", "chat", "anthropic", "gemini"];
/** The same of each other API of a model. */
const others = (pattern) => Object.fromEntries(OTHERS.map((protocol) => [protocol, pattern]));

export default [
  {
    topic: "Interactions: a plain request",
    sources: BASE,
    targets: { interactions: { input: [user(text("hi"))] } },
  },
  {
    topic: "Interactions: instructions",
    sources: {
      interactions: interactions({ system_instruction: "be brief" }),
      chat: {
        model: "m",
        messages: [
          { role: "system", content: "be brief" },
          { role: "user", content: "hi" },
        ],
      },
    },
    targets: { ...others(has("be brief")), interactions: { system_instruction: "be brief" } },
  },
  {
    topic: "Interactions: a function, its call and its result",
    sources: {
      interactions: interactions({
        tools: [FUNCTION.interactions],
        input: [user(text("hi")), call, result],
      }),
      responses: {
        ...BASE.responses,
        tools: [FUNCTION.responses],
        input: history.responses("18"),
      },
      chat: { model: "m", tools: [FUNCTION.chat], messages: history.chat("18") },
      anthropic: {
        ...BASE.anthropic,
        tools: [FUNCTION.anthropic],
        messages: history.anthropic("18"),
      },
      gemini: { tools: [FUNCTION.gemini], contents: history.gemini({ output: "18" }, {}) },
    },
    targets: {
      responses: has('"f"', "Oslo", "18"),
      chat: has('"f"', "Oslo", "18"),
      anthropic: has('"f"', "Oslo", "18"),
      interactions: {
        tools: [{ type: "function", name: "f", parameters: PARAMETERS }],
        input: [
          user(text("hi")),
          { type: "function_call", name: "f", arguments: { city: "Oslo" } },
          { type: "function_result", name: "f", result: "18" },
        ],
      },
    },
  },
  {
    topic: "Interactions: a result that failed",
    sources: {
      interactions: interactions({
        tools: [FUNCTION.interactions],
        input: [user(text("hi")), call, { ...result, result: "gone", is_error: true }],
      }),
      anthropic: {
        ...BASE.anthropic,
        tools: [FUNCTION.anthropic],
        messages: history.anthropic("gone", { is_error: true }),
      },
    },
    targets: {
      anthropic: { messages: [{}, {}, { content: [{ is_error: true }] }] },
      interactions: { input: [{}, {}, { result: "gone", is_error: true }] },
    },
  },
  {
    topic: "Interactions: a thought and its signature",
    ofProvider: "c2lnbmVk",
    sources: {
      interactions: interactions({
        input: [
          user(text("hi")),
          { type: "thought", signature: "c2lnbmVk", summary: [text("hm")] },
          { type: "model_output", content: [text("done")] },
          user(text("and?")),
        ],
      }),
    },
    targets: {
      ...others(has("done", "and?")),
      interactions: { input: [{}, { signature: "c2lnbmVk", summary: [text("hm")] }, {}, {}] },
    },
  },
  {
    topic: "Interactions: a search of the server and its signatures",
    ofProvider: "c2lnbmVk",
    sources: {
      interactions: interactions({
        input: [
          user(text("hi")),
          {
            type: "google_search_call",
            id: "s1",
            signature: "c2lnbmVk",
            arguments: { queries: ["q"] },
          },
          { type: "google_search_result", call_id: "s1", signature: "c2lnbmVk", result: [] },
          { type: "model_output", content: [text("done")] },
          user(text("and?")),
        ],
      }),
    },
    targets: {
      ...others(has("done", "and?")),
      interactions: has("google_search_call", "google_search_result", "c2lnbmVk"),
    },
  },
  {
    topic: "Interactions: an image",
    sources: {
      interactions: interactions({ input: [user(text("see"), image)] }),
      chat: {
        model: "m",
        messages: [
          {
            role: "user",
            content: [
              text("see"),
              { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
            ],
          },
        ],
      },
      gemini: {
        contents: [
          {
            role: "user",
            parts: [{ text: "see" }, { inlineData: { mimeType: "image/png", data: PNG } }],
          },
        ],
      },
    },
    targets: { ...others(has(PNG)), interactions: { input: [user(text("see"), image)] } },
  },
  {
    topic: "Interactions: settings",
    sources: {
      interactions: interactions({
        generation_config: {
          temperature: 0.5,
          max_output_tokens: 99,
          seed: 5,
          stop_sequences: ["END"],
        },
      }),
      chat: { ...BASE.chat, temperature: 0.5, max_tokens: 99, seed: 5, stop: ["END"] },
    },
    targets: {
      chat: { temperature: 0.5, seed: 5 },
      gemini: { generationConfig: { temperature: 0.5, maxOutputTokens: 99, seed: 5 } },
      interactions: {
        generation_config: {
          temperature: 0.5,
          max_output_tokens: 99,
          seed: 5,
          stop_sequences: ["END"],
        },
      },
    },
  },
  {
    topic: "Interactions: structured output",
    sources: {
      interactions: interactions({
        response_format: { type: "text", mime_type: "application/json", schema: SCHEMA },
      }),
      gemini: {
        ...BASE.gemini,
        generationConfig: { responseMimeType: "application/json", responseJsonSchema: SCHEMA },
      },
    },
    targets: {
      responses: { text: { format: { type: "json_schema", schema: has("answer") } } },
      anthropic: { output_config: { format: { schema: has("answer") } } },
      gemini: { generationConfig: { responseJsonSchema: SCHEMA } },
      interactions: {
        response_format: { type: "text", mime_type: "application/json", schema: SCHEMA },
      },
    },
  },
  {
    topic: "Interactions: a tool choice",
    sources: {
      ...withTools({
        responses: { tool_choice: { type: "function", name: "f" } },
        gemini: {
          toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
        },
      }),
      interactions: interactions({
        tools: [FUNCTION.interactions],
        generation_config: { tool_choice: { allowed_tools: { mode: "any", tools: ["f"] } } },
      }),
    },
    targets: {
      responses: { tool_choice: { type: "function", name: "f" } },
      anthropic: { tool_choice: { type: "tool", name: "f" } },
      interactions: {
        generation_config: { tool_choice: { allowed_tools: { mode: "any", tools: ["f"] } } },
      },
    },
  },
  {
    topic: "Interactions: the search of the server",
    sources: {
      interactions: interactions({ tools: [{ type: "google_search" }] }),
      gemini: { ...BASE.gemini, tools: [{ googleSearch: {} }] },
      responses: { ...BASE.responses, tools: [{ type: "web_search" }] },
    },
    targets: {
      responses: { tools: [{ type: "web_search" }] },
      gemini: { tools: [{ googleSearch: { $any: true } }] },
      interactions: { tools: [{ type: "google_search" }] },
    },
  },
];
