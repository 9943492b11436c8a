// A chat as the transport of the AI SDK's `useChat`: its answers as the chunks of a UI message
// stream.

import type { Json } from "../agentwire.js";
import { must } from "../core/errors.js";
import type { Chat, ChatState, JsonRecord, Run } from "./chat.js";
import type { Message, Part, ToolPart, UserPart } from "./message.js";
import { isToolPart } from "./message.js";
import type { HistoryMessage } from "./options.js";

/** A message of the AI SDK. */
interface UiMessage {
  readonly id: string;
  readonly role: "system" | "user" | "assistant";
  readonly metadata?: unknown;
  readonly parts: readonly { readonly type: string }[];
}

/** A chunk of a UI message stream. */
export type UiChunk = { readonly type: string } & { readonly [member: string]: unknown };

/** What the AI SDK asks a transport for. */
interface TransportOptions {
  readonly trigger: "submit-message" | "regenerate-message";
  readonly chatId: string;
  readonly messageId: string | undefined;
  readonly messages: readonly UiMessage[];
  readonly abortSignal: AbortSignal | undefined;
  readonly headers?: unknown;
  readonly body?: unknown;
}

/** A `ChatTransport` of the AI SDK 5, 6 or 7. Its chunks are typed by the AI SDK. */
export interface AgentChatTransport<Chunk = any> {
  readonly resumeStreamIsReplay: true;
  sendMessages(options: TransportOptions): Promise<ReadableStream<Chunk>>;
  reconnectToStream(options: { readonly chatId: string }): Promise<ReadableStream<Chunk> | null>;
}

/** The id of a chat of the AI SDK, and its messages so far: options of `connect`. */
export interface TransportedChat {
  readonly id: string;
  readonly messages: readonly HistoryMessage[];
}

/**
 * Returns a transport for the AI SDK's `useChat`, so that it reaches agents of every protocol.
 *
 * ```jsx
 * const transport = chatTransport((chat) => connect("/ag-ui", { ...chat, tools }));
 *
 * function Chat() {
 *   const { messages, sendMessage } = useChat({ transport });
 *   …
 * }
 * ```
 *
 * A text that the server replaces keeps its first form, because a UI message stream can only
 * append.
 *
 * @param connect returns the chat for an id. Called once for each chat of the AI SDK
 */
export function chatTransport(
  connect: (chat: TransportedChat) => Chat<unknown, never>,
): AgentChatTransport {
  const chats = new Map<string, TransportChat>();
  const chatOf = (id: string, messages: readonly UiMessage[]): TransportChat => {
    const known = chats.get(id);
    if (known?.isOf(messages)) {
      return known;
    }
    known?.chat.stop();
    const made = new TransportChat(
      connect({ id, messages: messages.slice(0, -1) as unknown as readonly HistoryMessage[] }),
    );
    chats.set(id, made);
    return made;
  };
  return {
    resumeStreamIsReplay: true,
    async sendMessages(options) {
      const { chatId, messages, headers, body } = options;
      must(
        headers === undefined && body === undefined,
        "wrong-option",
        "the transport sends the `headers` and the `body` of `connect`: pass them there",
      );
      return chatOf(chatId, messages).answer(options);
    },
    async reconnectToStream({ chatId }) {
      return chats.get(chatId)?.resumed() ?? null;
    },
  };
}

/** A chat, and what of its answers the AI SDK has received. */
class TransportChat {
  readonly chat: Chat<unknown, never>;
  /** The ids of our messages by those of the AI SDK. */
  readonly #ids = new Map<string, string>();
  /** The writers of the answers by their ids: a later stream continues an answer. */
  readonly #writers = new Map<string, ChunkWriter>();

  constructor(chat: Chat<unknown, never>) {
    this.chat = chat;
  }

  /**
   * Returns whether the messages are those of this chat: a list that begins with an unknown message
   * is a new one, for example after `setMessages([])`.
   */
  isOf(messages: readonly UiMessage[]): boolean {
    return messages.length > 1 || this.#ids.size === 0 || this.#ids.has(messages[0]?.id ?? "");
  }

  answer({ trigger, messageId, messages, abortSignal }: TransportOptions): ReadableStream<UiChunk> {
    const last = messages.at(-1);
    const user = messages.filter(({ role }) => role === "user").at(-1);
    if (trigger === "regenerate-message" || user === undefined) {
      const id = messageId === undefined ? undefined : this.#ids.get(messageId);
      must(
        this.chat.retry() || this.chat.regenerate(id),
        "wrong-argument",
        "the answer cannot be requested again: the server keeps the conversation",
      );
      return this.#stream(user?.id ?? "", abortSignal);
    }
    if (last?.role === "assistant") {
      // The AI SDK has added outputs or decisions to the calls.
      this.#reply(last);
      return this.#stream(user.id, abortSignal);
    }
    const parts = user.parts.filter(isUserPart);
    const own = this.#ids.get(user.id);
    if (own !== undefined && this.chat.edit(own, parts)) {
      this.#ids.set(user.id, lastOfUser(this.chat.getSnapshot())?.id ?? own);
      return this.#stream(user.id, abortSignal);
    }
    const run = this.chat.send(parts, {
      ...(user.metadata != null && { metadata: user.metadata as JsonRecord }),
    });
    must(run.messageId !== undefined, "missing-argument", "the message is empty");
    this.#ids.set(user.id, run.messageId);
    return this.#stream(user.id, abortSignal, run);
  }

  /** Returns the stream of the answer that is being read; undefined without one. */
  resumed(): ReadableStream<UiChunk> | undefined {
    if (!this.chat.getSnapshot().isBusy) {
      return undefined;
    }
    this.#writers.clear();
    return this.#stream("", undefined);
  }

  /** Passes the outputs and decisions in a message to the calls that wait for them. */
  #reply({ parts }: UiMessage): void {
    for (const waiting of this.chat.getSnapshot().pending) {
      const part = parts
        .filter(isToolPart)
        .find(({ toolCallId }) => toolCallId === waiting.toolCallId);
      if (part?.state === "approval-responded" && waiting.state === "approval-requested") {
        const { approved, reason } = part.approval;
        if (approved) {
          this.chat.approve(waiting.approval.id, reason);
        } else {
          this.chat.decline(waiting.approval.id, reason);
        }
      } else if (part?.state === "output-available" && waiting.state === "input-available") {
        this.chat.answer(waiting.toolCallId, part.output as Json);
      } else if (part?.state === "output-error" && waiting.state === "input-available") {
        this.chat.answer(waiting.toolCallId, `Error: ${part.errorText}`);
      }
    }
  }

  #stream(
    userId: string,
    signal: AbortSignal | undefined,
    run?: Run<unknown>,
  ): ReadableStream<UiChunk> {
    const { chat } = this;
    let leave = (): void => {};
    const stop = (): void => chat.stop();
    return new ReadableStream<UiChunk>({
      start: (out) => {
        const look = (): void => {
          const state = chat.getSnapshot();
          const answer = answerIn(state, run?.messageId ?? this.#ids.get(userId));
          const writer = answer && this.#writerOf(answer.id);
          if (answer !== undefined) {
            this.#ids.set(answer.id, answer.id);
            writer!.begin(out);
            writer!.write(answer.parts, out);
          }
          if (!state.isBusy && !state.isLoading) {
            this.#end(state, answer, out);
            leave();
            out.close();
          }
        };
        signal?.addEventListener("abort", stop, { once: true });
        const unsubscribe = chat.subscribe(look);
        leave = (): void => {
          unsubscribe();
          signal?.removeEventListener("abort", stop);
        };
        look();
      },
      cancel: () => {
        leave();
        chat.stop();
      },
    });
  }

  #writerOf(id: string): ChunkWriter {
    const writer = this.#writers.get(id) ?? new ChunkWriter(id);
    this.#writers.set(id, writer);
    return writer;
  }

  #end(
    { error }: ChatState,
    answer: Message | undefined,
    out: ReadableStreamDefaultController<UiChunk>,
  ): void {
    const writer = answer && this.#writerOf(answer.id);
    writer?.end(out);
    if (error !== undefined) {
      out.enqueue({ type: "error", errorText: error.message });
    } else if (answer?.status === "stopped") {
      out.enqueue({ type: "abort" });
    } else {
      out.enqueue({
        type: "finish",
        ...(answer?.metadata !== undefined && { messageMetadata: answer.metadata }),
      });
    }
  }
}

/** Writes the parts of an answer as chunks: each time what is new. */
class ChunkWriter {
  readonly #id: string;
  /** The texts that were written, by their keys, and whether they are complete. */
  readonly #texts = new Map<
    string,
    { text: string; isDone: boolean; readonly type: "text" | "reasoning" }
  >();
  /** The states of calls that were written, and the length of their input. */
  readonly #calls = new Map<
    string,
    { state: string; length: number; question?: ToolPart | undefined }
  >();
  readonly #written = new Set<string>();
  #hasStep = false;
  #isOpen = false;

  constructor(id: string) {
    this.#id = id;
  }

  /** Begins a stream. The message of an answer that continues has the same id. */
  begin(out: ReadableStreamDefaultController<UiChunk>): void {
    if (!this.#isOpen) {
      this.#isOpen = true;
      out.enqueue({ type: "start", messageId: this.#id });
    }
  }

  write(parts: readonly Part[], out: ReadableStreamDefaultController<UiChunk>): void {
    const numbers = new Map<string, number>();
    for (const part of parts) {
      const number = numbers.get(part.type) ?? 0;
      numbers.set(part.type, number + 1);
      const key = `${part.type}-${number}`;
      if (part.type === "text" || part.type === "reasoning") {
        this.#writeText(`${this.#id}-${key}`, part, out);
      } else if (isToolPart(part)) {
        this.#writeCall(part, out);
      } else if (part.type === "step-start") {
        this.#once(key, out, ...(this.#hasStep ? [{ type: "finish-step" }] : []), {
          type: "start-step",
        });
        this.#hasStep = true;
      } else if (part.type === "data-status") {
        // The progress of a task is not a part of its answer.
        this.#once(`${key} ${String(part.data)}`, out, { ...part, transient: true });
      } else {
        this.#once(key, out, { ...part });
      }
    }
  }

  end(out: ReadableStreamDefaultController<UiChunk>): void {
    for (const [id, known] of this.#texts) {
      if (!known.isDone) {
        known.isDone = true;
        out.enqueue({ type: `${known.type}-end`, id });
      }
    }
    for (const [toolCallId, { state, question }] of this.#calls) {
      if (question?.state === "approval-responded" && state === question.state) {
        // The agent has answered: the decision is not to be sent again.
        this.#calls.get(toolCallId)!.state = "output-available";
        out.enqueue({
          type: "tool-output-available",
          toolCallId,
          output: question.approval,
          dynamic: question.type === "dynamic-tool",
        });
      }
    }
    if (this.#hasStep) {
      out.enqueue({ type: "finish-step" });
    }
    this.#hasStep = false;
    this.#isOpen = false;
  }

  #once(
    key: string,
    out: ReadableStreamDefaultController<UiChunk>,
    ...chunks: readonly UiChunk[]
  ): void {
    if (!this.#written.has(key)) {
      this.#written.add(key);
      chunks.forEach((chunk) => out.enqueue(chunk));
    }
  }

  #writeText(
    id: string,
    { type, text, state, providerMetadata }: Extract<Part, { readonly type: "text" | "reasoning" }>,
    out: ReadableStreamDefaultController<UiChunk>,
  ): void {
    const more = providerMetadata === undefined ? {} : { providerMetadata };
    let known = this.#texts.get(id);
    if (known === undefined) {
      known = { text: "", isDone: false, type };
      this.#texts.set(id, known);
      out.enqueue({ type: `${type}-start`, id, ...more });
    }
    if (!known.isDone && text.length > known.text.length && text.startsWith(known.text)) {
      out.enqueue({ type: `${type}-delta`, id, delta: text.slice(known.text.length) });
      known.text = text;
    }
    if (!known.isDone && state !== "streaming") {
      known.isDone = true;
      out.enqueue({ type: `${type}-end`, id, ...more });
    }
  }

  #writeCall(part: ToolPart, out: ReadableStreamDefaultController<UiChunk>): void {
    const { toolCallId, state } = part;
    const known = this.#calls.get(toolCallId) ?? { state: "", length: 0 };
    this.#calls.set(toolCallId, known);
    const dynamic = part.type === "dynamic-tool";
    const toolName = part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length);
    const providerMetadata = part.callProviderMetadata;
    const call = {
      toolCallId,
      toolName,
      dynamic,
      ...(part.providerExecuted && { providerExecuted: true }),
      ...(providerMetadata && { providerMetadata }),
    };
    if (state === "input-streaming") {
      if (known.state === "") {
        out.enqueue({ type: "tool-input-start", ...call });
        known.state = state;
      }
      const { rawInput = "" } = part;
      if (rawInput.length > known.length) {
        out.enqueue({
          type: "tool-input-delta",
          toolCallId,
          inputTextDelta: rawInput.slice(known.length),
        });
        known.length = rawInput.length;
      }
      return;
    }
    if (known.state === "" || known.state === "input-streaming") {
      out.enqueue({ type: "tool-input-available", ...call, input: part.input });
      known.state = "input-available";
    }
    if (
      known.state !== state &&
      !(state === "approval-responded" && known.state === "output-available")
    ) {
      known.state = state;
      known.question = part.state === "approval-responded" ? part : undefined;
      const chunk = outcomeChunk(part, dynamic);
      if (chunk) {
        out.enqueue(chunk);
      }
    }
  }
}

/** Returns the chunk for the state of a call whose input was written. */
function outcomeChunk(part: ToolPart, dynamic: boolean): UiChunk | undefined {
  const { toolCallId } = part;
  switch (part.state) {
    case "approval-requested":
      return {
        type: "tool-approval-request",
        approvalId: part.approval.id,
        toolCallId,
        ...(part.approval.descriptor !== undefined && {
          approvalDescriptor: part.approval.descriptor,
        }),
      };
    case "output-available":
      return { type: "tool-output-available", toolCallId, output: part.output, dynamic };
    case "output-error":
      return { type: "tool-output-error", toolCallId, errorText: part.errorText, dynamic };
    case "output-denied":
      return { type: "tool-output-denied", toolCallId };
    default:
      return undefined;
  }
}

/** Returns the answer to a message, or the last one. */
function answerIn({ messages }: ChatState, userId: string | undefined): Message | undefined {
  const at =
    userId === undefined
      ? messages.indexOf(lastOfUser({ messages })!)
      : messages.findIndex(({ id }) => id === userId);
  const answer = messages[at + 1];
  return answer?.role === "assistant" ? answer : undefined;
}

function lastOfUser({ messages }: Pick<ChatState, "messages">): Message | undefined {
  return messages.filter(({ role }) => role === "user").at(-1);
}

function isUserPart(part: { readonly type: string }): part is UserPart {
  return part.type === "text" || part.type === "file";
}
