import { useChat } from "agentwire/react";
import { chat } from "./chat";
import { Composer } from "./Composer";
import { MessageView } from "./MessageView";
import { useStickToEnd } from "./useStickToEnd";

const EXAMPLES = [
  "What is the weather like in Lisbon?",
  "Change the background to lavender",
  "Delete all files",
  "Tell me a long story",
];

export function App() {
  const {
    messages,
    send,
    stop,
    retry,
    approve,
    decline,
    regenerate,
    clear,
    status,
    isBusy,
    canRetry,
    canEdit,
    error,
  } = useChat(chat);
  const end = useStickToEnd(messages);

  return (
    <div className="app">
      <header>
        <h1>Chat with an agent</h1>
        <button type="button" className="quiet" onClick={clear} disabled={messages.length === 0}>
          New chat
        </button>
      </header>
      <main aria-live="polite">
        {messages.length === 0 && (
          <section className="welcome">
            <h2>What would you like to know?</h2>
            <ul>
              {EXAMPLES.map((example) => (
                <li key={example}>
                  <button type="button" onClick={() => send(example)}>
                    {example}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
        {messages.map((message) => (
          <MessageView
            key={message.id}
            message={message}
            approve={approve}
            decline={decline}
            regenerate={canEdit ? regenerate : undefined}
          />
        ))}
        {status === "submitted" && <p className="waiting">Thinking</p>}
        {canRetry && (
          <div
            className={error === undefined ? "note" : "failure"}
            role={error === undefined ? undefined : "alert"}
          >
            {error === undefined ? (
              <p>Stopped.</p>
            ) : (
              <p>
                <strong>That did not work.</strong> {error.message}{" "}
                {error.remedy !== undefined && <small>({error.remedy})</small>}
              </p>
            )}
            <button type="button" onClick={retry}>
              Try again
            </button>
          </div>
        )}
        <div ref={end} />
      </main>
      <Composer isBusy={isBusy} send={send} stop={stop} />
    </div>
  );
}
