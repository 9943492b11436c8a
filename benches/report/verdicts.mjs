// The bounds, the results, and the verdicts.
import {
  BOUNDS,
  CELLS,
  COLD_EVENTS,
  CONVERTING,
  RECORDED,
  columnName,
  conversionName,
} from "../cells.mjs";
import { digits, megabytes } from "./format.mjs";
import { recordedName } from "./recorded.mjs";

/** Returns all verdicts on a home: `{ home, what, bound, got, met }`. */
export function verdicts(home, result) {
  const bounds = BOUNDS[home] ?? {};
  const kinds = [
    cells,
    recorded,
    sixteenBytes,
    officials,
    conversions,
    flatness,
    emission,
    cold,
    starts,
    memory,
    gateways,
  ];
  return kinds.flatMap((kind) => kind(result, bounds)).map((row) => ({ home, ...row }));
}

/** Returns the bound of a cell, if it has one. */
export function boundOf(home, { corpus, chunking }) {
  return cellBound(BOUNDS[home], corpus, chunking);
}

function cellBound({ cells = [] }, corpus, chunking) {
  return cells[CELLS.findIndex(([name, cut]) => name === corpus && cut === chunking)];
}

/** Returns the verdict on a speed as a multiple of an opponent's, if it has a bound. */
function atLeast(what, bound, got) {
  return bound === undefined || got === undefined
    ? []
    : [{ what, bound: `≥ ${bound}x`, got: `${digits(got)}x`, met: got >= bound }];
}

/** Returns the verdict on a cost, if it has a bound. `text` returns how a cost is written. */
function atMost(what, bound, got, text, more = "") {
  return bound === undefined
    ? []
    : [{ what, bound: `≤ ${text(bound)}${more}`, got: text(got), met: got <= bound }];
}

function times(cost) {
  return `${digits(cost)}x`;
}

/** Returns the ratio of the largest to the smallest of the figures. */
export function growth(figures) {
  return Math.max(...figures) / Math.min(...figures);
}

function cells({ cells = [] }, bounds) {
  return cells.flatMap(({ corpus, chunking, opponents }) => {
    const { name, ratio } = opponents.find(({ informal }) => !informal);
    const what = `${columnName([corpus, chunking])} against ${name}`;
    return atLeast(what, cellBound(bounds, corpus, chunking), ratio.median);
  });
}

function recorded({ recorded = [] }, bounds) {
  return recorded.flatMap((row) => {
    const at = RECORDED.findIndex(
      ({ which, chunking }) => which === row.which && chunking === row.chunking,
    );
    const [{ ratio, cpuRatio }] = row.opponents;
    return atLeast(recordedName(row), bounds.recorded?.[at], (cpuRatio ?? ratio).median);
  });
}

function officials({ agUi = [], responses = [], modelToUi = [] }, bounds) {
  return [
    ...official("AG-UI", agUi, bounds.agUi),
    ...official("Responses", responses, bounds.responses),
    ...official("model to UI", modelToUi, bounds.modelToUi),
  ];
}

function official(name, list, bounds = {}) {
  return list.flatMap(({ row, opponents: [opponent] }) =>
    atLeast(`${name}, ${row}, against ${opponent?.name}`, bounds[row], opponent?.ratio.median),
  );
}

function conversions({ converting = [], convertingInWorkerd = [] }, bounds) {
  const of = (list, where, floors = []) =>
    list.flatMap((row) => {
      const at = CONVERTING.findIndex((known) => conversionName(known) === conversionName(row));
      const [{ name, ratio }] = row.opponents;
      return atLeast(`${conversionName(row)}${where}, against ${name}`, floors[at], ratio.median);
    });
  return [
    ...of(converting, "", bounds.converting),
    ...of(convertingInWorkerd, ", in workerd", bounds.convertingInWorkerd),
  ];
}

function gateways({ gateway: { opponents: [opponent] = [] } = {} }, bounds) {
  const what = `throughput at equal CPU, against ${opponent?.name}`;
  return atLeast(what, bounds.gateway, opponent?.cpuRatio.median);
}

function sixteenBytes({ cells = [] }, { sixteenBytes = {} }) {
  return Object.entries(sixteenBytes).flatMap(([corpus, bound]) => {
    const [net, small] = ["net", "c16"].map((cut) =>
      cells.find((cell) => cell.corpus === corpus && cell.chunking === cut),
    );
    if (net === undefined || small === undefined) {
      return [];
    }
    const cost = small.subject.wall.median / net.subject.wall.median;
    return atMost(`${corpus} in 16-byte chunks`, bound, cost, times, " of net");
  });
}

function flatness({ scaling }, { flat = [] }) {
  if (scaling === undefined) {
    return [];
  }
  const cost = ({ subject, count }) => subject.wall.median / count;
  const series = [
    ["cost per event, 1,000 to 1,000,000 events", scaling.events.map(cost)],
    [
      "cost per event, 1 to 10,000 messages",
      scaling.messages.map(({ perEvent }) => perEvent.median),
    ],
    ["cost per byte, one event of 1 to 64 MB in 1 KB chunks", scaling.oneEvent.map(cost)],
  ];
  return series.flatMap(([what, costs], at) =>
    atMost(`${what}: largest against smallest`, flat[at], growth(costs), times),
  );
}

function emission({ emission }, bounds) {
  return (emission?.streams ?? []).flatMap(({ title, opponents: [opponent] }, at) => {
    const { name, ratio, cpuRatio } = opponent;
    return atLeast(
      `writing, ${title}, against ${name}`,
      bounds.emission?.[at],
      (cpuRatio ?? ratio).median,
    );
  });
}

function cold({ cold = [] }, { warmed: bounds = [] }) {
  return cold.flatMap(({ events, warmed }) =>
    atLeast(
      `first pass of ${events} events in a fresh process after warm(), against JavaScript`,
      bounds[COLD_EVENTS.indexOf(events)],
      warmed?.ratio.median,
    ),
  );
}

function starts({ starts = [] }, bounds) {
  return starts.flatMap(({ events, init, warmed }) => {
    const at = COLD_EVENTS.indexOf(events);
    const milliseconds = (time) => `${digits(time)} ms`;
    return [
      ...atMost(
        `init(url) before ${events} events`,
        bounds.init?.[at],
        init.streamed.median,
        milliseconds,
      ),
      ...atLeast(
        `first pass of ${events} events in a fresh page after warm(), against JavaScript`,
        bounds.warmed?.[at],
        warmed.ratio.median,
      ),
    ];
  });
}

function memory({ memory }, bounds) {
  if (memory === undefined) {
    return [];
  }
  const { streamed, concurrent } = memory;
  return [
    ...atMost(
      "wasm memory after 200 MB of text through one reader",
      bounds.streamedWasm,
      streamed.wasm,
      megabytes,
    ),
    ...atMost(
      "wasm and JavaScript memory of 10,000 readers",
      bounds.readersTotal,
      concurrent.wasm + concurrent.heap,
      megabytes,
    ),
  ];
}
