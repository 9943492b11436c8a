import { type CSSProperties, useState } from "react";
import { useAgent } from "./agent";
import { Composer } from "./Composer";
import { TurnView } from "./TurnView";
import { useStickToEnd } from "./useStickToEnd";

const EXAMPLES = ["What is the weather like in Lisbon?", "Change the background to lavender", "Delete all files", "Tell me a long story"];

export function App() {
  const [tint, setTint] = useState<string>();
  const { turns, send, stop, retry, approve, decline, clear, isBusy, pending } = useAgent({
    "change-background-color": {
      description: "Changes the background colour of the page that the user sees.",
      parameters: {
        type: "object",
        properties: { color: { type: "string", description: "a CSS colour" } },
        required: ["color"],
      },
      execute({ color }: { readonly color?: unknown }) {
        if (typeof color !== "string" || !CSS.supports("color", color)) {
          throw new Error(`${String(color)} is no colour`);
        }
        setTint(color);
        return `The background is ${color} now.`;
      },
    },
  });
  const end = useStickToEnd(turns);

  return (
    <div className="app" style={{ "--tint": tint } as CSSProperties}>
      <header>
        <h1>Chat with an agent</h1>
        <button type="button" className="quiet" onClick={clear} disabled={turns.length === 0}>
          New chat
        </button>
      </header>
      <main aria-live="polite">
        {turns.length === 0 && (
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
        {turns.map((turn, at) => (
          <TurnView
            key={turn.id}
            turn={turn}
            // Only the last turn can be answered or repeated.
            pending={at === turns.length - 1 ? pending : NONE}
            next={turns[at + 1]}
            retry={at === turns.length - 1 ? retry : undefined}
            approve={approve}
            decline={decline}
          />
        ))}
        <div ref={end} />
      </main>
      <Composer isBusy={isBusy} send={send} stop={stop} />
    </div>
  );
}

/** A constant list, so that completed turns are not rendered again. */
const NONE: readonly never[] = [];
