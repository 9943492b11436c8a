// The last response of each lane of a socket, so that the next request can continue it by its id
// although the server stores none.

import { parseJson, stringifyJson } from "../../core/json.js";
import { uuid } from "../../core/random.js";
import { itemsOf } from "../create_request.js";
import type { ResponsesInput } from "../../agentwire.js";
import { type Body, type Lane, inLane, mayEnd } from "./events.js";

interface Kept {
  readonly id: string;
  readonly items: readonly unknown[];
}

/** The number of lanes whose last response is kept. */
const MOST = 16;

export class PreviousResponses {
  readonly #last = new Map<Lane, Kept>();

  /** Returns a request with the items of the response that it continues, if that is the last one. */
  restored(body: Body, lane: Lane): Body {
    const { previous_response_id: id, ...rest } = body;
    const kept = this.#last.get(lane);
    if (kept === undefined || kept.id !== id) {
      return body;
    }
    return { ...rest, input: [...kept.items, ...itemsOf(rest["input"] as ResponsesInput)] };
  }

  /** Keeps the response that an event ends, unless the server stores it. */
  keep(data: string, asked: Body, lane: Lane): void {
    if (!mayEnd(data)) {
      return;
    }
    const { response } = parseJson(data) as { response?: Body };
    this.forget(lane);
    if (
      response === undefined ||
      response["status"] !== "completed" ||
      response["store"] === true
    ) {
      return;
    }
    const input = itemsOf(asked["input"] as ResponsesInput);
    this.#set(lane, String(response["id"]), [...input, ...(response["output"] as unknown[])]);
  }

  /**
   * Keeps the input of a request that asks for no output (`generate: false`). Returns the events of
   * its empty response.
   */
  prepare(body: Body, lane: Lane): readonly string[] {
    const { input } = this.restored(body, lane);
    const id = `resp_${uuid().replaceAll("-", "")}`;
    this.#set(lane, id, itemsOf(input as ResponsesInput));
    const response = {
      id,
      object: "response",
      created_at: Math.floor(Date.now() / 1000),
      model: body["model"] ?? null,
      error: null,
      incomplete_details: null,
      output: [],
      usage: null,
      metadata: {},
      parallel_tool_calls: true,
      tool_choice: "auto",
      tools: [],
      store: false,
    };
    return ["in_progress", "completed"].map((status, number) => {
      const type = `response.${number === 0 ? "created" : status}`;
      const event = { type, sequence_number: number, response: { ...response, status } };
      return inLane(stringifyJson(event), lane);
    });
  }

  forget(lane: Lane): void {
    this.#last.delete(lane);
  }

  #set(lane: Lane, id: string, items: readonly unknown[]): void {
    this.#last.delete(lane);
    this.#last.set(lane, { id, items });
    const [oldest] = this.#last.keys();
    if (this.#last.size > MOST) {
      this.#last.delete(oldest);
    }
  }
}
