// Values that agents and protocols of the tests throw, and the results of their runs.
import { AgentwireError } from "agentwire";
import { respond } from "agentwire/server";
import { outcomeOf } from "../node/support/runs.mjs";

/** A request that cannot be aborted. */
export const nobody = {};
export const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;
/** The message that a client receives for an error that was not meant for it. */
export const MASKED =
  /^an internal error happened, its id is ([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$/;

export const fails = () => {
  throw new Error("secret: a trap of the thrown value was sprung");
};
export const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const traps = new Proxy(Error, { get: () => fails });

/** Values that are difficult to inspect. */
export const THROWN = {
  undefined,
  null: null,
  zero: 0,
  "a string": "secret",
  "a symbol": Symbol("secret"),
  "a function": () => "secret",
  "an error": new Error("secret"),
  "an error with a code": Object.assign(new Error("secret"), {
    code: "ECONNREFUSED 10.0.0.7 secret",
  }),
  "a frozen error": Object.freeze(new Error("secret")),
  "an AggregateError": new AggregateError([new Error("secret"), null], "secret"),
  "a revoked proxy": revoked(),
  "a proxy with throwing traps": new Proxy({}, traps),
  "an object with throwing getters": Object.defineProperties(
    {},
    Object.fromEntries(
      ["message", "code", "name", "stack", "cause", "constructor"].map((name) => [
        name,
        { get: fails },
      ]),
    ),
  ),
  "an object that throws when converted to a string": {
    [Symbol.toPrimitive]: fails,
    toString: fails,
    valueOf: fails,
    toJSON: fails,
  },
  "an error whose message is not a string": Object.assign(new Error(), {
    message: { toString: fails },
  }),
  "an object without a prototype": Object.create(null),
};

/** Runs an agent; resolves to the text of the response and the outcome of reading it. */
export async function ran(agent, options = {}) {
  const text = await respond(
    nobody,
    { protocol: "agent-api", onError: () => {}, ...options },
    agent,
  ).text();
  return {
    text,
    ...(await outcomeOf(new Response(text, { headers: { "content-type": "text/event-stream" } }))),
  };
}
