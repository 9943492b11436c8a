// The types of the package, by protocol. The JSON Schemas that validate the recorded streams are
// generated from them, as a user's compiler sees them.
import type { Outcome, Update } from "agentwire";
import type { Event as A2aEvent } from "agentwire/a2a";
import type { Event as AgKitEvent } from "agentwire/ag-kit";
import type { Event as AgUiEvent } from "agentwire/ag-ui";
import type { Event as AgentApiEvent } from "agentwire/agent-api";
import type { Event as AgentScopeEvent } from "agentwire/agentscope";
import type { Event as AiSdkEvent } from "agentwire/ai-sdk";
import type { Event as AnthropicEvent } from "agentwire/anthropic";
import type { Event as ChatEvent } from "agentwire/chat";
import type { Event as GeminiEvent } from "agentwire/gemini";
import type { Event as InteractionsEvent } from "agentwire/interactions";
import type { Event as ResponsesEvent } from "agentwire/responses";

// One root for each protocol: two protocols have types with the same name.
export interface AgentApi extends Shape<Update<"agent-api">, Outcome<"agent-api">, AgentApiEvent> {}
export interface AgentScope
  extends Shape<Update<"agentscope">, Outcome<"agentscope">, AgentScopeEvent> {}
export interface AgKit extends Shape<Update<"ag-kit">, Outcome<"ag-kit">, AgKitEvent> {}
export interface AgUi extends Shape<Update<"ag-ui">, Outcome<"ag-ui">, AgUiEvent> {}
export interface Responses
  extends Shape<Update<"responses">, Outcome<"responses">, ResponsesEvent> {}
export interface A2a extends Shape<Update<"a2a">, Outcome<"a2a">, A2aEvent> {}
export interface AiSdk extends Shape<Update<"ai-sdk">, Outcome<"ai-sdk">, AiSdkEvent> {}
export interface Chat extends Shape<Update<"chat">, Outcome<"chat">, ChatEvent> {}
export interface Anthropic
  extends Shape<Update<"anthropic">, Outcome<"anthropic">, AnthropicEvent> {}
export interface Gemini extends Shape<Update<"gemini">, Outcome<"gemini">, GeminiEvent> {}
export interface Interactions
  extends Shape<Update<"interactions">, Outcome<"interactions">, InteractionsEvent> {}

export interface Shape<Update, Outcome, Event> {
  update: Update;
  outcome: Outcome;
  event: Event;
}
