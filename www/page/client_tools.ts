// The tools that this page offers to an agent, which the agent calls by their names.

import { type AgentTool, type AgentTools, type ToolPart, stringifyJson } from "agentwire";

/** The answers of this page to the calls of an agent. */
export class Answers {
  tools: AgentTools = {};
  #byCall: Record<string, string> = {};

  /** Stores and returns the answer to a call. */
  note(callId: string, answer: string): string {
    this.#byCall[callId] = answer;
    return answer;
  }

  /** Returns the answers since the last call, by the ids of the calls. */
  taken(): Readonly<Record<string, string>> {
    const taken = this.#byCall;
    this.#byCall = {};
    return taken;
  }

  /** Returns whether the page has the tool of a call. */
  hasToolFor(call: ToolPart): boolean {
    return Object.hasOwn(this.tools, nameOf(call));
  }

  /** Returns the tools, whose results are stored. */
  noted(): AgentTools {
    return Object.fromEntries(
      Object.entries(this.tools).map(([name, tool]) => [name, this.#noted(tool)]),
    );
  }

  #noted(tool: AgentTool): AgentTool {
    return {
      ...tool,
      execute: async (input, context) => {
        const { id } = context.call;
        try {
          const value = (await tool.execute?.(input, context)) as never;
          this.note(id ?? "", typeof value === "string" ? value : stringifyJson(value));
          return value;
        } catch (error) {
          this.note(id ?? "", `Error: ${error instanceof Error ? error.message : String(error)}`);
          throw error;
        }
      },
    };
  }
}

/** Returns the name of the tool of a call. */
export function nameOf(call: ToolPart): string {
  return call.type === "dynamic-tool" ? call.toolName : call.type.slice("tool-".length);
}

/** Returns the tools. `tint` receives the colour that the agent sets. */
export function clientTools(tint: (color: string) => void): AgentTools {
  return {
    "change-background-color": {
      description: "Changes the background colour of the answer that the user sees.",
      parameters: {
        type: "object",
        properties: {
          color: { type: "string", description: "a CSS colour: a name or a notation" },
        },
        required: ["color"],
      },
      execute(args: unknown) {
        const { color } = Object(args) as { readonly color?: unknown };
        if (typeof color !== "string" || !isColor(color)) {
          throw new Error(`${JSON.stringify(color ?? null)} is no colour.`);
        }
        tint(color);
        return `The background is ${color} now.`;
      },
    },
  };
}

/**
 * Returns whether a text is a colour. Values that are valid for every property (`inherit`,
 * `var(--x)`) are excluded.
 */
function isColor(text: string): boolean {
  return CSS.supports("color", text) && !CSS.supports("display", text);
}
