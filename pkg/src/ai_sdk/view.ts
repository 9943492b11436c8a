// The parts of a message of the AI SDK: those of the snapshot, with the replies of the client in
// them.

import type { AiSdkMessage, Json } from "../agentwire.js";
import type { Reply } from "../connect/exchange.js";
import type { Part, ToolPart } from "../connect/message.js";
import {
  dataPart,
  displayable,
  filePart,
  partialInput,
  questionText,
  replyTo,
  shownMetadata,
} from "../connect/native_parts.js";
import { type PartContext, memo } from "../connect/parts.js";
import { textOf } from "../core/json.js";
import { withOutcome } from "./continued.js";
import { type AnyPart, toolOf } from "./protocol.js";

/** Returns the parts of a message. */
export function partsOf({ parts }: AiSdkMessage, context: PartContext): readonly Part[] {
  // The view begins each answer with a step.
  const own = (parts[0]?.type === "step-start" ? parts.slice(1) : parts) as readonly AnyPart[];
  return own.map((part) =>
    shownPart(part, context.isLive && part.state === "streaming", replyOf(part, context)),
  );
}

/** Returns the metadata of a message. */
export function metadataOf({ metadata }: AiSdkMessage): unknown {
  return shownMetadata(metadata);
}

/** Returns the reply to a part: to its question, or to its call. */
function replyOf(part: AnyPart, context: PartContext): Reply | undefined {
  if (toolOf(part) === undefined) {
    return undefined;
  }
  const { id } = Object(part.approval) as { readonly id?: string };
  return part.state === "approval-requested"
    ? replyTo(context, "approval", id ?? "")
    : replyTo(context, "call", part.toolCallId ?? "");
}

const shownPart = /* @__PURE__ */ memo(
  (part: AnyPart, isLive: boolean, reply: Reply | undefined): Part => {
    const own = withText(displayable(part) as AnyPart);
    if (toolOf(own) !== undefined) {
      return shownCall(
        reply === undefined
          ? own
          : answered(own, { ...reply, value: displayable(reply.value) as Json }),
        part,
      ) as unknown as Part;
    }
    const { type, url = "", mediaType = "" } = own;
    if (type === "file") {
      const file = filePart({ mediaType, url }, own);
      return file.type === "file" ? (own as unknown as Part) : file;
    }
    if (!KNOWN.has(type) && !type.startsWith("data-")) {
      return dataPart(type, own, own.id);
    }
    return settled(own, isLive) as unknown as Part;
  },
);

/** Returns a question without a call with its text, which its payload has. */
function withText(part: AnyPart): AnyPart {
  const { type, input, approval } = part;
  const text =
    (type as string) === "tool-interrupt" && approval !== undefined
      ? questionText(input)
      : undefined;
  return text === undefined
    ? part
    : ({
        ...part,
        approval: { ...(approval as object), requestReason: text },
      } as unknown as AnyPart);
}

const KNOWN: ReadonlySet<string> = new Set([
  "text",
  "reasoning",
  "source-url",
  "source-document",
  "step-start",
]);

/** Returns a part of an answer that has ended: a text that was cut off is complete. */
export function settled(part: AnyPart, isLive: boolean): AnyPart {
  return !isLive && part.state === "streaming" ? ({ ...part, state: "done" } as AnyPart) : part;
}

/**
 * Returns a call with an input, which is its value so far, and with the decision that its state
 * implies. `native` is the call in the snapshot.
 */
function shownCall(part: AnyPart, native: AnyPart): AnyPart {
  const { state, input, rawInput, inputEncoding } = part;
  if (state === "output-denied") {
    return {
      ...part,
      input: input ?? {},
      approval: { ...(part.approval as object), approved: false } as Json,
    } as AnyPart;
  }
  if (input !== undefined || state === "output-error") {
    return part;
  }
  if (state !== "input-streaming") {
    return { ...part, input: {} } as AnyPart;
  }
  const value =
    rawInput === undefined || inputEncoding === "text" ? rawInput : partialInput(rawInput, native);
  return value === undefined ? part : ({ ...part, input: value } as AnyPart);
}

/**
 * Returns a call with the answer to it, or to its question. A call that the user has skipped has
 * failed, and a skipped question is denied.
 */
export function answered(
  part: AnyPart,
  { kind, value, approved, isError, isDropped }: Reply,
): AnyPart {
  if (kind === "call") {
    const answer =
      isError || isDropped
        ? { state: "output-error", errorText: textOf(value) }
        : { state: "output-available", output: value };
    return { ...part, ...answer } as AnyPart;
  }
  const reason = value != null && !isDropped && { reason: textOf(value) };
  const approval = {
    ...(part.approval as object),
    approved: approved === true && !isDropped,
    ...reason,
  };
  return {
    ...part,
    state: isDropped ? "output-denied" : "approval-responded",
    approval,
  } as unknown as AnyPart;
}

/** Returns a call with the outcome that the next answer has. */
export const continuedCall = /* @__PURE__ */ memo(
  (part: ToolPart, later: ToolPart): ToolPart =>
    withOutcome(part as unknown as AnyPart, later as unknown as AnyPart) as unknown as ToolPart,
);
