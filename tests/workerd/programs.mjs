// A worker that reads the programs it is sent, and says what is wrong with what it read.
import { complaintsAbout } from "../oracle/programs.mjs";

export const programsWith = (agentwire) => ({
  async fetch(request) {
    return Response.json(await complaintsAbout(agentwire, await request.arrayBuffer()));
  },
});
