// The reference of the TypeScript API: TypeDoc over the declarations of every entry point, as
// Markdown.
import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Application } from "typedoc";

const root = new URL("../../", import.meta.url);
const folder = new URL("docs/reference/api/", root);

/** Writes the pages, and the list of them for the navigation. */
export async function writeApi() {
  const manifest = JSON.parse(await readFile(new URL("pkg/package.json", root), "utf8"));
  // `slim` has the same declarations again.
  const entries = Object.entries(manifest.exports)
    .filter(([name, entry]) => entry.types !== undefined && !/slim|\.wasm$/.test(name))
    .map(([name, { types }]) => ({
      name: name.replace(/^\./, manifest.name),
      file: fileURLToPath(new URL(`pkg/${types}`, root)),
    }));
  await rm(folder, { recursive: true, force: true });
  const app = await Application.bootstrapWithPlugins({
    plugin: ["typedoc-plugin-markdown"],
    entryPoints: entries.map(({ file }) => file),
    tsconfig: fileURLToPath(new URL("docs/tsconfig.json", root)),
    out: fileURLToPath(folder),
    name: "TypeScript API",
    readme: "none",
    router: "module",
    disableSources: true,
    excludeExternals: true,
    excludePrivate: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    // Headings repeat: their own ids are not those that links are made of.
    useHTMLAnchors: true,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    // As people look for them: what they call first, then the types of it.
    groupOrder: ["Functions", "Classes", "Interfaces", "Type Aliases", "Variables", "References"],
    skipErrorChecking: true,
    logLevel: "Error",
    entryFileName: "index",
  });
  const project = await app.convert();
  if (project === undefined)
    throw new Error("TypeDoc could not read the declarations: build the package first");
  for (const module of project.children ?? []) {
    const entry =
      entries.find(({ file }) => module.sources?.[0]?.fullFileName === file) ??
      entryOf(module, entries);
    if (entry !== undefined) module.name = entry.name;
  }
  await app.generateOutputs(project);
  const names = entries.map(({ name }) => ({ text: name, link: `/reference/api/${name}` }));
  await writeFile(new URL("navigation.json", folder), JSON.stringify(names));
}

/** The entry point of a module, which TypeDoc names by its file. */
function entryOf(module, entries) {
  return entries.find(
    ({ file }) => file.endsWith(`/${module.name}.d.ts`) || file.endsWith(`/${module.name}`),
  );
}
