// The error handlers of an application (`onError`), called so that nothing that one of them does
// ends the process.

import { must } from "./errors.js";

/**
 * Returns a function that passes an error to a handler, and never throws: what the handler throws,
 * or rejects with, is logged with `console.error`, and what it returns is ignored. Without a
 * handler, the error itself is logged.
 *
 * @param called the function with the option, for its errors
 * @throws AgentwireError `wrong-option` if the handler is not a function
 */
export function errorHandler(
  called: string,
  onError: ((error: unknown) => unknown) | undefined,
): (error: unknown) => void {
  mustBeHandler(called, onError);
  return (error) => {
    if (onError === undefined) {
      return logError(called, error);
    }
    const failed = (failure: unknown): void => logError(`${called}: onError has failed`, failure);
    try {
      // A promise, or any other object with `then`.
      Promise.resolve(onError(error)).catch(failed);
    } catch (failure) {
      failed(failure);
    }
  };
}

/** Throws unless an option such as `onError` is a function or missing. */
export function mustBeHandler(called: string, handler: unknown, name = "onError"): void {
  must(
    handler === undefined || typeof handler === "function",
    "wrong-option",
    `${called}: option \`${name}\` is a function`,
  );
}

/** Logs an error, which can be any value. Never throws. */
export function logError(what: string, error: unknown): void {
  try {
    console.error(`agentwire: ${what}:`, error);
  } catch {
    // The error cannot be printed, or the console does not work.
  }
}
