// The source of a recording, if a permalink or an export can repeat it.

/** A request that can be sent again. */
export interface RequestSource {
  readonly kind: "request";
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Milliseconds from the request to the first and the last byte, of an archive. */
  readonly timing?: { readonly firstByte: number; readonly total: number } | undefined;
}

/** A sample of the playground, by the name of its file. */
export interface SampleSource {
  readonly kind: "sample";
  readonly file: string;
}

/** A file, or text that was pasted. */
export interface FileSource {
  readonly kind: "file";
  readonly name: string;
}

export type Source = RequestSource | SampleSource | FileSource;
