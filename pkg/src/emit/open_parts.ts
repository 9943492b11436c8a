// The parts of a run that is being written: messages and their contents, tool calls, and notes.

import type { ErrorInfo, Json, MessageType } from "../agentwire.js";
import type { NewAudio, NewContent, NewFile, TerminalStatus } from "../convert/builder_options.js";
import { knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";
import { type JsonObject, isObject, textOf } from "../core/json.js";
import type { AgentApiStreamBuilder, ContentBuilder, MessageBuilder } from "./agent_api_builder.js";
import type { BuilderEvent } from "./event.js";
import type {
  ActivityWriter,
  DataWriter,
  MessageWriter,
  NewMessage,
  NewToolCall,
  ParallelOption,
  StepWriter,
  SubagentWriter,
  TextWriter,
  ToolCallWriter,
} from "./out.js";

/** The run of the parts. */
export interface OpenRun {
  readonly builder: AgentApiStreamBuilder;
  /** Whether the run has ended and rejects further writes. */
  readonly ended: boolean;
  /** Whether the client has disconnected: calls have no effect, and throw nothing. */
  readonly hasLeft: boolean;
  /**
   * Frees a handle with the run, not earlier, so that a call after the end of the part still throws
   * a specific error.
   */
  own<T extends { free(): void }>(handle: T): T;
  /**
   * Starts a message and sends its first event. Completes the open messages that are not
   * `parallel`.
   */
  opened(options: NewMessage): OpenMessage;
  /** Completes the open messages and contents that are not `parallel`. */
  settle(): void;
  /** Returns whether a message is still open. */
  isOpen(message: OpenMessage): boolean;
  /** Removes a message that has ended. */
  closed(message: OpenMessage): void;
  /** Writes events without waiting for the consumer. */
  begin(make: () => readonly BuilderEvent[]): void;
  /**
   * Creates events and sends them in one step, so that an error cannot drop events that were
   * created.
   */
  emitEvents(make: () => readonly BuilderEvent[]): Promise<void>;
  /**
   * Runs a function that writes. Returns a rejected promise if the run has ended, or if `work`
   * throws.
   */
  writing(work: () => Promise<void> | void): Promise<void>;
  /** Sends events. Resolves when the consumer has room for more. */
  put(events: readonly BuilderEvent[]): Promise<void>;
  /**
   * Sends the events for the end of an `await using` block. Does nothing if the run has ended,
   * which is not an error of the block.
   */
  disposed(make: () => readonly BuilderEvent[]): Promise<void>;
}

/** A message whose opening event has been sent. */
export class OpenMessage implements MessageWriter {
  readonly id: string;
  readonly #run: OpenRun;
  readonly #builder: MessageBuilder;
  /**
   * The contents that may be open. The value is true for those that stay open when the next content
   * starts.
   */
  readonly #parts = new Map<OpenPart<never>, boolean>();

  constructor(run: OpenRun, builder: MessageBuilder) {
    this.#run = run;
    this.#builder = builder;
    this.id = builder.id;
  }

  text(options: ParallelOption = {}): TextWriter {
    const { parallel = false } = checkedOptions("text()", options);
    return this.part("text", parallel, (builder, text: string | null | undefined) =>
      builder.addTextDelta(text),
    );
  }

  refusal(options: ParallelOption = {}): TextWriter {
    const { parallel = false } = checkedOptions("refusal()", options);
    return this.part("refusal", parallel, (builder, text: string | null | undefined) =>
      builder.addRefusalDelta(text),
    );
  }

  data(): DataWriter;
  data(data: JsonObject): Promise<void>;
  data(data?: JsonObject): DataWriter | Promise<void> {
    return data === undefined
      ? this.part("data", false, (builder, delta: JsonObject) => builder.addDataDelta(delta))
      : this.#whole({ type: "data", data });
  }

  image(url: string): Promise<void> {
    return this.#whole({ type: "image", image_url: url });
  }

  video(url: string): Promise<void> {
    return this.#whole({ type: "video", video_url: url });
  }

  audio(audio: NewAudio): Promise<void> {
    return this.#whole({ type: "audio", ...audio });
  }

  file(file: NewFile): Promise<void> {
    return this.#whole({ type: "file", ...file });
  }

  metadata(metadata: JsonObject): void {
    this.#run.begin(() => {
      this.#builder.setMetadata(metadata);
      return [];
    });
  }

  usage(usage: JsonObject): void {
    this.#run.begin(() => {
      this.#builder.setUsage(usage);
      return [];
    });
  }

  complete(): Promise<void> {
    return this.#run.emitEvents(() => this.end("completed"));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#run.disposed(() => (this.#run.isOpen(this) ? this.end("completed") : []));
  }

  /** Returns the events that end the message from its current state. */
  end(status: TerminalStatus): BuilderEvent[] {
    this.#run.closed(this);
    return this.#builder.finishWith(status);
  }

  /** Starts a streamed content, and completes the open contents that are not `parallel`. */
  part<T>(
    type: string,
    parallel: boolean,
    piece: (builder: ContentBuilder, value: T) => BuilderEvent,
  ): OpenPart<T> {
    const builder = this.#run.own(this.#builder.createContentBuilder(type));
    this.#run.begin(() => this.#endOthers());
    const part = new OpenPart(this.#run, builder, piece);
    this.#parts.set(part, parallel);
    return part;
  }

  /** Writes a complete content. Must be called within a write. */
  whole(content: NewContent): Promise<void> {
    this.#run.begin(() => this.#endOthers());
    return this.#run.put([this.#builder.addContent(content)]);
  }

  #whole(content: NewContent): Promise<void> {
    return this.#run.writing(() => this.whole(content));
  }

  #endOthers(): BuilderEvent[] {
    const others = [...this.#parts].filter(([, parallel]) => !parallel);
    return others.flatMap(([part]) => {
      this.#parts.delete(part);
      return part.end();
    });
  }
}

/** Throws for options that are none, such as a text: the mistake would lose it. */
export function writerOptions(
  called: string,
  options: object,
  names: readonly string[],
  instead: string,
): void {
  const found = typeof options === "string" ? "a text" : `a value of type ${typeof options}`;
  must(
    isObject(options),
    "wrong-argument",
    `${called} does not take ${found}: call \`${instead}\``,
  );
  knownOptions(called, options, names);
}

function checkedOptions(called: string, options: ParallelOption): ParallelOption {
  writerOptions(
    `out.message().${called}`,
    options,
    ["parallel"],
    `out.message().${called}.delta("…")`,
  );
  return options;
}

/** A content that is being written. */
export class OpenPart<T> {
  readonly #run: OpenRun;
  readonly #builder: ContentBuilder;
  readonly #piece: (builder: ContentBuilder, value: T) => BuilderEvent;
  #open = false;

  constructor(
    run: OpenRun,
    builder: ContentBuilder,
    piece: (builder: ContentBuilder, value: T) => BuilderEvent,
  ) {
    this.#run = run;
    this.#builder = builder;
    this.#piece = piece;
  }

  delta(value: T): Promise<void> {
    return this.#run.emitEvents(() => {
      const event = this.#piece(this.#builder, value);
      this.#open = true;
      return [event];
    });
  }

  complete(): Promise<void> {
    return this.#run.emitEvents(() => {
      this.#open = false;
      return [this.#builder.complete()];
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#run.disposed(() => this.end());
  }

  /** Returns the event that ends the content, if it is open. */
  end(): BuilderEvent[] {
    const open = this.#open;
    this.#open = false;
    return open ? [this.#builder.complete()] : [];
  }
}

/**
 * Writes two messages: the call, whose arguments are streamed, and the output, which is sent at
 * once.
 */
export class OpenToolCall implements ToolCallWriter {
  readonly callId: string;
  readonly #run: OpenRun;
  readonly #name: string;
  readonly #type: string;
  readonly #call: OpenMessage;
  readonly #data: OpenPart<JsonObject>;

  constructor(
    run: OpenRun,
    name: string,
    { callId, type = "function_call", parallel }: NewToolCall,
  ) {
    this.#run = run;
    this.#name = name;
    this.#type = type;
    this.#call = run.opened({ type, parallel });
    // Derived from the message id, so that it is as random and identifies the message.
    this.callId = callId ?? this.#call.id.replace(/^msg_/, "call_");
    this.#data = this.#call.part("data", false, (builder, delta: JsonObject) =>
      builder.addDataDelta(delta),
    );
    void this.#data.delta({ call_id: this.callId, name, arguments: "" });
  }

  arguments(piece: string | JsonObject): Promise<void> {
    return this.#data.delta({ arguments: textOf(piece as Json) });
  }

  complete(): Promise<void> {
    return this.#call.complete();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#call[Symbol.asyncDispose]();
  }

  result(output: Json): Promise<void> {
    return this.#run.writing(() => {
      this.#run.begin(() => this.#call.end("completed"));
      const answer = this.#run.opened({ role: "tool", type: `${this.#type}_output` });
      const data = { call_id: this.callId, name: this.#name, output: textOf(output) };
      void answer.whole({ type: "data", data });
      return this.#run.put(answer.end("completed"));
    });
  }
}

// State, activities, steps and subagents are not messages. In the protocol that agents are written
// in, each is a separate message that is complete immediately and whose type is the name of the
// step (`docs/reference/hub.md`); other protocols have events for them. States and activities can
// appear between text deltas; the start and the end of a step or subagent complete the text.

const PREFIX = "agentwire.";

/**
 * Writes a note without completing open messages. Its properties may be derived from the id of its
 * message, which is as random as the option `ids` requires.
 */
function note(run: OpenRun, name: string, members: (messageId: string) => JsonObject): void {
  run.begin(() => {
    const message = run.own(
      run.builder.createMessageBuilder("assistant", (PREFIX + name) as MessageType),
    );
    const first = message.inProgress();
    const data = message.addContent({ type: "data", data: members(message.id) });
    return [first, data, ...message.finishWith("completed")];
  });
}

/** Writes a note that consists of a single event. */
export function noted(run: OpenRun, name: string, members: JsonObject): Promise<void> {
  return run.writing(() => note(run, name, () => members));
}

/** Returns an activity, which is sent with its first update. */
export function activityOf(
  run: OpenRun,
  activityType: string,
  id: string | undefined,
): ActivityWriter {
  return {
    update: (content) =>
      run.writing(() =>
        note(run, "activity", (messageId) => {
          id ??= messageId.replace(/^msg_/, "activity_");
          return { id, activityType, content } as JsonObject;
        }),
      ),
  };
}

/** A step or subagent, which has a note for its start and one for its end. */
class Section {
  readonly #run: OpenRun;
  readonly #ending: string;
  #open = true;

  constructor(
    run: OpenRun,
    starting: string,
    ending: string,
    members: (messageId: string) => JsonObject,
  ) {
    this.#run = run;
    this.#ending = ending;
    run.settle();
    note(run, starting, members);
  }

  /** Writes the note for the end, once. */
  end(members: JsonObject): Promise<void> {
    if (!this.#open) {
      return Promise.resolve();
    }
    this.#open = false;
    return this.#run.writing(() => {
      this.#run.settle();
      return note(this.#run, this.#ending, () => members);
    });
  }

  /** Writes the note for the end of an `await using` block. */
  async disposed(members: JsonObject): Promise<void> {
    if (!this.#run.ended) {
      await this.end(members);
    }
  }
}

/** Starts a step. */
export function stepOf(run: OpenRun, name: string): StepWriter {
  const section = new Section(run, "step-start", "step-end", () => ({ name }));
  return {
    complete: () => section.end({ name }),
    [Symbol.asyncDispose]: () => section.disposed({ name }),
  };
}

/** Starts a subagent. */
export function subagentOf(run: OpenRun, name: string, task: string | undefined): SubagentWriter {
  let id = "";
  const section = new Section(run, "lane-start", "lane-end", (messageId) => {
    id = messageId.replace(/^msg_/, "subagent_");
    return { id, name, ...(task === undefined ? {} : { text: task }) };
  });
  return {
    id,
    complete: (result) =>
      section.end({ id, status: "completed", ...(result === undefined ? {} : { result }) }),
    fail: (error: ErrorInfo) => section.end({ id, status: "failed", error: { ...error } }),
    [Symbol.asyncDispose]: () => section.disposed({ id, status: "completed" }),
  };
}
