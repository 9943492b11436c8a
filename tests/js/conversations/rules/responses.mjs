// What the API of OpenAI Responses refuses in a request. The items are in responses_items.mjs.
import { refuse } from "./refusal.mjs";
import { CALLS, OUTPUTS, SAID, itemRules } from "./responses_items.mjs";

/**
 * The parameters of the reference of `POST /responses`, and `client_metadata`, which Codex sends to
 * any server.
 */
const PARAMETERS = new Set(
  `background background_options client_metadata context_management conversation include input instructions max_output_tokens max_tool_calls metadata model moderation
  parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier
  service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user`.split(
    /\s+/,
  ),
);

/**
 * Validates a request. `state` is what the model accepts as its own; `stored` are the items of the
 * responses that the server stores, by their ids, or undefined if nothing is known about them.
 */
export function responsesRules(body, { state, stored }) {
  const unknown = Object.keys(body).find((name) => !PARAMETERS.has(name));
  refuse(unknown, `Unknown parameter: '${unknown}'.`, {
    param: unknown,
    code: "unknown_parameter",
  });
  refuse(!body.model, "Missing required parameter: 'model'.", {
    param: "model",
    code: "missing_required_parameter",
  });
  const { previous_response_id: previous, conversation } = body;
  ofConversation(conversation?.id ?? conversation);
  const isUnknown = previous && stored !== undefined && !stored.has(previous);
  const missing = { param: "previous_response_id", code: "previous_response_not_found" };
  refuse(isUnknown, `Previous response with id '${previous}' not found.`, missing);
  const input = [...(stored?.get(previous) ?? []), ...inputOf(body)];
  refuse(input.length === 0, "Missing required parameter: 'input'.", {
    param: "input",
    code: "missing_required_parameter",
  });
  for (const [at, item] of input.entries()) {
    itemRules(item, `input[${at}]`);
    if (item.type === "reasoning") ofReasoning(item, at, input, { body, state });
  }
  ofPairs(input, Boolean(previous ?? conversation));
  ofTools(body);
  const { format } = body.text ?? {};
  refuse(
    format?.type === "json_schema" && !format.schema,
    "Missing required parameter: 'text.format.schema'.",
  );
  refuse(
    format?.type === "json_schema" && !format.name,
    "Missing required parameter: 'text.format.name'.",
  );
  refuse(
    body.temperature > 2,
    "Invalid 'temperature': decimal above maximum value. Expected a value <= 2.",
  );
}

/** Returns the input of a request as items. */
export const inputOf = ({ input }) =>
  typeof input === "string" ? [{ type: "message", role: "user", content: input }] : (input ?? []);

/**
 * "OpenAI also checks for the conversation id format first":
 * github.com/sgl-project/sglang/pull/12299.
 */
function ofConversation(id) {
  const expected = `Invalid 'conversation': '${id}'. Expected an ID that begins with 'conv'.`;
  refuse(id && !id.startsWith("conv"), expected, { param: "conversation", code: "invalid_value" });
}

/**
 * The words of the required following item are those of github.com/coder/xum/pull/59, of items that
 * are not persisted github.com/openai/openai-agents-js/issues/546, of the content of reasoning
 * github.com/musistudio/claude-code-router/issues/1783, of encrypted content
 * github.com/Wei-Shaw/sub2api/issues/3138.
 */
function ofReasoning(
  { id, content, summary, encrypted_content: encrypted },
  at,
  input,
  { body, state },
) {
  const path = `input[${at}]`;
  const required = { param: `${path}.summary`, code: "missing_required_parameter" };
  refuse(summary === undefined, `Missing required parameter: '${path}.summary'.`, required);
  const long = `Invalid '${path}.content': array too long. Expected an array with maximum length 0, but got an array with length ${content?.length} instead.`;
  refuse(content?.length > 0, long, { param: `${path}.content`, code: "array_above_max_length" });
  const broken =
    "could not be verified. Reason: Encrypted content could not be decrypted or parsed.";
  const isBroken = encrypted && !state.has(encrypted);
  refuse(isBroken, `The encrypted content ${encrypted?.slice(0, 8)}... ${broken}`, {
    code: "invalid_encrypted_content",
  });
  const isStored = body.store !== false && state.has(id);
  const persisted =
    " Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.";
  const status = body.store === false ? 404 : 400;
  refuse(
    !encrypted && !isStored,
    `Item with id '${id}' not found.${status === 404 ? persisted : ""}`,
    { status, param: "input" },
  );
  const next = input[at + 1];
  const isMessage = next && (next.type ?? "message") === "message" && next.role === "assistant";
  const follows = isMessage || SAID.has(next?.type);
  refuse(
    !follows,
    `Item '${id}' of type 'reasoning' was provided without its required following item.`,
    { param: "input" },
  );
}

/**
 * Each call that the client runs has its output, and each output its call; `isContinued`: the calls
 * may be on the server.
 */
function ofPairs(input, isContinued) {
  // The output of the local shell has the id of its call as `id` in the official types, and as
  // `call_id` in other clients.
  const idOf = ({ type, call_id: callId, id }) =>
    type === "local_shell_call_output" ? (callId ?? id) : callId;
  const calls = input.filter(({ type }) => CALLS.has(type)).map(idOf);
  const outputs = input.filter(({ type }) => OUTPUTS.has(type)).map(idOf);
  const orphan = outputs.find((id) => !calls.includes(id));
  refuse(
    orphan !== undefined && !isContinued,
    `No tool call found for function call output with call_id ${orphan}.`,
    { param: "input" },
  );
  const pending = calls.find((id) => !outputs.includes(id));
  refuse(pending !== undefined, `No tool output found for function call ${pending}.`, {
    param: "input",
  });
}

function ofTools({ tools = [], tool_choice: choice }) {
  for (const [at, { type, name }] of tools.entries()) {
    refuse(!type, `Missing required parameter: 'tools[${at}].type'.`);
    const isNamed = ["function", "custom", "namespace"].includes(type);
    refuse(isNamed && !name, `Missing required parameter: 'tools[${at}].name'.`);
    const pattern = `Invalid 'tools[${at}].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
    refuse(isNamed && !/^[a-zA-Z0-9_-]{1,64}$/.test(name), pattern);
  }
  if (choice === null || typeof choice !== "object") return;
  refuse(
    ["function", "custom"].includes(choice.type) && !choice.name,
    "Missing required parameter: 'tool_choice.name'.",
  );
  refuse(
    choice.type === "allowed_tools" && !choice.tools,
    "Missing required parameter: 'tool_choice.tools'.",
  );
}
