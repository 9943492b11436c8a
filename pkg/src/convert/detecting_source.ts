// Detecting custom protocols by the first event of a stream.

import { check } from "../core/arguments.js";
import { Converter } from "./converter.js";
import { Framer } from "./framing.js";
import type { Losses } from "../core/findings.js";
import { type CustomProtocol, type Source, defineProtocol, inputConverter } from "./protocol.js";

/** The number of bytes without a decision after which a built-in protocol is detected. */
const PATIENCE = 1 << 20;

/**
 * Returns a protocol that reads a stream as the first of these protocols whose `detect` accepts the
 * first event, or as a built-in protocol if none does. It can be read and converted from, but not
 * written.
 *
 * ```js
 * const run = read(response.body, { protocol: detectProtocol([chat]) });
 * ```
 */
export function detectProtocol(protocols: readonly CustomProtocol[]): CustomProtocol {
  check("detectProtocol", { protocols: "list" }, [protocols]);
  const blank = defineProtocol({ name: protocols.map(({ name }) => name).join(" or ") || "any" });
  const detected: CustomProtocol = {
    ...blank,
    source: (losses) => new DetectingSource(protocols, losses),
    open: (options) => inputConverter(detected, options),
  };
  return detected;
}

interface Candidate {
  readonly protocol: CustomProtocol;
  readonly framer: Framer;
}

class DetectingSource implements Source {
  readonly #losses: Losses;
  #candidates: Candidate[];
  #buffered: Uint8Array[] = [];
  #length = 0;
  #chosen: Source | undefined;

  constructor(protocols: readonly CustomProtocol[], losses: Losses) {
    this.#losses = losses;
    this.#candidates = protocols.map((protocol) => ({
      protocol,
      framer: new Framer(protocol.framing),
    }));
  }

  get from(): string | undefined {
    return this.#chosen?.from;
  }

  push(bytes: Uint8Array): string {
    if (this.#chosen !== undefined) {
      return this.#chosen.push(bytes);
    }
    // The caller may reuse its memory.
    this.#buffered.push(bytes.slice());
    this.#length += bytes.length;
    const found = this.#found((framer) => framer.push(bytes));
    const over = this.#candidates.length === 0 || this.#length >= PATIENCE;
    return found === undefined && !over ? "" : this.#choose(found);
  }

  finish(): string {
    const text =
      this.#chosen === undefined ? this.#choose(this.#found((framer) => framer.finish())) : "";
    return text + this.#chosen!.finish();
  }

  free(): void {
    this.#drop();
    this.#chosen?.free();
  }

  /**
   * Calls `detect` of every protocol that has its first event; those that reject it are dropped.
   */
  #found(cut: (framer: Framer) => string[]): CustomProtocol | undefined {
    const left: Candidate[] = [];
    for (const candidate of this.#candidates) {
      const [first] = cut(candidate.framer);
      if (first === undefined) {
        left.push(candidate);
      } else if (candidate.protocol.detect(first)) {
        return candidate.protocol;
      } else {
        candidate.framer.free();
      }
    }
    this.#candidates = left;
    return undefined;
  }

  #choose(protocol: CustomProtocol | undefined): string {
    this.#drop();
    const chosen = (this.#chosen = protocol?.source(this.#losses) ?? builtIn());
    const buffered = this.#buffered;
    this.#buffered = [];
    return buffered.map((bytes) => chosen.push(bytes)).join("");
  }

  #drop(): void {
    this.#candidates.forEach(({ framer }) => framer.free());
    this.#candidates = [];
  }
}

/** Returns a source that detects the built-in protocol and converts it to steps. */
function builtIn(): Source {
  const steps = {
    ...defineProtocol({ name: "steps" }),
    target: () => ({ write: (lines: string) => lines }),
  };
  const converter = new Converter({ from: "auto", to: steps });
  const decoder = new TextDecoder();
  return {
    get from() {
      return converter.from;
    },
    push: (bytes) => decoder.decode(converter.push(bytes)),
    finish: () => decoder.decode(converter.finish()),
    free: () => converter.free(),
  };
}
