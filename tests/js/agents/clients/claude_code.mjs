// Claude Code, with the variables of the guide.
import { fileURLToPath } from "node:url";
import { sample } from "../support/guide.mjs";
import { run } from "../support/run.mjs";

const PROGRAM = fileURLToPath(new URL("../node_modules/.bin/claude", import.meta.url));

/** Variables that keep it from calling anything but the server, and from asking for permissions. */
const ALONE = {
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  IS_SANDBOX: "1",
};

export const claudeCode = {
  name: "Claude Code",
  configure(folder, { url, model }) {
    const lines = sample("sh claude-code", url, [["gpt-5-mini", model]]);
    const variables = lines.matchAll(/^export (\w+)=(\S+)/gm);
    folder.env = Object.fromEntries([...variables].map(([, name, value]) => [name, value]));
  },
  ask({ home, work, env: ofGuide }, prompt, { continues = false } = {}) {
    const env = { HOME: home, CLAUDE_CONFIG_DIR: home, ...ofGuide, ...ALONE };
    const options = ["--dangerously-skip-permissions", ...(continues ? ["--continue"] : [])];
    return run(PROGRAM, ["-p", prompt, ...options], { cwd: work, env });
  },
};
