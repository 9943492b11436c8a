// Reads a form (multipart/form-data) with one file as it arrives: a file that is too large is refused as soon as the limit is
// exceeded, and pieces that were passed on are not kept.

import { RequestError } from "agentwire";
import { runsRefusal } from "agentwire/runs/server";
import { decodeField, make } from "multipasta";

/** The maximum number of bytes of a file. */
export const MOST = 10 * 1024 * 1024;
/** The maximum number of bytes of a form in addition to the file. */
const AROUND = 64 * 1024;

/** The codes of one kind of upload. */
export interface UploadCodes {
  readonly tooLarge: string;
  readonly empty: string;
  readonly unsupported: string;
}

/** A form without the bytes of its file. */
export interface Form {
  readonly fields: ReadonlyMap<string, string>;
  /** The type of the file according to the form. */
  readonly type: string;
  readonly size: number;
}

/**
 * Reads a form with a file of that name; passes the bytes of the file to `take`, and awaits it. Refuses a form without a length,
 * that is too large, has no such file or an empty one, or takes longer than `timeout` milliseconds.
 */
export async function readForm(
  request: Request,
  name: string,
  codes: UploadCodes,
  timeout: number,
  take: (bytes: Uint8Array) => void | Promise<void>,
): Promise<Form> {
  const length = request.headers.get("content-length");
  if (length === null || !/^\d+$/.test(length)) {
    throw runsRefusal("AGENT_LENGTH_REQUIRED", "an upload says its length");
  }
  const tooLarge = (): RequestError => runsRefusal(codes.tooLarge, `a file has at most ${MOST} bytes`);
  if (Number(length) > MOST + AROUND) {
    throw tooLarge();
  }
  const fields = new Map<string, string>();
  let pieces: Uint8Array[] = [];
  let [type, size, files] = ["", 0, 0];
  let wrong: RequestError | undefined;
  const noForm = (): RequestError => runsRefusal("AGENT_PAYLOAD_INVALID", "the body is no form (multipart/form-data)");
  const parser = make({
    headers: Object.fromEntries(request.headers),
    maxParts: 20,
    maxFieldSize: AROUND,
    onField: (part, value) => void fields.set(part.name, decodeField(part, value)),
    onFile(part) {
      files += part.name === name ? 1 : 0;
      type = part.name === name ? part.contentType : type;
      return (piece) => {
        if (part.name === name && files === 1 && piece !== null) {
          size += piece.length;
          // The parser reuses its memory.
          pieces.push(piece.slice());
        }
      };
    },
    onError: () => void (wrong ??= noForm()),
    onDone: () => {},
  });
  for await (const chunk of timed(request, timeout)) {
    parser.write(chunk);
    if (size > MOST) {
      throw tooLarge();
    }
    if (wrong !== undefined) {
      throw wrong;
    }
    const given = pieces;
    pieces = [];
    for (const piece of given) {
      await take(piece);
    }
  }
  parser.end();
  if (wrong !== undefined) {
    throw wrong;
  }
  if (files !== 1) {
    throw runsRefusal("AGENT_PAYLOAD_INVALID", `the form has one file \`${name}\``);
  }
  if (size === 0) {
    throw runsRefusal(codes.empty, "the file is empty");
  }
  return { fields, type, size };
}

/** Yields the chunks of a body; throws after `timeout` milliseconds. */
async function* timed({ body }: Request, timeout: number): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) {
    return;
  }
  const reader = body.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(runsRefusal("AGENT_BODY_TIMEOUT", `an upload arrives within ${timeout} milliseconds`)), timeout);
  });
  // Prevents an unhandled rejection after the end of the loop.
  late.catch(() => {});
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) {
        return;
      }
      yield value as Uint8Array;
    }
  } finally {
    clearTimeout(timer);
    reader.cancel("nobody reads on").catch(() => {});
  }
}
