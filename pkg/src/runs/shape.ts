// Validates JSON by a table of its declared shape, as the core does. The codes and texts are those
// of the core.

import type { Json } from "../agentwire.js";
import { isObject, textOf } from "../core/json.js";

/**
 * The type of a value: a list of others, an object, an object whose members depend on its tag, or
 * one of several labeled types.
 */
export type Shape =
  | "text"
  | "number"
  | "json"
  | { readonly list: Shape }
  | ObjectShape
  | { readonly tag: string; readonly variants: Readonly<Record<string, readonly MemberShape[]>> }
  | { readonly either: readonly (readonly [label: string, shape: Shape])[] };

/** The type of an object. Undeclared members are not part of it. */
export interface ObjectShape {
  readonly members: readonly MemberShape[];
}

/** The type of a member. An optional one may be null. */
export interface MemberShape {
  readonly name: string;
  /** Another spelling of the name. */
  readonly alias?: string;
  readonly isOptional?: boolean;
  readonly oneOf?: readonly string[];
  readonly shape: Shape;
}

/** A code, and the expected value as a sentence: those of the service. */
export type Fault = readonly [code: string, expected: string];
/** Receives a fault of the value at a path. */
export type ReportFault = (path: string, fault: Fault, actual: Json) => void;
type CheckedMembers = Record<string, Json>;

const MISSING: Fault = ["missing", "Field required"];
const NO_TEXT: Fault = ["string_type", "Input should be a valid string"];
const NO_NUMBER: Fault = ["int_type", "Input should be a valid integer"];
const NO_LIST: Fault = ["list_type", "Input should be a valid list"];
const NO_OBJECT: Fault = [
  "model_attributes_type",
  "Input should be a valid dictionary or object to extract fields from",
];

/**
 * Reports each place at which a value from JSON does not have this shape. Renames members with the
 * other spelling.
 */
export function checkShape(value: Json, shape: Shape, path: string, note: ReportFault): void {
  if (shape === "text") {
    if (typeof value !== "string") {
      note(path, NO_TEXT, value);
    }
  } else if (shape === "number") {
    // The service also reads numbers in texts and booleans.
    if (typeof value === "object") {
      note(path, NO_NUMBER, value);
    }
  } else if (shape !== "json") {
    checkStructure(value, shape, path, note);
  }
}

function checkStructure(
  value: Json,
  shape: Exclude<Shape, string>,
  path: string,
  note: ReportFault,
): void {
  if ("list" in shape) {
    if (Array.isArray(value)) {
      value.forEach((item, at) => checkShape(item, shape.list, `${path}.${at}`, note));
    } else {
      note(path, NO_LIST, value);
    }
  } else if ("either" in shape) {
    const tried = shape.either.map(([label, one]) => {
      const notes: Parameters<ReportFault>[] = [];
      checkShape(value, one, `${path}.${label}`, (...noted) => void notes.push(noted));
      return notes;
    });
    if (tried.every((notes) => notes.length > 0)) {
      tried.flat().forEach((noted) => note(...noted));
    }
  } else if (!isObject(value)) {
    note(path, NO_OBJECT, value);
  } else if ("members" in shape) {
    checkMembers(value, shape.members, path, note);
  } else {
    const { tag, variants } = shape;
    const names = Object.keys(variants);
    const name = value[tag];
    if (name === undefined) {
      note(
        path,
        ["union_tag_not_found", `Unable to extract tag using discriminator '${tag}'`],
        value,
      );
    } else if (typeof name !== "string" || !names.includes(name)) {
      const tags = names.map((one) => `'${one}'`).join(", ");
      note(
        path,
        [
          "union_tag_invalid",
          `Input tag '${textOf(name)}' found using '${tag}' does not match any of the expected tags: ${tags}`,
        ],
        value,
      );
    } else {
      checkMembers(value, variants[name]!, `${path}.${name}`, note);
    }
  }
}

/** Checks the members of an object. Renames those with the other spelling. */
function checkMembers(
  value: CheckedMembers,
  members: readonly MemberShape[],
  path: string,
  note: ReportFault,
): void {
  for (const { name, alias } of members) {
    if (alias !== undefined && value[name] === undefined && value[alias] !== undefined) {
      value[name] = value[alias];
      delete value[alias];
    }
  }
  for (const { name, isOptional = false, oneOf, shape } of members) {
    const member = value[name];
    const at = `${path}.${name}`;
    if (member === undefined || (member === null && isOptional)) {
      if (!isOptional) {
        note(at, MISSING, value);
      }
    } else if (oneOf !== undefined && !oneOf.includes(member as string)) {
      note(
        at,
        ["literal_error", `Input should be ${oneOf.map((word) => `'${word}'`).join(" or ")}`],
        member,
      );
    } else {
      checkShape(member, shape, at, note);
    }
  }
}
