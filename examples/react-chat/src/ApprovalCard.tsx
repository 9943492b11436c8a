import type { ToolPart } from "agentwire/ag-ui";

interface Props {
  readonly part: ToolPart;
  readonly approve: (id: string) => void;
  readonly decline: (id: string) => void;
}

/** Shows a question of the agent that the user approves or declines. */
export function ApprovalCard({ part, approve, decline }: Props) {
  const { state, approval } = part;
  if (approval === undefined) {
    return null;
  }
  const { id, approved, requestReason } = approval;
  return (
    <div className="card approval">
      <p>{requestReason ?? "May the agent continue?"}</p>
      {state === "approval-requested" ? (
        <div className="buttons">
          <button type="button" className="primary" onClick={() => approve(id)}>
            Approve
          </button>
          <button type="button" onClick={() => decline(id)}>
            Decline
          </button>
        </div>
      ) : (
        <p className="note">{approved ? "You approved." : "You declined."}</p>
      )}
    </div>
  );
}
