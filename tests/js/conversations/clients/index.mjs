// The clients of conversations: unmodified official ones, that of this package, and documented
// bodies.
import a2a from "./a2a.mjs";
import agUi from "./ag_ui.mjs";
import aiSdk from "./ai_sdk.mjs";
import anthropic from "./anthropic.mjs";
import connect from "./connect.mjs";
import openai from "./openai.mjs";
import openaiChat from "./openai_chat.mjs";
import raw from "./raw.mjs";

export const CLIENTS = [openai, ...openaiChat, anthropic, agUi, aiSdk, a2a, ...connect, ...raw];

/** One client for each protocol. */
export const ONE_PER_PROTOCOL = [
  ...[openai, openaiChat[0], anthropic, agUi, aiSdk, a2a, ...raw],
  ...connect.filter(({ protocol }) => protocol === "agentscope"),
];
