// The messages of the history, in the form of a snapshot.

import type { Json, RunHistory, RunHistoryMessage } from "../agentwire.js";
import type { Message } from "../generated/ag_ui/types.js";

/**
 * Returns the messages of a page of the history, or of the pages of `historyPages`, in their order
 * and in the form of a snapshot: those of earlier runs can be shown before those of the run that is
 * followed. Suggestions and UI schemas are in `metadata`, and attachments are parts of the content,
 * as in the events and requests that they are from.
 */
export function historyMessages(
  pages: Pick<RunHistory, "messages"> | readonly Pick<RunHistory, "messages">[],
): Message[] {
  const all = Array.isArray(pages) ? [...pages].reverse() : [pages];
  return (all as Pick<RunHistory, "messages">[]).flatMap(({ messages }) => messages.map(messageOf));
}

function messageOf({
  id,
  role,
  content,
  attachments,
  suggestedActions,
  ui_schema: schema,
}: RunHistoryMessage): Message {
  const metadata = {
    ...(suggestedActions && { suggested_actions: suggestedActions }),
    ...(schema && { ui_schema: schema }),
  };
  const parts: Json[] = (attachments ?? []).map(({ mimeType, url }) => ({
    type: "binary",
    mimeType,
    url,
  }));
  const whole =
    parts.length === 0
      ? content
      : [...(content === "" ? [] : [{ type: "text", text: content }]), ...parts];
  return {
    id,
    role,
    content: whole,
    ...(Object.keys(metadata).length > 0 && { metadata: metadata as Json }),
  };
}
