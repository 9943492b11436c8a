import type { ApprovalDecision, ToolResult } from "agentwire/react";
import { stringifyJson, type ToolCall } from "agentwire/agent-api";
import { memo } from "react";

const WORDS = { streaming: "is being called", called: "called", "awaiting-approval": "waits for a yes", answered: "answered" } as const;

/** Shows a tool call: its arguments while they arrive, and its result. */
export const ToolCard = memo(function ToolCard({ call, answer }: { readonly call: ToolCall; readonly answer: ToolResult | ApprovalDecision | undefined }) {
  const { name, state, result } = call;
  // `arguments` once they are complete; `partialArguments` before, for display only.
  const args = call.arguments ?? call.partialArguments;
  const output = result?.value ?? result?.text ?? answer?.value;
  return (
    <details className="card tool" data-state={answer ? "answered" : state} open={state === "streaming"}>
      <summary>
        <code>{name ?? "a tool"}</code> <span>{answer ? "answered by this page" : WORDS[state]}</span>
      </summary>
      <dl>
        <dt>Arguments</dt>
        <dd>
          <Value value={args} />
        </dd>
        {output !== undefined && (
          <>
            <dt>Result</dt>
            <dd>
              <Value value={output} />
            </dd>
          </>
        )}
      </dl>
    </details>
  );
});

/** Shows JSON. The properties of an object are listed one per line. */
function Value({ value }: { readonly value: ToolCall["arguments"] }) {
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

function textOf(value: NonNullable<ToolCall["arguments"]> | null): string {
  return typeof value === "string" ? value : stringifyJson(value);
}
