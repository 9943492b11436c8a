// A worker that reads the case or the programs in a request, and returns the errors.
import { complaints } from "../node/support/corpus.mjs";
import { misshapen } from "../node/support/shapes.mjs";
import { complaintsAbout } from "../support/builder_programs.mjs";
// Written by the test that bundles this.
import * as shapes from "../../../node_modules/.shapes/shapes.mjs";

export const workerOf = (agentwire) => ({
  async fetch(request) {
    if (new URL(request.url).pathname === "/programs") {
      return Response.json(await complaintsAbout(agentwire, await request.arrayBuffer()));
    }
    const { stream, ...rest } = await request.json();
    const wanted = { ...rest, stream: new Uint8Array(stream) };
    return Response.json([
      ...complaints(agentwire, wanted),
      ...misshapen(agentwire, shapes, wanted),
    ]);
  },
});
