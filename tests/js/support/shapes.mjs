// JSON Schemas as code that describes the errors in a value: those of the package's types,
// generated from the package
// (`ts-json-schema-generator`), and those that the declarations in Rust print
// (`tests/data/schemas`). Both are compiled beforehand (`ajv`), because workers and strict pages
// cannot create functions from texts.
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import { createGenerator } from "ts-json-schema-generator";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** The types of tests/js/support/shapes.ts. */
const ROOTS = {
  "agent-api": "AgentApi",
  agentscope: "AgentScope",
  "ag-kit": "AgKit",
  "ag-ui": "AgUi",
  responses: "Responses",
  a2a: "A2a",
  chat: "Chat",
  anthropic: "Anthropic",
  gemini: "Gemini",
  interactions: "Interactions",
  "ai-sdk": "AiSdk",
};
/** The declared value of `OtherName`. */
const OTHER = "any other name";

/** The schemas by protocol and shape: `schemas["ag-kit"].update`. */
export function schemas() {
  const generator = createGenerator({
    path: join(root, "tests/js/support/shapes.ts"),
    tsconfig: join(root, "tests/js/types/tsconfig.json"),
    // The suite `types` does that.
    skipTypeCheck: true,
    // Undeclared members are kept.
    additionalProperties: true,
    expose: "all",
    jsDoc: "none",
    topRef: false,
  });
  return Object.fromEntries(
    Object.entries(ROOTS).map(([protocol, root]) => [
      protocol,
      schemasOf(generator.createSchema(root)),
    ]),
  );
}

function schemasOf(whole) {
  const resolve = (schema) =>
    schema.$ref === undefined
      ? schema
      : whole.definitions[decodeURIComponent(schema.$ref.slice("#/definitions/".length))];
  const closed = (schema) => withOpenMembers(schema, resolve);
  const definitions = Object.fromEntries(
    Object.entries(whole.definitions).map(([name, schema]) => [name, closed(schema)]),
  );
  return Object.fromEntries(
    Object.entries(whole.properties).map(([name, schema]) => [
      name,
      { ...closed(schema), definitions },
    ]),
  );
}

/**
 * In a union the open member is for other names than the declared ones: a text of a wrong shape is
 * not unknown content.
 */
function withOpenMembers(schema, resolve, taken = []) {
  const inner = (value) => withOpenMembers(value, resolve);
  if (Array.isArray(schema)) {
    return schema.map(inner);
  }
  if (typeof schema !== "object" || schema === null) {
    return schema;
  }
  if (resolve(schema).const === OTHER) {
    return taken.length > 0 ? { type: "string", not: { enum: taken } } : { type: "string" };
  }
  if (schema.anyOf !== undefined) {
    return {
      ...schema,
      anyOf: schema.anyOf.map((member) => openMember(member, schema.anyOf.map(resolve), resolve)),
    };
  }
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, inner(value)]));
}

function openMember(member, union, resolve) {
  const { properties = {}, ...rest } = resolve(member);
  const open = Object.entries(properties).find(([, value]) => resolve(value).const === OTHER);
  if (open === undefined) {
    return withOpenMembers(member, resolve);
  }
  const [name, value] = open;
  const taken = union
    .map(({ properties }) => properties?.[name] && resolve(properties[name]).const)
    .filter((word) => word !== undefined && word !== OTHER);
  return {
    ...rest,
    properties: {
      ...withOpenMembers(properties, resolve),
      [name]: withOpenMembers(value, resolve, taken),
    },
  };
}

/**
 * The schemas that the declarations in Rust print, of snapshots and events:
 * `declared["ag-kit"].answer`.
 */
async function declaredSchemas() {
  const folder = join(root, "tests/data/schemas");
  const schemas = {};
  for (const file of await readdir(folder)) {
    const [protocol, name] = file.split(".");
    (schemas[protocol] ??= {})[`declared_${name}`] = JSON.parse(
      await readFile(join(folder, file), "utf8"),
    );
  }
  return schemas;
}

/**
 * Writes the code into the folder of installed packages, where the bundlers of the tests find it;
 * returns its path.
 */
export async function writeShapes() {
  const folder = join(root, "node_modules/.shapes");
  await mkdir(folder, { recursive: true });
  // The two are of different versions of JSON Schema.
  await writeFile(join(folder, "types.mjs"), validators(Ajv, schemas()));
  await writeFile(join(folder, "declarations.mjs"), validators(Ajv2020, await declaredSchemas()));
  const file = join(folder, "shapes.mjs");
  await writeFile(file, 'export * from "./types.mjs";\nexport * from "./declarations.mjs";\n');
  return file;
}

/** The code of one validator for each schema: `ag_kit_update`. */
function validators(Ajv, schemas) {
  const ajv = new Ajv({ code: { source: true, esm: true }, strict: false, inlineRefs: false });
  const names = {};
  for (const [protocol, shapes] of Object.entries(schemas)) {
    for (const [name, schema] of Object.entries(shapes)) {
      const id = `${protocol.replace("-", "_")}_${name}`;
      ajv.addSchema(schema, id);
      names[id] = id;
    }
  }
  return standaloneCode(ajv, names);
}
