// The sections of a home without the main table, as Markdown.
import { columnName, conversionName } from "../cells.mjs";
import { comparisons } from "./comparisons.mjs";
import { digits, each, megabytes, ratio, table, thousands } from "./format.mjs";

export function looks(list, corpora) {
  const titled = list.map((look) => ({
    ...look,
    title: `${columnName([look.corpus, look.chunking])}, ${look.when}`,
    count: corpora[look.corpus].events,
  }));
  const intro =
    "The text that is growing is read (and so joined) after every chunk, or every 32 KiB as a page does once per frame.";
  return `### Text read while it grows\n\n${intro}\n\n${comparisons(titled, "event")}`;
}

export function pipelines({ tokens, bytes, missing, ...comparison }) {
  const title = `${thousands(tokens)} deltas, ${megabytes(bytes)} of Agent API`;
  const absent = missing.length === 0 ? "" : ` Not installed: ${missing.join(", ")}.`;
  const intro = `From a \`ReadableStream\` to the answer, the same tokens; the SDKs read their own protocols.${absent}`;
  return `### Pipelines\n\n${intro}\n\n${comparisons([{ ...comparison, title, count: tokens }], "delta")}`;
}

export function agUi(list) {
  const what =
    "messages and state: 4,000 deltas of text, half of them patches of the state in the third row, and the recorded streams";
  return official("AG-UI", what, list);
}

export function responses(list) {
  return official(
    "OpenAI Responses",
    "the final Response: 20,000 deltas of text, 40 rounds of reasoning, a call and text, and the recorded streams",
    list,
  );
}

export function a2a(list) {
  return official(
    "A2A",
    "the task: an artifact in 1,000 pieces, and the recorded streams of JSON-RPC 1.0",
    list,
  );
}

export function modelToUi(list) {
  return official(
    "a model to a chat",
    "the `UIMessage` that the AI SDK makes of a response of Chat Completions: one of 4,000 deltas, and ten of 100",
    list,
  );
}

/** From a response of HTTP to an answer, compared with a protocol's official client. */
function official(name, what, list) {
  const titled = list.map(({ row, streams, bytes, ...comparison }) => {
    const title = `${row}: ${streams === 1 ? "one stream" : `${streams} streams`}, ${megabytes(bytes)}`;
    return { ...comparison, title, count: streams };
  });
  const absent =
    list[0].missing.length === 0 ? "" : ` Not installed: ${list[0].missing.join(", ")}.`;
  const intro = `From a response of ${name} to ${what}.${absent}`;
  return `### ${name}\n\n${intro}\n\n${comparisons(titled, "stream")}`;
}

export function converting(list) {
  return conversions("Edge conversion", "Bytes in 1 to 4 KB chunks to bytes, chunk by chunk", list);
}

export function convertingInWorkerd(list) {
  return conversions(
    "Edge conversion in workerd",
    "The same in the edge runtime, four passes for each request, timed from outside",
    list,
  );
}

function conversions(title, intro, list) {
  const titled = list.map((row) => ({
    ...row,
    title: `${conversionName(row)}, ${megabytes(row.bytes)}`,
    count: row.events,
  }));
  return `### ${title}\n\n${intro}; both streams fold to the same answer.\n\n${comparisons(titled, "event")}`;
}

export function emission({ missing, streams = [] }) {
  const titled = streams.map(({ title, bytes, events, ...comparison }) => ({
    ...comparison,
    title: `${title}, ${megabytes(bytes)}, the same bytes`,
    count: events,
  }));
  const intro =
    "Streams of text deltas, written event by event to bytes: one long one, a thousand short ones, and a long one of AG-Kit.";
  return `### Emission\n\n${missing ?? `${intro}\n\n${comparisons(titled, "event")}`}`;
}

export function cold(list) {
  const milliseconds = (figure, who) => digits(figure[who].median);
  const rows = list.flatMap(({ events, ...figures }) =>
    ["imported", "first", "warmed", "second"].map((name) => {
      const figure = figures[name];
      const label = {
        imported: "import",
        first: "first pass",
        warmed: "first pass after warm()",
        second: "second pass",
      }[name];
      return [
        `${thousands(events)} events, ${label}`,
        milliseconds(figure, "agentwire"),
        milliseconds(figure, "javascript"),
        ratio(figure.ratio),
      ];
    }),
  );
  const intro = `Fresh processes (${list[0].pairs} rounds), the first events of \`mixed\` in 2 KB chunks. JavaScript: eventsource-parser + JSON.parse + mutable reducer.`;
  return `### Cold start\n\n${intro}\n\n${table(["", "agentwire ms", "JavaScript ms", "times as long"], rows)}`;
}

export function starts(list) {
  const rows = list.flatMap(({ events, init, javascript, first, warmed }) => [
    [`${thousands(events)} events, \`init()\`, inlined`, digits(init.inlined.median), "", ""],
    [`${thousands(events)} events, \`init(url)\`, streamed`, digits(init.streamed.median), "", ""],
    [
      `${thousands(events)} events, first pass`,
      digits(first.median),
      digits(javascript.median),
      ratio(first.ratio),
    ],
    [
      `${thousands(events)} events, first pass after warm()`,
      digits(warmed.median),
      digits(javascript.median),
      ratio(warmed.ratio),
    ],
  ]);
  const intro = `Fresh pages (${list[0].pairs} rounds), the first events of \`mixed\` in 2 KB chunks. JavaScript: eventsource-parser + JSON.parse + mutable reducer.`;
  return `### Cold start\n\n${intro}\n\n${table(["", "agentwire ms", "JavaScript ms", "times as long"], rows)}`;
}

export function memory({ streamed, concurrent, limited }) {
  const { readers, wasm, wasmBefore, heap } = concurrent;
  const rows = [
    ["200 MB of text through one reader: wasm memory", megabytes(streamed.wasm)],
    ["the same: JavaScript memory, the text included", megabytes(streamed.heap)],
    [`${thousands(readers)} readers in the middle of their streams: wasm memory`, megabytes(wasm)],
    ["the same: JavaScript memory, with a snapshot each", megabytes(heap)],
    ["per reader", `${thousands((wasm - wasmBefore + heap) / readers)} bytes`],
    ...limited.flatMap(({ name, bytes, wasm, heap }) => [
      [`one reader ${name}, after ${megabytes(bytes)}: wasm memory`, megabytes(wasm)],
      ["the same: JavaScript memory", megabytes(heap)],
    ]),
  ];
  return `### Memory\n\n${table(["", "held"], rows)}`;
}

export function floods(list) {
  const rows = list.map(({ name, protocol, sizes }) => [
    `${protocol}: ${name}`,
    megabytes(sizes.at(-1).bytes),
    ...sizes.map(({ bytes, nanoseconds }) => digits(nanoseconds / (bytes / 1024))),
  ]);
  const intro =
    "Streams that mean harm (`tests/data/hostile/floods.json`), in 64 KiB chunks, a snapshot taken after each: nanoseconds per KiB at the size that the file names and at two, four and eight times that. The first column is the largest stream.";
  return `### Floods\n\n${intro}\n\n${table(["", "bytes", "n", "2n", "4n", "8n"], rows)}`;
}

export function gateway({ missing, streams, deltas, requests, held, costs, ...comparison }) {
  if (missing !== undefined) {
    return `### Throughput\n\nNot measured: ${missing}.`;
  }
  const title = `${streams} concurrent streams of ${thousands(deltas)} deltas`;
  const intro =
    "Clients of OpenAI Responses in front of an upstream of Chat Completions; each proxy on one core.";
  const added = (median, p99) => `${digits(median)} (${digits(p99)})`;
  const rows = costs.map((row) => [
    row.name,
    added(row.firstMedian, row.firstP99),
    added(row.wholeMedian, row.wholeP99),
    megabytes(row.idle * 1024),
    digits(row.perStream),
  ]);
  const heads = ["", "first byte ms", "whole ms", "memory at rest", "KB per stream"];
  const about = `Added to ${thousands(requests)} answers of ten deltas, one after the other: the median, and the 99th percentile less the median without a proxy. Memory with ${held} open streams.`;
  return [
    `### Throughput\n\n${intro}`,
    comparisons([{ ...comparison, title, count: streams * deltas }], "delta"),
    `### Latency and memory\n\n${about}`,
    table(heads, rows),
  ].join("\n\n");
}

export function scaling({ events, oneEvent, messages }) {
  const opponents = events[0].opponents.map(({ name }) => name);
  const series = (list, label) =>
    list.map(({ at, count, subject, opponents }) => [
      label(at),
      each(subject.wall, count),
      ...opponents.map(({ wall }) => each(wall, count)),
    ]);
  const names = ["agentwire", ...opponents];
  return [
    "### Cost against size",
    "Nanoseconds per event, one message of so many deltas in 2.5 KB chunks:",
    table(["events", ...names], series(events, thousands)),
    "Nanoseconds per KiB, one event in 1 KB chunks:",
    table(
      ["event", ...names],
      series(oneEvent, (at) => `${at} MB`),
    ),
    "Nanoseconds per event while so many open messages are visited in turn (one event of the message, then 20 deltas); per message for opening and ending it, with all others open:",
    table(
      ["messages", "ns/event", "ns/message"],
      messages.map(({ at, perEvent, perMessage }) => [
        thousands(at),
        digits(perEvent.median),
        thousands(perMessage.median),
      ]),
    ),
  ].join("\n\n");
}

export function instructions({ missing, counted, recorded = [], conversions = [] }, corpora) {
  if (missing !== undefined) {
    return `### Instructions\n\nNot counted: ${missing}.`;
  }
  const names = Object.keys(counted[0].passes);
  const rows = counted.map(({ column, corpus, passes }) => [
    column,
    ...names.map((name) => thousands(passes[name] / corpora[corpus].events)),
  ]);
  const short = recorded.map(({ chunking, perStream }) => [chunking, thousands(perStream)]);
  const converted = conversions.map(({ row, perEvent }) => [
    conversionName(row),
    thousands(perEvent),
  ]);
  const parts = [
    "### Instructions",
    "Per event, counted by callgrind: a pass of a warm process.",
    table(["", ...names], rows),
    ...(short.length > 0
      ? [
          "Of a short recorded stream, from a fresh reader to its end:",
          table(["", "agentwire"], short),
        ]
      : []),
    ...(converted.length > 0
      ? ["Of a conversion, in chunks of 1 to 4 KB:", table(["", "agentwire"], converted)]
      : []),
  ];
  return parts.join("\n\n");
}

export function load({ effort, one, many, alone, fanOut, replay, memory }) {
  const median = (list, of) => list.map(of).sort((a, b) => a - b)[list.length >> 1];
  const rate = (list) => `${thousands(median(list, ({ perSecond }) => perSecond))} /s`;
  const late = (list) =>
    `p50 ${median(list, ({ p50 }) => p50)} ms, p99 ${median(list, ({ p99 }) => p99)} ms`;
  const again = (of) => median(replay, of);
  const rows = [
    [`events into one object, ${thousands(effort.events)} of one run`, rate(one)],
    [
      `events into ${effort.threads} objects at once, ${thousands(effort.each)} of each`,
      rate(many),
    ],
    ["from append to its one subscriber, 100 events a second", late(alone)],
    [`from append to each of ${thousands(effort.readers)} subscribers`, late(fanOut)],
    [`deliveries to ${thousands(effort.readers)} subscribers`, rate(fanOut)],
    [
      `replay of ${thousands(again(({ events }) => events))} events, as ${thousands(again(({ frames }) => frames))} frames, ${megabytes(again(({ bytes }) => bytes))}`,
      `${digits(again(({ milliseconds }) => milliseconds))} ms`,
    ],
    [
      "memory of the process for each subscriber that waits",
      `${digits(memory.perReader / 1000)} KB`,
    ],
    ["memory of the process for each thread with a run", `${digits(memory.perThread / 1000)} KB`],
  ];
  const intro = `The service of \`www/worker/runs\` in the local edge runtime, on a disk, with the demo agent; the clients run beside it on the same cores. Medians of ${one.length} rounds.`;
  return `### Load\n\n${intro}\n\n${table(["", "measured"], rows)}`;
}

export function stores({ effort, rows, missing }) {
  const { events, threads, each, readers } = effort;
  const head = [
    "",
    `events/s, one run of ${thousands(events)}`,
    `events/s, ${threads} runs of ${thousands(each)}`,
    "events/s, replayed",
    `s, ${readers} readers of a run of 4 s`,
    "KB per reader",
    "KB per run with its reader",
  ];
  const body = rows.map(({ name, one, many, replay, followed, perReader, perRun }) => [
    name,
    ...[one, many].map(thousands),
    replay === undefined ? "not kept" : thousands(replay),
    digits(followed),
    ...[perReader, perRun].map(thousands),
  ]);
  const row = (wanted) => rows.find(({ name }) => name === wanted);
  const ratios = [
    ["Redis", "resumable-stream"],
    ["memory", "TanStack AI"],
  ].flatMap(([own, other]) => {
    const [ours, theirs] = [row(own), row(other)];
    const times = (of) => `${digits(of(ours) / of(theirs))}x`;
    return ours && theirs
      ? [
          `${own} against ${other}: ${times(({ one }) => one)} (one run) and ${times(({ many }) => many)} (${threads} runs) of its events per second.`,
        ]
      : [];
  });
  const intro = `\`runsAdapter\` in Node (\`durableHandler\` in the local edge runtime) on each store, with durable writes except in memory; \`resumable-stream\` on Redis; \`toServerSentEventsResponse\` of TanStack AI with \`memoryStream\`. The same events and clients, one service after the other. Memory is that of the process of the service.`;
  return [
    "### Stores",
    intro,
    table(head, body),
    ...ratios,
    ...(missing.length > 0 ? [`Not measured: ${missing.join("; ")}.`] : []),
  ].join("\n\n");
}
