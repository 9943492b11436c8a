// Agents whose output is difficult in an edge runtime.
import { read } from "agentwire";
import { AgentError, respond } from "agentwire/server";

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const agents = {
  async "/text"(out) {
    const text = out.message().text();
    for (const token of ["Hel", "lo"]) {
      await text.delta(token);
    }
  },
  async "/throws"(out) {
    await out.message().text().delta("so far");
    throw new AgentError("MODEL_GONE", "the model is gone");
  },
  async "/breaks"(out) {
    await out.message().text().delta("so far");
    throw new Error("secret");
  },
  async "/silent"(out) {
    await pause(150);
    await out.message().text().delta("at last");
  },
  async "/long"(out) {
    const text = out.message().text();
    for (let at = 0; at < 2000; at++) {
      await text.delta("x".repeat(100));
    }
  },
};

/** Whether the agent of `/left` was aborted when its client disconnected. */
let told = false;

agents["/left"] = async (out) => {
  told = false;
  out.signal.addEventListener("abort", () => (told = true));
  const text = out.message().text();
  for (;;) {
    await text.delta("x".repeat(1000));
    await pause(1);
  }
};

export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/told") {
      return Response.json(told);
    }
    if (pathname === "/within") {
      const run = read(respond(request, { protocol: "agent-api" }, agents["/left"]), {
        protocol: "agent-api",
      });
      for await (const update of run) {
        if (update.snapshot.output.length > 0) {
          break;
        }
      }
      await pause(10);
      return Response.json({ ended: (await run.finished()).report.endReason, told });
    }
    return respond(request, { protocol: "agent-api", heartbeatMs: 20 }, agents[pathname]);
  },
};
