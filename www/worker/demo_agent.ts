// An agent without a model. The same question always gets the same answer. It does not depend on a
// protocol: it writes to the package's `AgentWriter`, which closes open messages and calls when the
// next one starts.

import type { AgentWriter } from "agentwire/server";
import type { Ask } from "./ask.js";
import { compare } from "./comparison.js";
import { forecast } from "./forecast.js";
import { pause, writeMessage, tokensOf, write } from "./speech.js";
import { DEFAULT_CITY, citiesIn, isAboutWeather } from "./weather.js";

/** Answers one question. Returns early or throws as soon as the reader has left. */
export async function demoAgent(out: AgentWriter, ask: Ask): Promise<void> {
  if (ask.approved !== undefined) {
    return writeMessage(
      out,
      ask,
      ask.approved
        ? "Approved: the files are gone. 已删除。"
        : "Declined: nothing was deleted. 已取消。",
    );
  }
  if (ask.toolOutputs.length > 0) {
    return writeMessage(out, ask, `Done. Your side says: ${ask.toolOutputs.join("; ")}`);
  }
  switch (ask.variant) {
    case "background":
      return changeBackground(out, ask);
    case "approval":
      return askFirst(out, ask);
    case "parallel":
      return callInParallel(out, ask);
    case "refuse":
      return write(out, ask, out.message().refusal(), "I will not do that. 恕难从命。");
    case "recall":
      return writeMessage(
        out,
        ask,
        ask.earlier.length === 0
          ? "You have said nothing before."
          : `Before this you said: ${ask.earlier.map((text) => `“${text}”`).join(", ")}.`,
      );
    case "user":
      return writeMessage(
        out,
        ask,
        ask.user === undefined ? "I do not know who you are." : `You are ${ask.user}.`,
      );
    case "reject":
      return out.reject();
    case "echo":
      return writeMessage(out, ask, ask.text.replace(/^\s*(echo\b|重复)\s*/i, ""));
    case "clock":
      return writeTimes(out, ask);
    case "long":
      return writeMessage(out, ask, longText(ask.tokens));
    default:
      return answer(out, ask);
  }
}

/** Answers about the cities in the question; lists the agent's abilities for other questions. */
async function answer(out: AgentWriter, ask: Ask): Promise<void> {
  const cities = citiesIn(ask.text);
  const [city = DEFAULT_CITY] = cities;
  if (cities.length > 1) {
    return compare(out, ask, cities);
  }
  // Variants of a run are shown with a forecast for any question.
  if (cities.length === 1 || isAboutWeather(ask.text) || ask.variant !== "answer") {
    return forecast(out, ask, city);
  }
  const question = ask.text === "" ? "nothing" : `“${ask.text}”`;
  const abilities =
    'I am a script: I know the weather ("Weather in Paris?", "Compare Paris and 东京"), say again what you say after "echo", change your background, delete all files if you let me, and ask a fake model ("Ask the model about Paris").';
  return writeMessage(out, ask, `You asked ${question}. ${abilities}`);
}

/** Calls two client tools, whose arguments arrive in pieces and in turn. */
async function callInParallel(out: AgentWriter, ask: Ask): Promise<void> {
  const calls = ["one", "two"].map((name) =>
    out.tool(`tool_${name}`, { callId: `call_${name}`, parallel: true }),
  );
  for (const piece of ['{"n":', "1", "}"]) {
    for (const call of calls) {
      await pause(ask.delay, out.signal);
      await call.arguments(piece);
    }
  }
  await Promise.all(calls.map((call) => call.complete()));
}

/**
 * Calls a client tool: the run ends with the call, and continues when the next request has the
 * result.
 */
async function changeBackground(out: AgentWriter, ask: Ask): Promise<void> {
  const name = "change-background-color";
  const color = /\b(?:to|into|为|成)\s*([#\w-]+)/i.exec(ask.text)?.[1] ?? "lightblue";
  if (!ask.tools.includes(name)) {
    return writeMessage(
      out,
      ask,
      `I would change it to ${color}, but you have no tool ${name} for me.`,
    );
  }
  await write(out, ask, out.message().text(), "One moment. ");
  const call = out.tool(name, { callId: `call_${name}_1` });
  for (const piece of ['{"color":', `${JSON.stringify(color)}}`]) {
    await pause(ask.delay, out.signal);
    await call.arguments(piece);
  }
}

/** Interrupts the run, which continues when the next request has the answer. */
async function askFirst(out: AgentWriter, ask: Ask): Promise<void> {
  await write(out, ask, out.message().text(), "That cannot be undone. ");
  return out.interrupt({
    id: "approval_1",
    reason: "approval",
    payload: { question: "Delete all files?" },
    text: "Delete all files?",
    responseSchema: {
      type: "object",
      properties: { approved: { type: "boolean" } },
      required: ["approved"],
    },
  });
}

/**
 * Writes the time in milliseconds since 1970 repeatedly, so that a reader can measure the delay.
 */
async function writeTimes(out: AgentWriter, ask: Ask): Promise<void> {
  for (let time = 0; time < ask.tokens; time++) {
    await pause(ask.delay, out.signal);
    await out.text(`${Date.now()} `);
  }
}

/** Returns a text of `tokens` tokens. */
function longText(tokens: number): string {
  const words = tokensOf(
    "The quick brown fox 跳过了 the lazy dog 🦊, and the stream goes on. 流还在继续。 ",
  );
  return Array.from({ length: tokens }, (_, at) => words[at % words.length]).join("");
}
