import * as agentwire from "agentwire";
import { exercise } from "./exercise.mjs";

// At module level, which is where a worker has no clock, no random numbers and no network.
const atStart = exercise(agentwire);

export default {
  async fetch() {
    await agentwire.init();
    return Response.json([atStart, exercise(agentwire)]);
  },
};
