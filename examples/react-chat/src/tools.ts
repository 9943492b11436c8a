import { defineTool } from "agentwire/ag-ui";

/** The tools of the page, which the agent can call. */
export const tools = {
  "change-background-color": defineTool({
    description: "Changes the background colour of the page that the user sees.",
    parameters: {
      type: "object",
      properties: { color: { type: "string", description: "a CSS colour" } },
      required: ["color"],
    },
    execute({ color }) {
      if (!CSS.supports("color", String(color))) {
        throw new Error(`${String(color)} is no colour`);
      }
      document.documentElement.style.setProperty("--tint", color);
      return `The background is ${color} now.`;
    },
  }),
};
