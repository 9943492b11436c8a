// Requests of each protocol without anything special, and functions that add members to them.

export const PNG = "iVBORw0KGgo=";
export const PDF = "JVBERi0xLjQK";
export const PARAMETERS = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

export const responses = (more) => ({
  model: "m",
  input: [{ role: "user", content: "hi" }],
  ...more,
});
export const chat = (more) => ({
  model: "m",
  messages: [{ role: "user", content: "hi" }],
  ...more,
});
export const anthropic = (more) => ({
  model: "m",
  max_tokens: 4096,
  messages: [{ role: "user", content: "hi" }],
  ...more,
});
export const gemini = (more) => ({
  contents: [{ role: "user", parts: [{ text: "hi" }] }],
  ...more,
});
export const interactions = (more) => ({
  model: "m",
  input: [{ type: "user_input", content: [{ type: "text", text: "hi" }] }],
  ...more,
});
export const agUi = (more) => ({
  threadId: "t",
  runId: "r",
  state: {},
  messages: [{ id: "u1", role: "user", content: "hi" }],
  tools: [],
  context: [],
  forwardedProps: {},
  ...more,
});
export const aiSdk = (parts = [{ type: "text", text: "hi" }], more) => ({
  id: "c",
  trigger: "submit-message",
  messages: [{ id: "u1", role: "user", parts }],
  ...more,
});
export const agentApi = (content = [{ type: "text", text: "hi" }]) => ({
  session_id: "s",
  input: [{ role: "user", type: "message", content }],
});
export const a2a = (parts = [{ text: "hi" }]) => ({
  message: { messageId: "m1", role: "ROLE_USER", parts },
});

/** The requests without anything special, by their protocols. */
export const BASE = {
  responses: responses(),
  chat: chat(),
  anthropic: anthropic(),
  gemini: gemini(),
  interactions: interactions(),
  "ag-ui": agUi(),
  "ai-sdk": aiSdk(),
  "agent-api": agentApi(),
  a2a: a2a(),
};

/** The declaration of a function `f`, by the protocols of models. */
export const FUNCTION = {
  responses: { type: "function", name: "f", description: "d", parameters: PARAMETERS },
  chat: { type: "function", function: { name: "f", description: "d", parameters: PARAMETERS } },
  anthropic: { name: "f", description: "d", input_schema: PARAMETERS },
  gemini: {
    functionDeclarations: [{ name: "f", description: "d", parametersJsonSchema: PARAMETERS }],
  },
  interactions: { type: "function", name: "f", description: "d", parameters: PARAMETERS },
};

const WITH_TOOLS = {
  responses: (more) => responses({ tools: [FUNCTION.responses], ...more }),
  chat: (more) => chat({ tools: [FUNCTION.chat], ...more }),
  anthropic: (more) => anthropic({ tools: [FUNCTION.anthropic], ...more }),
  gemini: (more) => gemini({ tools: [FUNCTION.gemini], ...more }),
};

/** Requests with the function and more members, by their protocols. */
export const withTools = (members) =>
  Object.fromEntries(
    Object.entries(members).map(([protocol, more]) => [protocol, WITH_TOOLS[protocol](more)]),
  );

const CALLED = '{"city":"Oslo"}';

/** Histories with a call of `f` and its result. */
export const history = {
  responses: (output, more = {}) => [
    { role: "user", content: "hi" },
    { type: "function_call", call_id: "c1", name: "f", arguments: CALLED, ...more },
    { type: "function_call_output", call_id: "c1", output },
  ],
  chat: (content, call = {}, message = {}) => [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "c1", type: "function", function: { name: "f", arguments: CALLED }, ...call },
      ],
      ...message,
    },
    { role: "tool", tool_call_id: "c1", content },
  ],
  anthropic: (content, result = {}, before = []) => [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: [...before, { type: "tool_use", id: "c1", name: "f", input: JSON.parse(CALLED) }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content, ...result }] },
  ],
  gemini: (response, call = { thoughtSignature: "skip_thought_signature_validator" }) => [
    { role: "user", parts: [{ text: "hi" }] },
    { role: "model", parts: [{ functionCall: { name: "f", args: JSON.parse(CALLED) }, ...call }] },
    { role: "user", parts: [{ functionResponse: { name: "f", response } }] },
  ],
  "ag-ui": (result, call = {}, before = []) => [
    { id: "u1", role: "user", content: "hi" },
    ...before,
    {
      id: "a1",
      role: "assistant",
      toolCalls: [
        { id: "c1", type: "function", function: { name: "f", arguments: CALLED }, ...call },
      ],
    },
    { id: "t1", role: "tool", toolCallId: "c1", ...result },
  ],
};

/**
 * Histories that go on with an answer and a question, so that their calls are not those of the
 * current turn.
 */
export const later = {
  responses: (list) => [
    ...list,
    { role: "assistant", content: [{ type: "output_text", text: "done" }] },
    { role: "user", content: "and?" },
  ],
  chat: (list) => [
    ...list,
    { role: "assistant", content: "done" },
    { role: "user", content: "and?" },
  ],
  anthropic: (list) => [
    ...list,
    { role: "assistant", content: "done" },
    { role: "user", content: "and?" },
  ],
  gemini: (list) => [
    ...list,
    { role: "model", parts: [{ text: "done" }] },
    { role: "user", parts: [{ text: "and?" }] },
  ],
  "ag-ui": (list) => [
    ...list,
    { id: "a2", role: "assistant", content: "done" },
    { id: "u2", role: "user", content: "and?" },
  ],
};
