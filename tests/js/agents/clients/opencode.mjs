// opencode, with the configuration of the guide.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sample } from "../support/guide.mjs";
import { run } from "../support/run.mjs";

const PROGRAM = fileURLToPath(new URL("../node_modules/.bin/opencode", import.meta.url));

export const opencode = {
  name: "opencode",
  configure(folder, { url, model }) {
    const config = sample("json opencode", url, [["gpt-5-mini", model]]);
    folder.config = join(folder.home, "opencode.json");
    folder.model = model;
    writeFileSync(folder.config, config);
  },
  ask({ home, work, config, model }, prompt, { continues = false } = {}) {
    const env = {
      HOME: home,
      OPENCODE_CONFIG: config,
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    };
    const options = ["-m", `agentwire/${model}`, ...(continues ? ["--continue"] : [])];
    return run(PROGRAM, ["run", ...options, prompt], { cwd: work, env });
  },
};
