// Malicious streams at four sizes: the cost per kilobyte should not depend on the size.
import { Decoder } from "agentwire";
import { bytesOf, chunksOf, templates } from "../../tests/js/hostile/streams.mjs";

/** Multiples of the size in the templates. */
const SIZES = [1, 2, 4, 8];

/**
 * Measures the floods, each with the bytes and nanoseconds (the minimum of `rounds`) at each size.
 */
export async function floods({ rounds }) {
  const all = await templates("floods.json");
  return all.map((flood) => ({
    name: flood.name,
    protocol: flood.protocol,
    sizes: SIZES.map((times) => {
      const bytes = bytesOf(flood, times * flood.n);
      const took = Array.from({ length: rounds }, () => nanoseconds(() => read(flood, bytes)));
      return { bytes: bytes.length, nanoseconds: Math.min(...took) };
    }),
  }));
}

function read({ protocol, limits }, bytes) {
  const decoder = new Decoder({ protocol, limits });
  for (const chunk of chunksOf(bytes)) {
    decoder.push(chunk);
    decoder.update();
  }
  decoder.finish();
}

function nanoseconds(work) {
  const before = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - before);
}
