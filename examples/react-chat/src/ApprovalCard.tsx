import type { ApprovalDecision, ToolResult } from "agentwire/react";
import type { ToolCall } from "agentwire/agent-api";

interface Props {
  readonly call: ToolCall;
  readonly answer: ToolResult | ApprovalDecision | undefined;
  readonly isPending: boolean;
  readonly approve: (id: string) => void;
  readonly decline: (id: string) => void;
}

/** Shows a question of the agent that the user approves or declines. */
export function ApprovalCard({ call, answer, isPending, approve, decline }: Props) {
  const id = call.id!;
  const { question } = Object(call.arguments) as { readonly question?: unknown };
  return (
    <div className="card approval">
      <p>{typeof question === "string" ? question : `May ${call.name ?? "the agent"} go on?`}</p>
      {isPending ? (
        <div className="buttons">
          <button type="button" className="primary" onClick={() => approve(id)}>
            Approve
          </button>
          <button type="button" onClick={() => decline(id)}>
            Decline
          </button>
        </div>
      ) : (
        <p className="note">{answer?.kind !== "approval" ? "Not answered." : answer.approved ? "You approved." : "You declined."}</p>
      )}
    </div>
  );
}
