// The demo agent's answer to a question about the weather in a city: reasoning, a tool call, and a
// message.

import type { Json } from "agentwire";
import { AgentError, type AgentWriter } from "agentwire/server";
import type { Ask } from "./ask.js";
import { pause, tokensOf, write } from "./speech.js";
import { type City, type Weather, forecastImage, skyOf, weatherIn } from "./weather.js";

/** The number of cities in the state. */
const REMEMBERED = 5;

/** Answers about a city. */
export async function forecast(out: AgentWriter, ask: Ask, city: City): Promise<void> {
  await out.state(stateOf(ask, city, { phase: "thinking" }));
  const thought = out.reasoning();
  await write(
    out,
    ask,
    thought,
    `They ask about ${city.name} (${city.local}). I should not guess the weather; the tool get_weather knows it. Then I answer in 中文 and in English, and show the next days.`,
  );
  const weather = await lookUp(out, ask, city);
  await report(out, ask, city, weather);
  if (out.ended) {
    return;
  }
  await out.state(
    stateOf(ask, city, { phase: "answered", celsius: weather.celsius, sky: weather.sky }),
  );
}

/** Calls the tool, in a step of the run; an activity shows the progress. */
async function lookUp(out: AgentWriter, ask: Ask, city: City): Promise<Weather> {
  const weather = weatherIn(city);
  const step = out.step("look up the weather");
  const call = out.tool("get_weather", {
    callId: `call_${slug(city.name)}_1`,
    type: "plugin_call",
  });
  for (const piece of [
    `{"city"`,
    `:${JSON.stringify(city.local).slice(0, -1)}`,
    `","unit":`,
    `"cel`,
    `sius"`,
    `,"days":5}`,
  ]) {
    await pause(ask.delay * 2, out.signal);
    await call.arguments(piece);
  }
  await call.complete();
  const search = out.activity("WEATHER_SEARCH");
  await search.update({ city: city.name, stations: weather.stations, answered: 0 });
  // The first pause is long enough for a heartbeat in a slow run.
  await pause(ask.delay * 12, out.signal);
  for (let answered = 1; answered <= weather.stations; answered++) {
    await pause((ask.delay * 8) / weather.stations, out.signal);
    await search.update({ city: city.name, stations: weather.stations, answered });
  }
  await call.result(JSON.stringify(weather));
  await step.complete();
  return weather;
}

async function report(out: AgentWriter, ask: Ask, city: City, weather: Weather): Promise<void> {
  const sky = skyOf(weather);
  const message = out.message();
  const text = message.text();
  await write(
    out,
    ask,
    text,
    `${city.local}现在 ${weather.celsius} °C，${sky.chinese} ${sky.sign}，湿度 ${weather.humidity}%，风力 ${weather.wind} 级。\n\n`,
  );
  if (ask.variant === "failure") {
    throw new AgentError(
      "WEATHER_STATION_SILENT",
      "the weather station does not answer any more (气象站没有响应)",
    );
  }
  if (ask.variant === "cancel") {
    return out.cancel();
  }
  await write(
    out,
    ask,
    text,
    `It is ${weather.celsius} degrees and ${sky.english} in ${city.name}, `,
  );
  if (ask.variant === "incomplete") {
    return out.incomplete("max_output_tokens");
  }
  await write(
    out,
    ask,
    text,
    `good enough for a walk along ${city.walk} 🚶‍♀️ and a tea afterwards 🍵. These are the next five days 👨‍👩‍👧:`,
  );
  await message.image(forecastImage(weather));
  out.usage({ input_tokens: tokensOf(ask.text).length, output_tokens: 96 });
}

/** Returns the state that agent and client share: the client's members, and the new ones. */
function stateOf(ask: Ask, { name }: City, news: { readonly [key: string]: Json }): Json {
  const before = Array.isArray(ask.state.cities)
    ? ask.state.cities.filter((city) => city !== name)
    : [];
  return { ...ask.state, city: name, cities: [...before, name].slice(-REMEMBERED), ...news };
}

function slug(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_");
}
