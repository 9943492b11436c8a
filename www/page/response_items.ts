// An OpenAI response as a list of articles.

import { type Json, toolCalls } from "agentwire";
import type {
  Item as ResponsesItem,
  Part as ResponsesPart,
  Snapshot as ResponsesResponse,
} from "agentwire/responses";
import type { Article, ArticlePart, Failure } from "./articles_view.js";
import { cardOf, cardOfItem } from "./call_cards.js";
import type { Reply } from "./conversation.js";

/**
 * Returns the articles of a response. Outputs of calls are in their cards, questions below
 * everything.
 */
export function articlesOfResponse(
  response: ResponsesResponse,
  reply: Reply | undefined,
): Article[] {
  const calls = new Map(toolCalls(response).map((call) => [call.id, call]));
  const isOver = response.status !== "in_progress" && response.status !== "queued";
  return response.output.flatMap((item, at): Article[] => {
    const { type, id, status, call_id: callId } = item;
    const article = {
      key: `${at} ${type}`,
      title: type.replaceAll("_", " "),
      form: "plain" as const,
    };
    const isOpen = !isOver && status !== "completed";
    const call = calls.get(type === "mcp_call" ? (id ?? null) : (callId ?? null));
    switch (type) {
      case "message": {
        const chip = status === "completed" || isOpen ? undefined : (status ?? undefined);
        return [
          {
            ...article,
            title: (item as { role?: string }).role ?? "assistant",
            status: chip,
            parts: partsOf(item.content, isOpen),
          },
        ];
      }
      case "reasoning": {
        const parts = [...(item.summary ?? []), ...(item.content ?? [])];
        return [
          {
            ...article,
            form: "thought",
            parts: parts.length > 0 ? partsOf(parts, isOpen) : [HIDDEN],
          },
        ];
      }
      case "function_call":
      case "custom_tool_call":
      case "mcp_call":
        return call === undefined
          ? []
          : [{ ...article, parts: [{ type: "call", card: cardOf(call, reply) }] }];
      case "mcp_approval_request":
      case "mcp_approval_response":
        return [];
      case "image_generation_call": {
        const { result, partial_image } = item as {
          result?: string | null;
          partial_image?: string | null;
        };
        const image = result ?? partial_image;
        return [
          {
            ...article,
            status: status === "completed" ? undefined : (status ?? undefined),
            parts: image
              ? [{ type: "picture", address: `data:${formatOf(image)};base64,${image}` }]
              : [],
          },
        ];
      }
      case "function_call_output":
      case "custom_tool_call_output":
        if (call !== undefined) {
          return [];
        }
    }
    return [
      {
        ...article,
        parts: [
          {
            type: "call",
            card: cardOfItem(
              type.replaceAll("_", " "),
              id ?? "",
              status ?? undefined,
              restOf(item),
            ),
          },
        ],
      },
    ];
  });
}

/** Returns the failure of a response, if it has one. */
export function failureOfResponse({
  error,
  incomplete_details,
}: ResponsesResponse): Failure | null {
  const { code, message } = (error ?? {}) as { code?: Json; message?: Json };
  const { reason } = (incomplete_details ?? {}) as { reason?: Json };
  if (typeof message === "string") {
    return { code: typeof code === "string" ? code : undefined, text: message };
  }
  // An interrupt has a card.
  return typeof reason === "string" && reason !== "interrupt"
    ? { code: "incomplete", text: reason.replaceAll("_", " ") }
    : null;
}

/** Returns the media type of an image, by the beginning of its base64. */
function formatOf(base64: string): string {
  const beginnings = { "/9j/": "image/jpeg", UklGR: "image/webp", PHN2Z: "image/svg+xml" };
  return (
    Object.entries(beginnings).find(([beginning]) => base64.startsWith(beginning))?.[1] ??
    "image/png"
  );
}

const HIDDEN: ArticlePart = { type: "fact", name: "reasoning", text: "not sent by the server" };

function partsOf(parts: readonly ResponsesPart[] = [], isOpen: boolean): ArticlePart[] {
  return parts.flatMap((part, at): ArticlePart[] => {
    const isGrowing = isOpen && at === parts.length - 1;
    const { type, text, refusal, annotations } = part as {
      type: string;
      text?: string;
      refusal?: string;
      annotations?: Json;
    };
    if (type === "refusal") {
      return [{ type, text: refusal ?? "", isGrowing }];
    }
    if (typeof text !== "string") {
      return [{ type: "json", value: part as unknown as Json }];
    }
    const sources: ArticlePart[] =
      Array.isArray(annotations) && annotations.length > 0
        ? [{ type: "json", value: annotations }]
        : [];
    return [{ type: "text", text, isGrowing }, ...sources];
  });
}

function restOf(item: ResponsesItem): { readonly [member: string]: unknown } {
  const { type, id, status, ...rest } = item;
  return rest;
}
