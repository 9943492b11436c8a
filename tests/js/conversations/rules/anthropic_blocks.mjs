// What the API of Anthropic Messages refuses in a block of content.
import { refuse } from "./refusal.mjs";

/**
 * The members of blocks in requests, by the types of the official client (`ContentBlockParam`, also
 * the beta ones).
 */
const MEMBERS = {
  text: ["text", "citations", "cache_control"],
  image: ["source", "cache_control"],
  document: ["source", "title", "context", "citations", "cache_control"],
  search_result: ["source", "title", "content", "citations", "cache_control"],
  thinking: ["thinking", "signature"],
  redacted_thinking: ["data"],
  tool_use: ["id", "name", "input", "cache_control", "caller"],
  tool_result: ["tool_use_id", "content", "is_error", "cache_control"],
  server_tool_use: ["id", "name", "input", "cache_control", "caller"],
  web_search_tool_result: ["tool_use_id", "content", "cache_control", "caller"],
  web_fetch_tool_result: ["tool_use_id", "content", "cache_control", "caller"],
  code_execution_tool_result: ["tool_use_id", "content", "cache_control"],
  bash_code_execution_tool_result: ["tool_use_id", "content", "cache_control"],
  text_editor_code_execution_tool_result: ["tool_use_id", "content", "cache_control"],
  tool_search_tool_result: ["tool_use_id", "content", "cache_control"],
  mcp_tool_use: ["id", "name", "input", "server_name", "cache_control"],
  mcp_tool_result: ["tool_use_id", "content", "is_error", "cache_control"],
  container_upload: ["file_id", "cache_control"],
  compaction: ["content", "encrypted_content", "signature", "tool_changes", "cache_control"],
  fallback: ["from", "to", "trigger"],
  mcp_tool_listing: ["mcp_server_name", "tools"],
};

/** The kinds of sources of media, with their members. */
const SOURCES = {
  image: { base64: ["data", "media_type"], url: ["url"], file: ["file_id"] },
  document: {
    base64: ["data", "media_type"],
    url: ["url"],
    file: ["file_id"],
    text: ["data", "media_type"],
    content: ["content"],
  },
};

/** The media types of base64 sources. */
const MEDIA = { image: /^image\/(jpeg|png|gif|webp)$/, document: /^application\/pdf$/ };

const ID = /^[a-zA-Z0-9_-]+$/;

/** Validates a block at a path. */
export function blockRules(block, path, state) {
  const { type, id } = block;
  const members = MEMBERS[type];
  refuse(
    members === undefined,
    `${path}: Input tag '${type}' found using 'type' does not match any of the expected tags`,
  );
  const unknown = Object.keys(block).find((name) => name !== "type" && !members.includes(name));
  refuse(unknown, `${path}.${type}.${unknown}: Extra inputs are not permitted`);
  refuse(
    id !== undefined && !ID.test(id),
    `${path}.${type}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
  );
  RULES[type]?.(block, path, state);
}

const RULES = {
  text({ text }, path) {
    refuse(typeof text !== "string", `${path}.text.text: Field required`);
    refuse(text === "", "messages: text content blocks must be non-empty");
    refuse(text.trim() === "", "messages: text content blocks must contain non-whitespace text");
  },
  thinking({ signature }, path, state) {
    refuse(!signature, `${path}.thinking.signature: Field required`);
    refuse(!state.has(signature), `${path}: Invalid \`signature\` in \`thinking\` block`);
  },
  redacted_thinking({ data }, path, state) {
    refuse(!state.has(data), `${path}: Invalid \`data\` in \`redacted_thinking\` block`);
  },
  tool_use({ id, name, input }, path) {
    refuse(!id, `${path}.tool_use.id: Field required`);
    refuse(!name, `${path}.tool_use.name: Field required`);
    const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
    refuse(!isObject, `${path}.tool_use.input: Input should be a valid dictionary`);
  },
  tool_result({ content }, path, state) {
    if (!Array.isArray(content)) return;
    for (const [place, block] of content.entries()) {
      const isAllowed = ["text", "image", "document", "search_result", "tool_reference"].includes(
        block.type,
      );
      refuse(
        !isAllowed,
        `${path}.tool_result.content.${place}: Input tag '${block.type}' does not match any of the expected tags`,
      );
      blockRules(block, `${path}.tool_result.content.${place}`, state);
    }
  },
  // The words are in the tests of github.com/router-for-me/CLIProxyAPI; an empty text and a
  // placeholder are refused, too.
  web_search_tool_result({ content }, path, state) {
    for (const [place, { encrypted_content: encrypted }] of (Array.isArray(content)
      ? content
      : []
    ).entries()) {
      refuse(
        !state.has(encrypted),
        `${path}.content.${place}: Invalid \`encrypted_content\` in \`search_result\` block`,
      );
    }
  },
  // `BetaCompactionBlockParam` of `@anthropic-ai/sdk` 1.14.0: without a content, the compaction has
  // failed, and has no signature. "Empty string content is not allowed."
  compaction({ content, signature, encrypted_content: encrypted }, path, state) {
    refuse(content === "", `${path}.compaction.content: String should have at least 1 character`);
    refuse(
      signature && (!content || !state.has(signature)),
      `${path}: the \`compaction\` block's \`signature\` does not verify (compaction_signature_invalid)`,
    );
    refuse(
      encrypted && !state.has(encrypted),
      `${path}.compaction.encrypted_content: Invalid data`,
    );
  },
  // `BetaFallbackBlockParam`: any `trigger`, also null.
  fallback({ from, to }, path) {
    refuse(!from?.model, `${path}.fallback.from.model: Field required`);
    refuse(!to?.model, `${path}.fallback.to.model: Field required`);
  },
  // `BetaMCPToolListingBlockParam`.
  mcp_tool_listing({ mcp_server_name: server, tools }, path) {
    refuse(!server, `${path}.mcp_tool_listing.mcp_server_name: Field required`);
    const isTool = ({ name, input_schema: schema }) => name && schema;
    refuse(!tools?.every(isTool), `${path}.mcp_tool_listing.tools: Field required`);
  },
  image: ofMedia,
  document: ofMedia,
};

function ofMedia({ type, source }, path) {
  const members = SOURCES[type][source?.type];
  refuse(
    members === undefined,
    `${path}.${type}.source: Input tag '${source?.type}' does not match any of the expected tags`,
  );
  const missing = members.find((name) => source[name] === undefined || source[name] === "");
  refuse(missing, `${path}.${type}.source.${source.type}.${missing}: Field required`);
  const data = `${path}.${type}.source.base64`;
  if (source.type !== "base64") return;
  refuse(
    !MEDIA[type].test(source.media_type),
    `${data}.media_type: Input should be one of the supported media types`,
  );
  refuse(!/^[A-Za-z0-9+/]+=*$/.test(source.data), `${data}.data: Invalid base64 data`);
}
