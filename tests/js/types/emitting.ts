// The public API of writing as the compiler sees it.
import type { Json } from "agentwire";
import type { Content, Message, Snapshot as AgentResponse } from "agentwire/agent-api";
import {
  AgentApiStreamBuilder,
  AgentError,
  type AgentWriter,
  type BuilderEvent,
  type BuilderOptions,
  type ContentBuilder,
  type DataWriter,
  type MessageBuilder,
  type MessageWriter,
  type NewContent,
  respond,
  type RespondOptions,
  sseHeaders,
  type TerminalStatus,
  type TextWriter,
  type ToolCallWriter,
} from "agentwire/server";

export function agents(request: Request, tokens: AsyncIterable<string | null>): Response {
  const options: RespondOptions = {
    protocol: "agent-api",
    sessionId: "s",
    responseId: undefined,
    heartbeatMs: 1000,
    style: "compact",
    headers: { "x-run": "1" },
    onError: (error) => ({ code: "C", message: String(error) }),
  };
  respond({}, { protocol: "agent-api", onError: (error) => console.error(error) }, () => {});
  respond(
    {},
    {
      protocol: "agent-api",
      onError: async (error, { id }) => ({
        code: "C",
        message: `${id satisfies string}: ${String(error)}`,
      }),
    },
    () => {
      throw new AgentError("C", "m", { cause: 1 }) satisfies Error & { readonly code: string };
    },
  );
  respond({ signal: null }, { protocol: "agent-api" }, (out) =>
    out.fail({ code: "C", message: "m" }),
  );
  // @ts-expect-error no protocol
  respond(request, {}, () => {});
  // @ts-expect-error no such protocol
  respond(request, { protocol: "telegraph" }, () => {});
  // @ts-expect-error no agent
  respond(request, { protocol: "agent-api" });
  return respond(request, options, async (out: AgentWriter) => {
    const signal: AbortSignal = out.signal;
    const text: TextWriter = out
      .message({ role: "assistant", type: "message", parallel: true })
      .text();
    for await (const token of tokens) {
      await text.delta(token);
    }
    await text.complete();
    await contents(out.message());
    const tool: ToolCallWriter = out.tool("search", { callId: "c", type: "mcp_call" });
    await tool.arguments('{"q"');
    await tool.arguments({ q: 1n });
    await tool.result([{ title: "x" }]);
    await out.reasoning().delta("hm");
    out.usage({ total_tokens: 1 });
    await out.send(out.builder.createMessageBuilder().inProgress());
    if (signal.aborted || out.ended) {
      await out.cancel();
      await out.reject();
      await out.incomplete("max_tokens");
    }
    // @ts-expect-error not a kind of tool call
    out.tool("search", { type: "message" });
    // @ts-expect-error an error has a message
    await out.fail({ code: "C" });
    // @ts-expect-error a text is a text
    await text.delta(5);
    // @ts-expect-error not for users
    out.finish("completed");
  });
}

async function contents(message: MessageWriter): Promise<void> {
  await message.refusal({ parallel: true }).delta("no");
  await message.image("https://x/i");
  await message.video("https://x/v");
  await message.audio({ data: "AAAA", format: "wav" });
  await message.file({ file_id: "f" });
  const whole: Promise<void> = message.data({ a: [1n] });
  const pieces: DataWriter = message.data();
  await Promise.all([whole, pieces.delta({ a: undefined }), pieces.complete()]);
  message.metadata({ a: 1 });
  message.usage({ a: 1 });
  await message.complete();
  // @ts-expect-error data is an object
  await message.data([1]);
  // @ts-expect-error audio has data
  await message.audio({ format: "wav" });
}

export function builders(options: BuilderOptions): void {
  using response = new AgentApiStreamBuilder(options);
  const event: BuilderEvent = response.created();
  const json: string = event.json;
  const frame: string = event.toSse();
  const object: { readonly [key: string]: Json } = event.toObject();
  void [json, frame, object];
  const message: MessageBuilder = response.createMessageBuilder("tool", "function_call_output");
  const content: ContentBuilder = message.createContentBuilder("data", 0);
  const events: BuilderEvent[] = [
    response.queued(),
    response.inProgress(),
    message.inProgress(),
    content.setData({ a: 1 }),
    content.updateData("a", [1]),
    content.addDataDelta({ a: 1 }),
    content.complete(),
    message.complete(),
    ...response.generateStreamingResponse(["a"], "assistant"),
  ];
  const added: NewContent = { type: "file", filename: "n" };
  events.push(message.addContent(added));
  const status: TerminalStatus = "rejected";
  events.push(
    ...message.finishWith(status),
    ...response.finishWith(status, { code: "C", message: "m" }),
  );
  const data: [AgentResponse, Message, Content] = [
    response.getResponseData(),
    message.getMessageData(),
    content.getContentData(),
  ];
  void data;
  // @ts-expect-error not a terminal status
  response.finishWith("in_progress");
  // @ts-expect-error an image has a URL
  message.addContent({ type: "image" });
  // @ts-expect-error no such type
  message.addContent({ type: "smell" });
  // @ts-expect-error no such style
  new AgentApiStreamBuilder({ style: "loose" });
}

export const headers: Record<string, string> = sseHeaders();
