// aider with every kind of model through the gateway. It offers no tools: the model writes the file
// into its text.
import { aider } from "./clients/aider.mjs";
import { NOTE, agentTests } from "./support/suite.mjs";

const task = () => [
  { reasoning: "A note.", text: `The note is written.\n\nnote.txt\n\`\`\`\n${NOTE}\n\`\`\`` },
  { reasoning: "A second question.", text: "It has one line." },
];

agentTests(aider, task, {
  faults: { cut: true, error: true, "rate limit": true },
  // It sends back the texts, and nothing else.
  keepsState: false,
});
