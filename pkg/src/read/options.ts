// The options for reading streams.

import type { ErrorCode } from "../core/error_codes.js";
import { AgentwireError, must } from "../core/errors.js";
import { LIMITS, type Limits, MOST, OPTIONS } from "../generated/contract.js";
import type { Json } from "../agentwire.js";
import { stringifyJson } from "../core/json.js";
import { core } from "../core/wasm.js";
import type { AnyProtocol, CustomProtocol, DecoderOptions } from "../core/outcome.js";
import type { Readable, Readables } from "./patch.js";
import type { OptionRow } from "../core/tables.js";

export type { Limits } from "../generated/contract.js";
export type { OptionsFor, DecoderOptions, SharedOptions } from "../core/outcome.js";

/** An option or limit in the form of the core: its index, and its value. */
type Setting =
  | readonly [place: number, value: number | readonly string[]]
  | readonly [place: number, value: unknown, isJson: true];

/** Returns the protocol if it is a custom one. */
export function customOf(protocol: AnyProtocol | undefined): CustomProtocol | undefined {
  return typeof protocol === "object" && typeof protocol?.open === "function"
    ? protocol
    : undefined;
}

/** Returns the built-in protocol of the options; undefined for `auto`. */
export function protocolOf(
  reads: Readables,
  options: DecoderOptions<AnyProtocol>,
): Readable | undefined {
  if ("as" in options) {
    throw wrongOption("as", "for the whole toolkit: import from agentwire");
  }
  const { protocol } = options;
  // A custom protocol is converted to a built-in one before it is read.
  const name = typeof protocol === "object" ? customOf(protocol)?.as : protocol;
  if (protocol === undefined && reads.length > 1) {
    return undefined;
  }
  if (name === undefined && (protocol === undefined || customOf(protocol) !== undefined)) {
    return reads[0];
  }
  const found = reads.find(({ tables }) => tables.name === name);
  if (found === undefined && (name !== "auto" || reads.length === 1)) {
    const names: string[] = reads.map(({ tables }) => tables.name);
    throw wrongOption(
      "protocol",
      oneOf(reads.length === 1 ? names : [...names, "auto"]),
      "unknown-protocol",
    );
  }
  return found;
}

/** Whether the module that reads these protocols contains the binary form. */
function readsBinary(reads: Readables): boolean {
  return "readsBinary" in core(reads).bindings;
}

/**
 * Returns the content types of the binary streams that the source may have and the module reads.
 */
export function binaryOf(
  reads: Readables,
  options: DecoderOptions<AnyProtocol>,
): (string | undefined)[] {
  const custom = customOf(options.protocol);
  if (custom !== undefined) {
    return custom.shows === undefined ? [] : binaryOf(reads, { protocol: custom.shows });
  }
  const protocol = protocolOf(reads, options);
  return readsBinary(reads)
    ? (protocol === undefined ? reads : [protocol]).map(({ tables }) => tables.binary)
    : [];
}

/** Returns the number of a protocol; an unused number for undefined. */
export function numberOf(protocol: Readable | undefined): number {
  return protocol?.tables.number ?? 255;
}

/** The reading options that the core does not receive. */
const OTHERS = ["protocol", "limits", "bigint", "signal", "drainMs", "as"];

/**
 * Throws for an option that neither a reader nor `others` has. Custom protocols may have further
 * options.
 */
export function mustBeOptions(
  reads: Readables,
  options: DecoderOptions<AnyProtocol>,
  others: readonly string[] = OTHERS,
  protocol: AnyProtocol | undefined = options.protocol,
): void {
  if (customOf(protocol) !== undefined) {
    return;
  }
  const tables = [OPTIONS, ...reads.map(({ tables }) => tables.options)];
  for (const name in options) {
    if (!others.includes(name) && rowOf(name, tables) === undefined) {
      const names = [...others, ...tables.flatMap((rows) => rows.map((row) => row.name))];
      throw new AgentwireError(
        "wrong-option",
        `there is no option \`${name}\`: the options are ${names.join(", ")}`,
      );
    }
  }
}

/**
 * Returns the protocol and the options for the core. Throws for options that a reader does not
 * have.
 */
export function forCore(
  called: string,
  reads: Readables,
  options: DecoderOptions<AnyProtocol>,
): [protocol: number, settings: string] {
  must(Object(options) === options, "wrong-argument", `${called}: \`options\` is an object`);
  mustBeOptions(reads, options);
  return [numberOf(protocolOf(reads, options)), settingsOf(reads, options)];
}

/** Returns the options for the core as JSON; empty if all have their defaults. */
export function settingsOf(reads: Readables, options: DecoderOptions<AnyProtocol>): string {
  const settings: Setting[] = [];
  // Iterates over the given options: looking up every known option takes as long as reading several
  // events.
  for (const name in options) {
    const value = options[name as keyof DecoderOptions];
    if (value === undefined) {
      continue;
    }
    if (name === "limits") {
      settings.push(...limitsOf(value as Limits));
      continue;
    }
    const row = rowOf(name, [OPTIONS, ...reads.map(({ tables }) => tables.options)]);
    // A custom protocol has its own framing, and is always converted to server-sent events.
    if (row === undefined || (name === "framing" && typeof options.protocol === "object")) {
      continue;
    }
    const { at, values } = row;
    if (name === "framing" && value === "length-prefixed" && !readsBinary(reads)) {
      throw wrongOption(
        "framing",
        "sse or ndjson here: agentwire and agentwire/reader read binary streams",
      );
    }
    if (values === "json") {
      settings.push([at, value, true]);
      continue;
    }
    settings.push([
      at,
      values === "names"
        ? strings(name, value)
        : values === "flag"
          ? Number(value === true)
          : placeOf(name, value as string, values),
    ]);
  }
  return settings.length === 0 ? "" : stringifyJson(settings as unknown as Json);
}

function rowOf(name: string, tables: readonly (readonly OptionRow[])[]): OptionRow | undefined {
  for (const rows of tables) {
    const row = rows.find((row) => row.name === name);
    if (row !== undefined) {
      return row;
    }
  }
  return undefined;
}

function limitsOf(limits: Limits): Setting[] {
  const settings: Setting[] = [];
  for (const [name, limit] of Object.entries(Object(limits) === limits ? limits : { limits })) {
    const at = LIMITS.indexOf(name as keyof Limits);
    if (at < 0) {
      throw wrongOption(name, "one of the limits of `Limits`");
    }
    if (limit === undefined) {
      continue;
    }
    if (!(Number.isInteger(limit) && limit >= 0 && limit < 2 ** 32)) {
      throw wrongOption(name, "an integer from 0 to 4294967295");
    }
    if (limit > (MOST[name as keyof Limits] ?? limit)) {
      throw wrongOption(name, `at most ${MOST[name as keyof Limits]}`);
    }
    settings.push([OPTIONS.length + at, limit]);
  }
  return settings;
}

function strings(name: string, value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.some((item) => typeof item !== "string")) {
    throw wrongOption(name, "a list of strings");
  }
  return value;
}

/** Returns the index of an option's value among its allowed words. */
function placeOf(name: string, value: string, words: readonly string[]): number {
  const at = words.indexOf(value);
  if (at < 0) {
    throw wrongOption(name, oneOf(words));
  }
  return at;
}

function oneOf(words: readonly string[]): string {
  return words.length === 1 ? words[0]! : `one of ${words.join(", ")}`;
}

function wrongOption(
  name: string,
  expected: string,
  code: ErrorCode = "wrong-option",
): AgentwireError {
  return new AgentwireError(code, `option \`${name}\` is ${expected}`);
}
