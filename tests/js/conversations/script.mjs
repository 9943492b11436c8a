// The conversation that every client has: two questions of the user, and four answers of the model.
//
//   "Compare the weather in Paris and Oslo."  → reasoning, two parallel calls    request 1
//                                   results   → reasoning, a text, one call      request 2
//                                   result    → reasoning, a text                request 3
//   "Which one is colder?"                    → reasoning, a text                request 4
//
// Without tools (A2A clients cannot offer any) only the last two answers are given. If the server
// has the tools, requests 1 to 3 belong to one request of the client.

export const QUESTIONS = ["Compare the weather in Paris and Oslo.", "Which one is colder?"];

/** The last text of a complete conversation. */
export const LAST_TEXT = "They are equally warm.";

const ANSWERS = [
  {
    reasoning: "I need the weather of both cities.",
    calls: [call("get_weather", "Paris"), call("get_weather", "Oslo")],
  },
  { reasoning: "Now the time in Paris.", text: "One moment.", calls: [call("get_time", "Paris")] },
  { reasoning: "Everything is known.", text: "It is 18 degrees in both cities.", calls: [] },
  { reasoning: "A short answer suffices.", text: LAST_TEXT, calls: [] },
];

/**
 * Returns the answers of the model. `id` is the number that ids and signatures are made of,
 * `question` the index of the question that the answer follows.
 */
export function script(hasTools) {
  const all = ANSWERS.map((answer, at) => ({ ...answer, id: at + 1, question: at === 3 ? 1 : 0 }));
  return hasTools ? all : all.slice(2);
}

function call(name, city) {
  return { name, args: { city } };
}

/** Returns the output of a tool. */
export function resultOf(name, { city }) {
  return name === "get_weather" ? `18 degrees in ${city}` : `12:00 in ${city}`;
}

const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

/** The tools by name. */
export const TOOLS = {
  get_weather: { description: "Returns the weather of a city.", parameters },
  get_time: { description: "Returns the time in a city.", parameters },
};

/** The tools as a list of `{ name, description, parameters }`. */
export const toolList = () => Object.entries(TOOLS).map(([name, tool]) => ({ name, ...tool }));

/** Returns a value that only its provider can read, as long as a short real one. */
export const secret = (provider, kind, id) =>
  Buffer.from(`${provider}:${kind}:${id}:${"opaque ".repeat(12)}`)
    .toString("base64")
    .replace(/=+$/, "");
