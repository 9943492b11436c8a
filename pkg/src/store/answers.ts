// The pending tool calls and approvals of a turn, and their answers so far.

import type { Json } from "../agentwire.js";
import { failedResult } from "../core/errors.js";
import type { ToolCall } from "../read/tool_call_view.js";
import type { ApprovalDecision, ClientTool, PendingCall, ToolResult } from "./state.js";

type ToolAnswer = ToolResult | ApprovalDecision;

export class Answers {
  readonly #pending: readonly PendingCall[];
  /** The answers, and the calls whose tools are running. */
  readonly #given = new Map<PendingCall, ToolAnswer | "running">();
  readonly #controller = new AbortController();
  /** Whether the user has answered a call or approval. */
  isByHand = false;

  constructor(pending: readonly ToolCall[] = []) {
    this.#pending = pending.filter((call): call is PendingCall => call.id !== null);
  }

  /** The calls and approvals without an answer or a running tool. */
  get waiting(): readonly PendingCall[] {
    return this.#pending.filter((call) => !this.#given.has(call));
  }

  get isRunning(): boolean {
    return [...this.#given.values()].includes("running");
  }

  /** All answers, in the order of their calls; undefined while one is missing, and if nothing is pending. */
  get complete(): readonly ToolAnswer[] | undefined {
    const answers = this.#pending.flatMap((call) => {
      const answer = this.#given.get(call);
      return answer === undefined || answer === "running" ? [] : [answer];
    });
    return answers.length > 0 && answers.length === this.#pending.length ? answers : undefined;
  }

  give(call: PendingCall, answer: ToolAnswer): void {
    this.#given.set(call, answer);
  }

  /** Runs the tools of the pending calls. `onAnswer` is called after each one, unless it was stopped. */
  run(tools: Readonly<Record<string, ClientTool>>, onAnswer: () => void): void {
    for (const call of this.waiting) {
      if (call.kind === "call" && call.name !== null && Object.hasOwn(tools, call.name)) {
        this.#given.set(call, "running");
        void this.#run(tools[call.name]!, call).then((value) => {
          if (!this.#controller.signal.aborted) {
            this.give(call, { kind: "call", id: call.id, name: call.name, value });
            onAnswer();
          }
        });
      }
    }
  }

  /** Stops the running tools: their results are ignored, and their calls are pending again. */
  stop(reason?: unknown): void {
    this.#controller.abort(reason);
    for (const [call, answer] of this.#given) {
      answer === "running" && this.#given.delete(call);
    }
  }

  async #run(tool: ClientTool, call: PendingCall): Promise<Json> {
    try {
      if (call.arguments === undefined) {
        throw new Error("the arguments are not JSON");
      }
      return (await tool(call.arguments, { call, signal: this.#controller.signal })) ?? null;
    } catch (error) {
      return failedResult(error);
    }
  }
}
