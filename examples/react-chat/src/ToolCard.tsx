import type { ToolPart } from "agentwire/ag-ui";
import { memo } from "react";

const WORDS = {
  "input-streaming": "is being called",
  "input-available": "called",
  "approval-requested": "waits for a yes",
  "approval-responded": "is being executed",
  "output-available": "answered",
  "output-error": "failed",
  "output-denied": "was declined",
} as const;

/**
 * Shows a tool call: its arguments while they arrive, and its result. A tool of the page has the
 * type `tool-NAME`.
 */
export const ToolCard = memo(function ToolCard({ part }: { readonly part: ToolPart }) {
  const { type, state, input } = part;
  const output =
    state === "output-available"
      ? part.output
      : state === "output-error"
        ? part.errorText
        : undefined;
  return (
    <details className="card tool" data-state={state} open={state === "input-streaming"}>
      <summary>
        <code>{type === "dynamic-tool" ? part.toolName : type.slice("tool-".length)}</code>{" "}
        <span>{WORDS[state]}</span>
      </summary>
      <dl>
        <dt>Arguments</dt>
        <dd>
          <Value value={input} />
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
function Value({ value }: { readonly value: unknown }) {
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

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
