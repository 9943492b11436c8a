import { memo, useDeferredValue } from "react";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";

const PLUGINS = [remarkGfm];

/**
 * Markdown that grows. It is parsed anew whenever the text has changed, at most once per frame, and less often where the page is
 * busy: typing goes before it. No HTML of the agent's gets into the page.
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
