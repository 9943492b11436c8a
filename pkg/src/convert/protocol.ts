// Custom protocols.

import { AgentwireError, isA, must } from "../core/errors.js";
import { parseJson } from "../core/json.js";
import { PROTOCOLS, type WritableProtocol } from "../generated/contract.js";
import { Converter } from "./converter.js";
import { Framer, withFraming } from "./framing.js";
import { StepSink } from "./step_sink.js";
import { type ProtocolStep, fromCoreStep } from "./steps.js";
import type {
  AnyProtocol,
  CustomProtocol,
  DecoderOptions,
  Framing,
  InputConverter,
} from "../core/outcome.js";

export type { CustomProtocol, InputConverter, Source, Target } from "../core/outcome.js";

/**
 * The definition of a custom protocol. All properties but the name are optional; without `decode`
 * the protocol cannot be read.
 */
export interface ProtocolDefinition<State = undefined> {
  /** The name, which must differ from those of the built-in protocols. */
  readonly name: string;
  /**
   * The framing of events: one per line with `lines` (the default), or server-sent events with
   * `sse`.
   */
  readonly framing?: Framing | undefined;
  /**
   * The content type of a response; by default that of newline-delimited JSON or of an event
   * stream.
   */
  readonly contentType?: string | undefined;
  /**
   * Returns whether the first event of a stream belongs to this protocol. Called by
   * {@link detectProtocol}.
   */
  readonly detect?: ((event: string) => boolean) | undefined;
  /** Creates the state of a stream, which `decode` or `encode` receives. */
  readonly state?: (() => State) | undefined;
  /** Decodes an event of the protocol to steps. */
  readonly decode?: ((event: string, hub: StepSink, state: State) => void) | undefined;
  /**
   * Encodes a step of a run as events of the protocol, each a string. With the framing `lines`,
   * `respond` throws an `AgentwireError` with code `line-break` for an event that contains a line
   * break.
   */
  readonly encode?:
    | ((step: ProtocolStep, emit: (event: string) => void, state: State) => void)
    | undefined;
}

/**
 * Defines a custom protocol by two functions.
 *
 * ```js
 * const chat = defineProtocol({
 *   name: "chat-lines",
 *   detect: (line) => line.startsWith('{"say"'),
 *   decode(line, steps) {
 *     const { say, bye } = JSON.parse(line);
 *     if (say !== undefined) steps.text(say);
 *     if (bye) steps.end();
 *   },
 *   encode(step, emit) {
 *     if (step.type === "text") emit(JSON.stringify({ say: step.piece }));
 *     if (step.type === "end") emit(JSON.stringify({ bye: true }));
 *   },
 * });
 * const run = read(response.body, { protocol: chat });
 * body.pipeThrough(convert({ from: chat, to }));
 * respond(request, { protocol: chat }, agent);
 * ```
 *
 * A custom protocol is read in the shape of the first of the protocols: the snapshot is an
 * `AgentResponse`. If `decode` or `encode` throws, the call that received the bytes throws an
 * `AgentwireError` with code `protocol-threw` and the error as its `cause`. That event or step is
 * skipped; a `Decoder` or `Converter` accepts further input. A function that returns a promise is
 * rejected with code `protocol-async`.
 *
 * @throws AgentwireError `wrong-option` if the name is missing or that of a built-in protocol
 */
export function defineProtocol<State = undefined>(
  definition: ProtocolDefinition<State>,
): CustomProtocol {
  const { name, framing = "lines", contentType = CONTENT_TYPES[framing] } = definition;
  if (
    typeof name !== "string" ||
    name === "" ||
    name === "auto" ||
    (PROTOCOLS as readonly string[]).includes(name)
  ) {
    throw new AgentwireError(
      "wrong-option",
      `\`name\` must differ from ${["auto", ...PROTOCOLS].join(", ")}`,
    );
  }
  must(contentType !== undefined, "wrong-option", "`framing` is lines or sse");
  const missing = (what: string): AgentwireError =>
    new AgentwireError(
      "protocol-not-converted",
      `the protocol ${name} has no \`${what}\`: give one to defineProtocol()`,
    );
  const calling = <R>(what: string, work: () => R): R => {
    try {
      return requireSync(what, name, work());
    } catch (cause) {
      // An error such as `line-break` is specific already.
      throw isA(cause, AgentwireError)
        ? cause
        : new AgentwireError("protocol-threw", `\`${what}\` of the protocol ${name} threw`, {
            cause,
          });
    }
  };
  const fresh = (): State => calling("state", () => definition.state?.() as State);
  const protocol: CustomProtocol = {
    name,
    framing,
    contentType,
    detect: (event) => calling("detect", () => definition.detect?.(event) ?? false),
    open: (options) => inputConverter(protocol, options),
    source(losses) {
      const { decode } = definition;
      if (decode === undefined) {
        throw missing("decode");
      }
      const [state, hub, framer] = [fresh(), new StepSink(losses), new Framer(framing)];
      const decoded = (events: readonly string[]): string => {
        each(events, (event) => {
          calling("decode", () => decode(event, hub, state));
          hub.next();
        });
        return hub.taken();
      };
      return {
        from: name,
        push: (bytes) => decoded(framer.push(bytes)),
        finish: () => decoded(framer.finish()),
        free: () => framer.free(),
      };
    },
    target() {
      const { encode } = definition;
      if (encode === undefined) {
        throw missing("encode");
      }
      const state = fresh();
      let out = "";
      const emit = (event: string): void => void (out += withFraming(event, framing));
      return {
        write(lines) {
          const steps = lines.split("\n").filter((line) => line !== "");
          each(steps, (line) =>
            calling("encode", () => encode(fromCoreStep(parseJson(line) as object), emit, state)),
          );
          const written = out;
          out = "";
          return written;
        },
      };
    },
  };
  return protocol;
}

/**
 * Returns the result of a function. A promise is rejected: it would not be awaited, and its
 * rejection would end the process.
 */
function requireSync<R>(what: string, name: string, returned: R): R {
  if (
    typeof returned !== "object" ||
    returned === null ||
    !("then" in returned) ||
    typeof returned.then !== "function"
  ) {
    return returned;
  }
  Promise.resolve(returned).catch(() => {});
  const instead = "it must be synchronous";
  throw new AgentwireError(
    "protocol-async",
    `\`${what}\` of the protocol ${name} returned a promise: ${instead}`,
  );
}

/**
 * Processes every item, including those after one that throws, and then throws the first error.
 * Only the failed item is lost: the output of the others is kept for the next call.
 */
function each<T>(items: readonly T[], take: (item: T) => void): void {
  let failure: { readonly error: unknown } | undefined;
  for (const item of items) {
    try {
      take(item);
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure !== undefined) {
    throw failure.error;
  }
}

const CONTENT_TYPES: Readonly<Record<Framing, string>> = {
  lines: "application/x-ndjson; charset=utf-8",
  sse: "text/event-stream; charset=utf-8",
};

/**
 * Returns a conversion, by default to the first of the protocols, whose output a reader can read.
 */
export function inputConverter(
  from: AnyProtocol,
  options: DecoderOptions<never>,
  to: WritableProtocol = PROTOCOLS[0],
): InputConverter & { readonly converter: Converter } {
  // With `protocol`, the converter would use the framing of a custom protocol.
  const { protocol: _, ...rest } = options;
  const converter = new Converter({ ...rest, from, to });
  return {
    converter,
    push: (bytes) => converter.push(bytes),
    finish: (aborted) => (aborted ? converter.abort() : converter.finish()),
    free: () => converter.free(),
  };
}
