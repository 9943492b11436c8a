// Servers of Chat Completions: what each needs back in addition to the rules of OpenAI.
import { refuse } from "./refusal.mjs";

/** OpenAI's own server. */
export const OPENAI = { rules() {} };

/**
 * DeepSeek's thinking mode: `reasoning_content` of each message with tool calls has to be sent
 * back, "in all subsequent requests". https://api-docs.deepseek.com/guides/thinking_mode,
 * github.com/continuedev/continue/issues/10193, github.com/deepseek-ai/DeepSeek-V3/issues/1053. An
 * empty text is accepted: github.com/continuedev/continue/pull/11290. Kimi has the same rule:
 * "thinking is enabled but reasoning_content is missing in assistant tool call message"
 * (github.com/iOfficeAI/AionUi/issues/2746).
 */
export const DEEPSEEK = {
  rules(messages) {
    for (const [
      at,
      { role, reasoning_content: reasoning, tool_calls: calls = [] },
    ] of messages.entries()) {
      const is = role === "assistant" && calls.length > 0;
      const more =
        "For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls";
      const missing = `Missing \`reasoning_content\` field in the assistant message at message index ${at}. ${more}`;
      refuse(is && typeof reasoning !== "string", missing, { code: "invalid_request_error" });
    }
  },
};

/**
 * The values that Google documents for histories of other models.
 * https://ai.google.dev/gemini-api/docs/thought-signatures, "FAQs".
 */
export const PLACEHOLDERS = [
  "context_engineering_is_the_way_to_go",
  "skip_thought_signature_validator",
];

const REFERENCE =
  "Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.";

/**
 * Google's error for a call without a signature:
 * github.com/langgenius/dify-official-plugins/issues/2088.
 */
export const missingSignature = (name, at) =>
  [
    "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing",
    `thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${at + 1}.`,
    REFERENCE,
  ].join(" ");

export const CORRUPTED = "Corrupted thought signature.";

/** Whether the value is a signature of the model, or a placeholder, as it is or in base64. */
export function isSignature(value, state) {
  const texts = [value, Buffer.from(value, "base64").toString()];
  return state.has(value) || texts.some((text) => PLACEHOLDERS.includes(text));
}

/**
 * The steps of the current turn: the messages of the assistant with calls after the last message of
 * the user.
 */
function currentSteps(messages) {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const isStep = ({ role, tool_calls: calls = [] }, at) =>
    at > last && role === "assistant" && calls.length > 0;
  return messages.flatMap((message, at) => (isStep(message, at) ? [{ message, at }] : []));
}

/**
 * Gemini 3 behind Google's endpoint for clients of OpenAI: the first call of each step of the
 * current turn has its signature in `extra_content.google.thought_signature`.
 * https://ai.google.dev/gemini-api/docs/thought-signatures#openai,
 * github.com/tinyhumansai/openhuman/issues/3548, github.com/openai/openai-python/issues/2758.
 */
export const GEMINI_COMPATIBLE = {
  rules(messages, state) {
    for (const { message, at } of currentSteps(messages)) {
      const [{ function: called, extra_content: extra }] = message.tool_calls;
      const signature = extra?.google?.thought_signature;
      refuse(!signature, missingSignature(called?.name, at));
      refuse(!isSignature(signature, state), CORRUPTED);
    }
  },
};

/**
 * Gemini 3 behind OpenRouter: `reasoning_details` have to be sent back unmodified, in the same
 * order. The placeholder of Google is passed on: Roo Code sends it for calls of other models, as
 * `reasoning.encrypted` with the id of the call.
 * https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning-blocks,
 * github.com/massgen/MassGen/issues/624, github.com/janhq/jan/issues/7009,
 * github.com/RooCodeInc/Roo-Code/pull/9506.
 */
export const OPENROUTER = {
  rules(messages, state) {
    for (const { message, at } of currentSteps(messages)) {
      const encrypted = (message.reasoning_details ?? []).find(
        ({ type }) => type === "reasoning.encrypted",
      );
      refuse(!encrypted?.data, missingSignature(message.tool_calls[0].function?.name, at));
      refuse(!isSignature(encrypted.data, state), CORRUPTED);
    }
  },
};
