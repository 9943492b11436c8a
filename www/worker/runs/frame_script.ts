// An answer whose log has the frames of any protocol, as they are sent, and the form in which they are read.

import { Converter, Decoder, type Json, type WritableProtocol, stringifyJson } from "agentwire";
import { runErrorEvent, type RunFailure, type RunForm, type RunLogEntry, type RunScript } from "agentwire/runs/server";

/** The kind of the entry after the last frame. This entry is not sent. */
const END = "end";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Frames, and one entry after them. */
export class FrameScript implements RunScript {
  /** All frames: the end of an answer that was cut off depends on them. */
  #frames: string[] = [];
  isOver = false;

  /** @param said the frames of the log */
  constructor(frames: readonly string[] = []) {
    this.#frames = [...frames];
  }

  append(data: string): string {
    this.isOver = data === "";
    this.#frames.push(data);
    return this.isOver ? END : "frame";
  }

  ending(failure: RunFailure | undefined, hasEnded: boolean): readonly string[] {
    // An adapter that has ended has written the end of its protocol, also after a cancellation.
    return hasEnded || failure === undefined ? [""] : [...endFrames(this.#frames, failure), ""];
  }

  free(): void {
    this.#frames = [];
  }
}

/** Returns the frames that end an answer with these frames, valid in its protocol. */
function endFrames(frames: readonly string[], { code, message }: RunFailure): string[] {
  const bytes = encoder.encode(frames.join(""));
  const reader = new Decoder({ protocol: "auto" });
  reader.push(bytes);
  const { protocol, snapshot } = reader.finish();
  switch (protocol) {
    case "ag-ui":
      return [frame(runErrorEvent(code, message))];
    case "ag-kit":
      return [frame(JSON.stringify({ type: "error", error: message })), frame("[DONE]")];
    case "agent-api": {
      const { sequence_number: last = -1 } = JSON.parse((frames.at(-1) ?? "data: {}").slice("data:".length)) as { sequence_number?: number };
      const output = snapshot.output.map((item) => (item.status === "in_progress" ? { ...item, status: "incomplete" } : item));
      return [frame(JSON.stringify({ ...snapshot, sequence_number: last + 1, object: "response", status: "failed", error: { code, message }, output }))];
    }
    case "responses": {
      const output = snapshot.output?.map((item) => ("status" in item && item.status === "in_progress" ? { ...item, status: "incomplete" } : item));
      const response = { ...snapshot, status: "failed", error: { code, message }, output };
      const data = stringifyJson({ type: "response.failed", sequence_number: frames.length, response } as unknown as Json);
      return [`event: response.failed\n${frame(data)}`];
    }
    default: {
      // The worker writes the protocol that it has read here.
      const converter = new Converter({ from: protocol, to: protocol as WritableProtocol });
      converter.push(bytes);
      return framesOf(decoder.decode(converter.cutOff()));
    }
  }
}

const frame = (data: string): string => `data: ${data}\n\n`;

/** Splits a text into its whole frames, without comments. */
export function framesOf(text: string): string[] {
  return text.split(/(?<=\n\n)/).filter((one) => one.endsWith("\n\n") && !one.startsWith(":"));
}

/** Returns the form that sends frames unchanged, each with its cursor; without a `generation`, without cursors. */
export function frameForm(generation: string | undefined): RunForm {
  const frameOf = ({ number, data }: RunLogEntry): string => (generation === undefined ? data : `id: ${generation}-${number}\n${data}`);
  return {
    name: `frames ${generation ?? ""}`,
    write: (_, __, entries) => ({
      text: entries.filter(({ kind }) => kind !== END).map(frameOf).join(""),
      isOver: entries.some(({ kind }) => kind === END),
    }),
  };
}
