// What a chunk did, as users see it.

import type { AgKitTurn, Response, ToolCall, Violation } from "./agentwire.js";
import { Changes } from "./changes.js";
import type { Protocol } from "./outcome.js";
import type { Draft } from "./schema.js";

/** What a published answer consists of; nothing as long as the protocol is not known. */
export interface Root {
  readonly protocol: Protocol | undefined;
  readonly response: Response | AgKitTurn | undefined;
  readonly toolCalls: readonly unknown[];
}

/** What is read. */
interface Reading {
  publish(): Root;
  violationsBetween(before: number, after: number): readonly Violation[];
}

/** Everything in it is made when it is read. */
export class ChunkUpdate extends Changes {
  ended = false;
  readonly #reading: Reading;
  /** How many violations there were before the chunk, and how many after it. */
  readonly #before: number;
  #after = 0;
  #violations: readonly Violation[] | undefined;
  #root: Root | undefined;

  constructor(reading: Reading, chunk: number, before: number) {
    super(chunk);
    this.#reading = reading;
    this.#before = before;
  }

  finished(ended: boolean, violations: number): this {
    this.ended = ended;
    this.#after = violations;
    return this;
  }

  get protocol(): Protocol | undefined {
    return this.#taken.protocol;
  }

  get snapshot(): Response | AgKitTurn | undefined {
    return this.#taken.response;
  }

  get toolCalls(): readonly unknown[] {
    return this.#taken.toolCalls;
  }

  get violations(): readonly Violation[] {
    return (this.#violations ??= this.#reading.violationsBetween(this.#before, this.#after));
  }

  get #taken(): Root {
    return (this.#root ??= this.#reading.publish());
  }
}

/** The root object of a protocol, which for the Agent API only holds the answer. */
export function rootOf(protocol: Protocol, root: Draft): Root {
  if (protocol === "agent-api") {
    const { response, toolCalls } = root as { response: Response; toolCalls: readonly ToolCall[] };
    return { protocol, response, toolCalls };
  }
  const turn = root as unknown as AgKitTurn;
  return { protocol, response: turn, toolCalls: turn.parts.filter((part) => part.type === "tool-call") };
}
