// The numbers of rounds and passes.
//
// There are many passes before the first round: V8 compiles wasm well only after it has run for a
// while, in a thread of its own, and on two cores that takes some twenty passes. A pass of short
// streams calls most functions only a few times, so it needs 300: after 15 passes agentwire reads
// at 0.39x of the reducer by hand, after 30 at 0.48x, and from
// 100 on at 0.56x. `patience` limits their total milliseconds where passes are long.

/** Two minutes on an idle machine with two cores, without the native build. */
export const QUICK = {
  nativeCells: { rounds: 11, warm: 2 },
  nativeScaling: { rounds: 3, warm: 1 },
  cells: { rounds: 9, warm: 15, patience: 1_500 },
  looks: { rounds: 3, warm: 15, patience: 1_500 },
  recorded: { rounds: 9, warm: 300, patience: 3_000 },
  recordedEach: { rounds: 5, first: 300, warm: 10, patience: 100 },
  pipelines: { rounds: 3, warm: 5, patience: 1_500 },
  official: { rounds: 3, warm: 3, patience: 1_500 },
  modelToUi: { rounds: 5, warm: 40, patience: 8_000 },
  converting: { rounds: 9, warm: 15, patience: 1_500 },
  scaling: { rounds: 3, warm: 5, patience: 1_500 },
  emission: { rounds: 5, warm: 15, patience: 1_500 },
  cold: { pairs: 5 },
  floods: { rounds: 2 },
  runs: { rounds: 1, events: 2_000, threads: 20, each: 100, readers: 100, ticks: 50, replayed: 2 },
  stores: { events: 2_000, threads: 10, each: 200, readers: 50 },
  gateway: { rounds: 2, streams: 32, deltas: 200, requests: 200, held: 200 },
};

/** For published figures. */
export const FULL = {
  nativeCells: { rounds: 101, warm: 5 },
  nativeScaling: { rounds: 21, warm: 3 },
  cells: { rounds: 41, warm: 40, patience: 15_000 },
  looks: { rounds: 15, warm: 20, patience: 15_000 },
  recorded: { rounds: 41, warm: 500, patience: 15_000 },
  recordedEach: { rounds: 21, first: 500, warm: 30, patience: 1_000 },
  pipelines: { rounds: 21, warm: 10, patience: 15_000 },
  official: { rounds: 11, warm: 10, patience: 15_000 },
  modelToUi: { rounds: 15, warm: 40, patience: 20_000 },
  converting: { rounds: 31, warm: 30, patience: 15_000 },
  scaling: { rounds: 11, warm: 10, patience: 15_000 },
  emission: { rounds: 31, warm: 20, patience: 15_000 },
  cold: { pairs: 31 },
  floods: { rounds: 5 },
  runs: {
    rounds: 5,
    events: 20_000,
    threads: 100,
    each: 1_000,
    readers: 1_000,
    ticks: 200,
    replayed: 5,
  },
  stores: { events: 20_000, threads: 50, each: 1_000, readers: 500 },
  gateway: { rounds: 7, streams: 32, deltas: 500, requests: 1_000, held: 500 },
};
