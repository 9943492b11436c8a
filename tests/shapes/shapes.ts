// The types of the package, by protocol. The JSON Schemas that validate the recorded streams are made of them, as a user's
// compiler sees them.
import type { Outcome, Update } from "agentwire";
import type { Event as A2aEvent } from "agentwire/a2a";
import type { Event as AgKitEvent } from "agentwire/ag-kit";
import type { Event as AgUiEvent } from "agentwire/ag-ui";
import type { Event as AgentApiEvent } from "agentwire/agent-api";
import type { Event as ResponsesEvent } from "agentwire/responses";

/** What each protocol gives. */
export interface Shapes {
  "agent-api": Shape<Update<"agent-api">, Outcome<"agent-api">, AgentApiEvent>;
  "ag-kit": Shape<Update<"ag-kit">, Outcome<"ag-kit">, AgKitEvent>;
  "ag-ui": Shape<Update<"ag-ui">, Outcome<"ag-ui">, AgUiEvent>;
  responses: Shape<Update<"responses">, Outcome<"responses">, ResponsesEvent>;
  a2a: Shape<Update<"a2a">, Outcome<"a2a">, A2aEvent>;
}

export interface Shape<Update, Outcome, Event> {
  update: Update;
  outcome: Outcome;
  event: Event;
}
