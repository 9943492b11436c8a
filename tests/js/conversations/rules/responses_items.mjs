// What the API of OpenAI Responses refuses in an item of the input.
import { ofFile } from "./chat.mjs";
import { refuse } from "./refusal.mjs";

/** The calls that the client runs, and their outputs. */
export const CALLS = new Set(
  "function_call custom_tool_call local_shell_call shell_call apply_patch_call computer_call".split(
    " ",
  ),
);
export const OUTPUTS = new Set([...CALLS].map((type) => `${type}_output`));

/** The items of a model besides its messages. */
export const SAID = new Set([
  ...CALLS,
  ...`reasoning web_search_call file_search_call code_interpreter_call image_generation_call mcp_call mcp_list_tools mcp_approval_request
  tool_search_call program compaction configuration_update`.split(/\s+/),
]);

/**
 * The required members of items by their types, from the types of the official client
 * (`ResponseInputItem`).
 */
const REQUIRED = {
  message: ["role", "content"],
  reasoning: ["summary"],
  function_call: ["call_id", "name", "arguments"],
  function_call_output: ["call_id", "output"],
  custom_tool_call: ["call_id", "name", "input"],
  custom_tool_call_output: ["call_id", "output"],
  local_shell_call: ["call_id", "action", "status"],
  local_shell_call_output: ["output"],
  shell_call: ["call_id", "action"],
  shell_call_output: ["call_id", "output"],
  apply_patch_call: ["call_id", "operation"],
  apply_patch_call_output: ["call_id", "status"],
  web_search_call: ["status"],
  file_search_call: ["queries", "status"],
  code_interpreter_call: ["container_id", "status"],
  image_generation_call: ["status"],
  computer_call: ["call_id", "status"],
  computer_call_output: ["call_id", "output"],
  mcp_call: ["name", "arguments", "server_label"],
  mcp_list_tools: ["server_label", "tools"],
  mcp_approval_request: ["name", "arguments", "server_label"],
  mcp_approval_response: ["approval_request_id", "approve"],
  tool_search_call: ["arguments"],
  tool_search_output: ["tools"],
  additional_tools: ["role", "tools"],
  program: ["call_id", "code"],
  program_output: ["call_id", "result"],
  item_reference: ["id"],
  compaction: ["encrypted_content"],
  compaction_trigger: [],
  // `ResponseConfigurationUpdateItemParam` of `openai` 7.59.0.
  configuration_update: [],
};

/** The beginnings of ids, by the types of items. */
const PREFIX = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
  custom_tool_call: "ctc",
  web_search_call: "ws",
};

/** The types of content of a message, by its role. */
const CONTENT = {
  user: ["input_text", "input_image", "input_file", "input_audio"],
  system: ["input_text", "input_image", "input_file"],
  assistant: ["output_text", "refusal"],
};

/** Validates an item at a path. */
export function itemRules(item, path) {
  const { type = "message", id, call_id: callId } = item;
  const required = REQUIRED[type];
  refuse(
    !required,
    `Invalid value: '${type}'. Supported values are: 'message', 'reasoning', 'function_call', ….`,
    { param: path },
  );
  const missing = required.find(
    (name) => item[name] === undefined || (name === "call_id" && item[name] === ""),
  );
  refuse(missing, `Missing required parameter: '${path}.${missing}'.`, {
    param: `${path}.${missing}`,
    code: "missing_required_parameter",
  });
  const long = (name, value) =>
    `Invalid '${path}.${name}': string too long. Expected a string with maximum length 64, but got a string with length ${value?.length} instead.`;
  refuse(id?.length > 64, long("id", id));
  refuse(callId?.length > 64, long("call_id", callId));
  const prefix = PREFIX[type];
  const isForeign = id && prefix && !id.startsWith(`${prefix}_`);
  const expected = `Invalid '${path}.id': '${id}'. Expected an ID that begins with '${prefix}'.`;
  refuse(isForeign, expected, { param: `${path}.id`, code: "invalid_value" });
  // "Supply reasoning, text, or both."
  const isEmpty = type === "configuration_update" && !item.reasoning && !item.text;
  refuse(isEmpty, `Missing required parameter: '${path}.reasoning'.`, {
    param: `${path}.reasoning`,
    code: "missing_required_parameter",
  });
  if (type === "message") ofMessage(item, path);
}

function ofMessage({ role, content }, path) {
  const allowed = CONTENT[role === "developer" ? "system" : role];
  refuse(
    !allowed,
    `Invalid value: '${role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`,
    { param: `${path}.role` },
  );
  if (!Array.isArray(content)) return;
  for (const [at, part] of content.entries()) {
    const place = `${path}.content[${at}]`;
    const supported = `Invalid value: '${part.type}'. Supported values are: ${allowed.map((name) => `'${name}'`).join(", ")}.`;
    refuse(!allowed.includes(part.type), supported, { param: place, code: "invalid_value" });
    const { type, image_url: image, file_id: file, file_url: url, file_data: data } = part;
    refuse(
      type === "input_image" && !image && !file,
      `Missing required parameter: '${place}.image_url'.`,
    );
    if (type !== "input_file" || url) continue;
    refuse(!file && !data, `Missing required parameter: '${place}.file_id'.`);
    ofFile(part, place);
  }
}
