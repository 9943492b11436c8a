// Builds an OpenAI Response from the frames of its stream.

import { Decoder, type Json, parseJson, stringifyJson } from "agentwire";

/** The start of an event's data in a frame. */
const DATA = "\ndata: ";

const encoder = new TextEncoder();

/** The frames of a run, which may continue. */
export interface Frames {
  readonly isOver: () => boolean | Promise<boolean>;
  readonly read: () => readonly string[] | Promise<readonly string[]>;
  /** Resolves when there are more. */
  readonly more: () => Promise<void>;
}

/**
 * Resolves to the Response object as JSON: the present one, or the last one with `atEnd`. The frames are read once then,
 * and not after each of them.
 */
export async function responseOf(frames: Frames, atEnd: boolean): Promise<string> {
  for (;;) {
    const json = !atEnd || (await frames.isOver()) ? responseIn(await frames.read()) : undefined;
    if (json !== undefined) {
      return json;
    }
    await frames.more();
  }
}

/** Returns the Response object after these frames, as JSON; undefined before the first. */
export function responseIn(frames: readonly string[]): string | undefined {
  const last = frames.at(-1);
  if (last === undefined) {
    return undefined;
  }
  const { response } = parseJson(last.slice(last.indexOf(DATA) + DATA.length)) as { readonly response?: Json };
  // Lifecycle events contain the whole object.
  if (response !== undefined) {
    return stringifyJson(response);
  }
  const reader = new Decoder({ protocol: "responses" });
  frames.forEach((frame) => reader.push(encoder.encode(frame)));
  return stringifyJson(reader.finish().snapshot as unknown as Json);
}
