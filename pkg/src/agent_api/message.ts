// The documented methods that build a message, for messages that are plain objects:
// `add_delta_content`, `content_completed`,
// `add_content`. (Spec 1.3.)
//
// They neither number events nor enforce an order. To write a stream, use `respond` or
// `ResponseBuilder`.

import type { InputContent, InputMessage, Json } from "../agentwire.js";
import { check } from "../core/arguments.js";
import { must } from "../core/errors.js";

const INSTEAD = "leave `index` out to begin a new content";

/**
 * Adds a delta to a message. Returns its event, which has an index, the message id and the status
 * `in_progress`.
 *
 * Without `index`, the delta starts a new content. With `index` and `delta: true`, it is merged
 * into that content: texts and image URLs are concatenated; in data, only existing strings and
 * lists are extended; other contents do not change. With `index` and without `delta`, the function
 * does nothing and returns undefined.
 *
 * @throws AgentwireError `no-such-part` if no content has the index, `wrong-content-type` if the
 * types differ, `null-piece` if either
 *   value is null
 */
export function addDeltaContent(
  message: InputMessage,
  piece: InputContent,
): InputContent | undefined {
  check("addDeltaContent", { message: "object", piece: "object" }, [message, piece]);
  let { index } = piece;
  if (index == null) {
    index = store(message, piece);
  } else if (piece.delta === true) {
    const part = message.content?.find((part) => part.index === index);
    must(
      part !== undefined,
      "no-such-part",
      `addDeltaContent() was given index ${index}, which no content has: ${INSTEAD}`,
    );
    appendPiece(part, piece);
  } else {
    return undefined;
  }
  return withPlace(message, piece, index, "in_progress");
}

/** Returns the completed event of a content, as a copy. Undefined if no content has the index. */
export function contentCompleted(message: InputMessage, index: number): InputContent | undefined {
  check("contentCompleted", { message: "object", index: "index?" }, [message, index]);
  const part = message.content?.find((part) => part.index === index);
  return part && { ...withPlace(message, part, index, "completed"), delta: false };
}

/**
 * Adds a whole content and returns its completed event. A content with an index is not added; then
 * the result is undefined.
 */
export function addContent(message: InputMessage, content: InputContent): InputContent | undefined {
  check("addContent", { message: "object", content: "object" }, [message, content]);
  return content.index == null
    ? withPlace(message, content, store(message, content), "completed")
    : undefined;
}

function withPlace(
  message: InputMessage,
  part: InputContent,
  index: number,
  status: string,
): InputContent {
  return { ...structuredClone(part), index, msg_id: message.id ?? null, status } as InputContent;
}

/** Appends a copy of a content and returns its index. */
function store(message: InputMessage, part: InputContent): number {
  const content = (message.content ??= []);
  const index = content.reduce((last, { index }) => Math.max(last, index ?? -1), -1) + 1;
  content.push({
    ...structuredClone(part),
    index,
    delta: null,
    msg_id: message.id ?? null,
  } as InputContent);
  return index;
}

/** The property that deltas extend, by content type. Contents of other types do not change. */
const GROWING: Readonly<Record<string, string>> = {
  text: "text",
  image: "image_url",
  data: "data",
};

function appendPiece(part: InputContent, piece: InputContent): void {
  const name = Object.hasOwn(GROWING, part.type) ? GROWING[part.type] : undefined;
  if (name === undefined) {
    return;
  }
  must(
    piece.type === part.type,
    "wrong-content-type",
    `addDeltaContent() was given a piece of type ${piece.type} for a content of type ${part.type}: ${INSTEAD}`,
  );
  const [existing, added] = [part[name], piece[name]];
  must(
    existing != null && added != null,
    "null-piece",
    "addDeltaContent() was given null, or a content that holds null, to concatenate",
  );
  if (typeof existing === "string") {
    (part as Record<string, unknown>)[name] = existing + String(added);
    return;
  }
  const data = existing as Record<string, Json>;
  for (const [key, value] of Object.entries(added as Record<string, Json>)) {
    const before = Object.hasOwn(data, key) ? data[key] : undefined;
    if (typeof before === "string" && typeof value === "string") {
      data[key] = before + value;
    } else if (Array.isArray(before) && Array.isArray(value)) {
      data[key] = [...before, ...(structuredClone(value) as Json[])];
    }
  }
}
