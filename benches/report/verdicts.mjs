// The targets, the results, and the verdicts.
import {
  AG_UI_TARGETS,
  BOUNDS,
  CELLS,
  MODEL_TO_UI_TARGETS,
  RECORDED,
  RECORDED_TARGETS,
  RESPONSES_TARGETS,
  TARGETS,
  columnName,
  conversionName,
} from "../cells.mjs";
import { digits, megabytes } from "./format.mjs";
import { recordedName } from "./recorded.mjs";

/** Returns all verdicts on a home: `{ home, what, target, got, met }`. */
export function verdicts(home, result) {
  const verdict = (what, target, got, met) => ({ home, what, target, got, met });
  const kinds = [
    cells,
    recorded,
    recordedAhead,
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
  return kinds.flatMap((kind) => kind(result, home)).map((row) => verdict(...row));
}

/** Returns the target of a cell, if it has one. */
export function targetOf(home, { corpus, chunking }) {
  return TARGETS[home][CELLS.findIndex(([name, cut]) => name === corpus && cut === chunking)];
}

/** Returns the ratio of the largest to the smallest of the figures. */
export function growth(figures) {
  return Math.max(...figures) / Math.min(...figures);
}

function cells({ cells = [] }, home) {
  return cells.flatMap((cell) => {
    const target = targetOf(home, cell);
    const opponent = cell.opponents.find(({ informal }) => !informal);
    const { median } = opponent.ratio;
    const what = `${columnName([cell.corpus, cell.chunking])} against ${opponent.name}`;
    return target === undefined
      ? []
      : [[what, `≥ ${target}x`, `${digits(median)}x`, median >= target]];
  });
}

function recorded({ recorded = [] }, home) {
  return recorded.flatMap((row) => {
    const place = RECORDED.findIndex(
      ({ which, chunking }) => which === row.which && chunking === row.chunking,
    );
    const target = RECORDED_TARGETS[home][place];
    const [opponent] = row.opponents;
    const { median } = opponent.cpuRatio ?? opponent.ratio;
    return target === undefined
      ? []
      : [[recordedName(row), `≥ ${target}x`, `${digits(median)}x`, median >= target]];
  });
}

function recordedAhead({ recordedEach = [] }) {
  return recordedEach.map(({ chunking, ahead, streams }) => {
    const most = Math.floor(streams * BOUNDS.recordedAhead);
    return [
      `recorded streams on which JavaScript is ahead by more than 1.2x, ${chunking}`,
      `≤ ${most} of ${streams}`,
      String(ahead),
      ahead <= most,
    ];
  });
}

function officials({ agUi = [], responses = [], modelToUi = [] }) {
  return [
    ...official("AG-UI", agUi, AG_UI_TARGETS),
    ...official("Responses", responses, RESPONSES_TARGETS),
    ...official("model to UI", modelToUi, MODEL_TO_UI_TARGETS),
  ];
}

function official(name, list, targets) {
  return list.flatMap(({ row, opponents: [opponent] }) => {
    const target = targets[row];
    const median = opponent?.ratio.median;
    const what = `${name}, ${row}, against ${opponent?.name}`;
    return target === undefined || median === undefined
      ? []
      : [[what, `≥ ${target}x`, `${digits(median)}x`, median >= target]];
  });
}

function conversions({ converting = [], convertingInWorkerd = [] }) {
  const of = (list, where) =>
    list.map((row) => {
      const [{ name, ratio }] = row.opponents;
      const what = `${conversionName(row)}${where}, against ${name}`;
      return [
        what,
        `≥ ${BOUNDS.converting}x`,
        `${digits(ratio.median)}x`,
        ratio.median >= BOUNDS.converting,
      ];
    });
  return [...of(converting, ""), ...of(convertingInWorkerd, ", in workerd")];
}

function gateways({ gateway: { opponents: [opponent] = [] } = {} }) {
  const median = opponent?.cpuRatio.median;
  return median === undefined
    ? []
    : [
        [
          `throughput at equal CPU, against ${opponent.name}`,
          `≥ ${BOUNDS.gateway}x`,
          `${digits(median)}x`,
          median >= BOUNDS.gateway,
        ],
      ];
}

function sixteenBytes({ cells = [] }) {
  return ["text", "mixed"].flatMap((corpus) => {
    const [net, small] = ["net", "c16"].map((cut) =>
      cells.find((cell) => cell.corpus === corpus && cell.chunking === cut),
    );
    if (net === undefined || small === undefined) {
      return [];
    }
    const times = small.subject.wall.median / net.subject.wall.median;
    const target = `≤ ${BOUNDS.sixteenBytes}x of net`;
    return [
      [`${corpus} in 16-byte chunks`, target, `${digits(times)}x`, times <= BOUNDS.sixteenBytes],
    ];
  });
}

function flatness({ scaling }) {
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
  return series.map(([what, costs]) => {
    const times = growth(costs);
    return [what, `flat: max ≤ ${BOUNDS.flat}x min`, `${digits(times)}x`, times <= BOUNDS.flat];
  });
}

function emission({ emission }) {
  return (emission?.streams ?? []).map(({ title, opponents: [{ name, ratio, cpuRatio }] }) => {
    const { median } = cpuRatio ?? ratio;
    return [
      `writing, ${title}, against ${name}`,
      `≥ ${BOUNDS.emission}x`,
      `${digits(median)}x`,
      median >= BOUNDS.emission,
    ];
  });
}

function cold({ cold = [] }) {
  const starts = cold.filter(({ events }) => BOUNDS.coldEvents.includes(events));
  return starts.map(({ events, warmed }) => {
    const { median } = warmed.ratio;
    const what = `first pass of ${events} events in a fresh process after warm(), against JavaScript`;
    return [what, `≥ ${BOUNDS.warmed}x`, `${digits(median)}x`, median >= BOUNDS.warmed];
  });
}

function starts({ starts = [] }) {
  return starts.flatMap(({ events, init, warmed }) => {
    const streamed = init.streamed.median;
    const what = `first pass of ${events} events in a fresh page after warm(), against JavaScript`;
    const { median } = warmed.ratio;
    return [
      [
        `init(url) before ${events} events`,
        `≤ ${BOUNDS.init} ms`,
        `${digits(streamed)} ms`,
        streamed <= BOUNDS.init,
      ],
      [what, `≥ ${BOUNDS.warmed}x`, `${digits(median)}x`, median >= BOUNDS.warmed],
    ];
  });
}

function memory({ memory }) {
  if (memory === undefined) {
    return [];
  }
  const { streamed, concurrent } = memory;
  const held = concurrent.wasm + concurrent.heap;
  const bounds = [
    ["wasm memory after 200 MB of text through one reader", BOUNDS.streamedWasm, streamed.wasm],
    ["wasm and JavaScript memory of 10,000 readers", BOUNDS.readersTotal, held],
  ];
  return bounds.map(([what, bound, got]) => [
    what,
    `≤ ${megabytes(bound)}`,
    megabytes(got),
    got <= bound,
  ]);
}
