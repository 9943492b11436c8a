// What the task runner asks about built files. The answers are lines of words: the asker is no
// JavaScript program.
//
//   measure.mjs sizes name=file name=bundle:entry …   →  name raw gzip brotli (`bundle:read,init:entry`: of these exports)
//                       name=beside:entry:base    →  what an entry adds to a page that reads with another (`init` and `read`)
//   measure.mjs imports file.wasm …                   →  module name = what the glue does for it
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [task, ...subjects] = process.argv.slice(2);

if (task === "sizes") {
  for (const subject of subjects) {
    const [name, what] = subject.split("=");
    const [, added, base] = what.match(/^beside:(.*):(.*)/) ?? [];
    if (added !== undefined) {
      const alone = weights(await bundle(base, "init,read"));
      const both = weights(await bundle(base, "init,read", added));
      console.log(name, ...both.map((bytes, at) => bytes - alone[at]));
      continue;
    }
    const [, names, entry] = what.match(/^bundle:(?:([\w,]+):)?(.*)/) ?? [];
    const content = entry === undefined ? readFileSync(what) : await bundle(entry, names ?? "*");
    console.log(name, ...weights(content));
  }
} else if (task === "imports") {
  for (const file of subjects) {
    const glue = readFileSync(file.replace(/\.wasm$/, ".js"), "utf8");
    for (const { module, name } of WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(file)))) {
      console.log(module, name, "=", implementation(glue, name));
    }
  }
} else {
  console.error(`measure.mjs: no task ${task}`);
  process.exitCode = 2;
}

/** As it is, by gzip, and by brotli. */
function weights(content) {
  return [content.length, gzipSync(content, { level: 9 }).length, brotli(content).length];
}

function brotli(content) {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
}

/**
 * The body of an imported function, on one line. Its name alone says little: `__wbg_new` makes an error in one program
 * and reads the clock in another.
 */
function implementation(glue, name) {
  const start = glue.indexOf(`\nfunction ${name}(`);
  const end = glue.indexOf("\n}", start);
  if (start < 0 || end < 0) {
    throw new Error(`the glue has no function ${name} where it used to have them`);
  }
  const [, ...lines] = glue.slice(start + 1, end).split("\n");
  return lines.map((line) => line.trim()).join(" ");
}

/**
 * What an entry exports by these names, with all that it imports, but for the wasm, which is counted by itself; and all of another
 * one beside it.
 */
async function bundle(entry, names, beside) {
  const { build } = await import("esbuild");
  const exported = `export ${names === "*" ? names : `{ ${names} }`} from ${JSON.stringify(entry)};`;
  const { outputFiles } = await build({
    stdin: { contents: beside === undefined ? exported : `${exported} export * from ${JSON.stringify(beside)};`, resolveDir: "." },
    bundle: true,
    minify: true,
    format: "esm",
    external: ["*.packed.js", "*.wasm", "react"],
    write: false,
  });
  return outputFiles[0].contents;
}
