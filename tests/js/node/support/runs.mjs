// Runs that are written by `emit` and read by `read`.
import assert from "node:assert/strict";
import { read } from "agentwire";
import { respond } from "agentwire/server";

/** A request that is never aborted. */
export const nobody = {};

/** Returns the outcome of a run; asserts that the reader has found nothing but notes. */
export async function outcomeOf(response) {
  const outcome = await read(response, { protocol: "agent-api" }).finished();
  assert.deepEqual(
    outcome.report.violations.filter(({ severity }) => severity !== "note"),
    [],
  );
  assert.equal(outcome.report.endReason, "completed");
  return outcome;
}

/** The outcome of an agent. */
export function run(agent, options = {}) {
  return outcomeOf(respond(nobody, { protocol: "agent-api", ...options }, agent));
}

/** The texts of each message. */
export function texts({ output }) {
  return output.map(({ content }) => content.map(({ text }) => text));
}
