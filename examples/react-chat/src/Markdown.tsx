import { memo, useDeferredValue } from "react";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";

const PLUGINS = [remarkGfm];

/**
 * Shows Markdown that grows. The text is parsed again after each change, at most once per frame and
 * less often while the page is busy, so that typing stays responsive. HTML in the agent's text is
 * not rendered.
 */
export function Markdown({ text }: { readonly text: string }) {
  return <Parsed text={useDeferredValue(text)} />;
}

const Parsed = memo(function Parsed({ text }: { readonly text: string }) {
  return (
    <div className="markdown" dir="auto">
      <ReactMarkdown remarkPlugins={PLUGINS}>{text}</ReactMarkdown>
    </div>
  );
});
