// Calls a model, runs the tools that it calls, and calls it again with the results.

import type { AgentRequest, Json } from "../agentwire.js";
import { type AgentTool, type AgentTools, functionsOf } from "../connect/tool.js";
import { Decoder } from "../convert/read_as.js";
import { failedResult, must } from "../core/errors.js";
import { parseJson } from "../core/json.js";
import { reported } from "../emit/agent_error.js";
import { beginningOf } from "../emit/beginning.js";
import type { AgentWriter, Forwarded, ForwardedCall } from "../emit/out.js";
import { CALLS } from "../generated/registry/protocols.js";
import { type ToolCall, viewsOf } from "../read/tool_call_view.js";
import { type CallModelOptions, Model, agentRequest } from "./call.js";

/** A model, what it is asked, and the tools that it can call. */
export interface RunToolsOptions extends CallModelOptions {
  /** The tools by name. A call of another tool is left to the client. */
  readonly tools: AgentTools;
  /** The most calls of the model in one run: 8 by default. The run is then incomplete, with the reason `max_rounds`. */
  readonly maxRounds?: number | undefined;
}

/**
 * Calls a model and forwards its stream, runs the tools that it calls, and calls it again with their results, until it calls no tool.
 * Texts, calls and results are streamed to the client in its protocol. The model's own parts, such as signed thinking, are kept in the
 * requests that follow.
 *
 * ```js
 * const tools = { weather: defineTool({ parameters, execute: ({ city }) => lookUp(city) }) };
 * const agent = (out, request) => runTools(out, { protocol: "anthropic", key, model, request, tools });
 * ```
 *
 * A tool that throws has the result `Error: the tool failed, its id is …`, and `onError` receives the exception; the message of an
 * `AgentError`, or a value that `onError` returns, is sent instead. Aborting `signal` ends the loop, as the signal of `out` does. The loop ends when a call belongs to the client, which answers it with its next request.
 *
 * @returns the end of the last stream
 * @throws the errors of `callModel` and `out.forward`
 */
export async function runTools(out: AgentWriter, { request, tools, maxRounds = 8, ...given }: RunToolsOptions): Promise<Forwarded> {
  must(typeof tools === "object" && tools !== null, "wrong-option", "option `tools` is an object of tools by name");
  must(Number.isSafeInteger(maxRounds) && maxRounds > 0, "wrong-option", "option `maxRounds` is a whole number above 0");
  const signal = given.signal === undefined || given.signal === out.signal ? out.signal : AbortSignal.any([out.signal, given.signal]);
  const model = new Model("runTools()", { ...given, signal });
  const api = model.tools.model;
  must(api !== undefined, "wrong-option", `runTools() calls a model: ${model.protocol} is the protocol of an agent`);
  let body = model.request(withTools(request, tools));
  for (let round = 1; ; round++) {
    const decoder = new Decoder({ protocol: model.protocol });
    try {
      const end = await out.forward(await model.call(body, beginningOf(out.signal)), { protocol: model.protocol, onChunk: (bytes) => decoder.push(bytes) });
      const open = end.toolCalls.filter(({ answered }) => !answered);
      const own = open.filter(({ name }) => tools[name]?.execute !== undefined);
      if (end.status !== "completed" || own.length === 0) {
        return end;
      }
      const results = await Promise.all(own.map(async (call): Promise<Result> => ({ call, value: await resultOf(call, tools, out, signal) })));
      signal.throwIfAborted();
      if (own.length < open.length) {
        return end;
      }
      if (round === maxRounds) {
        await out.incomplete("max_rounds");
        return { ...end, status: "incomplete", reason: "max_rounds" };
      }
      const { snapshot } = decoder.finish();
      body = api.streamed(api.submitToolResults(body, snapshot, resultsFor(viewsOf(snapshot, CALLS), results)));
    } finally {
      decoder.free();
    }
  }
}

/** Returns the request with the tools, in addition to those of the client. */
function withTools(request: AgentRequest | string, tools: AgentTools): AgentRequest {
  const agentInput = agentRequest(request);
  const own = functionsOf(tools).map((described) => ({ type: "function", function: described }));
  return { ...agentInput, tools: [...(agentInput.tools ?? []), ...own] };
}

interface Result {
  readonly call: ForwardedCall;
  readonly value: Json;
}

/** Returns the results by the ids in the snapshot. Calls without an id have other ids in what was forwarded, and are in the same order. */
function resultsFor(calls: readonly ToolCall[], results: readonly Result[]): Record<string, Json> {
  const left = [...results];
  const pending = calls.filter((call) => call.pending && call.id !== null);
  return Object.fromEntries(
    pending.map((call) => {
      const same = left.findIndex(({ call: { id } }) => id === call.id);
      const [result] = left.splice(same >= 0 ? same : left.findIndex(({ call: { name } }) => name === call.name), 1);
      return [call.id!, result!.value];
    }),
  );
}

/** Runs the tool of a call, and writes its result. */
async function resultOf(call: ForwardedCall, tools: AgentTools, out: AgentWriter, signal: AbortSignal): Promise<Json> {
  const result = await executed(call, tools[call.name]!, out, signal);
  await call.result(result);
  return result;
}

async function executed({ id, name, arguments: argumentsText }: ForwardedCall, tool: AgentTool, out: AgentWriter, signal: AbortSignal): Promise<Json> {
  let args: Json;
  try {
    args = parseJson(argumentsText === "" ? "{}" : argumentsText);
  } catch (error) {
    return failedResult(error);
  }
  const call: ToolCall = { kind: "call", state: "called", id, name, argumentsText, partialArguments: args, arguments: args, result: undefined, pending: true };
  try {
    return ((await tool.execute!(args, { call, signal })) ?? null) as Json;
  } catch (error) {
    signal.throwIfAborted();
    const { message } = await reported(out, error, "the tool failed");
    return `Error: ${message}`;
  }
}
