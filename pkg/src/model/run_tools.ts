// Calls a model, runs the tools that it calls, and calls it again with the results.

import type { AgentRequest, Json } from "../agentwire.js";
import { type AgentTool, type AgentTools, functionsOf } from "../connect/tool.js";
import { Decoder } from "../convert/read_as.js";
import type { ModelApi } from "../convert/request.js";
import { failedResult, must } from "../core/errors.js";
import { parseJson } from "../core/json.js";
import { uuid } from "../core/random.js";
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
 * `AgentError`, or a value that `onError` returns, is sent instead. The loop ends when a call belongs to the client, which answers it with
 * its next request. Aborting `signal` ends it as well, as the signal of `out` does.
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
  const taken = new Set<unknown>();
  for (let round = 1; ; round++) {
    const decoder = new Decoder({ protocol: model.protocol });
    try {
      const end = await out.forward(await model.call(body, beginningOf(out.signal)), { protocol: model.protocol, onChunk: (bytes) => decoder.push(bytes) });
      if (end.status !== "completed") {
        return end;
      }
      const snapshot = withIds(api, decoder.finish().snapshot, taken);
      const calls = pairsOf(viewsOf(snapshot, CALLS), end.toolCalls);
      const own = calls.filter(({ name }) => tools[name]?.execute !== undefined);
      if (own.length === 0) {
        return end;
      }
      const results = await Promise.all(own.map(async (call) => [call.key, await resultOf(call, tools[call.name]!, out, signal)] as const));
      signal.throwIfAborted();
      if (own.length < calls.length) {
        return end;
      }
      if (round === maxRounds) {
        await out.incomplete("max_rounds");
        return { ...end, status: "incomplete", reason: "max_rounds" };
      }
      body = api.streamed(api.submitToolResults(body, snapshot, Object.fromEntries(results)));
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

/** Returns the answer of a model whose calls have ids that are not taken by a call of any round: a result is for one call. */
function withIds<S>({ calls, callId, hasPlaces = false }: ModelApi<any, S>, answer: S, taken: Set<unknown>): S {
  const copy = structuredClone(answer);
  for (const call of calls(copy) as { [name: string]: unknown }[]) {
    const id = call[callId] ?? (hasPlaces ? undefined : "");
    if (id !== undefined) {
      call[callId] = id === "" || taken.has(id) ? `call_${uuid()}` : id;
      taken.add(call[callId]);
    }
  }
  return copy;
}

/** A call of the answer that waits for the client. */
interface OpenCall {
  /** The id in the answer. */
  readonly key: string;
  readonly name: string;
  readonly argumentsText: string;
  /** The call in what was forwarded; undefined if the protocols cannot show it. */
  readonly forwarded: ForwardedCall | undefined;
}

/** Returns the open calls of an answer, each with the one that was forwarded. Calls without an id of their own have others there. */
function pairsOf(calls: readonly ToolCall[], forwarded: readonly ForwardedCall[]): OpenCall[] {
  const pending = calls.filter((call) => call.pending && call.id !== null);
  const found = new Map<ToolCall, ForwardedCall>();
  // The same id is the surest sign, then the same arguments, then the order.
  const signs: readonly ((id: string | null, name: string | null, text: string) => unknown)[] = [(id) => id, (_, name, text) => `${name} ${text}`, (_, name) => name];
  for (const sign of signs) {
    const used = new Set(found.values());
    const left = new Map<unknown, ForwardedCall[]>();
    for (const call of forwarded) {
      if (!used.has(call) && !call.answered) {
        const same = sign(call.id, call.name, call.arguments);
        left.set(same, left.get(same) ?? []);
        left.get(same)!.push(call);
      }
    }
    left.forEach((same) => same.reverse());
    for (const call of pending) {
      const other = found.has(call) ? undefined : left.get(sign(call.id, call.name, call.argumentsText))?.pop();
      other !== undefined && found.set(call, other);
    }
  }
  return pending.map((call) => ({ key: call.id!, name: call.name ?? "", argumentsText: call.argumentsText, forwarded: found.get(call) }));
}

/** Runs the tool of a call, and writes its result. */
async function resultOf(call: OpenCall, tool: AgentTool, out: AgentWriter, signal: AbortSignal): Promise<Json> {
  const result = await executed(call, tool, out, signal);
  await call.forwarded?.result(result);
  return result;
}

async function executed({ key, name, argumentsText, forwarded }: OpenCall, tool: AgentTool, out: AgentWriter, signal: AbortSignal): Promise<Json> {
  let args: Json;
  try {
    args = parseJson(argumentsText === "" ? "{}" : argumentsText);
  } catch (error) {
    return failedResult(error);
  }
  const id = forwarded?.id ?? key;
  const call: ToolCall = { kind: "call", state: "called", id, name, argumentsText, partialArguments: args, arguments: args, result: undefined, pending: true };
  try {
    return ((await tool.execute!(args, { call, signal })) ?? null) as Json;
  } catch (error) {
    signal.throwIfAborted();
    const { message } = await reported(out, error, "the tool failed");
    return `Error: ${message}`;
  }
}
