// Protocols of your own.

import { AgentwireError, isA } from "../errors.js";
import { parseJson } from "../json.js";
import { PROTOCOLS } from "../generated.js";
import { Converter } from "./converter.js";
import { Framer, framed } from "./framing.js";
import { StepSink } from "./hub.js";
import { type ProtocolStep, fromCoreStep } from "./steps.js";
import type { CustomProtocol, Framing, Front, DecoderOptions } from "../read_options.js";

export type { CustomProtocol, Front, Source, Target } from "../read_options.js";

/** What a protocol of your own consists of. Everything but the name is optional; without `decode` it cannot be read. */
export interface ProtocolDefinition<State = undefined> {
  /** What it is called; no name of a built-in protocol. */
  readonly name: string;
  /** How events lie in the stream: `lines` (the default), or the data of server-sent events, `sse`. */
  readonly framing?: Framing | undefined;
  /** The content type of a response; by default that of newline-delimited JSON or of an event stream. */
  readonly contentType?: string | undefined;
  /** Whether the first event of a stream is one of this protocol's. Asked where `auto` is read with `protocols`. */
  readonly detect?: ((event: string) => boolean) | undefined;
  /** Makes what the two functions below may remember, for each stream anew. */
  readonly state?: (() => State) | undefined;
  /** Says what an event of the protocol means. */
  readonly decode?: ((event: string, hub: StepSink, state: State) => void) | undefined;
  /**
   * Writes a step of a run as events of the protocol, each a text. In `lines` an event is one line: one that has a line
   * break is refused, and `respond` throws an `AgentwireError` with code `line-break`.
   */
  readonly encode?: ((step: ProtocolStep, emit: (event: string) => void, state: State) => void) | undefined;
}

/**
 * Makes a protocol out of two functions.
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
 * A protocol of your own is read as what it means in the first of the protocols: the answer is an `AgentResponse`. What its functions throw
 * comes from whoever was given the bytes, as an `AgentwireError` with code `protocol-threw` whose `cause` it is. That event
 * or step is passed over; a `Decoder` or `Converter` can be given more. A function that returns a promise is refused with
 * code `protocol-async`.
 *
 * @throws AgentwireError `wrong-option` when the name is missing or a built-in protocol's
 */
export function defineProtocol<State = undefined>(definition: ProtocolDefinition<State>): CustomProtocol {
  const { name, framing = "lines", contentType = CONTENT_TYPES[framing] } = definition;
  if (typeof name !== "string" || name === "" || name === "auto" || (PROTOCOLS as readonly string[]).includes(name)) {
    throw new AgentwireError("wrong-option", `\`name\` is a name that no protocol has: not ${["auto", ...PROTOCOLS].join(", ")}`);
  }
  if (contentType === undefined) {
    throw new AgentwireError("wrong-option", "`framing` is lines or sse");
  }
  const missing = (what: string): AgentwireError =>
    new AgentwireError("protocol-not-converted", `the protocol ${name} has no \`${what}\`: give one to defineProtocol()`);
  const calling = <R>(what: string, work: () => R): R => {
    try {
      return atOnce(what, name, work());
    } catch (cause) {
      // Such as `line-break`, which says already what is wrong.
      throw isA(cause, AgentwireError) ? cause : new AgentwireError("protocol-threw", `\`${what}\` of the protocol ${name} threw`, { cause });
    }
  };
  const fresh = (): State => calling("state", () => definition.state?.() as State);
  const protocol: CustomProtocol = {
    name,
    framing,
    contentType,
    detect: (event) => calling("detect", () => definition.detect?.(event) ?? false),
    open: (options) => front(protocol, options),
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
      const emit = (event: string): void => void (out += framed(event, framing));
      return {
        write(lines) {
          const steps = lines.split("\n").filter((line) => line !== "");
          each(steps, (line) => calling("encode", () => encode(fromCoreStep(parseJson(line) as object), emit, state)));
          const written = out;
          out = "";
          return written;
        },
      };
    },
  };
  return protocol;
}

/** What a function has returned. A promise would be waited for by nobody, and what it rejects with would end the process. */
function atOnce<R>(what: string, name: string, returned: R): R {
  if (typeof returned !== "object" || returned === null || !("then" in returned) || typeof returned.then !== "function") {
    return returned;
  }
  Promise.resolve(returned).catch(() => {});
  const instead = "it has to do its work before it returns";
  throw new AgentwireError("protocol-async", `\`${what}\` of the protocol ${name} returned a promise: ${instead}`);
}

/**
 * Takes each item, also those after one that throws, and throws the first error in the end: nothing is lost but that item,
 * because what the others came to is kept until it is asked for again.
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

/** A conversion to the first of the protocols, that a reader can follow. */
export function front(protocol: CustomProtocol, options: DecoderOptions<never>): Front {
  const { protocol: _, ...rest } = options;
  const converter = new Converter({ ...rest, from: protocol, to: PROTOCOLS[0] });
  return {
    push: (bytes) => converter.push(bytes),
    finish: (aborted) => (aborted ? converter.abort() : converter.finish()),
    free: () => converter.free(),
  };
}
