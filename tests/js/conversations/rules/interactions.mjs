// What the Interactions API refuses: members that the types of `@google/genai` 3.3.0 do not have
// (servers of Google refuse unknown names, as in gemini.mjs), calls without results, and signatures
// that the server has not issued.
import { CORRUPTED, isSignature } from "./chat_dialects.mjs";
import { refuse } from "./refusal.mjs";

const REQUEST = names(
  `model agent agent_config background cached_content continuation_token environment generation_config input labels previous_interaction_id
  response_format response_mime_type response_modalities safety_settings service_tier store stream system_instruction tools webhook_config`,
);
const CONFIG = names(
  `image_config max_output_tokens seed speech_config stop_sequences temperature thinking_level thinking_summaries tool_choice top_p
  transcription_config video_config`,
);
const MEDIA = "data mime_type uri";
const CONTENTS = {
  text: names("type text annotations"),
  image: names(`type resolution ${MEDIA}`),
  audio: names(`type channels sample_rate rate ${MEDIA}`),
  video: names(`type name processing resolution ${MEDIA}`),
  document: names(`type ${MEDIA}`),
};
const SERVER = ["code_execution", "file_search", "google_maps", "google_search", "url_context"];
const STEPS = {
  user_input: names("type content"),
  model_output: names("type content error"),
  thought: names("type signature summary"),
  function_call: names("type id name arguments signature"),
  function_result: names("type call_id name result is_error signature"),
  mcp_server_tool_call: names("type id name server_name arguments"),
  mcp_server_tool_result: names("type call_id name server_name result"),
  ...Object.fromEntries(
    SERVER.flatMap((tool) => [
      [`${tool}_call`, names("type id arguments signature search_type")],
      [`${tool}_result`, names("type call_id result is_error signature")],
    ]),
  ),
};
const TOOLS = {
  function: names("type name description parameters"),
  google_search: names("type search_types"),
  code_execution: names("type"),
  url_context: names("type"),
  google_maps: names("type enable_widget latitude longitude"),
  mcp_server: names("type name url headers allowed_tools"),
};

/** Validates a request. `state` is what the model accepts as its own. */
export function interactionsRules(body, { state, stored = new Map() }) {
  mustKnow(body, REQUEST, "");
  mustKnow(body.generation_config ?? {}, CONFIG, " at 'generation_config'");
  refuse(!body.model === !body.agent, "Exactly one of model and agent must be set.");
  ofTools(body);
  const { previous_interaction_id: previous } = body;
  refuse(previous && !stored.has(previous), `Interaction ${previous} is not found.`, {
    status: 404,
  });
  const given = stepsOf(body);
  refuse(given.length === 0 && !body.continuation_token, "input is not specified");
  for (const [at, step] of given.entries()) ofStep(step, `input[${at}]`, state);
  ofResults([...(stored.get(previous) ?? []), ...given]);
}

/** The steps of the input of a request. */
export function stepsOf({ input }) {
  const list = Array.isArray(input) ? input : input === undefined ? [] : [input];
  const isContent = (value) => typeof value === "string" || value.type in CONTENTS;
  const content = list.map((value) =>
    typeof value === "string" ? { type: "text", text: value } : value,
  );
  return list.length > 0 && list.every(isContent) ? [{ type: "user_input", content }] : list;
}

function ofStep(step, path, state) {
  const known = STEPS[step.type];
  refuse(!known, `Unknown value "${step.type}" at '${path}.type'.`);
  mustKnow(step, known, ` at '${path}'`);
  const lists = { user_input: step.content, model_output: step.content, thought: step.summary };
  const list = lists[step.type] ?? [];
  refuse(!Array.isArray(list), `Invalid value at '${path}.content'.`);
  for (const [at, content] of list.entries()) ofContent(content, `${path}.content[${at}]`);
  refuse(
    ["user_input", "model_output"].includes(step.type) && !(step.content?.length > 0),
    `${path}.content must not be empty.`,
  );
  refuse(step.signature && !isSignature(step.signature, state), CORRUPTED);
  if (step.type === "function_call") {
    refuse(!isObject(step.arguments), `Invalid value at '${path}.arguments' (Struct).`);
    refuse(!step.id || !step.name, `${path}: id and name are required.`);
  }
  if (step.type === "function_result") {
    const { result } = step;
    const isKnown = typeof result === "string" || isObject(result) || Array.isArray(result);
    refuse(!isKnown, `Invalid value at '${path}.result'.`);
    if (Array.isArray(result))
      for (const [at, content] of result.entries()) ofContent(content, `${path}.result[${at}]`);
  }
}

function ofContent(content, path) {
  const known = CONTENTS[content.type];
  refuse(!known, `Unknown value "${content.type}" at '${path}.type'.`);
  mustKnow(content, known, ` at '${path}'`);
  refuse(content.type === "text" && !content.text, `${path}: a text must not be empty.`);
  refuse(
    content.type !== "text" && !content.data && !content.uri,
    `${path}: data or uri is required.`,
  );
  refuse(content.data && !content.mime_type, `${path}: mime_type is required.`);
}

function ofTools({ tools = [], generation_config: { tool_choice: choice } = {} }) {
  const functions = tools.filter(({ type }) => type === "function").map(({ name }) => name);
  for (const [at, tool] of tools.entries()) {
    const known = TOOLS[tool.type];
    refuse(!known, `Unknown value "${tool.type}" at 'tools[${at}].type'.`);
    mustKnow(tool, known, ` at 'tools[${at}]'`);
    const isNamed = tool.type !== "function" || /^[a-zA-Z_][\w.:-]{0,63}$/.test(tool.name);
    refuse(!isNamed, `tools[${at}].name: Invalid function name.`);
  }
  const modes = ["auto", "any", "none", "validated"];
  const { mode = choice, tools: allowed = [] } = choice?.allowed_tools ?? {};
  refuse(mode !== undefined && !modes.includes(mode), `Unknown tool choice ${mode}.`);
  const other = allowed.find((name) => !functions.includes(name));
  refuse(other, `Allowed function name ${other} is not in tools.`);
}

/** Every call has a result before the next input, and every result a call. */
function ofResults(steps) {
  let waiting = [];
  for (const step of steps) {
    if (step.type === "function_call") waiting.push(step.id);
    else if (step.type === "function_result") {
      refuse(
        !waiting.includes(step.call_id),
        `function_result: no function_call with the id ${step.call_id}.`,
      );
      waiting = waiting.filter((id) => id !== step.call_id);
    } else if (step.type === "user_input") {
      refuse(waiting.length > 0, `function_call ${waiting[0]} has no function_result.`);
    }
  }
  refuse(waiting.length > 0, `function_call ${waiting[0]} has no function_result.`);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function mustKnow(object, known, place) {
  const unknown = Object.keys(object).find((name) => !known.has(name));
  refuse(
    unknown,
    `Invalid JSON payload received. Unknown name "${unknown}"${place}: Cannot find field.`,
  );
}

function names(text) {
  return new Set(text.split(/\s+/));
}
