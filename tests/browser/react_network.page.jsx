// A chat in strict mode over a real connection. The server is in the node test; the first word of a message selects its behaviour.
import { StrictMode, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { createRequest, init, read } from "agentwire/agent-api";
import { useConversation } from "agentwire/react";

async function request({ conversationId, message, signal }) {
  await init();
  return read(fetch(createRequest("/process", message, { sessionId: conversationId, signal })), { signal });
}

const textOf = (snapshot) => snapshot?.output.flatMap(({ content }) => content.map(({ text }) => text ?? "")).join("") ?? "";

/** The chats that the test controls, by name. */
globalThis.chats = {};

function Chat({ name }) {
  const chat = useConversation({ request });
  globalThis.chats[name] = chat;
  // As documented in docs/guides/front-ends.md.
  const hasGreeted = useRef(name !== "greeting");
  useEffect(() => {
    if (!hasGreeted.current) {
      hasGreeted.current = true;
      chat.send("whole");
    }
  });
  return <pre id={name}>{chat.turns.map(({ message, snapshot, status, error }) => `${message}: ${textOf(snapshot)} (${error?.code ?? status})`).join("\n")}</pre>;
}

function Page() {
  const [shown, setShown] = useState(["a", "b"]);
  globalThis.showChats = setShown;
  return shown.map((name) => <Chat key={name} name={name} />);
}

createRoot(document.body.appendChild(document.createElement("main"))).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
