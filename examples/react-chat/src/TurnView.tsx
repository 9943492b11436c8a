import type { Turn } from "agentwire/react";
import type { ToolCall } from "agentwire/agent-api";
import { memo } from "react";
import { ApprovalCard } from "./ApprovalCard";
import { MessageView } from "./MessageView";
import { ToolCard } from "./ToolCard";

interface Props {
  readonly turn: Turn<"agent-api">;
  /** The calls that wait for the user. */
  readonly pending: readonly ToolCall[];
  /** The next turn, which contains the answers to this turn's questions. */
  readonly next: Turn<"agent-api"> | undefined;
  /** Repeats the turn. Undefined if it cannot be repeated. */
  readonly retry: (() => void) | undefined;
  readonly approve: (id: string) => void;
  readonly decline: (id: string) => void;
}

/** Shows the user's message and the agent's messages. A turn that has not changed is the same object and is not rendered again. */
export const TurnView = memo(function TurnView({ turn, pending, next, retry, approve, decline }: Props) {
  const { message, status, snapshot, toolCalls, error } = turn;
  const again = retry && (
    <button type="button" onClick={retry}>
      Try again
    </button>
  );
  return (
    <article className="turn" data-status={status}>
      {message !== undefined && (
        <p className="question" dir="auto">
          {message}
        </p>
      )}
      {snapshot?.output.map((part) => {
        const calls = toolCalls.filter((call) => part.content.some((content) => isAbout(content, call, part.type)));
        if (calls.length === 0) {
          return <MessageView key={part.id} message={part} />;
        }
        return calls.map((call) => {
          const answer = next?.answers.find(({ kind, id }) => kind === call.kind && id === call.id);
          return call.kind === "approval" ? (
            <ApprovalCard key={`a${call.id}`} call={call} answer={answer} isPending={pending.includes(call)} approve={approve} decline={decline} />
          ) : (
            <ToolCard key={`c${call.id}`} call={call} answer={answer} />
          );
        });
      })}
      {status === "connecting" && <p className="waiting">Thinking</p>}
      {status === "aborted" && <p className="note">Stopped. {again}</p>}
      {error !== undefined && (
        <div className="failure" role="alert">
          <p>
            <strong>That did not work.</strong> {error.message}
          </p>
          {again}
        </div>
      )}
    </article>
  );
});

/** Whether a content is the call itself. The output is a separate message, and is shown with the call. */
function isAbout(content: { readonly type: string }, { id, kind }: ToolCall, type: string): boolean {
  if (id === null || content.type !== "data" || type.endsWith("_output") || type.endsWith("_response")) {
    return false;
  }
  const { data } = content as { readonly data?: { readonly [key: string]: unknown } | null };
  return data?.[kind === "approval" ? "id" : "call_id"] === id;
}
