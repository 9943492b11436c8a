// Calls a model, runs the tools that it calls, and calls it again with the results.

import type { AgentRequest, Json } from "../agentwire.js";
import { type AgentTool, type AgentTools, functionsOf } from "../connect/tool.js";
import { Decoder } from "../convert/read_as.js";
import { failedResult, must } from "../core/errors.js";
import { parseJson } from "../core/json.js";
import { reported } from "../emit/agent_error.js";
import { beginningOf } from "../emit/beginning.js";
import { watchedBy } from "../emit/emission.js";
import { waitingCalls } from "../emit/forward.js";
import type { AgentWriter, Forwarded, ForwardedCall } from "../emit/out.js";
import { type RunLosses, runLossesOf } from "../emit/run_losses.js";
import type { ToolCall } from "../read/tool_call_view.js";
import { type CallModelOptions, Model, type PreparedRequest, agentRequest } from "./call.js";
import { type ToolResult, ToolRounds, type WaitingCall } from "./tool_rounds.js";

/** A model, what it is asked, and the tools that it can call. */
export interface RunToolsOptions extends CallModelOptions {
  /** The tools by name. A call of another tool is left to the client. */
  readonly tools: AgentTools;
  /**
   * The most calls of the model in one run: 8 by default. The run is then incomplete, with the
   * reason `max_rounds`.
   */
  readonly maxRounds?: number | undefined;
}

/**
 * Calls a model and forwards its stream, runs the tools that it calls, and calls it again with
 * their results, until it calls no tool. Texts, calls and results are streamed to the client in its
 * protocol. The requests that follow repeat the first one, and add the model's answers as they are,
 * with its own parts, such as signed thinking.
 *
 * ```js
 * const tools = { weather: defineTool({ parameters, execute: ({ city }) => lookUp(city) }) };
 * const agent = (out, request) => runTools(out, { protocol: "anthropic", key, model, request, tools });
 * ```
 *
 * A tool that throws has the result `Error: the tool failed, its id is …`, and `onError` receives
 * the exception; the message of an `AgentError`, or a value that `onError` returns, is sent
 * instead. The loop ends when a call belongs to the client, which answers it with its next request.
 * Aborting `signal` ends it as well, as the signal of `out` does.
 *
 * @returns the end of the last stream
 * @throws the errors of `callModel` and `out.forward`
 */
export function runTools(out: AgentWriter, options: RunToolsOptions): Promise<Forwarded> {
  const losses = runLossesOf(out?.signal, options?.request);
  return watchedBy(losses, () => ran(out, options, losses), "runTools()");
}

async function ran(
  out: AgentWriter,
  { request, tools, maxRounds = 8, ...modelOptions }: RunToolsOptions,
  losses: RunLosses | undefined,
): Promise<Forwarded> {
  must(
    typeof tools === "object" && tools !== null,
    "wrong-option",
    "option `tools` is an object of tools by name",
  );
  must(
    Number.isSafeInteger(maxRounds) && maxRounds > 0,
    "wrong-option",
    "option `maxRounds` is a whole number above 0",
  );
  const signal =
    modelOptions.signal === undefined || modelOptions.signal === out.signal
      ? out.signal
      : AbortSignal.any([out.signal, modelOptions.signal]);
  const model = new Model("runTools()", { ...modelOptions, signal }, losses);
  must(
    model.tools.model !== undefined,
    "wrong-option",
    `runTools() calls a model: ${model.protocol} is the protocol of an agent`,
  );
  let prepared = model.prepare(withTools(request, tools));
  const rounds = new ToolRounds(model, prepared);
  try {
    for (let round = 1; ; round++) {
      const { end, snapshot } = await answered(out, model, prepared);
      if (end.status !== "completed") {
        return end;
      }
      const { calls: waiting, again = false } = rounds.append(snapshot);
      const calls = pairsOf(waiting, waitingCalls(end));
      const own = calls.filter(({ name }) => tools[name]?.execute !== undefined);
      if (own.length === 0 && !again) {
        return end;
      }
      await Promise.all(
        own.map(async (call) =>
          rounds.fill(call, await resultOf(call, tools[call.name]!, out, signal)),
        ),
      );
      signal.throwIfAborted();
      if (own.length < calls.length) {
        return end;
      }
      if (round === maxRounds) {
        await out.incomplete("max_rounds");
        return { ...end, status: "incomplete", reason: "max_rounds" };
      }
      prepared = { ...prepared, body: rounds.next() };
    }
  } finally {
    rounds.free();
  }
}

/** Returns the request with the tools, in addition to those of the client. */
function withTools(request: RunToolsOptions["request"], tools: AgentTools): AgentRequest {
  const agentInput = agentRequest(request);
  const own = functionsOf(tools).map((described) => ({ type: "function", function: described }));
  return { ...agentInput, tools: [...(agentInput.tools ?? []), ...own] };
}

/** Calls the model, and passes its answer on. Returns the end of the answer, and its snapshot. */
async function answered(
  out: AgentWriter,
  model: Model,
  request: PreparedRequest,
): Promise<{ readonly end: Forwarded; readonly snapshot: object }> {
  const decoder = new Decoder({ protocol: model.protocol });
  try {
    const response = await model.call(request, beginningOf(out.signal));
    const end = await out.forward(response, {
      protocol: model.protocol,
      onChunk: (bytes) => decoder.push(bytes),
    });
    return { end, snapshot: decoder.finish().snapshot };
  } finally {
    decoder.free();
  }
}

/**
 * A call that waits, and the one that the client has received; undefined if its protocol cannot
 * show it.
 */
interface OpenCall extends WaitingCall {
  readonly forwarded: ForwardedCall | undefined;
}

/**
 * Returns the calls that wait, each with the one that the client has received. Both have the order
 * of the answer.
 */
function pairsOf(waiting: readonly WaitingCall[], forwarded: readonly ForwardedCall[]): OpenCall[] {
  if (waiting.length === forwarded.length) {
    return waiting.map((call, at) => ({ ...call, forwarded: forwarded[at] }));
  }
  const left = new Map(forwarded.map((call) => [call.id, call]));
  return waiting.map((call) => {
    const same = left.get(call.id);
    left.delete(call.id);
    return { ...call, forwarded: same };
  });
}

/** Runs the tool of a call, and writes its result for the client. */
async function resultOf(
  call: OpenCall,
  tool: AgentTool,
  out: AgentWriter,
  signal: AbortSignal,
): Promise<ToolResult> {
  const result = await executed(call, tool, out, signal);
  await call.forwarded?.result(result.output);
  return result;
}

async function executed(
  { id: key, name, arguments: argumentsText, forwarded }: OpenCall,
  tool: AgentTool,
  out: AgentWriter,
  signal: AbortSignal,
): Promise<ToolResult> {
  let args: Json;
  try {
    args = parseJson(argumentsText === "" ? "{}" : argumentsText);
  } catch (error) {
    return { output: failedResult(error), isError: true };
  }
  const id = forwarded?.id ?? key;
  const call: ToolCall = {
    kind: "call",
    state: "called",
    id,
    name,
    argumentsText,
    partialArguments: args,
    arguments: args,
    result: undefined,
    pending: true,
  };
  try {
    return {
      output: ((await tool.execute!(args, { call, signal })) ?? null) as Json,
      isError: false,
    };
  } catch (error) {
    signal.throwIfAborted();
    const { message } = await reported(out, error, "the tool failed");
    return { output: `Error: ${message}`, isError: true };
  }
}
