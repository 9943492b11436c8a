// Programs that a test runs to their end.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs a program; if it fails, the error has its output. */
export async function run(program, args, options) {
  try {
    return await execute(program, args, { ...options, maxBuffer: 64 << 20 });
  } catch (error) {
    throw new Error(
      `${program} ${args.join(" ")}\n${error.stdout ?? ""}${error.stderr ?? error.message}`,
    );
  }
}

/** Runs a script of a consumer with this node and reads the JSON that it prints. */
export async function runNode(folder, ...args) {
  const { stdout, stderr } = await run(process.execPath, args, { cwd: folder });
  if (stderr !== "") {
    throw new Error(`${args.join(" ")} printed a warning:\n${stderr}`);
  }
  return JSON.parse(stdout);
}
