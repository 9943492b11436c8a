// Declarations of tools, and calls of those that are no functions.
import {
  FUNCTION,
  PARAMETERS,
  agUi,
  aiSdk,
  anthropic,
  chat,
  gemini,
  later,
  responses,
} from "./requests.mjs";
import { has } from "./match.mjs";

const PATCH = "*** Begin Patch";
const GRAMMAR = { type: "grammar", syntax: "lark", definition: "start: /.+/" };
const LONG =
  "a_name_of_a_tool_that_is_longer_than_sixty_four_characters_as_some_servers_of_mcp_have";
const described = (more) => ({ ...FUNCTION.chat.function, ...more });

/** Requests with one tool. */
const offers = {
  responses: (tool) => responses({ tools: [tool] }),
  chat: (more) => chat({ tools: [{ type: "function", function: described(more) }] }),
  anthropic: (tool) => anthropic({ tools: [tool] }),
  gemini: (declaration) => gemini({ tools: [{ functionDeclarations: [declaration] }] }),
};

/** A tool of the server of Responses, and what the other APIs have for it. */
const hosted = (name, tool, targets) => ({
  topic: `tool of the server: ${name}`,
  sources: { responses: offers.responses(tool) },
  targets: { responses: { tools: [tool] }, chat: null, anthropic: null, gemini: null, ...targets },
});

export default [
  {
    topic: "strict function",
    sources: {
      responses: offers.responses({ ...FUNCTION.responses, strict: true }),
      chat: offers.chat({ strict: true }),
      anthropic: offers.anthropic({ ...FUNCTION.anthropic, strict: true }),
    },
    targets: {
      responses: { tools: [{ strict: true }] },
      chat: { tools: [{ function: { strict: true } }] },
      anthropic: { tools: [{ strict: true }] },
      gemini: null,
    },
  },
  {
    topic: "function that is not strict",
    sources: {
      chat: offers.chat(),
      anthropic: offers.anthropic(FUNCTION.anthropic),
      gemini: gemini({ tools: [FUNCTION.gemini] }),
      "ag-ui": agUi({
        tools: [
          {
            name: "f",
            description: "d",
            parameters: { type: "object", properties: { a: { type: "string" } } },
          },
        ],
      }),
    },
    // Without `strict`, functions of Responses are strict and those of all others are not: the
    // model then fills every optional property. github.com/open-webui/open-webui/pull/30046,
    // github.com/langchain-ai/langchain/pull/39309.
    targets: { responses: { tools: [{ strict: false }] } },
  },
  {
    topic: "function of Responses that does not state whether it is strict",
    sources: { responses: offers.responses(FUNCTION.responses) },
    targets: { responses: { tools: [{ name: "f", strict: undefined }] } },
  },
  {
    topic: "function without parameters",
    sources: {
      responses: offers.responses({
        type: "function",
        name: "now",
        parameters: null,
        strict: false,
      }),
      chat: chat({ tools: [{ type: "function", function: { name: "now" } }] }),
      gemini: offers.gemini({ name: "now", description: "d" }),
      "ag-ui": agUi({ tools: [{ name: "now", description: "d", parameters: {} }] }),
    },
    targets: {
      responses: { tools: [{ name: "now" }] },
      chat: { tools: [{ function: { name: "now" } }] },
      anthropic: { tools: [{ name: "now" }] },
      gemini: has('"now"'),
    },
  },
  {
    topic: "schema in the dialect of Gemini",
    sources: {
      gemini: offers.gemini({
        name: "f",
        parameters: {
          type: "OBJECT",
          properties: { city: { type: "STRING", nullable: true } },
          required: ["city"],
        },
      }),
    },
    targets: {
      responses: {
        tools: [{ parameters: { type: "object", properties: { city: { $has: ["string"] } } } }],
      },
      chat: {
        tools: [
          {
            function: {
              parameters: { type: "object", properties: { city: { $has: ["string"] } } },
            },
          },
        ],
      },
      anthropic: {
        tools: [{ input_schema: { type: "object", properties: { city: { $has: ["string"] } } } }],
      },
      gemini: has('"f"', "city"),
    },
  },
  {
    topic: "long name of a tool",
    sources: {
      anthropic: offers.anthropic({ name: LONG, input_schema: PARAMETERS }),
      "ag-ui": agUi({ tools: [{ name: LONG, description: "d", parameters: PARAMETERS }] }),
    },
    targets: {
      responses: has(LONG.slice(0, 40)),
      chat: has(LONG.slice(0, 40)),
      anthropic: has(LONG),
      gemini: has(LONG.slice(0, 40)),
    },
  },
  {
    topic: "name of a tool with a dot",
    sources: {
      gemini: offers.gemini({ name: "files.read", parametersJsonSchema: PARAMETERS }),
      "ag-ui": agUi({ tools: [{ name: "files.read", description: "d", parameters: PARAMETERS }] }),
    },
    targets: {
      responses: has("files"),
      chat: has("files"),
      anthropic: has("files"),
      gemini: has("files"),
    },
  },
  {
    topic: "custom tool with a grammar",
    sources: {
      responses: offers.responses({
        type: "custom",
        name: "apply_patch",
        description: "d",
        format: GRAMMAR,
      }),
      chat: chat({
        tools: [
          {
            type: "custom",
            custom: {
              name: "apply_patch",
              description: "d",
              format: { type: "grammar", grammar: { syntax: "lark", definition: "start: /.+/" } },
            },
          },
        ],
      }),
    },
    targets: {
      responses: { tools: [{ type: "custom", name: "apply_patch", format: GRAMMAR }] },
      chat: {
        tools: [
          {
            type: "custom",
            custom: {
              name: "apply_patch",
              format: { type: "grammar", grammar: { definition: "start: /.+/" } },
            },
          },
        ],
      },
      anthropic: { tools: [{ name: "apply_patch", input_schema: { type: "object" } }] },
      gemini: has('"apply_patch"'),
    },
  },
  {
    topic: "call of a custom tool",
    sources: {
      responses: responses({
        tools: [{ type: "custom", name: "apply_patch" }],
        input: later.responses([
          { role: "user", content: "hi" },
          { type: "custom_tool_call", call_id: "c1", name: "apply_patch", input: PATCH },
          { type: "custom_tool_call_output", call_id: "c1", output: "ok" },
        ]),
      }),
      chat: chat({
        tools: [{ type: "custom", custom: { name: "apply_patch" } }],
        messages: later.chat([
          { role: "user", content: "hi" },
          {
            role: "assistant",
            content: null,
            tool_calls: [
              { id: "c1", type: "custom", custom: { name: "apply_patch", input: PATCH } },
            ],
          },
          { role: "tool", tool_call_id: "c1", content: "ok" },
        ]),
      }),
    },
    targets: {
      responses: {
        input: [{ type: "custom_tool_call", input: PATCH }, { type: "custom_tool_call_output" }],
      },
      chat: { messages: [{ tool_calls: [{ $has: [PATCH] }] }, { role: "tool" }] },
      anthropic: { messages: [{ content: [{ type: "tool_use", input: { $has: [PATCH] } }] }] },
      gemini: { contents: [{ parts: [{ functionCall: { args: { $has: [PATCH] } } }] }] },
    },
  },
  hosted(
    "web search",
    { type: "web_search" },
    { anthropic: has("web_search_2"), gemini: { tools: [{ googleSearch: { $any: true } }] } },
  ),
  hosted(
    "web search of some domains",
    { type: "web_search", filters: { allowed_domains: ["example.com"] } },
    { anthropic: { tools: [{ allowed_domains: ["example.com"] }] } },
  ),
  hosted(
    "MCP server",
    { type: "mcp", server_label: "s", server_url: "https://a/mcp", require_approval: "never" },
    {
      anthropic: {
        mcp_servers: [{ url: "https://a/mcp", name: "s" }],
        tools: [{ type: "mcp_toolset", mcp_server_name: "s" }],
      },
    },
  ),
  hosted("local_shell", { type: "local_shell" }),
  hosted(
    "code_interpreter",
    { type: "code_interpreter", container: { type: "auto" } },
    { anthropic: has("code_execution_2"), gemini: { tools: [{ codeExecution: { $any: true } }] } },
  ),
  hosted(
    "namespace",
    {
      type: "namespace",
      name: "files",
      description: "d",
      tools: [{ type: "function", name: "read", description: "d", parameters: PARAMETERS }],
    },
    {
      chat: { tools: [{ function: { name: { $has: ["read"] } } }] },
      anthropic: { tools: [{ name: { $has: ["read"] } }] },
      gemini: has("read"),
    },
  ),
  {
    topic: "tool of the server: Anthropic's web search",
    sources: {
      anthropic: offers.anthropic({ type: "web_search_20250305", name: "web_search", max_uses: 3 }),
    },
    targets: {
      responses: { tools: [{ type: "web_search" }] },
      chat: null,
      anthropic: { tools: [{ type: "web_search_20250305", max_uses: 3 }] },
      gemini: { tools: [{ googleSearch: { $any: true } }] },
    },
  },
  {
    topic: "tool of the server: Google search",
    sources: { gemini: gemini({ tools: [{ googleSearch: {} }] }) },
    targets: {
      responses: { tools: [{ type: "web_search" }] },
      chat: null,
      anthropic: has("web_search_2"),
      gemini: { tools: [{ googleSearch: { $any: true } }] },
    },
  },
  {
    topic: "tools of the AI SDK's body",
    sources: {
      "ai-sdk": aiSdk(undefined, { tools: [{ type: "function", function: described() }] }),
    },
    targets: {
      responses: { tools: [{ name: "f", parameters: PARAMETERS }] },
      chat: { tools: [{ function: { name: "f" } }] },
      anthropic: { tools: [{ name: "f" }] },
      gemini: has('"f"'),
    },
  },
];
