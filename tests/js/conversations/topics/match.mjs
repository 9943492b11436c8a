// What a converted request has to contain, as data. An object matches one that has at least its
// members; an array matches one that has its elements in this order, among others; `undefined`
// matches nothing there. The others are objects with one of these members:
//
// | member  | matches                                             |
// |---------|-----------------------------------------------------|
// | $has    | a value whose JSON contains each of the texts       |
// | $lacks  | a value whose JSON contains none of the texts       |
// | $any    | any value but `undefined` and `null`                |
// | $oneOf  | a value that matches one of the list                |
// | $ends   | a text with this end                                |
// | $most   | a number that is not greater, or nothing            |
// | $all    | a value that matches each of the list               |
// | $only   | an array of elements that each match one of the list, in this order, and no other |

const OPERATORS = {
  $has: (texts, value) => texts.every((text) => json(value).includes(text)),
  $lacks: (texts, value) => !texts.some((text) => json(value).includes(text)),
  $any: (_, value) => value !== undefined && value !== null,
  $oneOf: (list, value) => list.some((pattern) => matches(pattern, value)),
  $ends: (text, value) => typeof value === "string" && value.endsWith(text),
  $most: (most, value) => value === undefined || value <= most,
  $all: (list, value) => list.every((pattern) => matches(pattern, value)),
  $only: (list, value) =>
    Array.isArray(value) && value.length === list.length && matches(list, value),
};

/** Whether a value matches a pattern. */
export function matches(pattern, value) {
  if (pattern === null || typeof pattern !== "object") return pattern === value;
  if (Array.isArray(pattern)) return Array.isArray(value) && isSubsequence(pattern, value);
  const [operator] = Object.keys(pattern).filter((name) => Object.hasOwn(OPERATORS, name));
  if (operator !== undefined) return OPERATORS[operator](pattern[operator], value);
  const isObject = typeof value === "object" && value !== null;
  return (
    isObject && Object.entries(pattern).every(([name, member]) => matches(member, value[name]))
  );
}

/**
 * Whether the elements match in order. The first match of each is taken, which finds one if there
 * is any.
 */
function isSubsequence(patterns, values) {
  let at = 0;
  for (const value of values) {
    if (at < patterns.length && matches(patterns[at], value)) at++;
  }
  return at === patterns.length;
}

const json = (value) => JSON.stringify(value ?? null);

/** A request whose JSON contains each of the texts. */
export const has = (...texts) => ({ $has: texts });
