// Cost against size, which has to stay flat.
import { Decoder } from "agentwire/reader";
import { compare } from "../rounds.mjs";
import { spread } from "../statistics.mjs";
import { contestants } from "./contestants.mjs";
import { digestOf } from "./digest.mjs";
import { CHUNK, Stream, cut, ofEvents, ofOneEvent } from "./streams.mjs";

export async function scaling(effort) {
  const result = { events: [], oneEvent: [], messages: [] };
  for (const events of [1_000, 10_000, 100_000, 1_000_000]) {
    const repeats = Math.max(1, 100_000 / events);
    result.events.push(
      await point(events, events * repeats, repeats, cut(ofEvents(events), CHUNK), effort),
    );
  }
  for (const megabytes of [1, 4, 16, 64]) {
    // The limit of an event is 64 MiB.
    const bytes = ofOneEvent(megabytes * 1e6);
    const repeats = Math.max(1, 16 / megabytes);
    result.oneEvent.push(
      await point(megabytes, (bytes.length * repeats) / 1024, repeats, cut(bytes, 1024), effort),
    );
  }
  for (const count of [1, 10, 100, 1_000, 10_000]) {
    result.messages.push(messages(count, effort));
  }
  return result;
}

/**
 * Measures reading these chunks `repeats` times, so that passes of all sizes are long enough for a
 * clock.
 */
async function point(at, count, repeats, chunks, { rounds, warm, patience }) {
  const repeated = ({ pass, ...contestant }) => ({
    ...contestant,
    pass() {
      for (let done = 1; done < repeats; done++) {
        pass();
      }
      return pass();
    },
  });
  const [ours, theirs] = contestants(chunks).map(repeated);
  const large = count > 100_000;
  const effort = large
    ? { rounds: Math.min(rounds, 3), warm: Math.min(warm, 2) }
    : { rounds, warm };
  return {
    at,
    count,
    ...(await compare([ours, theirs], { ...effort, patience, digest: digestOf })),
  };
}

/**
 * Visits open messages in turn: each time one is announced again and gets 20 deltas, 200,000 in
 * total. The announcement makes every visit equally new to the reader, with one message as with
 * many. Nanoseconds.
 */
function messages(count, { rounds, warm }) {
  const { opening, visits, closing } = streamOf(count);
  const perEvent = [];
  const perMessage = [];
  for (let pass = 0; pass < Math.min(warm, 3) + Math.min(11, Math.max(3, rounds)); pass++) {
    globalThis.gc?.();
    const decoder = new Decoder();
    const push = (chunks) => {
      const before = performance.now();
      for (const chunk of chunks) {
        decoder.push(chunk);
      }
      return (performance.now() - before) * 1e6;
    };
    const opened = push(opening);
    const visited = push(visits) / (VISITS * (1 + AT_A_TIME));
    const both = (opened + push(closing)) / count;
    const { snapshot: response } = decoder.finish();
    if (response.output.length !== count) {
      throw new Error(`${response.output.length} messages instead of ${count}`);
    }
    if (pass >= Math.min(warm, 3)) {
      perEvent.push(visited);
      perMessage.push(both);
    }
  }
  return { at: count, perEvent: spread(perEvent), perMessage: spread(perMessage) };
}

const VISITS = 10_000;
const AT_A_TIME = 20;

function streamOf(count) {
  const stream = new Stream();
  const open = Array.from({ length: count }, (_, number) => stream.open(number));
  const opening = cut(stream.take(), CHUNK);
  for (let visit = 0; visit < VISITS; visit++) {
    const message = open[visit % count];
    stream.announce(message);
    for (let at = 0; at < AT_A_TIME; at++) {
      stream.delta(message);
    }
  }
  const visits = cut(stream.take(), CHUNK);
  open.forEach((message) => stream.close(message));
  stream.end();
  return { opening, visits, closing: cut(stream.take(), CHUNK) };
}
