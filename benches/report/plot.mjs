// The plot of cost against size as SVG: two panels with logarithmic axes; a flat line is
// independent of the size.

const WIDTH = 460;
const HEIGHT = 300;
const LEFT = 60;
const TOP = 40;
const GAP = 70;
const LEGEND = 90;

const COLOURS = {
  "native: agentwire": "#c2410c",
  "node: agentwire": "#ea8a3c",
  native: "#475569",
  node: "#94a3b8",
};

/** Returns the plot. `homes`: results by home; those without scaling are omitted. */
export function plot(homes) {
  const measured = Object.entries(homes).filter(([, { scaling }]) => scaling !== undefined);
  const cost = (row, count) => (row.wall.median * 1e6) / count;
  const events = measured.flatMap(([home, { scaling }]) => {
    const points = (pick) =>
      scaling.events.map((point) => [point.at, cost(pick(point), point.count)]);
    const opponent = scaling.events[0].opponents[0].name;
    return [
      {
        name: `${home}: agentwire`,
        colour: COLOURS[`${home}: agentwire`],
        points: points(({ subject }) => subject),
      },
      {
        name: `${home}: ${opponent}`,
        colour: COLOURS[home],
        points: points(({ opponents }) => opponents[0]),
      },
    ];
  });
  const messages = measured.map(([home, { scaling }]) => ({
    name: `${home}: agentwire`,
    colour: COLOURS[`${home}: agentwire`],
    points: scaling.messages.map(({ at, perEvent }) => [at, perEvent.median]),
  }));
  const range = rangeOf([...events, ...messages].flatMap(({ points }) => points.map(([, y]) => y)));
  const second = LEFT + WIDTH + GAP;
  const width = second + WIDTH + 20;
  const height = TOP + HEIGHT + 50 + LEGEND;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    STYLE,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    panel(LEFT, "events in the stream", [1e3, 1e4, 1e5, 1e6], range, events),
    panel(second, "open messages", [1, 10, 100, 1e3, 1e4], range, messages),
    `<text x="${LEFT}" y="22" class="title">nanoseconds per event</text>`,
    ...legend(events, TOP + HEIGHT + 60),
    "</svg>",
    "",
  ].join("\n");
}

const STYLE = `<style>
.ground { fill: #ffffff } text { fill: #334155 } .title { font-weight: 600 } .grid { stroke: #e2e8f0 }
@media (prefers-color-scheme: dark) { .ground { fill: #0f172a } text { fill: #cbd5e1 } .grid { stroke: #334155 } }
</style>`;

/** Returns whole powers of ten around all values. */
function rangeOf(values) {
  return [
    10 ** Math.floor(Math.log10(Math.min(...values))),
    10 ** Math.ceil(Math.log10(Math.max(...values))),
  ];
}

function panel(left, label, ticks, [lowest, highest], series) {
  const x = scale(ticks[0], ticks.at(-1), left, left + WIDTH);
  const y = scale(lowest, highest, TOP + HEIGHT, TOP);
  const lines = [];
  for (const tick of ticks) {
    lines.push(line("grid", x(tick), TOP, x(tick), TOP + HEIGHT));
    lines.push(text(x(tick), TOP + HEIGHT + 18, tick.toLocaleString("en-US"), "middle"));
  }
  for (let power = lowest; power <= highest; power *= 10) {
    for (const step of power < highest ? [1, 2, 5] : [1]) {
      lines.push(line("grid", left, y(power * step), left + WIDTH, y(power * step)));
      lines.push(
        text(left - 8, y(power * step) + 4, (power * step).toLocaleString("en-US"), "end"),
      );
    }
  }
  lines.push(text(left + WIDTH / 2, TOP + HEIGHT + 38, label, "middle"));
  for (const { points, colour, name } of series) {
    const path = points.map(([at, cost]) => `${round(x(at))},${round(y(cost))}`).join(" ");
    lines.push(
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"><title>${escaped(name)}</title></polyline>`,
    );
    for (const [at, cost] of points) {
      const said = `${name}: ${Math.round(cost)} ns at ${at.toLocaleString("en-US")}`;
      lines.push(
        `<circle cx="${round(x(at))}" cy="${round(y(cost))}" r="3" fill="${colour}"><title>${escaped(said)}</title></circle>`,
      );
    }
  }
  return lines.join("\n");
}

function legend(series, top) {
  return series.flatMap(({ name, colour }, at) => {
    const y = top + at * 20;
    return [
      `<line x1="${LEFT}" y1="${y}" x2="${LEFT + 24}" y2="${y}" stroke="${colour}" stroke-width="3"/>`,
      text(LEFT + 32, y + 4, name, "start"),
    ];
  });
}

/** Returns a logarithmic scale. */
function scale(from, to, first, last) {
  return (value) =>
    first + ((Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from))) * (last - first);
}

function line(name, x1, y1, x2, y2) {
  return `<line class="${name}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
}

function text(x, y, words, anchor) {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escaped(words)}</text>`;
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function escaped(words) {
  return words.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}
