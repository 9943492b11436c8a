// aider, with the variables of the guide. The variable AIDER is its program.
import { sample } from "../support/guide.mjs";
import { run } from "../support/run.mjs";

/** Options that keep it from asking, and from calling anything but the server. */
const ALONE = [
  "--yes-always",
  "--no-git",
  "--no-pretty",
  "--no-analytics",
  "--no-check-update",
  "--no-show-release-notes",
  "--no-show-model-warnings",
  // That of the answers of the fake models.
  "--edit-format=whole",
];

export const aider = {
  name: "aider",
  // The tokens, and what it does with the file, follow the answer.
  printsMore: true,
  configure(folder, { url, model }) {
    const code = sample("sh aider", url, [["gpt-5-mini", model]]);
    const variables = code.matchAll(/^export (\w+)=(\S+)/gm);
    folder.env = Object.fromEntries([...variables].map(([, name, value]) => [name, value]));
    [, folder.model] = code.match(/--model (\S+)/);
  },
  ask({ home, work, env: ofGuide, model }, prompt, { continues = false } = {}) {
    // Where it looks for the prices of models, nothing listens.
    const prices = { LITELLM_LOCAL_MODEL_COST_MAP: "True", HTTPS_PROXY: "http://127.0.0.1:9" };
    const env = { HOME: home, ...prices, ...ofGuide };
    const options = [...ALONE, ...(continues ? ["--restore-chat-history"] : [])];
    const args = ["--model", model, ...options, "--message", prompt, "note.txt"];
    return run(process.env.AIDER ?? "aider", args, { cwd: work, env });
  },
};
