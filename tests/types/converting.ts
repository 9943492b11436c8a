// The public API of AG-Kit and of conversion as the compiler sees it.
import {
  type AgKitInterruptPart,
  AgKitStreamBuilder,
  type AgKitTurn,
  type Adapter,
  type AgentRequest,
  type AgentResponse,
  type BuilderEvent,
  type Conversion,
  type ConvertedRequest,
  Converter,
  type CustomProtocol,
  Decoder,
  type Hub,
  type HubStep,
  type Loss,
  type SendMessageInput,
  agKitAdapter,
  agentApiAdapter,
  convert,
  defineAdapter,
  defineProtocol,
  detecting,
  emit,
  mount,
  parseSendMessageInput,
  read,
  resuming,
  sendMessageBody,
  toAgentRequest,
  toSendMessageInput,
  toolAnswers,
} from "agentwire";

export function converters(bytes: Uint8Array, chat: CustomProtocol): void {
  const converter = new Converter({ from: "auto", to: "ag-kit", limits: { messages: 1 }, sessionId: "s", ids: "numbered" });
  const out: Uint8Array = converter.push(bytes);
  const end: Uint8Array = converter.finish();
  const conversion: Conversion | undefined = converter.conversion;
  const losses: readonly Loss[] = conversion?.losses ?? [];
  const count: number | undefined = conversion?.counts["reasoning"];
  const from: string | undefined = converter.from;
  using scoped = new Converter({ from: chat, to: chat });
  void [out, end, losses, count, from, scoped, new Converter({ from: detecting(chat), to: "agent-api" })];
  // @ts-expect-error nothing can be written that is only told by its first event
  new Converter({ from: "agent-api", to: "auto" });
  // @ts-expect-error both sides have to be said
  new Converter({ from: "agent-api" });
}

export async function pipes(body: ReadableStream<Uint8Array>): Promise<void> {
  const stream = convert({ from: "ag-kit", to: "agent-api" });
  const converted: ReadableStream<Uint8Array> = body.pipeThrough(stream);
  const { report }: Conversion = await stream.done;
  void [converted, report.violations];
}

export function protocols(bytes: Uint8Array): void {
  const chat: CustomProtocol = defineProtocol({
    name: "chat",
    framing: "lines",
    detect: (event: string) => event.startsWith("{"),
    state: () => ({ seen: 0 }),
    toHub(event: string, hub: Hub, state) {
      state.seen += event.length;
      hub.text(event);
      hub.toolCall("id", "name");
      hub.interrupt("id", { any: ["json", 1n] }, "why");
      hub.content({ type: "image", image_url: "u" });
      hub.end("incomplete", { reason: "length", usage: { tokens: 1 } });
      hub.emit({ type: "text", message: 0, part: 0, piece: "x" });
      // @ts-expect-error a piece needs a text
      hub.emit({ type: "text", message: 0, part: 0 });
      // @ts-expect-error no such step
      hub.emit({ type: "dance" });
    },
    fromHub(step: HubStep, emit, state) {
      state.seen++;
      if (step.type === "text") {
        emit(step.piece);
      }
      // @ts-expect-error not every step has one
      emit(step.piece);
    },
  });
  const decoder = new Decoder({ protocol: chat });
  decoder.push(bytes);
  const response: AgentResponse = decoder.snapshot;
  const run = read(new Response(), { protocol: chat });
  const adapter: Adapter = defineAdapter({
    path: "/chat",
    protocol: chat,
    convertRequest: (body): AgentRequest => ({ input: [{ role: "user", content: [{ type: "text", text: body }] }] }),
    maxBodyBytes: 1 << 20,
    bodyTimeout: 1000,
    onError: (error, { id }) => console.error(id, error),
  });
  const fetch: (request: Request) => Promise<Response> = mount([adapter, agentApiAdapter(), agKitAdapter({ path: "/kit" })], (out, request) => {
    const asked: AgentRequest = request;
    void [asked, out.message()];
  });
  void [response, run, fetch, emit(new Request("http://x"), { protocol: chat }, () => {})];
  // @ts-expect-error a protocol has a name
  defineProtocol({});
}

export function agKit(turn: AgKitTurn): void {
  const builder = new AgKitStreamBuilder();
  const events: BuilderEvent[] = [builder.text("x"), builder.interrupt("i", undefined, { a: 1n }), ...builder.finishWith()];
  const input: SendMessageInput = parseSendMessageInput("{}");
  const body: string = sendMessageBody(input);
  const answers: SendMessageInput = toolAnswers("c", turn, { a: "text", b: { any: true } });
  const question: AgKitInterruptPart | undefined = turn.parts.find((part) => part.type === "interrupt");
  const resumed: SendMessageInput = resuming("c", question ?? { id: "i" }, { approved: true });
  const request: ConvertedRequest<AgentRequest> = toAgentRequest(input);
  const back: ConvertedRequest<SendMessageInput> = toSendMessageInput(request.request);
  void [events, body, answers, resumed, back];
}
