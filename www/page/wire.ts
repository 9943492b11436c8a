// The wire: the whole stream as a strip of ticks, one per event, with the length of the event and
// the colour of its kind.

import type { Kind } from "./label_parts.js";
import { byId } from "./dom.js";
import type { Recording, Row } from "./recording.js";

const SVG = "http://www.w3.org/2000/svg";
const KINDS: readonly Kind[] = [
  "response",
  "message",
  "content",
  "tool",
  "pause",
  "comment",
  "other",
  "end",
  "error",
];
const SEVERITIES = ["note", "warning", "error"] as const;

/** The minimum distance of ticks in pixels; closer ones share one tick. */
const CLOSEST = 4;
const HEIGHT = 100;
/** The y coordinate between the ticks above and the marks of violations below. */
const BASE = 80;

export class Wire {
  readonly #svg = byId("ticks") as unknown as SVGSVGElement;
  readonly #ahead = this.#group("ahead");
  readonly #behind = this.#group("behind");
  readonly #rail = document.createElementNS(SVG, "path");
  #drawn = "";
  #last: readonly [Recording | null, number] = [null, 0];

  constructor() {
    this.#rail.setAttribute("class", "rail");
    this.#svg.prepend(this.#rail);
    new ResizeObserver(() => this.render(...this.#last)).observe(this.#svg.parentElement!);
  }

  /** Draws a recording; the part before the position is bright. */
  render(recording: Recording | null, position: number): void {
    this.#last = [recording, position];
    const rows = recording?.rows ?? [];
    const count = Math.min(rows.length, Math.max(1, Math.floor(this.#svg.clientWidth / CLOSEST)));
    const look = `${count} ${recording?.id} ${rows.length} ${recording?.allViolations.length}`;
    if (look !== this.#drawn) {
      this.#drawn = look;
      this.#draw(recording, rows, count);
    }
    const share = rows.length === 0 ? 0 : position / rows.length;
    this.#behind.style.clipPath = `inset(0 ${100 - share * 100}% 0 0)`;
    this.#svg.parentElement!.style.setProperty("--at", String(share));
  }

  #draw(recording: Recording | null, rows: readonly Row[], count: number): void {
    this.#svg.setAttribute("viewBox", `0 0 ${Math.max(count, 1)} ${HEIGHT}`);
    this.#rail.setAttribute("d", `M0 ${BASE / 2}H${Math.max(count, 1)}`);
    const shortest = rows.reduce(
      (least, { event, start, end }) => (event === null ? least : Math.min(least, end - start)),
      Infinity,
    );
    const paths = new Map<string, string>();
    const add = (name: string, path: string) => paths.set(name, (paths.get(name) ?? "") + path);
    for (let tick = 0; tick < count; tick++) {
      const slice = rows.slice(
        Math.floor((tick * rows.length) / count),
        Math.floor(((tick + 1) * rows.length) / count),
      );
      const row = slice.reduce((one, other) =>
        KINDS.indexOf(other.label.kind) > KINDS.indexOf(one.label.kind) ? other : one,
      );
      const length = lengthOf(row, shortest);
      add(row.label.kind, `M${tick + 0.5} ${(BASE - length) / 2}v${length}`);
      const found = slice.flatMap((each) => recording?.violationsOf(each) ?? []);
      const worst = SEVERITIES.findLast((severity) =>
        found.some((violation) => violation.severity === severity),
      );
      if (worst !== undefined) {
        add(`violation ${worst}`, `M${tick + 0.5} ${BASE + 8}v10`);
      }
    }
    for (const group of [this.#ahead, this.#behind]) {
      group.replaceChildren(...[...paths].map(([name, path]) => pathElement(name, path)));
    }
  }

  #group(name: string): SVGGElement {
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("class", name);
    (byId("ticks") as unknown as SVGSVGElement).append(group);
    return group;
  }
}

/**
 * Returns the length of a tick. It grows slower than the event, so that an image of a megabyte does
 * not hide the rest.
 */
function lengthOf({ start, end, label }: Row, shortest: number): number {
  if (label.kind === "end") {
    return BASE;
  }
  return Math.min(BASE, 24 + Math.max(0, Math.log2((end - start) / shortest)) * 20);
}

function pathElement(name: string, path: string): SVGPathElement {
  const element = document.createElementNS(SVG, "path");
  element.setAttribute("class", name);
  element.setAttribute("d", path);
  return element;
}
