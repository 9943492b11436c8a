// What the package gives, by protocol: the JSON Schemas that the recorded streams are held against are made of these types,
// as a user's compiler sees them.
import type { AgKitEvent, AgUiEvent, AgentApiEvent, OutcomeOf, UpdateOf } from "agentwire";

/** What each protocol gives. */
export interface Shapes {
  "agent-api": Shape<UpdateOf<"agent-api">, OutcomeOf<"agent-api">, AgentApiEvent>;
  "ag-kit": Shape<UpdateOf<"ag-kit">, OutcomeOf<"ag-kit">, AgKitEvent>;
  "ag-ui": Shape<UpdateOf<"ag-ui">, OutcomeOf<"ag-ui">, AgUiEvent>;
}

export interface Shape<Update, Outcome, Event> {
  update: Update;
  outcome: Outcome;
  event: Event;
}
