// The agent with a model, which has the same tool as the demo agent and decides when to call it. It
// is the configured model, or the fake one.

import {
  type Conversation,
  type AgentWriter,
  type ModelOptions,
  defineTool,
  runTools,
} from "agentwire/server";
import { MODELS, fakeModel } from "./fake_model.js";
import { DEFAULT_CITY, citiesIn, weatherIn } from "./weather.js";

/** The variables that configure a model. `MODEL_KEY` is a secret. */
export interface ModelEnv {
  /**
   * The protocol of its API: `chat`, `responses`, `anthropic`, `gemini` or `interactions`. Absent, the scripted
   * agent answers.
   */
  readonly MODEL_PROTOCOL?: ModelOptions["protocol"];
  /** The base address: that of the provider by default. */
  readonly MODEL_URL?: string;
  readonly MODEL_KEY?: string;
  /** The name of the model. Absent, the request selects it. */
  readonly MODEL?: string;
}

const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const TOOLS = {
  get_weather: defineTool({
    description: "Returns the weather of a city.",
    parameters,
    execute: ({ city }) => weatherIn(citiesIn(String(city))[0] ?? DEFAULT_CITY),
  }),
};

/** Returns the options of the configured model; undefined without one. */
export function configuredModel({
  MODEL_PROTOCOL: protocol,
  MODEL_URL: url,
  MODEL_KEY: key,
  MODEL: model,
}: ModelEnv): ModelOptions | undefined {
  return protocol === undefined ? undefined : { protocol, url, key, model };
}

const FAKE_URLS = {
  chat: `http://model.invalid${MODELS}v1`,
  anthropic: "http://model.invalid/models",
  gemini: `http://model.invalid${MODELS}v1beta`,
} as const;

/**
 * Returns the options of the fake model, in the API that a question names: Anthropic's, Gemini's,
 * or Chat Completions.
 */
export function fakeModelOptions(question: string, delay: number): ModelOptions {
  const protocol = /anthropic/i.test(question)
    ? "anthropic"
    : /gemini/i.test(question)
      ? "gemini"
      : "chat";
  return {
    protocol,
    url: FAKE_URLS[protocol],
    model: "fake",
    fetch: (request) => fakeModel(request, { delay }),
  };
}

/** Answers with a model. */
export async function modelAgent(
  out: AgentWriter,
  request: Conversation,
  model: ModelOptions,
): Promise<void> {
  await runTools(out, { ...model, request, tools: TOOLS });
}
