// The public API of `agentwire/stores/testing`: the checks of every statement of `LogStore`, for
// authors of stores. They need no test runner.

import type { Awaitable, ListedLog, LogEntry, LogHead, LogQuery, LogStore } from "./log_store.js";

/** A check of a store. */
export interface StoreCheck {
  /** The statement that is checked. */
  readonly name: string;
  /** Rejects if the statement does not hold for the store. */
  run(): Promise<void>;
}

/** The options of {@link storeChecks}. */
export interface StoreChecksOptions {
  /**
   * Opens the same data as another process does. Checks of several processes need it; without it,
   * they use one store.
   */
  readonly openOther?: (() => Awaitable<LogStore>) | undefined;
}

/** A function that registers a test, such as `test` of `node:test` or of Vitest. */
export type RegisterTest = (name: string, run: () => Promise<void>) => unknown;

/**
 * Registers the checks of a store as tests.
 *
 * ```js
 * import { test } from "node:test";
 * testStore("my store", () => myStore(address), { test });
 * ```
 */
export function testStore(
  name: string,
  open: () => Awaitable<LogStore>,
  { test, ...options }: StoreChecksOptions & { readonly test: RegisterTest },
): void {
  for (const check of storeChecks(open, options)) {
    test(`${name}: ${check.name}`, () => check.run());
  }
}

/** Returns the checks of a store, which `open` opens once. They can run at the same time. */
export function storeChecks(
  open: () => Awaitable<LogStore>,
  { openOther }: StoreChecksOptions = {},
): StoreCheck[] {
  let opened: Promise<LogStore> | undefined;
  let other: Promise<LogStore> | undefined;
  return CHECKS.map(([name, check]) => ({
    name,
    async run() {
      opened ??= Promise.resolve(open());
      other ??= openOther === undefined ? opened : Promise.resolve(openOther());
      const stores = await Promise.all([opened, other]);
      await check(new Checked(stores[0], stores[1], `check-${crypto.randomUUID()}`));
    },
  }));
}

/** A store with names that no other check uses. */
class Checked {
  readonly store: LogStore;
  readonly other: LogStore;
  readonly name: string;

  constructor(store: LogStore, other: LogStore, name: string) {
    [this.store, this.other, this.name] = [store, other, name];
  }

  /** Returns whether entries with these positions were appended; their texts are their positions. */
  async append(
    after: number,
    positions: readonly number[],
    head: LogHead = headOf("head"),
    log: string = this.name,
  ): Promise<boolean> {
    return this.store.append(log, after, entriesAt(positions), head);
  }

  async expect(after: number, limit: number, positions: readonly number[], log = this.name) {
    const { entries } = await this.store.read(log, after, limit);
    equal(entries.map(plain), entriesAt(positions), `the entries after ${after}`);
  }

  /** Lists all pages, without the logs of other checks. */
  async list(query: { readonly label: string } | { readonly due: number }, limit: number) {
    const found: string[] = [];
    let after: ListedLog | undefined;
    do {
      const page = await this.store.list({ ...query, after, limit } as LogQuery);
      truth(page.length <= limit, `a page has ${page.length} logs instead of at most ${limit}`);
      found.push(...page.map(({ log }) => log).filter((log) => log.startsWith(this.name)));
      after = page.length < limit ? undefined : page.at(-1);
    } while (after !== undefined);
    return found.map((log) => log.slice(this.name.length + 1));
  }
}

const headOf = (data: string, more?: Partial<LogHead>): LogHead => ({ at: 1, data, ...more });
const entriesAt = (positions: readonly number[]): LogEntry[] =>
  positions.map((position) => ({ position, text: `text ${position}` }));
const plain = ({ position, text }: LogEntry): LogEntry => ({ position, text });
const count = (length: number): number[] => Array.from({ length }, (_, at) => at + 1);

function truth(condition: boolean, what: string): void {
  if (!condition) {
    throw new Error(what);
  }
}

function equal(actual: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  truth(one === other, `${what}: ${one?.slice(0, 500)} instead of ${other?.slice(0, 500)}`);
}

/** Texts that a database may change: it must store them as they are. */
const TEXTS = [
  "",
  " ",
  "\n\r\n\t",
  "'; DROP TABLE agentwire_logs; --",
  '"\\" \\u0000 %s $1 ? {}',
  "\u0001\u001f\u007f\u0085\u2028\u2029\ufeff",
  "\u00e9 e\u0301 \u{1f600} \u{10ffff} \uffff",
  "null",
  "0",
  "[]",
];

const CHECKS: readonly (readonly [name: string, check: (checked: Checked) => Promise<void>])[] = [
  [
    "a log that does not exist has no head and no entries",
    async ({ store, name }) => {
      const { head, last, entries } = await store.read(name, 0, 10);
      equal([head === undefined, last, entries.length], [true, 0, 0], "the log");
    },
  ],
  [
    "appends after the last position, and refuses every other one without a change",
    async (checked) => {
      equal(await checked.append(5, [6]), false, "the first append after 5");
      equal(await checked.append(0, [3, 5]), true, "the first append");
      for (const after of [0, 3, 4, 6]) {
        const isAppended = await checked.append(after, [after + 10], headOf("refused"));
        equal(isAppended, false, `an append after ${after}`);
      }
      equal(await checked.append(5, [6, 2 ** 52]), true, "an append after 5");
      const { head, last } = await checked.store.read(checked.name, 0, 0);
      equal([head?.data, last], ["head", 2 ** 52], "the head");
      await checked.expect(0, 10, [3, 5, 6, 2 ** 52]);
    },
  ],
  [
    "replaces the head, with entries and without",
    async ({ store, name }) => {
      const read = async () => {
        const { head, last } = await store.read(name, 0, 0);
        return [head?.label, head?.at, head?.due, head?.data, last];
      };
      const heads: [number, number[], LogHead][] = [
        [0, [], headOf("a", { label: name, at: 2 ** 52, due: 7 })],
        [0, [], headOf("b")],
        [0, [4], headOf("c", { at: 0, due: 0 })],
        [4, [], headOf("d", { label: name })],
        [4, [9], headOf("e", { label: `${name}.b`, due: 2 })],
      ];
      for (const [after, positions, head] of heads) {
        equal(await store.append(name, after, entriesAt(positions), head), true, head.data);
        const expected = [head.label, head.at, head.due, head.data, positions[0] ?? after];
        equal(await read(), expected, "the head");
      }
      equal(await store.append(name, 4, [], headOf("f")), false, "a head after 4");
      equal((await read())[3], "e", "the head");
    },
  ],
  [
    "reads entries after a position, in their order, at most as many as asked",
    async (checked) => {
      const positions = count(300).map((at) => at * 3);
      for (let at = 0; at < positions.length; at += 100) {
        await checked.append(positions[at - 1] ?? 0, positions.slice(at, at + 100));
      }
      for (const [after, limit] of [
        [0, 1],
        [0, 1000],
        [1, 2],
        [3, 299],
        [450, 7],
        [899, 1],
        [900, 5],
        [2 ** 53 - 1, 5],
      ] as const) {
        const expected = positions.filter((one) => one > after).slice(0, limit);
        await checked.expect(after, limit, expected);
      }
      equal((await checked.store.read(checked.name, 900, 5)).last, 900, "the last position");
    },
  ],
  [
    "stores every text",
    async ({ store, name }) => {
      const entries = TEXTS.map((text, at) => ({ position: at + 1, text }));
      for (const [at, text] of TEXTS.entries()) {
        await store.append(name, at, [entries[at]!], headOf(text));
        equal((await store.read(name, 0, 0)).head?.data, text, "the data of the head");
      }
      equal((await store.read(name, 0, 99)).entries.map(plain), entries, "the entries");
    },
  ],
  [
    "stores texts of 1,900,000 bytes",
    async ({ store, name }) => {
      const texts = ["x".repeat(1_900_000), "\u6f22".repeat(633_333)];
      for (const [at, text] of texts.entries()) {
        await store.append(name, at, [{ position: at + 1, text }], headOf("head"));
      }
      const { entries } = await store.read(name, 0, 2);
      truth(
        entries.every(({ text }, at) => text === texts[at]),
        "a large text was changed",
      );
    },
  ],
  [
    "logs with similar names are different",
    async (checked) => {
      const { name } = checked;
      const names = ["a", "A", "a/", "a/b", "a.b", "a-b", "a_b", "a/b/c"].map(
        (end) => `${name}/${end}`,
      );
      for (const [at, log] of names.entries()) {
        equal(await checked.append(0, [at + 1], headOf("head"), log), true, log);
      }
      for (const [at, log] of names.entries()) {
        await checked.expect(0, 9, [at + 1], log);
      }
      const long = `${name}/${"n".repeat(299 - name.length)}`;
      equal(await checked.append(0, [1], headOf("head"), long), true, "a name of 300 characters");
      await checked.expect(0, 9, [1], long);
    },
  ],
  [
    "of appends at once after the same position, one succeeds",
    async ({ store, other, name }) => {
      let last = 0;
      for (let round = 0; round < 10; round++) {
        const results = await Promise.all(
          count(8).map(async (at) =>
            (at % 2 === 0 ? store : other).append(
              name,
              last,
              [
                { position: last + 1, text: `${at}` },
                { position: last + 1 + at, text: `${at}` },
              ].slice(0, at === 1 ? 1 : 2),
              headOf(`${at}`),
            ),
          ),
        );
        const winners = results.flatMap((isAppended, at) => (isAppended ? [at + 1] : []));
        equal(winners.length, 1, "the number of appends that succeeded");
        const { entries, head, last: next } = await store.read(name, last, 99);
        const [winner] = winners;
        equal(
          [head?.data, ...new Set(entries.map(({ text }) => text))],
          [`${winner}`, `${winner}`],
          "the head and the entries are those of one append",
        );
        last = next;
      }
    },
  ],
  [
    "what was appended is read at once, also by another process",
    async ({ store, other, name }) => {
      for (const at of count(20)) {
        const [writer, reader] = at % 2 === 0 ? [store, other] : [other, store];
        equal(await writer.append(name, at - 1, entriesAt([at]), headOf(`${at}`)), true, `${at}`);
        const { head, last, entries } = await reader.read(name, at - 1, 9);
        equal([head?.data, last, entries.length], [`${at}`, at, 1], "the log");
      }
    },
  ],
  [
    "lists the logs of a label, from the highest place to the lowest, in pages",
    async (checked) => {
      const { name } = checked;
      const places = [5, 1, 2 ** 52, 3, 3, 3, 9, 0];
      for (const [at, place] of places.entries()) {
        await checked.append(0, [], headOf("x", { label: name, at: place }), `${name}/${at}`);
      }
      await checked.append(0, [1], headOf("x", { label: `${name}.b` }), `${name}/other`);
      await checked.append(0, [1], headOf("x"), `${name}/none`);
      const expected = ["2", "6", "0", "5", "4", "3", "1", "7"];
      for (const limit of [1, 2, 3, 100]) {
        const found = await checked.list({ label: name }, limit);
        equal(
          found.map((at) => places[Number(at)]),
          expected.map((at) => places[Number(at)]),
          "the order",
        );
        equal([...found].sort(), [...expected].sort(), "each log once");
      }
      equal(await checked.list({ label: `${name}.c` }, 9), [], "another label");
      const [first] = await checked.store.list({ label: name, limit: 1 });
      equal([first?.head.at, first?.head.data], [2 ** 52, "x"], "the head of a listed log");
    },
  ],
  [
    "lists the logs with work to do, from the lowest place to the highest, in pages",
    async (checked) => {
      const { name } = checked;
      const places = [5, undefined, 2 ** 52, 3, 0, 9];
      for (const [at, due] of places.entries()) {
        await checked.append(0, [], headOf("x", { due }), `${name}/${at}`);
      }
      for (const limit of [1, 2, 100]) {
        equal(await checked.list({ due: 9 }, limit), ["4", "3", "0", "5"], "the logs");
      }
      equal(await checked.list({ due: Infinity }, 100), ["4", "3", "0", "5", "2"], "all logs");
      equal(await checked.list({ due: 2 }, 100), ["4"], "those up to 2");
    },
  ],
  [
    "a log leaves a list when its head changes, and when it is deleted",
    async (checked) => {
      const { name, store } = checked;
      const log = `${name}/a`;
      await checked.append(0, [1], headOf("x", { label: name, due: 4 }), log);
      await checked.append(1, [2], headOf("x", { label: `${name}.b`, due: 6 }), log);
      equal(await checked.list({ label: name }, 9), [], "the first label");
      equal(await checked.list({ label: `${name}.b` }, 9), ["a"], "the second label");
      equal(
        [await checked.list({ due: 5 }, 9), await checked.list({ due: 6 }, 9)],
        [[], ["a"]],
        "due",
      );
      await store.delete(log);
      equal(await checked.list({ label: `${name}.b` }, 9), [], "the label of a deleted log");
      equal(await checked.list({ due: Infinity }, 9), [], "the work of a deleted log");
    },
  ],
  [
    "deletes a log; with a position, only if it is the last one",
    async (checked) => {
      const { name, store } = checked;
      await checked.append(0, count(20));
      await store.delete(name, 19);
      await checked.expect(0, 99, count(20));
      await store.delete(name, 20);
      equal((await store.read(name, 0, 9)).head === undefined, true, "the deleted log");
      equal(await checked.append(20, [21]), false, "an append after the deletion");
      equal(await checked.append(0, [7]), true, "the first append after the deletion");
      await checked.expect(0, 99, [7]);
      await store.delete(name);
      await store.delete(name);
      equal((await store.read(name, 0, 9)).last, 0, "the deleted log");
    },
  ],
  [
    "appends and deletions at once leave no entries of an earlier log",
    async (checked) => {
      const { name, store, other } = checked;
      for (let round = 0; round < 10; round++) {
        await store.append(name, 0, entriesAt([1]), headOf("head"));
        await Promise.all([
          other.append(name, 1, entriesAt([2]), headOf("head")),
          store.delete(name),
        ]);
        const { head, entries } = await store.read(name, 0, 9);
        equal([head === undefined, entries.length], [true, 0], "the deleted log");
      }
    },
  ],
  [
    "reports changes of other processes, if several processes use the store",
    async ({ store, other, name }) => {
      if (store.watch === undefined || store === other) {
        return;
      }
      let changes = 0;
      let wake = (): void => {};
      const end = await store.watch(name, () => {
        changes++;
        wake();
      });
      const changed = async (change: () => Awaitable<unknown>): Promise<void> => {
        const before = changes;
        const woken = new Promise<void>((resolve) => (wake = resolve));
        await change();
        if (changes === before) {
          await woken;
        }
      };
      await changed(() => other.append(name, 0, entriesAt([1]), headOf("head")));
      await changed(() => other.append(`${name}/a/b`, 0, entriesAt([1]), headOf("head")));
      await changed(() => other.append(`${name}/a/b`, 1, [], headOf("other")));
      await changed(() => other.delete(`${name}/a/b`));
      await changed(() => other.delete(name));
      end();
      const again = await store.watch(name, () => {});
      again();
    },
  ],
];
