// Codex, configured as in docs/guides/any-client.md.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../support/run.mjs";

const PROGRAM = fileURLToPath(new URL("../node_modules/.bin/codex", import.meta.url));

export const codex = {
  name: "Codex",
  /** Configures Codex for a server. `model` decides which tools it offers, and in which form. */
  configure({ home }, url, { model = "agentwire", more = "" } = {}) {
    writeFileSync(
      join(home, "config.toml"),
      `model = "${model}"
model_provider = "agentwire"

[model_providers.agentwire]
name = "agentwire"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "AGENTWIRE_KEY"
${more}`,
    );
  },
  /** Gives Codex a task; `continues`: in the same session as the last one. */
  ask({ home, work }, prompt, { continues = false } = {}) {
    const options = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
    const args = continues
      ? ["exec", ...options, "resume", "--last", prompt]
      : ["exec", ...options, prompt];
    const env = { HOME: home, CODEX_HOME: home, AGENTWIRE_KEY: "test-key" };
    return run(PROGRAM, args, { cwd: work, env });
  },
};
