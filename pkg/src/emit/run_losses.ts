// The losses of a run: of the client's request, of the requests to models, and of the answer.

import type { CountedLosses, Loss, LossClass } from "../core/findings.js";

/** The response header with the losses that were known before the first byte. */
export const LOSSES = "agentwire-losses";

/** The classes, the mildest first. */
const CLASSES: readonly LossClass[] = ["cosmetic", "quality", "contract"];

/** The number of losses that are kept in full, the same as in the core. */
const MAX_LOSSES = 1000;

/** The losses by the signals of their runs, and by the requests of their agents. */
const RUNS = new WeakMap<object, RunLosses>();

/** Returns the losses of the run that one of these values belongs to. */
export function runLossesOf(...values: unknown[]): RunLosses | undefined {
  return values
    .map((value) => (typeof value === "object" && value !== null ? RUNS.get(value) : undefined))
    .find((found) => found !== undefined);
}

/** Collects the losses of one run. */
export class RunLosses {
  /** The first losses, in order. */
  readonly list: Loss[] = [];
  /** Whether requests that lose something which can make the answer wrong are refused. */
  readonly isStrict: boolean;
  readonly #kinds = new Map<string, { n: number; class: LossClass }>();

  constructor(isStrict = false) {
    this.isStrict = isStrict;
  }

  /** Lets calls find these losses by a value of the run. */
  register(value: object): void {
    RUNS.set(value, this);
  }

  add({ losses, counts }: Pick<CountedLosses, "losses" | "counts">): void {
    this.list.push(...losses.slice(0, MAX_LOSSES - this.list.length));
    for (const [kind, n] of Object.entries(counts)) {
      const known = this.#kinds.get(kind);
      this.#kinds.set(kind, { n: (known?.n ?? 0) + n, class: known?.class ?? "cosmetic" });
    }
    for (const loss of losses) {
      const known = this.#kinds.get(loss.kind);
      if (known !== undefined && CLASSES.indexOf(loss.class) > CLASSES.indexOf(known.class)) {
        known.class = loss.class;
      }
    }
  }

  /**
   * The value of the header: the kinds with their numbers and the worst class of each. Undefined if
   * nothing was lost.
   */
  get header(): string | undefined {
    const kinds = [...this.#kinds].map(
      ([kind, { n, class: worst }]) => `${kind};n=${n};class=${worst}`,
    );
    return kinds.length === 0 ? undefined : kinds.join(", ");
  }

  /** Sets the header of a response that was not sent. */
  show(headers: Headers): void {
    const { header } = this;
    try {
      if (header !== undefined) {
        headers.set(LOSSES, header);
      }
    } catch {
      // The headers of a response that was fetched are immutable.
    }
  }
}

/** Returns losses that are kept in full with their numbers. */
export function counted(losses: readonly Loss[]): Pick<CountedLosses, "losses" | "counts"> {
  const counts: Record<string, number> = {};
  losses.forEach(({ kind }) => (counts[kind] = (counts[kind] ?? 0) + 1));
  return { losses, counts };
}
