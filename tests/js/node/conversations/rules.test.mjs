// The rules of the APIs, each with a request that it refuses. Without them, `carried` and `ok`
// would mean little.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { JUDGED, invalidity } from "../../conversations/rules/index.mjs";
import {
  BASE,
  FUNCTION,
  anthropic,
  chat,
  gemini,
  history,
  interactions,
  responses,
} from "../../conversations/topics/requests.mjs";

const said = (content) => ({
  messages: [
    { role: "user", content: "hi" },
    { role: "assistant", content },
    { role: "user", content: "and?" },
  ],
});
const [chatCall, anthropicCall, geminiCall] = [
  history.chat("18"),
  history.anthropic("18"),
  history.gemini({ output: "18" }),
];
const responsesCall = history.responses("18");
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA" };
const answer = { role: "assistant", content: "done" };
const asked = { type: "user_input", content: [{ type: "text", text: "hi" }] };
const interactionsCall = { type: "function_call", id: "c1", name: "f", arguments: {} };

/** Requests by the words of the refusal. */
const REFUSED = {
  chat: {
    "empty array": chat({ messages: [] }),
    "Unrecognized request argument": chat({ conversation: "c" }),
    "'max_tokens' is not supported": chat({ max_tokens: 5 }),
    "only allowed when 'store'": chat({ metadata: { a: "b" } }),
    "Supported values are: 'system'": chat({ messages: [{ role: "model", content: "hi" }] }),
    "expected a string, got null": chat(said(null)),
    "did not have response messages: c1": chat({ messages: chatCall.slice(0, 2) }),
    "must be a response to a preceeding message": chat({ messages: [chatCall[0], chatCall[2]] }),
    "Duplicate value for 'tool_call_id'": chat({ messages: [...chatCall, chatCall[2]] }),
    "string too long": chat({
      messages: JSON.parse(JSON.stringify(chatCall).replaceAll("c1", "c".repeat(41))),
    }),
    "Image URLs are only allowed": chat({
      messages: [
        chatCall[0],
        chatCall[1],
        { ...chatCall[2], content: [{ type: "image_url", image_url: { url: "https://a" } }] },
      ],
    }),
    "without the 'data:' prefix": chat({
      messages: [
        {
          role: "user",
          content: [{ type: "file", file: { file_data: "JVBE", filename: "a.pdf" } }],
        },
      ],
    }),
    "does not match pattern": chat({
      tools: [{ type: "function", function: { name: "files.read" } }],
    }),
    "'tool_choice' is only allowed": chat({ tool_choice: "required" }),
    "'parallel_tool_calls' is only allowed": chat({ parallel_tool_calls: false }),
    "'tool_choice.function'": chat({
      tools: [FUNCTION.chat],
      tool_choice: { type: "function", name: "f" },
    }),
  },
  anthropic: {
    "max_tokens: Field required": anthropic({ max_tokens: undefined }),
    "store: Extra inputs": anthropic({ store: false }),
    "text content blocks must be non-empty": anthropic(said([{ type: "text", text: "" }])),
    "must contain non-whitespace text": anthropic(said([{ type: "text", text: "\n" }])),
    "must have non-empty content": anthropic(said([])),
    "partial_json: Extra inputs": anthropic({
      messages: history.anthropic("18", {}, [
        { type: "tool_use", id: "c0", name: "f", input: {}, partial_json: "{}" },
      ]),
    }),
    "first message must use the": anthropic({
      messages: [
        { role: "assistant", content: "hi" },
        { role: "user", content: "hi" },
      ],
    }),
    "without `tool_result` blocks immediately after: c1": anthropic({
      messages: anthropicCall.slice(0, 2),
    }),
    "unexpected `tool_use_id`": anthropic({ messages: [anthropicCall[0], anthropicCall[2]] }),
    "must come first in the content": anthropic({
      messages: [
        anthropicCall[0],
        anthropicCall[1],
        { role: "user", content: [{ type: "text", text: "so" }, ...anthropicCall[2].content] },
      ],
    }),
    "String should match pattern": anthropic({
      messages: JSON.parse(JSON.stringify(anthropicCall).replaceAll("c1", "c:1")),
    }),
    "must start with a thinking block": anthropic({
      thinking: { type: "enabled", budget_tokens: 2000 },
      messages: anthropicCall,
    }),
    "must be greater than `thinking.budget_tokens`": anthropic({
      max_tokens: 2000,
      thinking: { type: "enabled", budget_tokens: 2000 },
    }),
    "may only be set to 1 when thinking": anthropic({
      temperature: 0.5,
      thinking: { type: "enabled", budget_tokens: 2000 },
    }),
    "range: 0..1": anthropic({ temperature: 1.5 }),
    "input_schema: Field required": anthropic({ tools: [{ name: "f" }] }),
    "while providing tools": anthropic({ tool_choice: { type: "auto" } }),
    "Invalid `signature`": anthropic(
      said([
        { type: "thinking", thinking: "t", signature: "aw1.google.x" },
        { type: "text", text: "so" },
      ]),
    ),
    "corresponding `web_search_tool_result`": anthropic(
      said([{ type: "server_tool_use", id: "s1", name: "web_search", input: {} }]),
    ),
    "A maximum of 4 blocks": anthropic({
      system: Array.from({ length: 5 }, () => ({
        type: "text",
        text: "s",
        cache_control: { type: "ephemeral" },
      })),
    }),
    compaction_signature_invalid: anthropic(
      said([{ type: "compaction", content: null, signature: "SIG1" }]),
    ),
    compaction_block_misplaced: anthropic(
      said([{ type: "compaction", content: "So far.", signature: "SIG1" }]),
    ),
    compaction_block_ambiguous: anthropic({
      messages: ["SIG1", "SIG2"].map((signature) => ({
        role: "assistant",
        content: [{ type: "compaction", content: "So far.", signature }],
      })),
    }),
    "compaction.content: String should have": anthropic(
      said([{ type: "compaction", content: "" }]),
    ),
    "fallback.to.model: Field required": anthropic(
      said([{ type: "fallback", from: { model: "m" }, to: {} }]),
    ),
    "mcp_tool_listing.tools: Field required": anthropic(
      said([{ type: "mcp_tool_listing", mcp_server_name: "files", tools: [{ name: "read" }] }]),
    ),
  },
  gemini: {
    'Unknown name "model_name"': gemini({ model_name: "m" }),
    'Unknown name "strict"': gemini({
      tools: [{ functionDeclarations: [{ name: "f", strict: true }] }],
    }),
    'Unknown name "additionalProperties"': gemini({
      tools: [
        { functionDeclarations: [{ name: "f", parameters: { additionalProperties: false } }] },
      ],
    }),
    "contents is not specified": gemini({ contents: [] }),
    "must not be empty": gemini({ contents: [{ role: "user", parts: [] }] }),
    "must have a text parameter": gemini({ contents: [{ role: "user", parts: [{ text: "" }] }] }),
    "mimeType parameter is empty": gemini({
      contents: [{ role: "user", parts: [{ inlineData: { data: "AAAA" } }] }],
    }),
    "number of function response parts": gemini({
      contents: [...geminiCall.slice(0, 2), { role: "user", parts: [{ text: "and?" }] }],
    }),
    "immediately after a function call turn": gemini({ contents: [geminiCall[0], geminiCall[2]] }),
    "missing a thought_signature": gemini({ contents: history.gemini({ output: "18" }, {}) }),
    "Corrupted thought signature": gemini({
      contents: history.gemini({ output: "18" }, { thoughtSignature: "aw1.anthropic.x" }),
    }),
    "only when function calling mode is ANY": gemini({
      tools: [FUNCTION.gemini],
      toolConfig: { functionCallingConfig: { mode: "AUTO", allowedFunctionNames: ["f"] } },
    }),
  },
  responses: {
    "Unknown parameter: 'messages'": responses({ messages: [] }),
    "begins with 'conv'": responses({ conversation: "thread-1" }),
    "begins with 'msg'": responses({
      input: [{ type: "message", id: "u1", role: "user", content: "hi" }],
    }),
    "'input[0].call_id'": responses({
      input: [{ type: "function_call", call_id: "", name: "f", arguments: "{}" }],
    }),
    "No tool output found for function call c1": responses({ input: responsesCall.slice(0, 2) }),
    "No tool call found": responses({ input: [responsesCall[0], responsesCall[2]] }),
    "without its required following item": responses({
      input: [{ role: "user", content: "hi" }, reasoning, { role: "user", content: "and?" }],
    }),
    "array too long": responses({
      input: [{ ...reasoning, content: [{ type: "reasoning_text", text: "t" }] }, answer],
    }),
    "could not be verified": responses({
      input: [{ ...reasoning, encrypted_content: "aw1.anthropic.x" }, answer],
    }),
    "Items are not persisted": responses({
      store: false,
      input: [{ ...reasoning, encrypted_content: undefined }, answer],
    }),
    "Supported values are: 'output_text'": responses({
      input: [{ role: "assistant", content: [{ type: "input_text", text: "hi" }] }],
    }),
    "'input[0].reasoning'": responses({ input: [{ type: "configuration_update" }] }),
    "'tools[0].name'": responses({ tools: [{ type: "function", function: { name: "f" } }] }),
    "'text.format.schema'": responses({ text: { format: { type: "json_schema", name: "a" } } }),
  },
  interactions: {
    "Exactly one of model and agent": interactions({ agent: "deep-research" }),
    'Unknown name "messages"': interactions({ messages: [] }),
    "Unknown name \"topK\" at 'generation_config'": interactions({
      generation_config: { topK: 1 },
    }),
    "input is not specified": interactions({ input: [] }),
    "Interaction v1_a is not found": interactions({ previous_interaction_id: "v1_a" }),
    'Unknown value "message"': interactions({ input: [{ type: "message" }] }),
    "input[0].content must not be empty": interactions({
      input: [{ type: "user_input", content: [] }],
    }),
    "a text must not be empty": interactions({ input: "" }),
    "mime_type is required": interactions({ input: [{ type: "image", data: "AA==" }] }),
    "data or uri is required": interactions({ input: [{ type: "image" }] }),
    "has no function_result": interactions({ input: [asked, interactionsCall] }),
    "no function_call with the id c1": interactions({
      input: [asked, { type: "function_result", call_id: "c1", result: "18" }],
    }),
    "input[1].arguments": interactions({
      input: [asked, { ...interactionsCall, arguments: "{}" }],
    }),
    "input[2].result": interactions({
      input: [asked, interactionsCall, { type: "function_result", call_id: "c1", result: 18 }],
    }),
    'Unknown value "web_search"': interactions({ tools: [{ type: "web_search" }] }),
    "Invalid function name": interactions({ tools: [{ ...FUNCTION.interactions, name: "a b" }] }),
    "Unknown tool choice required": interactions({
      generation_config: { tool_choice: "required" },
    }),
    "Allowed function name g is not in tools": interactions({
      tools: [FUNCTION.interactions],
      generation_config: { tool_choice: { allowed_tools: { mode: "any", tools: ["g"] } } },
    }),
  },
};

for (const protocol of JUDGED) {
  describe(protocol, () => {
    test("accepts a plain request", () =>
      assert.equal(invalidity(protocol, BASE[protocol]), undefined));

    for (const [words, request] of Object.entries(REFUSED[protocol])) {
      test(`refuses: ${words}`, () =>
        assert.ok(invalidity(protocol, request)?.includes(words), invalidity(protocol, request)));
    }
  });
}

test("state of another provider is refused", () => {
  const messages = [
    { role: "user", content: "hi" },
    { role: "assistant", content: [{ type: "thinking", thinking: "t", signature: "SIG1" }] },
    { role: "user", content: "and?" },
  ];
  assert.equal(invalidity("anthropic", anthropic({ messages })), undefined);
  assert.match(invalidity("anthropic", anthropic({ messages }), "gemini"), /Invalid `signature`/);
});
