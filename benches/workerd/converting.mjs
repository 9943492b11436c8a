// Edge conversion in workerd: passes are requested by HTTP and timed from here, because the
// runtime's own clock stands still while it computes.
import { fileURLToPath } from "node:url";
import { compare } from "../rounds.mjs";
import { startWorker } from "../../tests/js/support/worker.mjs";

/** Passes of one request: enough that the cost of the request itself is negligible. */
const PASSES = 4;

/** Measures one of the rows of `cells.mjs`. */
export async function convertingInWorkerd(row, effort) {
  const worker = await startWorker(
    fileURLToPath(new URL("converting.worker.mjs", import.meta.url)),
  );
  const ask = async (contestant, passes) => {
    const body = JSON.stringify({ row, contestant, passes });
    const response = await worker.dispatchFetch("http://127.0.0.1/", { method: "POST", body });
    if (!response.ok) {
      throw new Error(await response.text());
    }
    return response.json();
  };
  try {
    const { names, bytes, events } = await ask(0, 0);
    const contestants = names.map((name, at) => ({
      name,
      pass: async () => ({ answer: (await ask(at, PASSES)).digest, alive: undefined }),
    }));
    const compared = await compare(contestants, { ...effort, digest: String, cpu: false });
    return { ...row, bytes, events: events * PASSES, ...compared };
  } finally {
    await worker.dispose();
  }
}
