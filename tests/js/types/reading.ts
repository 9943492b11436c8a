// The public API of reading as the compiler sees it. An expectation is an assignment; code that
// must not compile is marked.
import {
  type AgentStream,
  AgentwireError,
  type AgentwireSource,
  type Change,
  ConnectionError,
  Decoder,
  type DecoderOptions,
  type ErrorCode,
  HttpError,
  init,
  type Json,
  type Limits,
  type Outcome,
  parseJson,
  pendingToolCalls,
  read,
  ready,
  type Report,
  stringifyJson,
  type ToolCall,
  toolCalls,
  type Update,
  version,
  type Violation,
} from "agentwire";
import type { Snapshot as A2aSnapshot } from "agentwire/a2a";
import type { Snapshot as AgKitTurn, ToolCallPart as AgKitToolCallPart } from "agentwire/ag-kit";
import type { Snapshot as AgUiSnapshot } from "agentwire/ag-ui";
import type {
  Content,
  Message,
  OtherContent,
  RunStatus,
  Snapshot as AgentResponse,
  SnapshotToolCall,
} from "agentwire/agent-api";
import type { Snapshot as AgentScopeReply } from "agentwire/agentscope";
import type { Snapshot as AiSdkMessage } from "agentwire/ai-sdk";
import type { Snapshot as AnthropicMessage } from "agentwire/anthropic";
import type { Snapshot as GeminiResponse } from "agentwire/gemini";
import type { Snapshot as Interaction } from "agentwire/interactions";
import type { Snapshot as ChatCompletion } from "agentwire/chat";
import type { Snapshot as ResponsesResponse } from "agentwire/responses";

export async function initialising(response: Response, module: WebAssembly.Module): Promise<void> {
  await init();
  await init(module);
  await init(Promise.resolve(response));
  const isReady: boolean = ready();
  const name: string = version();
  void [isReady, name];
}

export async function runs(
  response: Response,
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const run: AgentStream<"agent-api"> = read(response, {
    protocol: "agent-api",
    signal,
    drainMs: 100,
    mode: "strict",
    limits: { messages: 10 },
  });
  for await (const update of run) {
    const each: Update<"agent-api"> = update;
    const snapshot: AgentResponse = each.snapshot;
    const changes: readonly Change[] = each.changes;
    const violations: readonly Violation[] = each.violations;
    const ended: boolean = each.isFinal;
    void [snapshot, changes, violations, ended];
    // @ts-expect-error what was read is read only
    update.snapshot.output.push(update.snapshot.output[0]!);
    // @ts-expect-error
    update.isFinal = true;
  }
  const outcome: Outcome<"agent-api"> = await run.finished();
  const same: Outcome<"agent-api"> = await run.cancel("reason");
  await using scoped = read(stream);
  void scoped;
  const { snapshot: answer, toolCalls, report } = outcome;
  const status: RunStatus = answer.status;
  const calls: readonly SnapshotToolCall[] = toolCalls;
  const ended: null | "completed" | "error" | "truncated" | "aborted" | "refused" =
    report.endReason;
  void [same, status, calls, ended];

  read(stream);
  read(fetch("/process"), { signal: undefined });
  read(
    (async function* () {
      yield new Uint8Array();
    })(),
  );
  const source: AgentwireSource = response;
  void source;
  // @ts-expect-error a stream of text is not bytes
  read(stream.pipeThrough(new TextDecoderStream()));
  // @ts-expect-error
  read("data: {}");
  // @ts-expect-error
  read();
  // @ts-expect-error no such protocol
  read(response, { protocol: "telegraph" });
  // @ts-expect-error no such mode
  read(response, { mode: "loose" });
  // @ts-expect-error no such limit
  read(response, { limits: { massages: 1 } });
}

export async function protocols(response: Response): Promise<void> {
  for await (const { snapshot, toolCalls } of read(response, {
    protocol: "ag-kit",
    clientTools: ["f"],
    doneIsOptional: true,
  })) {
    const turn: AgKitTurn = snapshot;
    const calls: readonly AgKitToolCallPart[] = toolCalls;
    for (const part of turn.parts) {
      // @ts-expect-error not every part has one
      void part.text;
      const said: string =
        part.type === "text" ? part.text : part.type === "tool-call" ? part.arguments : "";
      void said;
    }
    void calls;
  }
  const run: AgentStream<"auto"> = read(response, { protocol: "auto" });
  for await (const update of run) {
    // @ts-expect-error it is not known yet what the answer is
    void update.snapshot.parts;
    const answer:
      | AgKitTurn
      | AgentScopeReply
      | AgUiSnapshot
      | AgentResponse
      | ResponsesResponse
      | A2aSnapshot
      | AiSdkMessage
      | ChatCompletion
      | AnthropicMessage
      | GeminiResponse
      | Interaction = update.snapshot;
    if (update.protocol === "ag-kit") {
      const turn: AgKitTurn = update.snapshot;
      void turn;
    }
    void answer;
  }
  const outcome = await run.finished();
  const { protocol, snapshot } = outcome;
  switch (protocol) {
    case "agent-api":
    case "responses":
      return void snapshot.output;
    case "ag-kit":
    case "ai-sdk":
      return void snapshot.parts;
    case "ag-ui":
      return void snapshot.messages;
    case "a2a":
      return void snapshot.task?.artifacts;
    case "chat":
      return void snapshot.choices;
    case "anthropic":
      return void snapshot.content;
    case "gemini":
      return void snapshot.candidates;
    case "interactions":
      return void snapshot.steps;
  }
}

export function decoders(bytes: Uint8Array): void {
  const options: DecoderOptions<"agent-api"> = {
    protocol: "agent-api",
    ending: "strict",
    dataMerge: "message",
    keepHeartbeats: true,
    bigint: false,
  };
  const decoder = new Decoder(options);
  const changed: boolean = decoder.push(bytes);
  const update: Update<"agent-api"> | undefined = decoder.update();
  const response: AgentResponse = decoder.snapshot;
  // @ts-expect-error before the first event the snapshot is undefined
  const undecided: AgentResponse | AgKitTurn = new Decoder({ protocol: "auto" }).snapshot;
  const report: Report = decoder.report;
  const id: string = decoder.lastEventId;
  const over: boolean = decoder.isFinal;
  const outcome: Outcome<"agent-api"> = decoder.finish();
  const aborted: Outcome<"agent-api"> = decoder.abort();
  decoder.free();
  decoder[Symbol.dispose]();
  using inScope = new Decoder();
  void [changed, update, undecided, response, report, id, over, outcome, aborted, inScope];
  // @ts-expect-error text is not bytes
  decoder.push("data: {}");
  // @ts-expect-error
  decoder.snapshot = response;
  const limits: Limits["messages"] = 1;
  void limits;
}

export function contents(message: Message): string {
  return message.content.map(said).join("");
}

/** The type narrows a content, and only known types have their properties. */
function said(content: Content): string {
  switch (content.type) {
    case "text":
      return content.text ?? "";
    case "refusal":
      return content.refusal ?? "";
    case "image":
      return content.image_url ?? "";
    case "video":
      return content.video_url ?? "";
    case "audio":
      return content.data ?? content.format ?? "";
    case "file":
      return content.file_url ?? content.file_id ?? content.filename ?? content.file_data ?? "";
    case "data":
      // @ts-expect-error data is an object, not a text
      return content.data;
    default: {
      // Servers may send types that are not declared.
      const other: OtherContent = content;
      const type: string = other.type;
      return `${type} ${String(other["anything"])}`;
    }
  }
}

export function statuses(status: RunStatus): boolean {
  // Open: a server may send a value that this version does not declare, and the editor still
  // proposes the declared ones.
  const other: RunStatus = "pondering";
  return status === "completed" || status === other;
}

export function views(snapshot: AgentResponse, turn: AgKitTurn): void {
  for (const call of [...toolCalls(snapshot), ...pendingToolCalls(turn)]) {
    const view: ToolCall = call;
    const value: Json | undefined = view.arguments ?? view.partialArguments ?? view.result?.value;
    const text: string | undefined = view.result?.text;
    const state: "streaming" | "called" | "awaiting-approval" | "answered" = view.state;
    void [value, text, state, view.pending satisfies boolean, view.argumentsText satisfies string];
  }
  // @ts-expect-error the snapshot of some protocol
  toolCalls({});
}

export function changes(change: Change): string {
  const path: readonly (string | number)[] = change.path;
  // @ts-expect-error only what grew has a place from which it is new
  void change.from;
  return change.kind === "append"
    ? `${path.join(".")} from ${change.from satisfies number}`
    : `${change.kind} ${path.join(".")}`;
}

export function errors(error: unknown): string {
  if (error instanceof HttpError) {
    const status: number = error.status;
    const contentType: string | null = error.contentType;
    const body: string = error.body;
    const json: unknown = error.json;
    const again: string | null = error.headers.get("retry-after");
    void [contentType, body, json, again];
    return `${status} ${error.code}`;
  }
  if (error instanceof ConnectionError) {
    const { outcome } = error;
    return outcome?.protocol === "agent-api"
      ? outcome.snapshot.id
      : outcome?.protocol === "ag-kit"
        ? outcome.snapshot.status
        : "nothing";
  }
  if (error instanceof AgentwireError) {
    const code: ErrorCode = error.code;
    // @ts-expect-error no such code
    void (code === "wrong-moon");
    return code;
  }
  return "";
}

export function json(): void {
  const value: Json = parseJson("[1]");
  const text: string = stringifyJson({ big: 12345678901234567890n, list: [value] });
  void text;
  // @ts-expect-error a function is not JSON
  stringifyJson(() => 1);
  // @ts-expect-error undefined is not JSON
  stringifyJson(undefined as string | undefined);
}

/** Snapshots of every protocol, and requests with parts of them, are serialized unchanged. */
export function writing(
  agUi: AgUiSnapshot,
  agKit: AgKitTurn,
  a2a: A2aSnapshot,
  response: ResponsesResponse,
  messages: AgUiSnapshot["messages"],
): string[] {
  const request = { threadId: "t", messages, tools: [], resume: undefined };
  return [
    stringifyJson(agUi),
    stringifyJson(agKit),
    stringifyJson(a2a),
    stringifyJson(response),
    stringifyJson(request),
    stringifyJson(null),
  ];
}
