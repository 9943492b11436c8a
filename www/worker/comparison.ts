// The demo agent's answer to a question about several cities: a subagent for each city, and a
// comparison.

import type { AgentWriter } from "agentwire/server";
import type { Ask } from "./ask.js";
import { pause, writeMessage } from "./speech.js";
import { type City, skyOf, weatherIn } from "./weather.js";

/** Compares the weather in several cities. */
export async function compare(out: AgentWriter, ask: Ask, cities: readonly City[]): Promise<void> {
  const names = cities.map(({ name }) => name);
  await out.state({ ...ask.state, comparing: names });
  const step = out.step("ask the scouts");
  const scouts = cities.map((city) => ({
    city,
    scout: out.subagent(`scout of ${city.name}`, { task: `The weather in ${city.name}` }),
  }));
  const lines: string[] = [];
  for (const { city, scout } of scouts) {
    await pause(ask.delay * 10, out.signal);
    const weather = weatherIn(city);
    await scout.complete({ ...weather });
    lines.push(
      `- ${city.name}: ${weather.celsius} °C, ${skyOf(weather).english} ${skyOf(weather).sign}`,
    );
  }
  await step.complete();
  const warmest = cities.reduce((one, other) =>
    weatherIn(other).celsius > weatherIn(one).celsius ? other : one,
  );
  await writeMessage(out, ask, `${lines.join("\n")}\n\nIt is warmest in ${warmest.name}.`);
  await out.state({ ...ask.state, comparing: names, warmest: warmest.name });
}
