// Rendered on a server, as a framework does it. Prints the result.
import { AgentwireError, read } from "agentwire";
import { respond } from "agentwire/server";
import { createRunStore } from "agentwire/store";
import * as hooks from "agentwire/react";
import { createElement } from "react";
import { renderToString } from "react-dom/server";

const store = createRunStore(() => read(respond({}, { protocol: "agent-api" }, (out) => out.message().text().delta("Hello")), { protocol: "agent-api" }));
const Answer = () => {
  const { status, snapshot } = hooks.useRun(store);
  return createElement("p", null, `${status} ${snapshot?.output[0]?.content[0]?.text}`);
};
const html = renderToString(createElement(Answer));
store.start();
const { status, snapshot } = await store.finished();
let isOne = false;
try {
  hooks.createConversation({});
} catch (error) {
  isOne = error instanceof AgentwireError && error.code === "missing-argument";
}
console.log(JSON.stringify({ html, status, text: snapshot.output[0].content[0].text, isOne, isSame: hooks.createRunStore === createRunStore }));
process.exit(0);
