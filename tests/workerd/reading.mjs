// A worker that reads what it is sent, and says what is wrong with what it read.
import { complaints } from "../node/corpus.mjs";

export const answerWith = (agentwire) => ({
  async fetch(request) {
    const { stream, ...wanted } = await request.json();
    return Response.json(complaints(agentwire, { ...wanted, stream: new Uint8Array(stream) }));
  },
});
