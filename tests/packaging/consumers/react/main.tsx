import { type AgentStream, init, read } from "agentwire/agent-api";
import { type Conversation, useConversation, useRun } from "agentwire/react";
import { type RunStore, type Turn, createConversation, createRunStore } from "agentwire/store";

const store: RunStore<"agent-api"> = createRunStore(async (signal) => {
  await init();
  return read(fetch("/process", { signal }), { signal });
});

export function Answer({ run }: { readonly run: AgentStream | undefined }) {
  const { status, snapshot, error, pending, abort } = useRun(run ?? store);
  const texts = snapshot?.output.map(({ type, status }) => `${type} ${status}`);
  return (
    <p onClick={() => abort()}>
      {status} {texts} {error?.code} {pending.length}
    </p>
  );
}

interface Said {
  readonly text: string;
}

const shared: Conversation<"agent-api", Said> = createConversation<"agent-api", Said>({
  request: ({ message, signal }) => read(fetch("/process", { body: message?.text ?? null, signal })),
});

export function Chat() {
  const { turns, send, pending, approve } = useConversation(shared);
  const first: Turn<"agent-api", Said> | undefined = turns[0];
  // @ts-expect-error a message has the type that the conversation declares
  const wrong = () => send("text");
  return (
    <p onClick={() => (pending[0] ? approve(pending[0].id) : send({ text: "hi" }))} onBlur={wrong}>
      {first?.message?.text} {first?.snapshot?.status}
    </p>
  );
}
