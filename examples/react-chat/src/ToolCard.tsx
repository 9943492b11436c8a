import type { ToolAnswer } from "agentwire/react";
import { type ToolCallView, stringify } from "agentwire/agent-api";
import { memo } from "react";

const WORDS = { streaming: "is being called", called: "called", answered: "answered" } as const;

/** A tool call: its arguments while they come, and what it came to. */
export const ToolCard = memo(function ToolCard({ call, answer }: { readonly call: ToolCallView; readonly answer: ToolAnswer | undefined }) {
  const { name, state, result } = call;
  // `value` once the arguments are whole; `partial` before, for display only.
  const args = call.value ?? call.partial;
  const output = result?.raw ?? (answer === undefined ? undefined : textOf(answer.value));
  return (
    <details className="card tool" data-state={answer ? "answered" : state} open={state === "streaming"}>
      <summary>
        <code>{name ?? "a tool"}</code> <span>{answer ? "answered by this page" : WORDS[state]}</span>
      </summary>
      <dl>
        <dt>Arguments</dt>
        <dd>
          <Arguments value={args} />
        </dd>
        {output !== undefined && (
          <>
            <dt>Result</dt>
            <dd>
              <pre>{output}</pre>
            </dd>
          </>
        )}
      </dl>
    </details>
  );
});

function Arguments({ value }: { readonly value: ToolCallView["value"] }) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return <pre>{value === undefined ? "…" : textOf(value)}</pre>;
  }
  return (
    <ul>
      {Object.entries(value).map(([key, value]) => (
        <li key={key}>
          {key}: <b>{textOf(value)}</b>
        </li>
      ))}
    </ul>
  );
}

function textOf(value: NonNullable<ToolCallView["value"]> | null): string {
  return typeof value === "string" ? value : stringify(value);
}
