// Round-robin timing: every round runs every contestant once, in an order that alternates, and
// ratios are taken inside a round, so that other load of the machine affects all of them alike. A
// garbage collection is forced before each pass, unless `collects` is false.
//
// The result of a pass stays alive until the contestant's next one, as answers do in an
// application. If all of a reader's objects were dead, that collection would make V8 discard the
// code that it has compiled for it (up to half the speed).
//
// Two clocks: wall, and CPU of the whole process, so that helper threads which collect garbage are
// counted. A page has wall only.
import { spread } from "./statistics.mjs";

/**
 * Compares the first contestant with the others.
 *
 * A contestant is `{ name, pass }`; `pass` runs one whole pass (and may be asynchronous) and
 * returns `{ answer, alive }`: its answer, and the objects that an application would hold. The
 * answers must have equal digests by `digest`, or the comparison fails. Figures are milliseconds;
 * ratios are the other one's time divided by the first contestant's.
 *
 * `cpu: false` omits the clock of this process, if another process runs the passes.
 *
 * There are `warm` passes before the first round, but after `patience` milliseconds no further
 * ones.
 */
export async function compare(
  contestants,
  { rounds, warm, patience, digest, collects = true, cpu = HAS_CPU },
) {
  const digests = [];
  const left = [];
  for (const [at, { name, pass }] of contestants.entries()) {
    left[at] = await pass();
    digests.push(digest(left[at].answer));
    if (digests[at] !== digests[0]) {
      throw new Error(
        `the result of ${name} is ${digests[at]}, that of ${contestants[0].name} ${digests[0]}`,
      );
    }
  }
  const latest = performance.now() + patience;
  for (let done = 1; done < warm && performance.now() < latest; done++) {
    for (const [at, { pass }] of contestants.entries()) {
      left[at] = await pass();
    }
  }
  const times = contestants.map(() => ({ wall: [], cpu: [] }));
  const order = contestants.map((_, at) => at);
  for (let round = 0; round < rounds; round++) {
    for (const at of order) {
      left[at] = await timed(contestants[at].pass, times[at], collects);
    }
    order.reverse();
  }
  const rows = contestants.map(({ name, informal = false }, at) => ({
    name,
    informal,
    wall: spread(times[at].wall),
    cpu: cpu ? spread(times[at].cpu) : null,
    ratio: ratios(times[at].wall, times[0].wall),
    cpuRatio: cpu ? ratios(times[at].cpu, times[0].cpu) : null,
  }));
  return { digest: digests[0], rounds, subject: rows[0], opponents: rows.slice(1) };
}

const HAS_CPU = globalThis.process?.cpuUsage !== undefined;

async function timed(pass, { wall, cpu }, collects) {
  if (collects) {
    globalThis.gc?.();
  }
  const cpuBefore = cpuTime();
  const before = performance.now();
  const left = await pass();
  wall.push(performance.now() - before);
  cpu.push(cpuTime() - cpuBefore);
  return left;
}

function cpuTime() {
  if (!HAS_CPU) {
    return 0;
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function ratios(times, subject) {
  return spread(times.map((time, round) => time / subject[round]));
}
