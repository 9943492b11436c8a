// What the API of Chat Completions refuses. The words are those of api.openai.com:
// github.com/microsoft/promptflow/pull/3130, github.com/miurla/morphic/issues/136,
// github.com/Abraxas-365/langchain-rust/pull/250.
import { OPENAI } from "./chat_dialects.mjs";
import { refuse } from "./refusal.mjs";

const ROLES = ["system", "assistant", "user", "function", "tool", "developer"];

/** The parameters of the reference of `POST /chat/completions`. OpenAI refuses any other. */
const PARAMETERS = new Set(
  `audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages metadata modalities model
  moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort
  response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user
  verbosity web_search_options`.split(/\s+/),
);

const listed = (names) => names.map((name) => `'${name}'`).join(", ");

/** Validates a request. `state` is what the model accepts as its own, `dialect` the server. */
export function chatRules(body, { state, dialect = OPENAI }) {
  const { model, messages, tools = [] } = body;
  refuse(!model, "you must provide a model parameter");
  const isEmpty = !Array.isArray(messages) || messages.length === 0;
  refuse(
    isEmpty,
    "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  );
  if (dialect === OPENAI) ofOpenAi(body);
  for (const [at, message] of messages.entries()) {
    ofMessage(message, at);
    ofContent(message, at);
    ofPairs(message, at, messages);
  }
  for (const [at, tool] of tools.entries()) ofTool(tool, at);
  ofToolChoice(body);
  const { response_format: format } = body;
  refuse(
    format && !["text", "json_object", "json_schema"].includes(format.type),
    `Invalid value: '${format?.type}'.`,
  );
  refuse(
    format?.type === "json_schema" && !format.json_schema?.name,
    "Missing required parameter: 'response_format.json_schema.name'.",
  );
  dialect.rules(messages, state);
}

function ofOpenAi(body) {
  const unknown = Object.keys(body).find((name) => !PARAMETERS.has(name));
  refuse(unknown, `Unrecognized request argument supplied: ${unknown}`);
  const unsupported =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  // GPT-4 and older models take it.
  const takes = /^gpt-[34]/.test(body.model);
  refuse(body.max_tokens !== undefined && !takes, unsupported, {
    param: "max_tokens",
    code: "unsupported_parameter",
  });
  // An empty object may be accepted. github.com/QwenLM/qwen-code/issues/243,
  // github.com/spiceai/spiceai/pull/5231.
  refuse(
    Object.keys(body.metadata ?? {}).length > 0 && body.store !== true,
    "The 'metadata' parameter is only allowed when 'store' is enabled.",
  );
  refuse(
    body.temperature > 2,
    "Invalid 'temperature': decimal above maximum value. Expected a value <= 2.",
  );
  for (const [at, { tool_calls: calls = [] }] of body.messages.entries()) {
    const place = calls.findIndex(({ id }) => id?.length > 40);
    const long = `Invalid 'messages[${at}].tool_calls[${place}].id': string too long. Expected a string with maximum length 40.`;
    refuse(place >= 0, long, { code: "string_above_max_length" });
  }
}

function ofMessage(message, at) {
  const { role, content, refusal, tool_calls: calls = [] } = message;
  const supported = `Invalid value: '${role}'. Supported values are: ${listed(ROLES)}.`;
  refuse(!ROLES.includes(role), supported, {
    param: `messages[${at}].role`,
    code: "invalid_value",
  });
  const isEmpty = content === null || content === undefined;
  const isNothing = isEmpty && calls.length === 0 && refusal === undefined;
  refuse(isNothing, "Invalid value for 'content': expected a string, got null.", {
    param: `messages.[${at}].content`,
  });
  const empty = `Invalid 'messages[${at}].content': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
  refuse(Array.isArray(content) && content.length === 0, empty);
  for (const [place, { id, type, function: called, custom }] of calls.entries()) {
    const path = `messages[${at}].tool_calls[${place}]`;
    refuse(!id, `Missing required parameter: '${path}.id'.`);
    refuse(
      !["function", "custom"].includes(type),
      `Invalid value: '${type}'. Supported values are: 'function' and 'custom'.`,
    );
    refuse(
      type === "function" && typeof called?.arguments !== "string",
      `Missing required parameter: '${path}.function.arguments'.`,
    );
    refuse(
      type === "custom" && typeof custom?.input !== "string",
      `Missing required parameter: '${path}.custom.input'.`,
    );
  }
}

function ofContent({ role, content }, at) {
  if (!Array.isArray(content)) return;
  for (const [place, { type, image_url: image, file, input_audio: audio }] of content.entries()) {
    const path = `messages[${at}].content[${place}]`;
    if (role !== "user") {
      const only = `Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`;
      refuse(type === "image_url", only);
      refuse(
        !["text", "refusal"].includes(type),
        `Invalid value: '${type}'. Supported values are: 'text' and 'refusal'.`,
      );
      continue;
    }
    const supported = ["text", "image_url", "input_audio", "file"];
    refuse(
      !supported.includes(type),
      `Invalid value: '${type}'. Supported values are: ${listed(supported)}.`,
      { param: path },
    );
    const isUrl = /^(https?:|data:)/.test(image?.url ?? "");
    refuse(
      type === "image_url" && !isUrl,
      `Invalid '${path}.image_url.url'. Expected a valid URL, but got a value with an invalid format.`,
    );
    const isFormat = ["wav", "mp3"].includes(audio?.format);
    refuse(
      audio && !isFormat,
      `Invalid value: '${audio?.format}'. Supported values are: 'wav' and 'mp3'.`,
    );
    if (type === "file") ofFile(file, `${path}.file`);
  }
}

/**
 * github.com/vercel/ai/issues/7266; in Responses, too:
 * github.com/strands-agents/harness-sdk/pull/3576 (case E).
 */
export function ofFile({ file_id: id, file_data: data, filename }, path) {
  if (id) return;
  const expected =
    "Expected a base64-encoded data URL with an application/pdf MIME type (e.g. 'data:application/pdf;base64,...')";
  refuse(
    !/^data:/.test(data ?? ""),
    `Invalid '${path}.file_data'. ${expected}, but got a value without the 'data:' prefix.`,
  );
  refuse(!filename, `Missing required parameter: '${path}.filename'.`);
}

function ofPairs(message, at, all) {
  const { role, tool_call_id: result, tool_calls: calls = [] } = message;
  if (role === "tool") {
    const before = all.slice(0, at).findLastIndex((other) => other.role !== "tool");
    const asked = all[before]?.role === "assistant" ? (all[before].tool_calls ?? []) : [];
    const orphan =
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
    refuse(!asked.some(({ id }) => id === result), orphan, { param: `messages.[${at}].role` });
    const isTwice = all.slice(before + 1, at).some(({ tool_call_id: id }) => id === result);
    refuse(isTwice, `Duplicate value for 'tool_call_id' of '${result}' in message[${at}]`);
  }
  const end = all.findIndex((other, place) => place > at && other.role !== "tool");
  const answered = all.slice(at + 1, end < 0 ? undefined : end).map(({ tool_call_id: id }) => id);
  const missing = calls.map(({ id }) => id).filter((id) => !answered.includes(id));
  const must =
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
  const which = `The following tool_call_ids did not have response messages: ${missing.join(", ")}`;
  refuse(missing.length > 0, `${must} ${which}`, { param: `messages.[${at}].role` });
}

function ofTool({ type, function: described, custom }, at) {
  refuse(
    !["function", "custom"].includes(type),
    `Invalid value: '${type}'. Supported values are: 'function' and 'custom'.`,
  );
  const name = described?.name ?? custom?.name;
  refuse(!name, `Missing required parameter: 'tools[${at}].${type}'.`);
  const pattern = "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.";
  refuse(
    !/^[a-zA-Z0-9_-]{1,64}$/.test(name),
    `Invalid 'tools[${at}].${type}.name': string does not match pattern. ${pattern}`,
  );
}

/** github.com/openai/swarm/issues/30 (parallel calls). */
function ofToolChoice({ tool_choice: choice, parallel_tool_calls: parallel, tools = [] }) {
  const only = (name) =>
    `Invalid value for '${name}': '${name}' is only allowed when 'tools' are specified.`;
  refuse(choice && choice !== "none" && tools.length === 0, only("tool_choice"));
  refuse(parallel !== undefined && tools.length === 0, only("parallel_tool_calls"));
  if (choice === null || typeof choice !== "object") return;
  const { type } = choice;
  const kinds = ["function", "allowed_tools", "custom"];
  refuse(
    !kinds.includes(type),
    `Invalid value: '${type}'. Supported values are: ${listed(kinds)}.`,
  );
  refuse(
    type === "allowed_tools" ? !choice.allowed_tools : !choice[type]?.name,
    `Missing required parameter: 'tool_choice.${type}'.`,
  );
}
