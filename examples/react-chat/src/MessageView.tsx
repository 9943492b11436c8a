import type { Content, Message } from "agentwire/agent-api";
import { memo } from "react";
import { Markdown } from "./Markdown";

/** Shows one message. It is memoized: while one message grows, the others keep their identity. */
export const MessageView = memo(function MessageView({ message }: { readonly message: Message }) {
  const parts = message.content.map((content, at) => <Part key={content.index ?? at} content={content} />);
  switch (message.type) {
    case "message":
      return <div className="message">{parts}</div>;
    case "reasoning":
      return (
        <details className="reasoning" open={message.status === "in_progress"}>
          <summary>{message.status === "in_progress" ? "Thinking…" : "Thought"}</summary>
          {parts}
        </details>
      );
    default:
      // The outputs of tools are shown with their calls, and errors at the end of the turn.
      return null;
  }
});

function Part({ content }: { readonly content: Content }) {
  switch (content.type) {
    case "text":
      return <Markdown text={content.text ?? ""} />;
    case "refusal":
      return <p className="note">{content.refusal}</p>;
    case "image":
      return <Picture url={content.image_url} />;
    default:
      return <p className="note">Something of type {content.type}.</p>;
  }
}

/** Shows an image from the web or from a `data:` URL. */
function Picture({ url }: { readonly url: string | null }) {
  return url !== null && /^(https:|data:image\/)/.test(url) ? <img src={url} alt="From the agent" /> : <p className="note">A picture.</p>;
}
