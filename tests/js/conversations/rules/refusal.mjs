// A request that the API of a model refuses, and the state that it accepts.

/** A refusal, with the members of the API's error. */
export class Refused extends Error {
  constructor(message, { status = 400, code = null, param = null } = {}) {
    super(message);
    Object.assign(this, { status, code, param });
  }
}

/** Throws a refusal if the condition holds. */
export function refuse(condition, message, more) {
  if (condition) throw new Refused(message, more);
}

/** State in a conversation: the model accepts what it has issued. */
export const issued = (values) => ({ has: (value) => values.includes(value) });

/**
 * State in a single request: any that came with the request under test. An envelope of agentwire is
 * never state of a model.
 */
export const ANY_STATE = {
  has: (value) => typeof value === "string" && value !== "" && !value.startsWith("aw1."),
};

/** State in a single request whose source cannot have any of this model. */
export const NO_STATE = { has: () => false };

/** Returns the refusal of a check, or undefined. */
export function refusalOf(check) {
  try {
    check();
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}
