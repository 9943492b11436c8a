// The contestants of edge conversion in the edge runtime: runs the requested passes, and returns
// their digests.
import { converting } from "../js/converting.mjs";

const prepared = new Map();

export default {
  async fetch(request) {
    const { row, contestant, passes } = await request.json();
    const key = JSON.stringify(row);
    if (!prepared.has(key)) {
      prepared.set(key, { ...(await converting(row)), digests: [] });
    }
    const { contestants, digest, digests, bytes, events } = prepared.get(key);
    let left;
    for (let done = 0; done < passes; done++) {
      left = contestants[contestant].pass();
    }
    if (left !== undefined) {
      // Only in the first passes, which are not timed: reading the answer again takes about as long
      // as a pass.
      digests[contestant] ??= digest(left.answer);
    }
    const names = contestants.map(({ name }) => name);
    return Response.json({ names, bytes, events, digest: digests[contestant] ?? null });
  },
};
