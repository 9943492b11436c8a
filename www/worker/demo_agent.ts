// An agent without a model: thinks, calls a tool, answers with text and a picture. The same question always gets the same
// answer. Everything it sends goes through the package's `emit`, which ends by itself what is open when the next thing begins.

import { AgentError, type Out, type OutText } from "agentwire";
import type { Ask } from "./ask.js";
import { pause, tokensOf } from "./tokens.js";
import { cityIn, forecastImage, skyOf, weatherIn } from "./weather.js";

/** Answers one question. Returns early or throws as soon as nobody reads any more. */
export async function demoAgent(out: Out, ask: Ask): Promise<void> {
  if (ask.approved !== undefined) {
    return say(out, ask, ask.approved ? "Approved: the files are gone. 已删除。" : "Declined: nothing was deleted. 已取消。");
  }
  if (ask.toolOutputs.length > 0) {
    return say(out, ask, `Done. Your side says: ${ask.toolOutputs.join("; ")}`);
  }
  switch (ask.variant) {
    case "background":
      return changeBackground(out, ask);
    case "approval":
      return askFirst(out, ask);
    case "reject":
      return out.reject();
    case "echo":
      return say(out, ask, ask.text.replace(/^\s*(echo\b|重复)\s*/i, ""));
    case "long":
      return say(out, ask, longText(ask.tokens));
    default:
      return answer(out, ask);
  }
}

async function answer(out: Out, ask: Ask): Promise<void> {
  const city = cityIn(ask.text);
  const weather = weatherIn(city);
  const sky = skyOf(weather);

  const thought = out.reasoning();
  await write(
    out,
    ask,
    thought,
    `They ask about ${city.name} (${city.local}). I should not guess the weather; the tool get_weather knows it. Then I answer in 中文 and in English, and show the next days.`,
  );

  const call = out.tool("get_weather", { callId: `call_${city.name.toLowerCase()}_1`, type: "plugin_call" });
  for (const piece of [`{"city"`, `:"${city.local}`, `","unit":`, `"cel`, `sius"`, `,"days":5}`]) {
    await pause(ask.delay * 2, out.signal);
    await call.arguments(piece);
  }
  await pause(ask.delay * 20, out.signal);
  await call.result(JSON.stringify(weather));

  const message = out.message();
  const text = message.text();
  await write(out, ask, text, `${city.local}现在 ${weather.celsius} °C，${sky.chinese} ${sky.sign}，湿度 ${weather.humidity}%，风力 ${weather.wind} 级。\n\n`);
  if (ask.variant === "failure") {
    throw new AgentError("WEATHER_STATION_SILENT", "the weather station does not answer any more (气象站没有响应)");
  }
  if (ask.variant === "cancel") {
    return out.cancel();
  }
  await write(out, ask, text, `It is ${weather.celsius} degrees and ${sky.english} in ${city.name}, `);
  if (ask.variant === "incomplete") {
    return out.incomplete("max_output_tokens");
  }
  await write(out, ask, text, `good enough for a walk along ${city.walk} 🚶‍♀️ and a tea afterwards 🍵. These are the next five days 👨‍👩‍👧:`);
  await message.image(forecastImage(weather));
  out.usage({ input_tokens: tokensOf(ask.text).length, output_tokens: 96 });
}

/** A tool of the client's: the run ends with the call, and goes on when the next request brings what it came to. */
async function changeBackground(out: Out, ask: Ask): Promise<void> {
  const name = "change-background-color";
  const color = /\b(?:to|into|为|成)\s*([#\w-]+)/i.exec(ask.text)?.[1] ?? "lightblue";
  if (!ask.tools.includes(name)) {
    return say(out, ask, `I would change it to ${color}, but you have no tool ${name} for me.`);
  }
  await write(out, ask, out.message().text(), "One moment. ");
  const call = out.tool(name, { callId: `call_${name}_1` });
  for (const piece of ['{"color":', `${JSON.stringify(color)}}`]) {
    await pause(ask.delay, out.signal);
    await call.arguments(piece);
  }
}

/** A question: the run ends incomplete, and goes on when the next request brings the answer. */
async function askFirst(out: Out, ask: Ask): Promise<void> {
  await write(out, ask, out.message().text(), "That cannot be undone. ");
  await out
    .message({ type: "mcp_approval_request" })
    .data({ id: "approval_1", reason: "approval", payload: { question: "Delete all files?" } });
  return out.incomplete("interrupt");
}

/** One message of text. */
async function say(out: Out, ask: Ask, text: string): Promise<void> {
  await write(out, ask, out.message().text(), text);
}

async function write({ signal }: Out, { delay }: Ask, to: OutText, text: string): Promise<void> {
  for (const token of tokensOf(text)) {
    if (delay > 0) {
      await pause(delay, signal);
    }
    await to.delta(token);
  }
}

/** A text of so many tokens. */
function longText(tokens: number): string {
  const words = tokensOf("The quick brown fox 跳过了 the lazy dog 🦊, and the stream goes on. 流还在继续。 ");
  return Array.from({ length: tokens }, (_, at) => words[at % words.length]).join("");
}
