// The expected results: a data file for each table, with the result of each cell. A test fails if a
// cell is worse or better than its entry. UPDATE_SNAPSHOTS=1 writes the current results into the
// files; review the difference.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";

/** Returns the table of a file in `expected`. Results that equal `usual` have no entry. */
export function expectedResults(name, { usual } = {}) {
  const file = new URL(`expected/${name}.json`, import.meta.url);
  const table = readTable(file);
  const found = {};
  let [isChanged, isComplete] = [false, false];

  after(() => {
    if (!isChanged) return;
    // Read again: another process may have written other cells.
    const all = isComplete ? {} : readTable(file);
    for (const [row, cells] of Object.entries(found)) {
      const merged = Object.entries({ ...all[row], ...cells }).filter(
        ([, result]) => result !== usual,
      );
      all[row] = merged.length > 0 ? Object.fromEntries(merged) : undefined;
    }
    writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  });

  return {
    /** Compares the result of a cell with its entry. `reasons` is printed if they differ. */
    check(row, column, result, reasons) {
      (found[row] ??= {})[column] = result;
      const expected = table[row]?.[column] ?? usual;
      if (result === expected) return;
      if (process.env.UPDATE_SNAPSHOTS) return void (isChanged = true);
      assert.equal(
        result,
        expected,
        `${row} / ${column} is ${result}, expected ${expected ?? "nothing"} (${name}.json)\n${reasons}`,
      );
    },

    /**
     * Adds a test, after those of all cells, that fails if the table has an entry without a cell.
     */
    complete() {
      test(`${name}.json has no other entries`, () => {
        const entries = Object.entries(table).flatMap(([row, cells]) =>
          Object.keys(cells).map((column) => [row, column]),
        );
        const others = entries.filter(([row, column]) => found[row]?.[column] === undefined);
        if (process.env.UPDATE_SNAPSHOTS)
          [isChanged, isComplete] = [isChanged || others.length > 0, true];
        else assert.deepEqual(others, []);
      });
    },
  };
}

function readTable(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw error;
  }
}
