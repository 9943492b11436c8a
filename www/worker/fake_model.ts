// A fake model: the same request always gets the same answer, as a stream of Chat Completions,
// Anthropic Messages or Gemini.
// It answers the worker's own calls when no model is configured, and clients of these APIs at the
// paths below.

import { RequestError, readBody } from "agentwire/server";
import { jsonResponse } from "./replies.js";
import { pause, tokensOf } from "./speech.js";
import { DEFAULT_CITY, citiesIn } from "./weather.js";

const LONGEST_REQUEST = 1024 * 1024;
/** The characters of a message or result that are answered. */
const LONGEST_TEXT = 2000;

/** The start of all paths of the model. */
export const MODELS = "/models/";

/** A conversation, whatever the API. */
interface Question {
  /** The text of the last message of the user. */
  readonly text: string;
  /** The results of tools after that message. */
  readonly results: readonly string[];
  /** The names of the tools. */
  readonly tools: readonly string[];
}

/** A piece of the answer. */
type Piece =
  | { readonly type: "reasoning" | "text"; readonly text: string }
  | { readonly type: "call"; readonly id: string; readonly name: string; readonly args: object }
  | { readonly type: "overloaded" };

/** An API of models. */
interface Api {
  /** The pattern of its paths. */
  readonly path: RegExp;
  question(body: Body): Question;
  /** Whether the request is for a stream. */
  isStreamed(body: Body, url: URL): boolean;
  readonly events: Events;
}

/**
 * The events of an answer: before its pieces, for each, and after them. Pieces of one type in
 * succession are a block; `at` is its number.
 */
interface Events {
  start(): string;
  piece(piece: Piece, at: number, isNew: boolean): string;
  end(last: Piece, at: number): string;
}

interface Message {
  readonly role?: string;
  readonly content?: string | readonly Part[];
  readonly parts?: readonly Part[];
}
interface Part {
  readonly type?: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly functionResponse?: { readonly response?: unknown };
}
interface Body {
  readonly stream?: boolean;
  readonly messages?: readonly Message[];
  readonly contents?: readonly Message[];
  readonly tools?: readonly {
    readonly name?: string;
    readonly function?: { readonly name: string };
    readonly functionDeclarations?: readonly { readonly name: string }[];
  }[];
}

/** Answers a request. `delay` is the time before each token in milliseconds. */
export async function fakeModel(request: Request, { delay = 16 } = {}): Promise<Response> {
  const url = new URL(request.url);
  const api = APIS.find(({ path }) => path.test(url.pathname));
  if (api === undefined || request.method !== "POST") {
    return jsonResponse(404, {
      error: {
        message:
          "the model has POST /models/v1/chat/completions, /models/v1/messages and /models/v1beta/models/{name}:streamGenerateContent",
      },
    });
  }
  let question: Question;
  try {
    const body = Object(
      JSON.parse(await readBody(request, { maxBodyBytes: LONGEST_REQUEST })),
    ) as Body;
    if (!api.isStreamed(body, url)) {
      return jsonResponse(400, { error: { message: "the model only streams its answers" } });
    }
    question = api.question(body);
  } catch (error) {
    const [status, message] =
      error instanceof RequestError
        ? [error.status, error.message]
        : [400, "the body is not a request of this API"];
    return jsonResponse(status, { error: { message } });
  }
  const stream = new AbortController();
  const events = eventsOf(api.events, piecesOf(question), delay, stream.signal);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done === true) {
        controller.close();
      } else {
        controller.enqueue(encoder.encode(value));
      }
    },
    cancel: () => stream.abort(),
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  });
}

async function* eventsOf(
  events: Events,
  pieces: readonly Piece[],
  delay: number,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  yield events.start();
  let at = -1;
  for (const [index, piece] of pieces.entries()) {
    if (delay > 0) {
      await pause(delay, signal);
    }
    const isNew = piece.type === "call" || piece.type !== pieces[index - 1]?.type;
    at += isNew ? 1 : 0;
    yield events.piece(piece, at, isNew);
  }
  const last = pieces[pieces.length - 1]!;
  if (last.type !== "overloaded") {
    yield events.end(last, at);
  }
}

/**
 * Returns the answer: a call of a tool that the question names, or the weather tool for a city; a
 * report of results; otherwise a text.
 */
function piecesOf({ text, results, tools }: Question): Piece[] {
  const piecesIn = (type: "reasoning" | "text", words: string): Piece[] =>
    tokensOf(words).map((token) => ({ type, text: token }));
  if (results.length > 0) {
    return piecesIn("text", results.map(reportOf).join(" "));
  }
  if (/\boverload/i.test(text)) {
    return [...piecesIn("text", "I begin, "), { type: "overloaded" }];
  }
  const cities = citiesIn(text);
  const tool =
    tools.find((name) => text.includes(name)) ??
    (cities.length > 0 ? tools.find((name) => name === "get_weather") : undefined);
  if (tool !== undefined) {
    const args = tool === "get_weather" ? { city: (cities[0] ?? DEFAULT_CITY).name } : {};
    return [
      ...piecesIn("reasoning", `The tool ${tool} knows this.`),
      { type: "call", id: `call_${tool}`, name: tool, args },
    ];
  }
  return [
    ...piecesIn("reasoning", "No tool is needed."),
    ...piecesIn("text", `You asked “${text}”. I am a fake model.`),
  ];
}

/**
 * Returns a sentence about the result of a tool: that of the weather is JSON, or JSON in a string
 * of JSON.
 */
function reportOf(result: string): string {
  const [, city, celsius] =
    /"city":"([^"]+)".*?"celsius":(\d+)/s.exec(result.replace(/\\"/g, '"')) ?? [];
  return city === undefined ? `The tool returned ${result}.` : `It is ${celsius} °C in ${city}.`;
}

/** Writes an event. */
const event = (data: object | string, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

const NAME = "fake";
const USAGE = { input: 12, output: 24 };

const chat: Events = {
  start: () => chunk({ role: "assistant", content: "" }),
  piece(piece) {
    switch (piece.type) {
      case "reasoning":
        return chunk({ reasoning_content: piece.text });
      case "text":
        return chunk({ content: piece.text });
      case "call":
        return chunk({
          tool_calls: [
            {
              index: 0,
              id: piece.id,
              type: "function",
              function: { name: piece.name, arguments: JSON.stringify(piece.args) },
            },
          ],
        });
      case "overloaded":
        return event({
          error: { code: "overloaded", type: "server_error", message: "the model is overloaded" },
        });
    }
  },
  end: ({ type }) =>
    chunk({}, type === "call" ? "tool_calls" : "stop") +
    event({
      ...CHUNK,
      choices: [],
      usage: {
        prompt_tokens: USAGE.input,
        completion_tokens: USAGE.output,
        total_tokens: USAGE.input + USAGE.output,
      },
    }) +
    event("[DONE]"),
};
const CHUNK = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 0, model: NAME };
const chunk = (delta: object, finish: string | null = null): string =>
  event({ ...CHUNK, choices: [{ index: 0, delta, finish_reason: finish }] });

const anthropic: Events = {
  start: () =>
    named({
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: NAME,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: USAGE.input, output_tokens: 1 },
      },
    }),
  piece(piece, index, isNew) {
    if (piece.type === "overloaded") {
      return named({
        type: "error",
        error: { type: "overloaded_error", message: "the model is overloaded" },
      });
    }
    const { block, delta } = BLOCKS[piece.type](piece as never);
    const begun = isNew
      ? (index > 0 ? named({ type: "content_block_stop", index: index - 1 }) : "") +
        named({ type: "content_block_start", index, content_block: block })
      : "";
    return begun + named({ type: "content_block_delta", index, delta });
  },
  end: ({ type }, index) =>
    named({ type: "content_block_stop", index }) +
    named({
      type: "message_delta",
      delta: { stop_reason: type === "call" ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: USAGE.output },
    }) +
    named({ type: "message_stop" }),
};
const named = (data: { readonly type: string; readonly [member: string]: unknown }): string =>
  event(data, data.type);
const BLOCKS = {
  reasoning: ({ text }: { text: string }) => ({
    block: { type: "thinking", thinking: "", signature: "" },
    delta: { type: "thinking_delta", thinking: text },
  }),
  text: ({ text }: { text: string }) => ({
    block: { type: "text", text: "" },
    delta: { type: "text_delta", text },
  }),
  call: ({ id, name, args }: { id: string; name: string; args: object }) => ({
    block: { type: "tool_use", id, name, input: {} },
    delta: { type: "input_json_delta", partial_json: JSON.stringify(args) },
  }),
};

const gemini: Events = {
  start: () => "",
  piece(piece) {
    switch (piece.type) {
      case "reasoning":
        return candidate({ text: piece.text, thought: true });
      case "text":
        return candidate({ text: piece.text });
      case "call":
        return candidate({ functionCall: { name: piece.name, args: piece.args } });
      case "overloaded":
        return event({
          error: { code: 503, status: "UNAVAILABLE", message: "the model is overloaded" },
        });
    }
  },
  end: () =>
    event({
      candidates: [
        { content: { role: "model", parts: [{ text: "" }] }, finishReason: "STOP", index: 0 },
      ],
      usageMetadata: {
        promptTokenCount: USAGE.input,
        candidatesTokenCount: USAGE.output,
        totalTokenCount: USAGE.input + USAGE.output,
      },
      ...RESPONSE,
    }),
};
const RESPONSE = { modelVersion: NAME, responseId: "response-1" };
const candidate = (part: object): string =>
  event({ candidates: [{ content: { role: "model", parts: [part] }, index: 0 }], ...RESPONSE });

/** Returns the conversation of messages: the results after the last text of the user. */
function conversation(
  messages: readonly Message[] = [],
  tools: readonly string[],
  resultOf: (message: Message, part: Part) => unknown,
): Question {
  let [text, results] = ["", [] as string[]];
  for (const message of messages) {
    const parts =
      typeof message.content === "string"
        ? [{ type: "text", text: message.content }]
        : (message.content ?? message.parts ?? []);
    for (const part of parts) {
      const result = resultOf(message, part);
      if (result !== undefined) {
        results.push(
          (typeof result === "string" ? result : JSON.stringify(result)).slice(0, LONGEST_TEXT),
        );
      } else if (message.role === "user" && typeof part.text === "string") {
        [text, results] = [part.text.slice(0, LONGEST_TEXT), []];
      }
    }
  }
  return { text, results, tools };
}

const APIS: readonly Api[] = [
  {
    path: /^\/models\/v1\/chat\/completions$/,
    question: ({ messages, tools = [] }) =>
      conversation(
        messages,
        tools.flatMap((tool) => tool.function?.name ?? []),
        ({ role }, { text }) => (role === "tool" ? text : undefined),
      ),
    isStreamed: ({ stream }) => stream === true,
    events: chat,
  },
  {
    path: /^\/models\/v1\/messages$/,
    question: ({ messages, tools = [] }) =>
      conversation(
        messages,
        tools.flatMap(({ name }) => name ?? []),
        (_, { type, content }) => (type === "tool_result" ? (content ?? "") : undefined),
      ),
    isStreamed: ({ stream }) => stream === true,
    events: anthropic,
  },
  {
    path: /^\/models\/v1(beta)?\/models\/[^/]+:streamGenerateContent$/,
    question: ({ contents, tools = [] }) =>
      conversation(
        contents,
        tools.flatMap(({ functionDeclarations = [] }) =>
          functionDeclarations.map(({ name }) => name),
        ),
        (_, { functionResponse }) => functionResponse?.response,
      ),
    isStreamed: (_, { searchParams }) => searchParams.get("alt") === "sse",
    events: gemini,
  },
];
