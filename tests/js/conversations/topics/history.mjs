// The messages of a history: results, state of models, the order and what is empty.
import {
  FUNCTION,
  agUi,
  aiSdk,
  anthropic,
  chat,
  gemini,
  history,
  later,
  responses,
} from "./requests.mjs";
import { has } from "./match.mjs";

/** A topic about something that all models can be told as text. */
const told = (text, ...more) => ({
  responses: has(text, ...more),
  chat: has(text, ...more),
  anthropic: has(text, ...more),
  gemini: has(text, ...more),
});

const THINKING = { type: "thinking", thinking: "I think.", signature: "SIG1" };
const HI = { role: "user", content: "hi" };
const AND = { role: "user", content: "and?" };
const CACHED = { cache_control: { type: "ephemeral" } };

export default [
  {
    topic: "tool result that is an error",
    sources: {
      anthropic: anthropic({
        tools: [FUNCTION.anthropic],
        messages: later.anthropic(history.anthropic("no such city", { is_error: true })),
      }),
      gemini: gemini({
        tools: [FUNCTION.gemini],
        contents: later.gemini(history.gemini({ error: "no such city" })),
      }),
      "ag-ui": agUi({
        messages: later["ag-ui"](
          history["ag-ui"]({ content: "no such city", error: "no such city" }),
        ),
      }),
    },
    targets: {
      ...told("no such city"),
      anthropic: { messages: [{ content: [{ type: "tool_result", is_error: true }] }] },
      gemini: {
        contents: [{ parts: [{ functionResponse: { response: { error: { $any: true } } } }] }],
      },
    },
  },
  {
    topic: "tool result that is JSON",
    sources: {
      chat: chat({ tools: [FUNCTION.chat], messages: later.chat(history.chat('{"degrees":18}')) }),
      gemini: gemini({
        tools: [FUNCTION.gemini],
        contents: later.gemini(history.gemini({ degrees: 18 })),
      }),
    },
    targets: {
      responses: { input: [{ type: "function_call_output", output: { $has: ["degrees"] } }] },
      chat: { messages: [{ role: "tool", content: { $has: ["degrees"] } }] },
      anthropic: {
        messages: [{ content: [{ type: "tool_result", content: { $has: ["degrees"] } }] }],
      },
      gemini: {
        contents: [{ parts: [{ functionResponse: { response: { $has: ["degrees"] } } }] }],
      },
    },
  },
  {
    topic: "thinking with its signature",
    ofProvider: "SIG1",
    sources: {
      anthropic: anthropic({
        tools: [FUNCTION.anthropic],
        messages: later.anthropic(history.anthropic("18", {}, [THINKING])),
      }),
    },
    targets: {
      anthropic: { messages: [{ content: [THINKING, { type: "tool_use" }] }] },
      responses: null,
      chat: null,
      gemini: null,
    },
  },
  {
    topic: "redacted thinking",
    ofProvider: "RED1",
    sources: {
      anthropic: anthropic({
        messages: [
          HI,
          {
            role: "assistant",
            content: [
              { type: "redacted_thinking", data: "RED1" },
              { type: "text", text: "done" },
            ],
          },
          AND,
        ],
      }),
    },
    targets: { anthropic: has("RED1"), responses: null, chat: null, gemini: null },
  },
  {
    topic: "thoughtSignature of a call",
    ofProvider: "c2ln",
    sources: {
      gemini: gemini({
        tools: [FUNCTION.gemini],
        contents: history.gemini({ output: "18" }, { thoughtSignature: "c2ln" }),
      }),
    },
    targets: {
      gemini: {
        contents: [{ parts: [{ functionCall: { name: "f" }, thoughtSignature: "c2ln" }] }],
      },
      responses: null,
      chat: null,
      anthropic: null,
    },
  },
  {
    topic: "call of another model in the current turn",
    sources: {
      responses: responses({ tools: [FUNCTION.responses], input: history.responses("18") }),
      chat: chat({ tools: [FUNCTION.chat], messages: history.chat("18") }),
      anthropic: anthropic({ tools: [FUNCTION.anthropic], messages: history.anthropic("18") }),
      "ag-ui": agUi({ messages: history["ag-ui"]({ content: "18" }) }),
    },
    // Gemini 3 requires a signature or its placeholder.
    targets: {
      gemini: {
        contents: [{ parts: [{ functionCall: { name: "f" }, thoughtSignature: { $any: true } }] }],
      },
    },
  },
  {
    topic: "call of another model with thinking on",
    sources: {
      responses: responses({
        tools: [FUNCTION.responses],
        input: history.responses("18"),
        reasoning: { effort: "high" },
      }),
      chat: chat({
        tools: [FUNCTION.chat],
        messages: history.chat("18"),
        reasoning_effort: "high",
      }),
    },
    // Anthropic refuses thinking in a tool loop that began without it.
    targets: { anthropic: { messages: [{ content: [{ type: "tool_use" }] }] } },
  },
  {
    topic: "reasoning_content of a call",
    sources: {
      chat: chat({
        tools: [FUNCTION.chat],
        messages: history.chat("18", {}, { reasoning_content: "t" }),
      }),
    },
    targets: { chat: { messages: [{ reasoning_content: "t" }] } },
  },
  {
    topic: "reasoning_details of a call",
    sources: {
      chat: chat({
        tools: [FUNCTION.chat],
        messages: history.chat(
          "18",
          {},
          { reasoning_details: [{ type: "reasoning.encrypted", data: "x", index: 0 }] },
        ),
      }),
    },
    targets: { chat: { messages: [{ reasoning_details: [{ data: "x" }] }] } },
  },
  {
    topic: "extra_content of a call",
    sources: {
      chat: chat({
        tools: [FUNCTION.chat],
        messages: history.chat("18", { extra_content: { google: { thought_signature: "x" } } }),
      }),
    },
    targets: {
      chat: {
        messages: [{ tool_calls: [{ extra_content: { google: { thought_signature: "x" } } }] }],
      },
    },
  },
  {
    topic: "results of Anthropic's web search",
    ofProvider: "Eo8=",
    sources: {
      anthropic: anthropic({
        tools: [{ type: "web_search_20250305", name: "web_search" }],
        messages: [
          HI,
          {
            role: "assistant",
            content: [
              {
                type: "server_tool_use",
                id: "srvtoolu_1",
                name: "web_search",
                input: { query: "q" },
              },
              {
                type: "web_search_tool_result",
                tool_use_id: "srvtoolu_1",
                content: [
                  {
                    type: "web_search_result",
                    url: "https://a",
                    title: "A",
                    encrypted_content: "Eo8=",
                    page_age: null,
                  },
                ],
              },
              {
                type: "text",
                text: "Found.",
                citations: [
                  {
                    type: "web_search_result_location",
                    url: "https://a",
                    title: "A",
                    encrypted_index: "Eo9=",
                    cited_text: "x",
                  },
                ],
              },
            ],
          },
          AND,
        ],
      }),
    },
    targets: { ...told("Found."), anthropic: has('"server_tool_use"', "Eo8=", "Eo9=") },
  },
  {
    topic: "encryptedValue of AG-UI",
    sources: {
      "ag-ui": agUi({
        messages: later["ag-ui"](
          history["ag-ui"]({ content: "18" }, { encryptedValue: "ENC2" }, [
            { id: "r1", role: "reasoning", content: "t", encryptedValue: "ENC1" },
          ]),
        ),
      }),
    },
    targets: {
      "agent-api": has("ENC1", "ENC2"),
      "ai-sdk": has("ENC1", "ENC2"),
      "ag-ui": has("ENC1", "ENC2"),
    },
  },
  {
    topic: "providerMetadata of the AI SDK",
    sources: {
      "ai-sdk": {
        ...aiSdk(),
        messages: [
          { id: "u1", role: "user", parts: [{ type: "text", text: "hi" }] },
          {
            id: "a1",
            role: "assistant",
            parts: [
              {
                type: "reasoning",
                text: "t",
                state: "done",
                providerMetadata: { agentwire: { signature: "SIG1" } },
              },
              {
                type: "tool-f",
                toolCallId: "c1",
                state: "output-available",
                input: {},
                output: "18",
                callProviderMetadata: { agentwire: { signature: "SIG2" } },
              },
              { type: "text", text: "done" },
            ],
          },
          { id: "u2", role: "user", parts: [{ type: "text", text: "and?" }] },
        ],
      },
    },
    targets: {
      "agent-api": has("SIG1", "SIG2"),
      "ag-ui": has("SIG1", "SIG2"),
      "ai-sdk": has("SIG1", "SIG2"),
    },
  },
  {
    topic: "role developer",
    sources: {
      responses: responses({ input: [{ role: "developer", content: "be brief" }, HI] }),
      chat: chat({ messages: [{ role: "developer", content: "be brief" }, HI] }),
    },
    targets: {
      responses: {
        $oneOf: [
          { instructions: "be brief" },
          { input: [{ role: "developer" }, { role: "user" }] },
        ],
      },
      chat: { messages: [{ role: { $oneOf: ["developer", "system"] } }, { role: "user" }] },
      anthropic: { system: has("be brief") },
      gemini: { systemInstruction: has("be brief") },
    },
  },
  {
    topic: "instructions in the middle",
    sources: {
      responses: responses({
        input: [
          HI,
          { role: "assistant", content: "yes" },
          { role: "developer", content: "be brief" },
          AND,
        ],
      }),
      chat: chat({
        messages: [
          HI,
          { role: "assistant", content: "yes" },
          { role: "system", content: "be brief" },
          AND,
        ],
      }),
      "ag-ui": agUi({
        messages: [
          { id: "u1", ...HI },
          { id: "a1", role: "assistant", content: "yes" },
          { id: "s1", role: "system", content: "be brief" },
          { id: "u2", ...AND },
        ],
      }),
    },
    // In their place: in front they would change the meaning, and the cached beginning of the
    // conversation.
    targets: {
      responses: { input: [{ role: "assistant" }, has("be brief")] },
      chat: { messages: [{ role: "assistant" }, has("be brief")] },
      anthropic: { messages: [{ role: "assistant" }, has("be brief")] },
      gemini: { contents: [{ role: "model" }, has("be brief")] },
    },
  },
  {
    topic: "empty messages",
    sources: {
      responses: responses({
        input: [HI, { role: "assistant", content: [{ type: "output_text", text: "" }] }, AND],
      }),
      chat: chat({ messages: [HI, { role: "assistant", content: "" }, AND] }),
      "ag-ui": agUi({
        messages: [
          { id: "u1", ...HI },
          { id: "a1", role: "assistant", content: "" },
          { id: "u2", ...AND },
        ],
      }),
      "ai-sdk": {
        ...aiSdk(),
        messages: [
          { id: "u1", role: "user", parts: [{ type: "text", text: "hi" }] },
          { id: "a1", role: "assistant", parts: [{ type: "text", text: "" }] },
          { id: "u2", role: "user", parts: [{ type: "text", text: "and?" }] },
        ],
      },
    },
    targets: told("hi", "and?"),
  },
  {
    topic: "blank text of the assistant",
    sources: { chat: chat({ messages: [HI, { role: "assistant", content: "\n" }, AND] }) },
    targets: told("hi", "and?"),
  },
  {
    topic: "conversation that begins with the assistant",
    sources: {
      responses: responses({ input: [{ role: "assistant", content: "Welcome." }, HI] }),
      chat: chat({ messages: [{ role: "assistant", content: "Welcome." }, HI] }),
      "ag-ui": agUi({
        messages: [
          { id: "a1", role: "assistant", content: "Welcome." },
          { id: "u1", ...HI },
        ],
      }),
    },
    targets: told("Welcome.", "hi"),
  },
  {
    topic: "two messages of the user in a row",
    sources: { chat: chat({ messages: [HI, AND] }), responses: responses({ input: [HI, AND] }) },
    targets: told("hi", "and?"),
  },
  {
    topic: "refusal in the history",
    sources: {
      responses: responses({
        input: [
          HI,
          {
            type: "message",
            role: "assistant",
            content: [{ type: "refusal", refusal: "I cannot." }],
          },
          AND,
        ],
      }),
      chat: chat({
        messages: [HI, { role: "assistant", content: null, refusal: "I cannot." }, AND],
      }),
    },
    targets: told("I cannot."),
  },
  {
    topic: "call without a result",
    sources: {
      chat: chat({ tools: [FUNCTION.chat], messages: [...history.chat("18").slice(0, 2), AND] }),
      responses: responses({
        tools: [FUNCTION.responses],
        input: [...history.responses("18").slice(0, 2), AND],
      }),
      "ag-ui": agUi({
        messages: [...history["ag-ui"]({ content: "18" }).slice(0, 2), { id: "u2", ...AND }],
      }),
    },
    targets: told("and?"),
  },
  {
    topic: "result after a message of the user",
    sources: {
      responses: responses({
        tools: [FUNCTION.responses],
        input: [
          ...history.responses("").slice(0, 2),
          AND,
          { type: "function_call_output", call_id: "c1", output: "18 degrees" },
        ],
      }),
    },
    targets: told("and?", "18 degrees"),
  },
  {
    topic: "id of a call that others refuse",
    sources: {
      responses: responses({
        tools: [FUNCTION.responses],
        input: history
          .responses("18")
          .map((item) => (item.call_id ? { ...item, call_id: `call:${"x".repeat(50)}` } : item)),
      }),
    },
    targets: {
      responses: has("call:x"),
      chat: { messages: [{ role: "tool" }] },
      anthropic: { messages: [{ content: [{ type: "tool_result" }] }] },
    },
  },
  {
    topic: "arguments that are no JSON",
    sources: {
      chat: chat({
        tools: [FUNCTION.chat],
        messages: later.chat(
          history.chat("18", { function: { name: "f", arguments: '{"city":' } }),
        ),
      }),
      responses: responses({
        tools: [FUNCTION.responses],
        input: later.responses(history.responses("18", { arguments: "" })),
      }),
    },
    targets: {
      responses: { input: [{ type: "function_call", name: "f" }] },
      chat: { messages: [{ tool_calls: [{ function: { name: "f" } }] }] },
      anthropic: { messages: [{ content: [{ type: "tool_use", name: "f" }] }] },
      gemini: { contents: [{ parts: [{ functionCall: { name: "f" } }] }] },
    },
  },
  {
    topic: "cache_control",
    sources: {
      anthropic: anthropic({
        system: [{ type: "text", text: "long", ...CACHED }],
        tools: [{ ...FUNCTION.anthropic, ...CACHED }],
        messages: [{ role: "user", content: [{ type: "text", text: "hi", ...CACHED }] }],
      }),
      chat: chat({
        messages: [
          { role: "system", content: [{ type: "text", text: "long", ...CACHED }] },
          { role: "user", content: [{ type: "text", text: "hi", ...CACHED }] },
        ],
      }),
    },
    // Chat: OpenRouter and LiteLLM read it.
    targets: {
      anthropic: { system: has("cache_control"), messages: has("cache_control") },
      chat: { messages: has("cache_control") },
      responses: null,
      gemini: null,
    },
  },
];
