import { AgentwireError } from "./errors.js";

/** The longest delay of a timer; a timer treats longer delays as one millisecond. */
const LONGEST = 2 ** 31 - 1;

/**
 * Returns the value of an option in milliseconds.
 *
 * @throws AgentwireError `wrong-option` if it is not a valid delay
 */
export function milliseconds(name: string, value: number): number {
  if (typeof value === "number" && value >= 0 && value <= LONGEST) {
    return value;
  }
  throw new AgentwireError("wrong-option", `option \`${name}\` is a number of milliseconds from 0 to ${LONGEST}`);
}
