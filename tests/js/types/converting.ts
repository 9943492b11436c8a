// The public API of AG-Kit and of conversion as the compiler sees it.
import {
  type Conversion,
  convert,
  type ConvertedRequest,
  Converter,
  convertRequest,
  type CustomProtocol,
  Decoder,
  defineProtocol,
  detectProtocol,
  type Loss,
  type ProtocolStep,
  read,
  type StepSink,
} from "agentwire";
import {
  createRequest,
  type InterruptPart as AgKitInterruptPart,
  type Part as AgKitPart,
  type RequestInput as SendMessageInput,
  resume,
  type Snapshot as AgKitTurn,
  submitToolResults,
} from "agentwire/ag-kit";
import {
  type Adapter,
  agentApiAdapter,
  type AgentRequest,
  agKitAdapter,
  EventWriter,
  type BuilderEvent,
  createHandler,
  defineAdapter,
  parseRequest,
  respond,
} from "agentwire/server";
import type { Snapshot as AgentResponse } from "agentwire/agent-api";

export function converters(bytes: Uint8Array, chat: CustomProtocol): void {
  const converter = new Converter({
    from: "auto",
    to: "ag-kit",
    limits: { messages: 1 },
    sessionId: "s",
    ids: "numbered",
  });
  const out: Uint8Array = converter.push(bytes);
  const end: Uint8Array = converter.finish();
  const conversion: Conversion | undefined = converter.conversion;
  const losses: readonly Loss[] = conversion?.losses ?? [];
  const count: number | undefined = conversion?.counts["reasoning"];
  const from: string | undefined = converter.from;
  using scoped = new Converter({ from: chat, to: chat });
  void [
    out,
    end,
    losses,
    count,
    from,
    scoped,
    new Converter({ from: detectProtocol([chat]), to: "agent-api" }),
  ];
  // @ts-expect-error the target cannot be detected: it has no first event
  new Converter({ from: "agent-api", to: "auto" });
  // @ts-expect-error both sides are required
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
    decode(event: string, hub: StepSink, state) {
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
    encode(step: ProtocolStep, emit, state) {
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
    convertRequest: (body): AgentRequest => ({
      input: [{ role: "user", content: [{ type: "text", text: body }] }],
    }),
    maxBodyBytes: 1 << 20,
    bodyTimeoutMs: 1000,
    onError: (error, { id }) => console.error(id, error),
  });
  const fetch: (request: Request) => Promise<Response> = createHandler({
    adapters: [adapter, agentApiAdapter(), agKitAdapter({ path: "/kit" })],
    agent: (out, request) => {
      const asked: AgentRequest = request.toJSON();
      void [asked, out.message()];
    },
  });
  void [response, run, fetch, respond(new Request("http://x"), { protocol: chat }, () => {})];
  // @ts-expect-error a protocol has a name
  defineProtocol({});
}

export function agKit(turn: AgKitTurn): void {
  using writer = new EventWriter({ protocol: "ag-kit", clientTools: ["f"] });
  const frames: string[] = [
    writer.write({ type: "text", content: "x" }),
    writer.write({ type: "interrupt", id: "i", payload: { a: 1n } }),
    writer.write("[DONE]"),
    writer.finish(),
  ];
  // @ts-expect-error an option of another protocol
  new EventWriter({ protocol: "ag-kit", version: "1.0" });
  // @ts-expect-error the protocol is missing
  new EventWriter({});
  const input: SendMessageInput = parseRequest("ag-kit", "{}");
  const body: Request = createRequest("/send-message", input);
  const answers: SendMessageInput = submitToolResults({ conversationId: "c" }, turn, {
    a: "text",
    b: { any: true },
  });
  const question: AgKitInterruptPart | undefined = turn.parts.find(
    (part) => part.type === "interrupt",
  );
  const resumed: SendMessageInput = resume(input, turn, {
    [question?.id ?? "i"]: { approved: true },
  });
  const request: ConvertedRequest<AgentRequest> = convertRequest(input, {
    from: "ag-kit",
    to: "agent-api",
  });
  const back: ConvertedRequest<SendMessageInput> = convertRequest(request.request, {
    from: "agent-api",
    to: "ag-kit",
  });
  void [frames, body, answers, resumed, back];
}

async function shapes(response: Response, bytes: Uint8Array): Promise<void> {
  const turn = await read(response, { protocol: "auto", as: "ag-kit" }).finished();
  const parts: readonly AgKitPart[] = turn.snapshot.parts;
  const lost: readonly number[] = (turn.report.losses ?? []).map(({ event }) => event);
  const decoder = new Decoder({ protocol: "ag-kit", as: "agent-api" });
  decoder.push(bytes);
  const answer: AgentResponse = decoder.snapshot;
  // @ts-expect-error no such protocol
  read(response, { as: "telegraph" });
  const state: ProtocolStep = { type: "state", value: null, subagentId: "s1", metadata: { a: 1 } };
  // @ts-expect-error a state has a value
  const none: ProtocolStep = { type: "state" };
  void [parts, lost, answer, state, none];
}
void shapes;
