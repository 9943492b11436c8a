// The fake models.
import {
  AnthropicEnabledUpstream,
  AnthropicSearchUpstream,
  AnthropicUpstream,
} from "./anthropic.mjs";
import {
  ChatUpstream,
  DeepSeekUpstream,
  GeminiCompatibleUpstream,
  OpenRouterUpstream,
} from "./chat.mjs";
import { GeminiUpstream } from "./gemini.mjs";
import { InteractionsUpstream } from "./interactions.mjs";
import { ResponsesUpstream } from "./responses.mjs";

export const UPSTREAMS = [
  ChatUpstream,
  DeepSeekUpstream,
  GeminiCompatibleUpstream,
  OpenRouterUpstream,
  AnthropicUpstream,
  AnthropicEnabledUpstream,
  AnthropicSearchUpstream,
  GeminiUpstream,
  InteractionsUpstream,
  ResponsesUpstream,
];

/** Returns a new fake model by its name. */
export const upstreamNamed = (name) =>
  UPSTREAMS.map((Kind) => new Kind()).find((upstream) => upstream.name === name);
