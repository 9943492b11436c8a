// A chat in strict mode over a real connection. The server is in the node test; the first word of a
// message selects its behaviour.
import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { connect, messageText } from "agentwire/agent-api";
import { useChat } from "agentwire/react";

/** The chats that the test controls, by name. */
globalThis.chats = {};

function Chat({ name }) {
  const [own] = useState(() => connect("/process"));
  const chat = useChat(() => own);
  globalThis.chats[name] = chat;
  // As documented in docs/guides/chat.md.
  useEffect(() => {
    if (name === "greeting" && own.getSnapshot().messages.length === 0) {
      own.send("whole");
    }
  }, [name, own]);
  return (
    <pre id={name}>
      {chat.messages
        .map(
          (message) =>
            `${message.role}: ${messageText(message)} (${message.error?.code ?? message.status})`,
        )
        .join("\n")}
    </pre>
  );
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
