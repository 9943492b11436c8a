// What the package gives, by protocol: the JSON Schemas that the recorded streams are held against are made of these types,
// as a user's compiler sees them.
import type { A2aEvent, AgKitEvent, AgUiEvent, AgentApiEvent, OutcomeOf, ResponsesEvent, UpdateOf } from "agentwire";

/** What each protocol gives. */
export interface Shapes {
  "agent-api": Shape<UpdateOf<"agent-api">, OutcomeOf<"agent-api">, AgentApiEvent>;
  "ag-kit": Shape<UpdateOf<"ag-kit">, OutcomeOf<"ag-kit">, AgKitEvent>;
  "ag-ui": Shape<UpdateOf<"ag-ui">, OutcomeOf<"ag-ui">, AgUiEvent>;
  responses: Shape<UpdateOf<"responses">, OutcomeOf<"responses">, ResponsesEvent>;
  a2a: Shape<UpdateOf<"a2a">, OutcomeOf<"a2a">, A2aEvent>;
}

export interface Shape<Update, Outcome, Event> {
  update: Update;
  outcome: Outcome;
  event: Event;
}
