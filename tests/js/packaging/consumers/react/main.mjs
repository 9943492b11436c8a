// Rendered on a server, as a framework does it. Prints the result.
import { connect, read } from "agentwire";
import { createHandler, respond } from "agentwire/server";
import { createStreamStore } from "agentwire/store";
import * as hooks from "agentwire/react";
import { createElement } from "react";
import { renderToString } from "react-dom/server";

const store = createStreamStore(() =>
  read(
    respond({}, { protocol: "agent-api" }, (out) => out.message().text().delta("Hello")),
    { protocol: "agent-api" },
  ),
);
const Answer = () => {
  const { status, snapshot } = hooks.useStream(store);
  return createElement("p", null, `${status} ${snapshot?.output[0]?.content[0]?.text}`);
};
const html = renderToString(createElement(Answer));
store.start();
const { status, snapshot } = await store.finished();
const chat = connect("http://agent.test/ag-ui", {
  protocol: "ag-ui",
  fetch: createHandler({ agent: (out) => out.message().text().delta("Hello") }),
});
const answer = await chat.send("Hi").text();
const Chat = () => createElement("p", null, hooks.useChat(chat).messages.length);
// A chat is rendered on a server and hydrated without its messages.
const page = renderToString(createElement(Chat));
console.log(
  JSON.stringify({ html, status, text: snapshot.output[0].content[0].text, answer, page }),
);
process.exit(0);
