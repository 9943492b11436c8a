// The requests to a model that calls tools: each has the answers and the results so far. The core
// decides what waits.

import type { Json, RawToolRounds } from "../agentwire.js";
import type { CountedLosses } from "../core/findings.js";
import { Handle } from "../core/handle.js";
import { jsonOf, jsonText, parseJson, textOf } from "../core/json.js";
import { toolkit } from "../core/wasm.js";
import type { Model, PreparedRequest } from "./call.js";

/** A call that waits for its result. */
export interface WaitingCall {
  /** The id in the next request. */
  readonly id: string;
  /** The name of the client's tool. */
  readonly name: string;
  /** JSON text, or the input of a custom tool. */
  readonly arguments: string;
}

/** What an answer waits for. */
interface Waiting {
  /** The calls that wait for a result, in the order of the answer. */
  readonly calls: readonly WaitingCall[];
  /** Whether the model has not finished, although no call waits. */
  readonly again?: boolean;
}

/** The result of a tool. */
export interface ToolResult {
  readonly output: Json;
  readonly isError: boolean;
}

/** The requests of one loop. */
export class ToolRounds {
  readonly #model: Model;
  readonly #handle: Handle<RawToolRounds>;

  /** @param request the first request */
  constructor(model: Model, { body, names }: PreparedRequest) {
    const core = toolkit();
    const options = jsonOf({ ...model.settings, names });
    this.#model = model;
    this.#handle = new Handle(
      core,
      () => new core.bindings.RawToolRounds(model.protocol, jsonText(body), options),
    );
  }

  /** Adds the answer of the model, and returns what it waits for. */
  append(snapshot: object): Waiting {
    return parseJson(this.#handle.call("append", jsonText(snapshot))) as unknown as Waiting;
  }

  /** Sets the result of a call. */
  fill({ id }: WaitingCall, { output, isError }: ToolResult): void {
    this.#handle.call("fill", id, textOf(output), isError);
  }

  /** Returns the next request: the first one, with the answers and the results. */
  next(): object {
    const [request, losses] = parseJson(this.#handle.call("next")) as unknown as [
      object,
      CountedLosses,
    ];
    this.#model.lost(losses);
    return request;
  }

  free(): void {
    this.#handle.free();
  }
}
