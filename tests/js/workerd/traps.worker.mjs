// A worker in which a call into the module panics or traps. Its response contains the results of
// the other readers.
import { Decoder, init, read } from "../../../pkg/build/entries/agentwire.js";
import { core } from "../../../pkg/build/core/wasm.js";
import { concat, shortRun } from "../node/support/events.mjs";

const chunks = shortRun();
const textOf = ({ output }) => output[0].content[0].text;
const begun = () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  chunks.slice(0, 2).forEach((chunk) => decoder.push(chunk));
  return decoder;
};
const outcomeOf = (work) => {
  try {
    return work();
  } catch (error) {
    return `${error.name} ${error.code}: ${textOf(error.outcome.snapshot)}`;
  }
};
const rest = (decoder) =>
  outcomeOf(() => {
    chunks.slice(2).forEach((chunk) => decoder.push(chunk));
    return textOf(decoder.finish().snapshot);
  });

export default {
  async fetch(request) {
    // The build before bundling has no side effects, so that only a call keeps the WebAssembly.
    await init();
    const sound = new URL(request.url).pathname === "/panic";
    const [broken, other] = [begun(), begun()];
    const { bindings } = core();
    const { prototype } = bindings.RawReader;
    const { push } = prototype;
    prototype.push = function (...args) {
      prototype.push = push;
      if (sound) {
        return new bindings.Exchange(2 ** 32 - 1);
      }
      this.__wbg_ptr = -65536;
      return push.apply(this, args);
    };
    return Response.json({
      broken: rest(broken),
      other: rest(other),
      next: rest(begun()),
      run: textOf(
        (await read(new Response(concat(chunks)).body, { protocol: "agent-api" }).finished())
          .snapshot,
      ),
    });
  },
};
