// Programs that tests start: to their end, or as servers on this machine that end with the test.
import { execFile, spawn } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";

const execute = promisify(execFile);
const SIX_MINUTES = 360_000;

/** Settings that turn off the telemetry of the tools. */
const QUIET = {
  CI: "1",
  NO_COLOR: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  WRANGLER_SEND_METRICS: "false",
  DO_NOT_TRACK: "1",
};

/**
 * Runs a program to its end, within a limit, and returns its output; if it fails, the error has the
 * output.
 */
export async function run(program, args, { cwd, env = {} }) {
  try {
    const options = {
      cwd,
      env: { ...process.env, ...QUIET, ...env },
      maxBuffer: 64 << 20,
      timeout: SIX_MINUTES,
    };
    const { stdout, stderr } = await execute(program, args, options);
    return stdout + stderr;
  } catch (error) {
    throw new Error(
      `${program} ${args.join(" ")}\n${error.stdout ?? ""}${error.stderr ?? error.message}`,
    );
  }
}

/** Returns a free port. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Starts a server by its command and waits until its port responds. Resolves to its URL and to the
 * function that stops it, with all programs that it has started.
 */
export async function startServer(program, args, { cwd, port, env = {} }) {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...QUIET, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let said = "";
  child.stdout.on("data", (text) => (said += text));
  child.stderr.on("data", (text) => (said += text));
  const ended = new Promise((resolve) =>
    child.on("close", resolve).on("error", (error) => resolve((said += error))),
  );
  const close = async () => {
    try {
      process.kill(-child.pid, "SIGTERM");
    } catch {
      // The server has already ended.
    }
    await ended;
  };
  const url = `http://127.0.0.1:${port}`;
  while (child.exitCode === null && child.pid !== undefined) {
    // A server that is still starting may respond with an error.
    if (
      await fetch(url).then(
        ({ status }) => status < 500,
        () => false,
      )
    ) {
      return { url, close };
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await close();
  throw new Error(`${program} ${args.join(" ")} does not serve:\n${said}`);
}
