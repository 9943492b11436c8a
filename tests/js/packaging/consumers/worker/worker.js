import * as agentwire from "agentwire";
import * as agKit from "agentwire/ag-kit";
import * as agentApi from "agentwire/agent-api";
import { exercise } from "./exercise.mjs";

// At module level, which is where a worker has no clock, no random numbers and no network.
const atStart = [agentwire, agKit, agentApi].map(exercise);

export default {
  async fetch() {
    await agentwire.init();
    return Response.json([...atStart, exercise(agentwire)]);
  },
};
