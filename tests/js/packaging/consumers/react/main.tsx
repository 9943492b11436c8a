import { type AgentStream, connect, init, read } from "agentwire/agent-api";
import { type ChatMessage, type StreamStore, useChat, useStream } from "agentwire/react";
import { createStreamStore } from "agentwire/store";

const store: StreamStore<"agent-api"> = createStreamStore(async (signal) => {
  await init();
  return read(fetch("/process", { signal }), { signal });
});

export function Answer({ run }: { readonly run: AgentStream | undefined }) {
  const { status, snapshot, error, pending, stop } = useStream(run ?? store);
  const texts = snapshot?.output.map(({ type, status }) => `${type} ${status}`);
  return (
    <p onClick={() => stop()}>
      {status} {texts} {error?.code} {pending.length}
    </p>
  );
}

const chat = connect("/process", { persist: { key: "chat" } });

export function Chat() {
  const { messages, send, pending, approve, snapshot } = useChat(chat);
  const first: ChatMessage | undefined = messages[0];
  const [part] = pending;
  // @ts-expect-error a message is a text, or a list of parts
  const wrong = () => send({ text: "hi" });
  return (
    <p
      onClick={() =>
        part?.state === "approval-requested" ? approve(part.approval.id) : send("hi")
      }
      onBlur={wrong}
    >
      {first?.parts.length} {snapshot?.status}
    </p>
  );
}
