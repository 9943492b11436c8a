// Items of OpenAI Responses besides messages and functions, and a request of Codex.
import { PNG, responses } from "./requests.mjs";
import { has } from "./match.mjs";

const DONE = {
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text: "done" }],
};

/**
 * An item in the history, and the text that all models can be told; without one it has to be left
 * out, with a note.
 */
const item = (name, value, { told, ofProvider, output = [] } = {}) => {
  const others = told === undefined ? null : has(told);
  return {
    topic: `item ${name}`,
    ofProvider,
    sources: {
      responses: responses({
        input: [
          { role: "user", content: "hi" },
          value,
          ...output,
          DONE,
          { role: "user", content: "and?" },
        ],
      }),
    },
    targets: {
      responses: { input: [{ role: "user" }, value, { role: "assistant" }] },
      chat: others,
      anthropic: others,
      gemini: others,
    },
  };
};

export default [
  item(
    "reasoning with encrypted_content",
    {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "t" }],
      encrypted_content: "gAAA",
    },
    { ofProvider: "gAAA" },
  ),
  item("web_search_call", {
    type: "web_search_call",
    id: "ws_1",
    status: "completed",
    action: { type: "search", query: "q" },
  }),
  item(
    "local_shell_call",
    {
      type: "local_shell_call",
      id: "lsh_1",
      call_id: "c1",
      status: "completed",
      action: { type: "exec", command: ["ls"], env: {} },
    },
    { told: "ls", output: [{ type: "local_shell_call_output", id: "c1", output: "a" }] },
  ),
  item(
    "shell_call",
    {
      type: "shell_call",
      id: "sh_1",
      call_id: "c1",
      status: "completed",
      action: { commands: ["ls"] },
    },
    {
      told: "ls",
      output: [
        {
          type: "shell_call_output",
          call_id: "c1",
          output: [{ stdout: "a", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
        },
      ],
    },
  ),
  item(
    "apply_patch_call",
    {
      type: "apply_patch_call",
      id: "apc_1",
      call_id: "c1",
      status: "completed",
      operation: { type: "delete_file", path: "a.rs" },
    },
    {
      told: "a.rs",
      output: [{ type: "apply_patch_call_output", call_id: "c1", status: "completed" }],
    },
  ),
  item(
    "mcp_call",
    {
      type: "mcp_call",
      id: "mcp_1",
      server_label: "s",
      name: "find",
      arguments: "{}",
      output: "found",
    },
    { told: "found" },
  ),
  item("mcp_list_tools", { type: "mcp_list_tools", id: "mcpl_1", server_label: "s", tools: [] }),
  item("code_interpreter_call", {
    type: "code_interpreter_call",
    id: "ci_1",
    container_id: "cntr_1",
    status: "completed",
    code: "1+1",
    outputs: null,
  }),
  item("image_generation_call", {
    type: "image_generation_call",
    id: "ig_1",
    status: "completed",
    result: PNG,
  }),
  item(
    "compaction",
    { type: "compaction", id: "cmp_1", encrypted_content: "gAAA" },
    { ofProvider: "gAAA" },
  ),
  item("configuration_update", {
    type: "configuration_update",
    reasoning: { effort: "high" },
    text: { format: { type: "text" } },
  }),
  item("item_reference", { type: "item_reference", id: "msg_1" }, { ofProvider: "msg_1" }),
  item(
    "message with phase",
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      phase: "commentary",
      content: [{ type: "output_text", text: "One moment." }],
    },
    { told: "One moment." },
  ),
  item(
    "message with annotations",
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      content: [
        {
          type: "output_text",
          text: "See [1].",
          annotations: [
            { type: "url_citation", url: "https://a", title: "A", start_index: 4, end_index: 7 },
          ],
        },
      ],
    },
    { told: "See [1]." },
  ),
  {
    topic: "previous_response_id",
    ofProvider: "resp_1",
    sources: { responses: responses({ previous_response_id: "resp_1" }) },
    targets: {
      responses: { previous_response_id: "resp_1" },
      chat: null,
      anthropic: null,
      gemini: null,
    },
  },
  {
    topic: "a request of Codex",
    sources: {
      responses: {
        model: "gpt-5.3-codex",
        instructions: "You are Codex",
        input: [
          {
            type: "message",
            role: "developer",
            content: [{ type: "input_text", text: "<permissions>" }],
          },
          { type: "message", role: "user", content: [{ type: "input_text", text: "fix it" }] },
          { type: "reasoning", summary: [], encrypted_content: "gAAAA-codex" },
          {
            type: "message",
            role: "assistant",
            phase: "commentary",
            content: [{ type: "output_text", text: "I look." }],
          },
          {
            type: "function_call",
            name: "shell_command",
            arguments: '{"command":"ls"}',
            call_id: "call_1",
          },
          {
            type: "function_call_output",
            call_id: "call_1",
            output: [
              { type: "input_text", text: "a.rs" },
              { type: "input_image", image_url: `data:image/png;base64,${PNG}` },
            ],
          },
          {
            type: "custom_tool_call",
            status: "completed",
            call_id: "call_2",
            name: "apply_patch",
            input: "*** Begin Patch",
          },
          { type: "custom_tool_call_output", call_id: "call_2", output: "Done" },
          { type: "web_search_call", status: "completed", action: { type: "search", query: "q" } },
          {
            type: "message",
            role: "assistant",
            phase: "final_answer",
            content: [{ type: "output_text", text: "Done." }],
          },
          { type: "message", role: "user", content: [{ type: "input_text", text: "and tests?" }] },
        ],
        tools: [
          {
            type: "function",
            name: "shell_command",
            description: "d",
            strict: false,
            parameters: {
              type: "object",
              properties: { command: { type: "string" } },
              required: ["command"],
              additionalProperties: false,
            },
          },
          {
            type: "custom",
            name: "apply_patch",
            description: "d",
            format: { type: "grammar", syntax: "lark", definition: "x" },
          },
          { type: "web_search", external_web_access: false },
          {
            type: "namespace",
            name: "mcp__files",
            description: "d",
            tools: [
              {
                type: "function",
                name: "read",
                description: "d",
                strict: false,
                parameters: { type: "object", properties: {} },
              },
            ],
          },
        ],
        tool_choice: "auto",
        parallel_tool_calls: true,
        reasoning: { effort: "medium", summary: "auto" },
        store: false,
        stream: true,
        include: ["reasoning.encrypted_content"],
        prompt_cache_key: "thread",
        text: { verbosity: "low" },
        service_tier: "priority",
      },
    },
    targets: {
      responses: {
        $all: [
          has("gAAAA-codex", PNG, "commentary", "web_search_call", "*** Begin Patch"),
          { input: { $lacks: ['"call_id":""'] } },
        ],
      },
      chat: has("*** Begin Patch", '"apply_patch"', "read"),
      anthropic: has(PNG, "*** Begin Patch", '"apply_patch"', "read"),
      gemini: has(PNG, "*** Begin Patch", '"apply_patch"', "read"),
    },
  },
];
