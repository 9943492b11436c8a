import { AgentwireError } from "./errors.js";

/** The longest time that a timer takes; what is longer it takes for one millisecond. */
const LONGEST = 2 ** 31 - 1;

/** Checks an option that is a time; throws an `AgentwireError` with code `wrong-option`. */
export function milliseconds(name: string, value: number): number {
  if (typeof value === "number" && value >= 0 && value <= LONGEST) {
    return value;
  }
  throw new AgentwireError("wrong-option", `option \`${name}\` is a number of milliseconds from 0 to ${LONGEST}`);
}
