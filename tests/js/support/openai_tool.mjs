/** The demo agent's tool of the client, as requests of OpenAI Responses name it. */
export const TOOL = {
  type: "function",
  name: "change-background-color",
  description: "Change the background color of the page.",
  parameters: { type: "object", properties: { color: { type: "string" } }, required: ["color"] },
  strict: false,
};
