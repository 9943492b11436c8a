// What the API of Anthropic Messages refuses: settings, tools, and the order of turns. The blocks
// are in anthropic_blocks.mjs.
import { blockRules } from "./anthropic_blocks.mjs";
import { refuse } from "./refusal.mjs";

/**
 * The parameters of `POST /v1/messages`. The API refuses any other: "Extra inputs are not
 * permitted".
 */
const PARAMETERS = new Set(
  `model max_tokens messages system tools tool_choice stream thinking temperature top_p top_k stop_sequences metadata service_tier
  output_config cache_control container context_management compaction mcp_servers inference_geo speed fallbacks fallback_credit_token`.split(
    /\s+/,
  ),
);

/** The members of a tool of the client. */
const TOOL = new Set(
  "type name description input_schema cache_control strict defer_loading allowed_callers eager_input_streaming input_examples".split(
    " ",
  ),
);

const GUIDE = "https://docs.claude.com/en/docs/build-with-claude/extended-thinking";

/** Validates a request. `state` is what the model accepts as its own. */
export function anthropicRules(body, { state }) {
  refuse(!body.model, "model: Field required");
  refuse(body.max_tokens === undefined, "max_tokens: Field required");
  refuse(!(body.max_tokens > 0), "max_tokens: Input should be greater than or equal to 1");
  const unknown = Object.keys(body).find((name) => !PARAMETERS.has(name));
  refuse(unknown, `${unknown}: Extra inputs are not permitted`);
  ofThinking(body);
  ofTools(body);
  refuse(body.temperature > 1, "temperature: range: 0..1");
  refuse(
    Object.keys(body.metadata ?? {}).some((name) => name !== "user_id"),
    "metadata: Extra inputs are not permitted",
  );
  const tier = "service_tier: Input should be 'auto' or 'standard_only'";
  refuse(body.service_tier && !["auto", "standard_only"].includes(body.service_tier), tier);
  for (const { text } of Array.isArray(body.system) ? body.system : [])
    refuse(text === "", "system: text content blocks must be non-empty");
  refuse(
    !Array.isArray(body.messages) || body.messages.length === 0,
    "messages: at least one message is required",
  );
  const messages = body.messages.map(({ role, content }) => ({ role, content: blocksOf(content) }));
  const model = { state, takes: /^claude-\w+-5/.test(body.model) };
  for (const [at, message] of messages.entries()) ofMessage(message, at, messages, model);
  ofCompaction(messages);
  // "The response has to be sent back as it came, first": `BetaToolRunner` of the official client.
  const isSummary = messages[0].content[0]?.type === "compaction";
  refuse(
    messages[0].role !== "user" && !isSummary,
    'messages: first message must use the "user" role',
  );
  const ids = messages.flatMap(({ content }) =>
    content.filter(({ type }) => type === "tool_use").map(({ id }) => id),
  );
  refuse(new Set(ids).size < ids.length, "messages: `tool_use` ids must be unique");
  if (body.thinking?.type === "enabled") mustStartWithThinking(messages);
  mustFitBreakpoints(body);
}

/** Returns the content of a message as blocks. */
export const blocksOf = (content) =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/**
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking: budgets, tool choice and
 * temperature.
 */
function ofThinking({ thinking, max_tokens: max, tool_choice: choice, temperature, top_k: topK }) {
  if (thinking === undefined || thinking.type === "disabled") return;
  refuse(
    temperature !== undefined && temperature !== 1,
    "`temperature` may only be set to 1 when thinking is enabled.",
  );
  refuse(topK !== undefined, "`top_k` must be unset when thinking is enabled.");
  if (thinking.type !== "enabled") return;
  refuse(
    ["any", "tool"].includes(choice?.type),
    "Thinking may not be enabled when tool_choice forces tool use.",
  );
  refuse(
    !(thinking.budget_tokens >= 1024),
    "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
  );
  const small =
    "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at";
  refuse(max <= thinking.budget_tokens, `${small} ${GUIDE}#max-tokens-and-context-window-size`);
}

function ofTools({ tools = [], tool_choice: choice, mcp_servers: servers = [] }) {
  for (const [at, tool] of tools.entries()) {
    const { type, name, input_schema: schema } = tool;
    const isKnown = [undefined, "custom", "mcp_toolset"].includes(type) || /_\d{8}$/.test(type);
    refuse(
      !isKnown,
      `tools.${at}: Input tag '${type}' found using 'type' does not match any of the expected tags: 'custom', …`,
    );
    refuse(
      type === "mcp_toolset" && !servers.some((server) => server.name === tool.mcp_server_name),
      `tools.${at}: no such MCP server`,
    );
    refuse(type !== "mcp_toolset" && !name, `tools.${at}.name: Field required`);
    if (type !== undefined && type !== "custom") continue;
    refuse(
      !/^[a-zA-Z0-9_-]{1,128}$/.test(name),
      `tools.${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`,
    );
    refuse(!schema, `tools.${at}.custom.input_schema: Field required`);
    refuse(
      schema.type !== "object",
      `tools.${at}.custom.input_schema.type: Input should be 'object'`,
    );
    const other = Object.keys(tool).find((member) => !TOOL.has(member));
    refuse(other, `tools.${at}.custom.${other}: Extra inputs are not permitted`);
  }
  const names = tools.flatMap(({ name }) => (name ? [name] : []));
  refuse(new Set(names).size < names.length, "tools: Tool names must be unique.");
  refuse(choice && tools.length === 0, "tool_choice: may only be specified while providing tools");
  refuse(
    choice?.type === "tool" && !names.includes(choice.name),
    `Tool '${choice?.name}' not found in provided tools`,
  );
}

/**
 * `CompactionBlockAmbiguousError` and `CompactionBlockMisplacedError` of `@anthropic-ai/sdk` 1.14.0: a
 * signed block is the first of the conversation, "in place of the messages it summarizes".
 */
function ofCompaction(messages) {
  const all = messages.flatMap(({ content }) => content);
  const signed = all.filter(({ type, signature }) => type === "compaction" && signature);
  refuse(
    signed.length > 1,
    "`messages` holds more than one `compaction` block with content (compaction_block_ambiguous)",
  );
  refuse(
    signed.length === 1 && all[0] !== signed[0],
    "The `compaction` block is not the first block of the conversation (compaction_block_misplaced)",
  );
}

/**
 * `takes`: the model takes instructions after a turn of the user, as Claude 5 does and Claude Code
 * sends them.
 */
function ofMessage({ role, content }, at, messages, { state, takes }) {
  const isInstruction = role === "system" && messages[at - 1]?.role === "user" && takes;
  refuse(
    !["user", "assistant"].includes(role) && !isInstruction,
    `messages.${at}.role: Input should be 'user' or 'assistant'`,
  );
  const isLast = at === messages.length - 1;
  const empty = `messages.${at}: all messages must have non-empty content except for the optional final assistant message`;
  refuse(content.length === 0 && !(isLast && role === "assistant"), empty);
  for (const [place, block] of content.entries())
    blockRules(block, `messages.${at}.content.${place}`, state);
  callsHaveResults(content, at, messages);
  resultsHaveCalls(content, at, messages);
  for (const [place, { type, id, name }] of content.entries()) {
    if (type !== "server_tool_use") continue;
    const isAnswered = content
      .slice(place)
      .some((other) => other.type.endsWith("_tool_result") && other.tool_use_id === id);
    const missing = `\`${name}\` tool use with id \`${id}\` was found without a corresponding \`${name}_tool_result\` block`;
    refuse(!isAnswered, `messages.${at}.content.${place}: ${missing}`);
  }
}

/**
 * Results come first, in the next message.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
 */
function callsHaveResults(content, at, messages) {
  const calls = content.filter(({ type }) => type === "tool_use").map(({ id }) => id);
  if (calls.length === 0) return;
  const next = messages[at + 1]?.content ?? [];
  const results = next
    .filter(({ type }) => type === "tool_result")
    .map(({ tool_use_id: id }) => id);
  const missing = calls.filter((id) => !results.includes(id));
  const found = `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}.`;
  const must =
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message.";
  refuse(missing.length > 0, `messages.${at}: ${found} ${must}`);
  const first = next.findIndex(({ type }) => type !== "tool_result");
  const late = next.findLastIndex(({ type }) => type === "tool_result");
  refuse(
    first >= 0 && late > first,
    `messages.${at + 1}: \`tool_result\` blocks must come first in the content`,
  );
}

function resultsHaveCalls(content, at, messages) {
  const calls =
    at > 0
      ? messages[at - 1].content.filter(({ type }) => type === "tool_use").map(({ id }) => id)
      : [];
  const seen = new Set();
  for (const [place, { type, tool_use_id: id }] of content.entries()) {
    if (type !== "tool_result") continue;
    const path = `messages.${at}.content.${place}`;
    const must =
      "Each `tool_result` block must have a corresponding `tool_use` block in the previous message.";
    refuse(
      !calls.includes(id),
      `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ${must}`,
    );
    refuse(
      seen.has(id),
      `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
    );
    seen.add(id);
  }
}

/**
 * github.com/deepset-ai/haystack-core-integrations/issues/2146,
 * github.com/pydantic/pydantic-ai/issues/2075.
 */
function mustStartWithThinking(messages) {
  const isQuestion = ({ role, content }) =>
    role === "user" && !content.some(({ type }) => type === "tool_result");
  const question = messages.findLastIndex(isQuestion);
  for (const [at, { role, content }] of messages.entries()) {
    if (at < question || role !== "assistant" || !content.some(({ type }) => type === "tool_use"))
      continue;
    const [{ type }] = content;
    const found = `Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`.`;
    const must =
      "When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).";
    const isThinking = ["thinking", "redacted_thinking"].includes(type);
    refuse(
      !isThinking,
      `messages.${at}.content.0.type: ${found} ${must} To avoid this requirement, disable \`thinking\`. See ${GUIDE}`,
    );
  }
}

/**
 * At most four breakpoints: https://platform.claude.com/docs/en/build-with-claude/prompt-caching,
 * github.com/Wei-Shaw/sub2api/issues/176.
 */
function mustFitBreakpoints({ system, tools = [], messages }) {
  const blocks = [
    Array.isArray(system) ? system : [],
    tools,
    ...messages.map(({ content }) => blocksOf(content)),
  ].flat();
  const count = blocks.filter(({ cache_control: breakpoint }) => breakpoint).length;
  refuse(count > 4, `A maximum of 4 blocks with cache_control may be provided. Found ${count}.`);
}
