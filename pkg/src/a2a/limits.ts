// The limits on what a server of A2A holds for its clients.

import { knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";

/**
 * The limits of {@link a2aAdapter}. A user has at most a quarter of each, except of `followers`.
 */
export interface A2aLimits {
  /**
   * The maximum number of tasks whose agent is running: 1,000 by default. Each goes on when its
   * client disconnects.
   */
  readonly runningTasks?: number | undefined;
  /**
   * The maximum memory of the messages of these tasks, in bytes: 134,217,728 (128 MiB) by default.
   * It is estimated from their JSON: its length, and 32 bytes per value, at least 64 KiB per task.
   */
  readonly runningBytes?: number | undefined;
  /** The maximum number of connections that follow one task (`SubscribeToTask`): 100 by default. */
  readonly followers?: number | undefined;
  /**
   * The maximum number of bytes of large answers and events (above 64 KiB each) that clients have
   * not read yet: 67,108,864 (64 MiB) by default. Equal ones are counted once.
   */
  readonly unreadBytes?: number | undefined;
}

const DEFAULTS = {
  runningTasks: 1000,
  runningBytes: 128 * 1024 * 1024,
  followers: 100,
  unreadBytes: 64 * 1024 * 1024,
};

/**
 * Returns the limits with their defaults.
 *
 * @throws AgentwireError `wrong-option`
 */
export function limitsOf(
  configured: A2aLimits = {},
): Required<{ [Name in keyof A2aLimits]: number }> {
  knownOptions("the option `limits` of a2aAdapter()", configured, Object.keys(DEFAULTS));
  const limits = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as (keyof A2aLimits)[]) {
    limits[name] = configured[name] ?? limits[name];
    must(
      typeof limits[name] === "number" && limits[name] > 0,
      "wrong-option",
      `option \`limits.${name}\` is a number above 0`,
    );
  }
  return limits;
}

/** The least memory of a running task. */
const LEAST = 64 * 1024;
/** The memory of a value in addition to its text. */
const VALUE = 32;

/** Returns an estimate of the memory that JSON takes when it is parsed, in bytes. */
export function memoryOf(json: string): number {
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    // A comma, a colon, or the start of an array or of an object; within a text they make the
    // estimate larger.
    if (unit === 0x2c || unit === 0x3a || unit === 0x5b || unit === 0x7b) {
      values++;
    }
  }
  return Math.max(LEAST, json.length + VALUE * values);
}
