// A worker that reads the case in a request, and returns the errors.
import { complaints } from "../node/support/corpus.mjs";
import { misshapen } from "../node/support/shapes.mjs";
// Written by the test that bundles this.
import * as shapes from "../../../node_modules/.shapes/shapes.mjs";

export const answerWith = (agentwire) => ({
  async fetch(request) {
    const { stream, ...rest } = await request.json();
    const wanted = { ...rest, stream: new Uint8Array(stream) };
    return Response.json([
      ...complaints(agentwire, wanted),
      ...misshapen(agentwire, shapes, wanted),
    ]);
  },
});
