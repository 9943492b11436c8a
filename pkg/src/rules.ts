// What the rules say that a violation names: a module of its own, so that nobody loads the texts who does not show them.

import type { Violation } from "./findings.js";
import type { Protocol } from "./outcome.js";
import { TEXTS } from "./rule_texts.js";

/** What a rule says. For people; the ids are what is stable. */
export interface RuleText {
  /** The clause of the protocol reference that the rule comes from. */
  readonly clause: string;
  /** What a conforming server does. */
  readonly expected: string;
  /** What the reader does where a server does otherwise. */
  readonly recovery: string;
}

/**
 * What the rule of a violation says.
 *
 * ```js
 * for (const violation of report.violations) {
 *   const { expected, recovery } = explain(violation);
 *   console.log(`${violation.rule}: expected ${expected}, got ${violation.got}; ${recovery}`);
 * }
 * ```
 *
 * @param violation a violation, or the id of a rule
 * @param protocol where two protocols have a rule of that name; without it, the first one that has it counts
 * @returns undefined for what is no rule of this version
 */
export function explain(violation: Violation, protocol?: Protocol): RuleText;
export function explain(rule: string, protocol?: Protocol): RuleText | undefined;
export function explain(violation: Violation | string, protocol?: Protocol): RuleText | undefined {
  const rule = typeof violation === "string" ? violation : violation.rule;
  const tables = protocol === undefined ? Object.values(TEXTS) : [TEXTS[protocol] ?? {}];
  const text = tables.find((table) => Object.hasOwn(table, rule))?.[rule];
  return text && { clause: text[0], expected: text[1], recovery: text[2] };
}
