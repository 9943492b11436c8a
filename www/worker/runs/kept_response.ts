// A Response of OpenAI's out of the frames of its stream.

import { Decoder, type Json, parseJson, stringifyJson } from "agentwire";

/** Where its events are. */
const DATA = "\ndata: ";

const encoder = new TextEncoder();

/** The frames of a run, which may go on. */
export interface Frames {
  readonly isOver: () => boolean;
  readonly read: () => readonly string[];
  /** Resolves when there are more. */
  readonly more: () => Promise<void>;
}

/**
 * Resolves to the Response object as JSON: the present one, or the last one with `atEnd`. The frames are read once then,
 * and not after each of them.
 */
export async function responseOf(frames: Frames, atEnd: boolean): Promise<string> {
  for (;;) {
    const json = !atEnd || frames.isOver() ? responseIn(frames.read()) : undefined;
    if (json !== undefined) {
      return json;
    }
    await frames.more();
  }
}

/** The Response object as it stands after these frames, as JSON; undefined before the first. */
export function responseIn(frames: readonly string[]): string | undefined {
  const last = frames.at(-1);
  if (last === undefined) {
    return undefined;
  }
  const { response } = parseJson(last.slice(last.indexOf(DATA) + DATA.length)) as { readonly response?: Json };
  // Events of the run's life have the whole object.
  if (response !== undefined) {
    return stringifyJson(response);
  }
  const reader = new Decoder({ protocol: "responses" });
  frames.forEach((frame) => reader.push(encoder.encode(frame)));
  return stringifyJson(reader.finish().snapshot as unknown as Json);
}
