// The tools that this page offers to an agent, which the agent calls by their names.

import type { AgentTools } from "agentwire";

/** Returns the tools. `tint` receives the colour that the agent sets. */
export function clientTools(tint: (color: string) => void): AgentTools {
  return {
    "change-background-color": {
      description: "Changes the background colour of the answer that the user sees.",
      parameters: {
        type: "object",
        properties: { color: { type: "string", description: "a CSS colour: a name or a notation" } },
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

/** Returns whether a text is a colour. Values that are valid for every property (`inherit`, `var(--x)`) are excluded. */
function isColor(text: string): boolean {
  return CSS.supports("color", text) && !CSS.supports("display", text);
}
