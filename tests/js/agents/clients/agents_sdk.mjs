// An agent of the OpenAI Agents SDK in Python. The variable PYTHON is the interpreter that has it.
import { fileURLToPath } from "node:url";
import { run } from "../support/run.mjs";

const PROGRAM = fileURLToPath(new URL("agents_sdk.py", import.meta.url));

export const agentsSdk = {
  name: "OpenAI Agents SDK",
  configure(folder, { url, model }) {
    folder.env = { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "test-key", MODEL: model };
  },
  ask({ home, work, env }, prompt) {
    const python = process.env.PYTHON ?? "python3";
    return run(python, [PROGRAM, prompt], { cwd: work, env: { HOME: home, ...env } });
  },
};
