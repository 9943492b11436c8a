// The agent with a real model, if one is configured: the same tool as the demo agent, but the model decides when to call it.

import { type AgentRequest, type AgentWriter, type ModelOptions, defineTool, runTools } from "agentwire/server";
import { DEFAULT_CITY, citiesIn, weatherIn } from "./weather.js";

/** The variables that configure a model. `MODEL_KEY` is a secret. */
export interface ModelEnv {
  /** The protocol of its API: `chat`, `responses`, `anthropic` or `gemini`. Absent, the scripted agent answers. */
  readonly MODEL_PROTOCOL?: ModelOptions["protocol"];
  /** The base address: that of the provider by default. */
  readonly MODEL_URL?: string;
  readonly MODEL_KEY?: string;
  /** The name of the model. Absent, the request selects it. */
  readonly MODEL?: string;
}

const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"], additionalProperties: false };
const TOOLS = {
  get_weather: defineTool({
    description: "Returns the weather of a city.",
    parameters,
    execute: ({ city }) => weatherIn(citiesIn(String(city))[0] ?? DEFAULT_CITY),
  }),
};

/** Returns the agent of the configured model; undefined without one. */
export function modelAgent({ MODEL_PROTOCOL: protocol, MODEL_URL: url, MODEL_KEY: key, MODEL: model }: ModelEnv) {
  if (protocol === undefined) {
    return undefined;
  }
  return (out: AgentWriter, request: AgentRequest) => runTools(out, { protocol, url, key, model, request, tools: TOOLS });
}
