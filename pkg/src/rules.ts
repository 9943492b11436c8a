// The texts of the rules: a separate entry point, so that only pages that show them load them.

import type { Violation } from "./core/findings.js";
import type { Protocol } from "./core/outcome.js";
import { TEXTS } from "./generated/rule_texts.js";

/** The texts of a rule, for people. Only rule ids are stable. */
export interface RuleText {
  /**
   * The clause of the protocol:
   * {@link https://agentwire.github.io/agentwire/reference/clauses | all clauses} with their
   * upstream texts.
   */
  readonly clause: string;
  /** The expected value or order, as a noun phrase. */
  readonly expected: string;
  /** The recovery of a lenient reader, as a participle phrase. */
  readonly recovery: string;
}

/**
 * Returns the texts of a rule.
 *
 * ```js
 * for (const violation of report.violations) {
 *   const { expected, recovery } = explain(violation);
 *   console.log(`${violation.rule}: expected ${expected}, got ${violation.actual}; ${recovery}`);
 * }
 * ```
 *
 * @param violation a violation, or the id of a rule
 * @param protocol the protocol of the stream; protocols share rule ids, and the first protocol that
 * has the rule is the default
 * @returns undefined if this version has no such rule
 */
export function explain(violation: Violation, protocol?: Protocol): RuleText;
export function explain(rule: string, protocol?: Protocol): RuleText | undefined;
export function explain(violation: Violation | string, protocol?: Protocol): RuleText | undefined {
  const rule = typeof violation === "string" ? violation : violation.rule;
  const tables = protocol === undefined ? Object.values(TEXTS) : [TEXTS[protocol] ?? {}];
  const text = tables.find((table) => Object.hasOwn(table, rule))?.[rule];
  return text && { clause: text[0], expected: text[1], recovery: text[2] };
}
