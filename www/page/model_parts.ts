// Answers of models, messages of the AI SDK, and replies of AgentScope, as lists of articles.

import { type Json, type ToolCall, stringifyJson, toolCalls } from "agentwire";
import type { Snapshot as AgentScopeReply } from "agentwire/agentscope";
import type { Snapshot as AiSdkMessage } from "agentwire/ai-sdk";
import type { Snapshot as AnthropicMessage } from "agentwire/anthropic";
import type { Snapshot as ChatCompletion } from "agentwire/chat";
import type { Snapshot as GeminiResponse } from "agentwire/gemini";
import type { Snapshot as Interaction } from "agentwire/interactions";
import type { Article, ArticlePart, Failure } from "./articles_view.js";
import { cardOf } from "./call_cards.js";
import type { Reply } from "./conversation.js";
import type { AnswerOf } from "./cursor.js";

/** The properties of a part of any type. */
type Members = { readonly [member: string]: Json | undefined };

/** An answer of these protocols. */
type ModelAnswer =
  | AnswerOf<"agentscope">
  | AnswerOf<"ai-sdk">
  | AnswerOf<"anthropic">
  | AnswerOf<"chat">
  | AnswerOf<"gemini">
  | AnswerOf<"interactions">;

/**
 * Returns the articles of an answer: runs of texts and media, and one article for each run of
 * reasoning and each call.
 */
export function articlesOfModel(
  { protocol, snapshot }: ModelAnswer,
  reply: Reply | undefined,
): Article[] {
  const articles = new Articles(toolCalls(snapshot), reply);
  switch (protocol) {
    case "chat":
      addCompletion(snapshot, articles);
      break;
    case "anthropic":
      addMessage(snapshot, articles);
      break;
    case "gemini":
      addResponse(snapshot, articles);
      break;
    case "interactions":
      addInteraction(snapshot, articles);
      break;
    case "ai-sdk":
      addUiMessage(snapshot, articles);
      break;
    case "agentscope":
      addReply(snapshot, articles);
      break;
    default:
      // A protocol without a view of its own.
      articles.json(snapshot);
  }
  return articles.ended(snapshot.status === "in_progress" || snapshot.status === "streaming");
}

/** Returns the failure of an answer, if it has one. */
export function failureOfModel({ error }: ModelAnswer["snapshot"]): Failure | null {
  if (error == null) {
    return null;
  }
  const { message, type, code } = Object(error) as Members;
  const name = code ?? type;
  return {
    code: name == null ? undefined : String(name),
    text:
      typeof message === "string"
        ? message
        : typeof error === "string"
          ? error
          : stringifyJson(error),
  };
}

/** The articles so far. */
class Articles {
  readonly #articles: { title: string; form: Article["form"]; parts: ArticlePart[] }[] = [];
  /** The calls, in the order of their appearance. */
  readonly #calls: ToolCall[];
  readonly #reply: Reply | undefined;
  /** The title of texts. */
  title = "assistant";

  constructor(calls: readonly ToolCall[], reply: Reply | undefined) {
    this.#calls = calls.filter(({ kind }) => kind === "call");
    this.#reply = reply;
  }

  add(part: ArticlePart, form: Article["form"] = "plain"): void {
    const title = form === "thought" ? "reasoning" : this.title;
    const last = this.#articles.at(-1);
    if (last?.form === form && last.title === title && part.type !== "call") {
      last.parts.push(part);
    } else {
      this.#articles.push({ title, form, parts: [part] });
    }
  }

  text(text: Json | undefined, form?: Article["form"]): void {
    if (typeof text === "string" && text !== "") {
      this.add({ type: "text", text }, form);
    }
  }

  json(value: Json): void {
    this.add({ type: "json", value });
  }

  /** Adds the next call, unless it is shown elsewhere. */
  call(isShown = true): void {
    const call = this.#calls.shift();
    if (call !== undefined && isShown) {
      this.add({ type: "call", card: cardOf(call, this.#reply) });
    }
  }

  /** Adds media: a picture, or the name and the size of a file. */
  media(
    mediaType: Json | undefined,
    url: Json | undefined,
    data: Json | undefined,
    name: Json | undefined,
  ): void {
    const [type, bytes] = [String(mediaType ?? ""), typeof data === "string" ? data : undefined];
    const address = bytes === undefined ? String(url ?? "") : `data:${type};base64,${bytes}`;
    if (type.startsWith("image/")) {
      return this.add({ type: "picture", address });
    }
    const text = bytes === undefined ? address : `${bytes.length} characters of base64`;
    this.add({ type: "fact", name: String(name ?? (type || "file")), text });
  }

  /** Returns the articles. The last text of an answer that is in progress is growing. */
  ended(isOpen: boolean): Article[] {
    const last = this.#articles.at(-1);
    const part = last?.parts.at(-1);
    if (isOpen && part?.type === "text") {
      last!.parts[last!.parts.length - 1] = { ...part, isGrowing: true };
    }
    return this.#articles.map((article, at) => ({ key: `${at} ${article.form}`, ...article }));
  }
}

function addCompletion({ choices }: ChatCompletion, articles: Articles): void {
  for (const { index, message } of choices) {
    const {
      reasoning_content: reasoning,
      content,
      refusal,
      annotations,
      tool_calls: calls = [],
      function_call: call,
    } = message;
    articles.title = index === 0 ? message.role || "assistant" : `choice ${index}`;
    articles.text(reasoning, "thought");
    articles.text(content);
    if (refusal) {
      articles.add({ type: "refusal", text: refusal });
    }
    if (annotations !== undefined) {
      articles.json(annotations);
    }
    for (let at = calls.length + (call === undefined ? 0 : 1); at > 0; at--) {
      articles.call();
    }
  }
}

function addMessage({ content }: AnthropicMessage, articles: Articles): void {
  for (const block of content as readonly (AnthropicMessage["content"][number] & Members)[]) {
    const { type, text, citations, thinking } = block;
    if (type === "text") {
      articles.text(text);
      if (Array.isArray(citations) && citations.length > 0) {
        articles.json(citations);
      }
    } else if (type === "thinking") {
      articles.text(thinking, "thought");
    } else if (type === "redacted_thinking") {
      articles.add({ type: "fact", name: "reasoning", text: "encrypted" }, "thought");
    } else if (/^(server_|mcp_)?tool_use$/.test(type)) {
      articles.call();
    } else if (!type.endsWith("tool_result")) {
      articles.json(block as Json);
    }
  }
}

function addResponse({ candidates }: GeminiResponse, articles: Articles): void {
  for (const { index, content, groundingMetadata, citationMetadata } of candidates) {
    articles.title = index === 0 ? (content.role ?? "model") : `candidate ${index}`;
    for (const part of content.parts as readonly (GeminiResponse["candidates"][number]["content"]["parts"][number] &
      Members)[]) {
      const media = Object(part.inlineData ?? part.fileData) as Members;
      if (part.text !== undefined) {
        articles.text(part.text, part.thought === true ? "thought" : "plain");
      } else if (
        part.functionCall !== undefined ||
        part.executableCode !== undefined ||
        part.toolCall !== undefined
      ) {
        articles.call();
      } else if (part.inlineData !== undefined || part.fileData !== undefined) {
        articles.media(media["mimeType"], media["fileUri"], media["data"], media["displayName"]);
      } else if (
        part.codeExecutionResult === undefined &&
        part.functionResponse === undefined &&
        part.toolResponse === undefined
      ) {
        articles.json(part as unknown as Json);
      }
    }
    for (const sources of [groundingMetadata, citationMetadata]) {
      if (sources !== undefined) {
        articles.json(sources);
      }
    }
  }
}

function addReply({ content }: AgentScopeReply, articles: Articles): void {
  for (const block of content) {
    switch (block.type) {
      case "text":
        articles.text(block.text);
        break;
      case "thinking":
        articles.text(block.thinking, "thought");
        break;
      case "data": {
        const source = Object(block.source) as Members;
        articles.media(source["media_type"], source["url"], source["data"], block.name);
        break;
      }
      case "tool_call":
        // A question about a call is below everything.
        articles.call(block.state !== "asking");
        break;
      case "tool_result":
        break;
      default:
        articles.json(block as unknown as Json);
    }
  }
}

function addInteraction({ steps }: Interaction, articles: Articles): void {
  articles.title = "model";
  for (const step of steps as readonly (Interaction["steps"][number] & Members)[]) {
    const { type, content, summary } = step;
    if (type.endsWith("_call")) {
      articles.call();
      continue;
    }
    if (type.endsWith("_result")) continue;
    const form = type === "thought" ? "thought" : "plain";
    const contents = (content ?? summary ?? []) as readonly ({ readonly type: string } & Members)[];
    for (const part of contents) {
      if (part.type === "text") {
        articles.text(part["text"], form);
        if (part["annotations"] !== undefined) articles.json(part["annotations"]);
      } else if (part["data"] !== undefined || part["uri"] !== undefined) {
        articles.media(part["mime_type"], part["uri"], part["data"], undefined);
      } else {
        articles.json(part as unknown as Json);
      }
    }
    if (content === undefined && summary === undefined && type !== "thought") {
      articles.json(step as unknown as Json);
    }
  }
}

function addUiMessage({ parts }: AiSdkMessage, articles: Articles): void {
  for (const part of parts as readonly (AiSdkMessage["parts"][number] & Members)[]) {
    const { type, text } = part;
    if (type === "text" || type === "reasoning") {
      articles.text(text, type === "text" ? "plain" : "thought");
    } else if (type === "dynamic-tool" || type.startsWith("tool-")) {
      // A question about a call is below everything.
      articles.call(part.state !== "approval-requested");
    } else if (type === "file") {
      articles.media(part["mediaType"], part["url"], undefined, part["filename"]);
    } else if (type !== "step-start") {
      articles.json(part as Json);
    }
  }
}
