// The names that each entry point exports, values and types, and their number. With
// UPDATE_SNAPSHOTS=1 the current names become the accepted ones.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const pkg = new URL("../../../pkg/", import.meta.url);
const accepted = new URL("api/exports.txt", pkg);
const { exports } = JSON.parse(await readFile(new URL("package.json", pkg), "utf8"));
const entries = Object.entries(exports).filter(
  ([name, { types }]) => types !== undefined && !/\*|\/slim$/.test(name),
);

/** The most values that `agentwire` exports. */
const MOST = 30;
/** The verbs of every protocol. */
const VERBS = [
  "createRequest",
  "events",
  "nextRequest",
  "pendingToolCalls",
  "read",
  "resume",
  "submitToolResults",
];
const PROTOCOLS = ["agent-api", "ag-kit", "ag-ui", "responses", "a2a", "ai-sdk"];

/** The values and types of each entry point, by its name. */
function namesOf() {
  const files = entries.map(([, { types }]) => fileURLToPath(new URL(types, pkg)));
  const options = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    skipLibCheck: true,
    types: [],
  };
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  return new Map(
    entries.map(([name], at) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(files[at]));
      const symbols = checker.getExportsOfModule(module).map((symbol) => {
        const meant =
          symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
        const isType = symbol.declarations?.some(
          (one) => ts.isExportSpecifier(one) && (one.isTypeOnly || one.parent.parent.isTypeOnly),
        );
        return [symbol.name, !isType && (meant.flags & ts.SymbolFlags.Value) !== 0];
      });
      const of = (isValue) =>
        symbols
          .filter(([, value]) => value === isValue)
          .map(([name]) => name)
          .sort();
      return [name.replace(/^\./, "agentwire"), { values: of(true), types: of(false) }];
    }),
  );
}

const names = namesOf();

test("the entry points export the accepted names", async () => {
  const lines = [...names].map(
    ([entry, { values, types }]) =>
      `${entry}: ${values.length} values, ${types.length} types\n  ${values.join(" ")}\n  ${types.join(" ")}\n`,
  );
  const present = lines.join("\n");
  if (process.env.UPDATE_SNAPSHOTS) {
    await writeFile(accepted, present);
  }
  assert.equal(present, await readFile(accepted, "utf8"));
});

test(`the root exports at most ${MOST} values, and every protocol the same verbs`, () => {
  assert.ok(names.get("agentwire").values.length <= MOST);
  for (const protocol of PROTOCOLS) {
    const { values, types } = names.get(`agentwire/${protocol}`);
    assert.deepEqual(
      VERBS.filter((verb) => !values.includes(verb)),
      [],
      protocol,
    );
    assert.deepEqual(
      ["Event", "Input", "Outcome", "RequestInput", "Snapshot", "Update"].filter(
        (type) => !types.includes(type),
      ),
      [],
      protocol,
    );
  }
});

test("the declared values are those that exist at run time", async () => {
  for (const [entry, { values }] of names) {
    assert.deepEqual(Object.keys(await import(entry)).sort(), values, entry);
  }
});
