import { type ChatMessage, type ChatPart, isToolPart } from "agentwire/ag-ui";
import { memo } from "react";
import { ApprovalCard } from "./ApprovalCard";
import { Markdown } from "./Markdown";
import { ToolCard } from "./ToolCard";

interface Props {
  readonly message: ChatMessage;
  readonly approve: (id: string) => void;
  readonly decline: (id: string) => void;
  /** Requests another answer. Undefined if the agent cannot go back in the conversation. */
  readonly regenerate: ((messageId: string) => void) | undefined;
}

/** Shows one message. It is memoized: while one message grows, the others are the same objects. */
export const MessageView = memo(function MessageView({
  message,
  approve,
  decline,
  regenerate,
}: Props) {
  const { id, role, parts, status } = message;
  if (role === "user") {
    return (
      <article className="user" data-status={status} dir="auto">
        {parts.map((part, at) =>
          part.type === "text" ? (
            <p key={at}>{part.text}</p>
          ) : (
            <PartView key={at} part={part} approve={approve} decline={decline} />
          ),
        )}
      </article>
    );
  }
  return (
    <article className="assistant" data-status={status}>
      {parts.map((part, at) => (
        <PartView key={at} part={part} approve={approve} decline={decline} />
      ))}
      {regenerate !== undefined && status === "done" && (
        <button type="button" className="quiet" onClick={() => regenerate(id)}>
          Another answer
        </button>
      )}
    </article>
  );
});

const PartView = memo(function PartView({
  part,
  approve,
  decline,
}: { readonly part: ChatPart } & Pick<Props, "approve" | "decline">) {
  if (isToolPart(part)) {
    return part.approval === undefined ? (
      <ToolCard part={part} />
    ) : (
      <ApprovalCard part={part} approve={approve} decline={decline} />
    );
  }
  switch (part.type) {
    case "text":
      return (
        <div className="message">
          <Markdown text={part.text} />
        </div>
      );
    case "reasoning":
      return (
        <details className="reasoning" open={part.state === "streaming"}>
          <summary>{part.state === "streaming" ? "Thinking…" : "Thought"}</summary>
          <Markdown text={part.text} />
        </details>
      );
    case "file":
      return <Picture url={part.url} mediaType={part.mediaType} />;
    case "source-url":
      return <p className="note">Source: {part.title ?? part.url}</p>;
    case "source-document":
      return <p className="note">Source: {part.title}</p>;
    default:
      // Beginnings of requests, and data of the protocol (`data-…`): show those that your agent
      // sends.
      return null;
  }
});

/** Shows an image from the web or from a `data:` URL. */
function Picture({ url, mediaType }: { readonly url: string; readonly mediaType: string }) {
  const isShown = mediaType.startsWith("image/") && /^(https:|data:image\/|blob:)/.test(url);
  return isShown ? (
    <img src={url} alt="From the conversation" />
  ) : (
    <p className="note">A file of type {mediaType}.</p>
  );
}
