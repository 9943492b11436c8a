// Telling protocols of your own by the first event of a stream.

import { check } from "../arguments.js";
import { Converter } from "./converter.js";
import { Framer } from "./framing.js";
import type { Losses } from "./losses.js";
import { type CustomProtocol, type Source, defineProtocol, front } from "./protocol.js";

/** Whoever has said nothing in so many bytes is not waited for. */
const PATIENCE = 1 << 20;

/**
 * A protocol that is one of these, or, if none of them says that the first event is its own, a built-in one that the stream
 * tells. To be read and converted from, not to be written.
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
    source: (losses) => new Detecting(protocols, losses),
    open: (options) => front(detected, options),
  };
  return detected;
}

interface Candidate {
  readonly protocol: CustomProtocol;
  readonly framer: Framer;
}

class Detecting implements Source {
  readonly #losses: Losses;
  #candidates: Candidate[];
  #held: Uint8Array[] = [];
  #length = 0;
  #chosen: Source | undefined;

  constructor(protocols: readonly CustomProtocol[], losses: Losses) {
    this.#losses = losses;
    this.#candidates = protocols.map((protocol) => ({ protocol, framer: new Framer(protocol.framing) }));
  }

  get from(): string | undefined {
    return this.#chosen?.from;
  }

  push(bytes: Uint8Array): string {
    if (this.#chosen !== undefined) {
      return this.#chosen.push(bytes);
    }
    // The caller may use its memory again.
    this.#held.push(bytes.slice());
    this.#length += bytes.length;
    const found = this.#found((framer) => framer.push(bytes));
    const over = this.#candidates.length === 0 || this.#length >= PATIENCE;
    return found === undefined && !over ? "" : this.#choose(found);
  }

  finish(): string {
    const said = this.#chosen === undefined ? this.#choose(this.#found((framer) => framer.finish())) : "";
    return said + this.#chosen!.finish();
  }

  free(): void {
    this.#drop();
    this.#chosen?.free();
  }

  /** Asks everybody who has an event; who says no is not asked again. */
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
    const held = this.#held;
    this.#held = [];
    return held.map((bytes) => chosen.push(bytes)).join("");
  }

  #drop(): void {
    this.#candidates.forEach(({ framer }) => framer.free());
    this.#candidates = [];
  }
}

/** The built-in protocol that the stream tells, as steps. */
function builtIn(): Source {
  const steps = { ...defineProtocol({ name: "steps" }), target: () => ({ write: (lines: string) => lines }) };
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
