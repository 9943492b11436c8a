// A worker that reads the programs in a request, and returns the errors.
import { complaintsAbout } from "../support/builder_programs.mjs";

export const programsWith = (agentwire) => ({
  async fetch(request) {
    return Response.json(await complaintsAbout(agentwire, await request.arrayBuffer()));
  },
});
