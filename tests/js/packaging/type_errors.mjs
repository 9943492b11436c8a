// Strict TypeScript projects with a program of a consumer, checked by one process of the compiler.
import { execFile } from "node:child_process";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const compiler = fileURLToPath(
  new URL("../../../node_modules/typescript/bin/tsc", import.meta.url),
);

/**
 * Returns the lines that the compiler prints for each project, a list for each of the given
 * options. A line that names none of the projects is in all lists.
 */
export async function typeErrors(folder, program, options) {
  const names = options.map((_, at) => `project_${at}`);
  for (const [at, name] of names.entries()) {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      ...options[at],
    };
    await mkdir(join(folder, name));
    await copyFile(join(folder, program), join(folder, name, program));
    await writeFile(
      join(folder, name, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: [program] }),
    );
  }
  const printed = await new Promise((resolve) =>
    execFile(
      process.execPath,
      [compiler, "--build", "--pretty", "false", ...names],
      { cwd: folder, maxBuffer: 64 << 20 },
      (error, stdout, stderr) => {
        const lines = (stdout + stderr).split("\n").filter((line) => line !== "");
        resolve(error === null || lines.length > 0 ? lines : [String(error)]);
      },
    ),
  );
  const isOf = (line, name) => line.includes(`${name}/`);
  return names.map((name) =>
    printed.filter((line) => isOf(line, name) || !names.some((other) => isOf(line, other))),
  );
}
