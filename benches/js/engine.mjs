// Measures the constants that keep compiled code of V8: `node benches/js/engine.mjs`, after a build.
// V8 discards the compiled code of a class when a garbage collection finds no object of it, so some
// constants keep an object. Each row is the time without the means, divided by the time with it, in
// processes that alternate.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const ROUNDS = 7;
const modules = fileURLToPath(new URL("../../pkg/build/", import.meta.url));

/** A means: the text in a compiled module that is it, the text without it, and what it affects. */
const MEANS = {
  "an unused reader (core.ts, `keepReader`)": {
    file: "core/core.js",
    from: "this.warmReader = fresh();",
    to: "",
    work: streamAfterCollection,
  },
  "an empty event (event.ts, `NO_EVENT`)": {
    file: "emit/event.js",
    from: 'new BuilderEvent("")',
    to: "undefined",
    work: eventsAfterCollection,
  },
  "empty deltas (handle.ts, `NO_PIECES`)": {
    file: "core/handle.js",
    from: /new Pieces\(\{[^)]*\) => "" \}, undefined, undefined\)/,
    to: "{}",
    work: deltasAfterCollection,
  },
};

async function compare() {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-engine-"));
  try {
    for (const [name, means] of Object.entries(MEANS)) {
      const bundles = [join(folder, "without.mjs"), join(folder, "with.mjs")];
      await Promise.all([bundled(bundles[0], means), bundled(bundles[1])]);
      const times = bundles.map(() => []);
      for (let round = 0; round < ROUNDS; round++) {
        bundles.forEach((bundle, at) => times[at].push(timeOf(bundle, name)));
      }
      const [without, having] = times.map(medianOf);
      console.log(
        `${name}: ${(without / having).toFixed(2)}x (${without.toFixed(2)} µs, ${having.toFixed(2)} µs)`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bundles the entry points for Node, with one of the means replaced. */
function bundled(outfile, { file, from, to } = {}) {
  const setup = ({ onLoad }) =>
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      const contents = await readFile(path, "utf8");
      if (file === undefined || path !== join(modules, file)) {
        return { contents };
      }
      const replaced = contents.replace(from, to);
      if (replaced === contents) {
        throw new Error(`${file} has no ${from}`);
      }
      return { contents: replaced };
    });
  const names = ["agentwire", "server"].map((name) => join(modules, `entries/${name}.js`));
  return build({
    stdin: {
      contents: names.map((name) => `export * from ${JSON.stringify(name)};`).join("\n"),
      resolveDir: modules,
    },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["node"],
    ignoreAnnotations: true,
    external: ["aws4fetch", "jose", "pg", "redis", "react"],
    plugins: [{ name: "means", setup }],
    logLevel: "error",
  });
}

function timeOf(bundle, name) {
  const program = fileURLToPath(import.meta.url);
  return Number(
    execFileSync(process.execPath, ["--expose-gc", program, bundle, name], { encoding: "utf8" }),
  );
}

function medianOf(numbers) {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
}

const event = (value) => new TextEncoder().encode(`data: ${JSON.stringify(value)}\n\n`);
const CREATED = event({ object: "response", status: "created", id: "r" });
const CHUNKS = [
  CREATED,
  event({ object: "message", status: "created", id: "m", type: "message", role: "assistant" }),
  ...Array.from({ length: 20 }, () =>
    event({ object: "content", type: "text", delta: true, text: "word ", index: 0, msg_id: "m" }),
  ),
  event({ object: "response", status: "completed", id: "r" }),
];

/** Runs the work many times, so that it is compiled, then once after each collection. */
function afterCollections(work) {
  for (let at = 0; at < 3000; at++) {
    work();
  }
  const times = [];
  for (let at = 0; at < 30; at++) {
    // Code that was not used for some collections is discarded.
    for (let collections = 0; collections < 8; collections++) {
      globalThis.gc();
    }
    const before = performance.now();
    work();
    times.push((performance.now() - before) * 1000);
  }
  return medianOf(times);
}

function streamAfterCollection({ Decoder }) {
  return afterCollections(() => {
    const decoder = new Decoder({ protocol: "agent-api" });
    CHUNKS.forEach((chunk) => decoder.push(chunk));
    decoder.finish();
  });
}

function eventsAfterCollection({ AgentApiStreamBuilder }) {
  return afterCollections(() => {
    const builder = new AgentApiStreamBuilder();
    [builder.created(), builder.inProgress(), ...builder.finishWith("completed")].forEach((one) =>
      one.toSse(),
    );
  });
}

function deltasAfterCollection({ AgentApiStreamBuilder }) {
  return afterCollections(() => {
    const builder = new AgentApiStreamBuilder();
    builder.created();
    builder.inProgress();
    const message = builder.createMessageBuilder();
    message.inProgress();
    const content = message.createContentBuilder("text");
    for (let at = 0; at < 20; at++) {
      content.addTextDelta("word ");
    }
    content.complete();
    message.complete();
    builder.finishWith("completed");
  });
}

if (process.argv[2] === undefined) {
  await compare();
} else {
  const [bundle, name] = process.argv.slice(2);
  console.log(MEANS[name].work(await import(pathToFileURL(bundle).href)));
}
