/// <reference lib="esnext.disposable" />
/* tslint:disable */
/* eslint-disable */

/**
 * A chunk on its way in, and the patch on its way out.
 */
export class Exchange {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Address of the header: address and length of the ops; address and length of the text, in bytes of ASCII or with
     * [`WIDE`] in units of UTF-16; address of the long texts, how many violations the reader has found in all, whether its answer can still change (0) or not (1),
     * the number of the protocol, and how many bytes of the input have been read;
     * after a call that makes a report also how the stream ended, whether there are findings (1) or not (0), and the
     * numbers of events, comments and bytes, low half first; and last what tells builds apart ([`CONTRACT`]). It stays.
     */
    header(): number;
    /**
     * Address of the bytes that JavaScript writes the next chunk to. It stays.
     */
    input(): number;
    /**
     * Room for chunks of up to `length` bytes.
     */
    constructor(length: number);
}

/**
 * The waits between the attempts of one request.
 */
export class RawBackoff {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Times are in milliseconds.
     */
    constructor(base_delay: number, max_delay: number, attempts: number, seed: bigint);
    /**
     * How long to wait after an attempt that brought nothing; nothing after the last.
     */
    next(retry_after: number): number | undefined;
}

/**
 * A stream whose events are read.
 */
export class RawEventReader {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * What the end completes.
     */
    finish(): string;
    /**
     * Starts reading, told the same as a reader of answers.
     */
    constructor(protocol: number, settings: string);
    /**
     * What the first bytes of the input complete: a JSON list of entries, whose `text` is the data or the comment.
     */
    push(exchange: Exchange, length: number): string;
}

/**
 * A run being followed.
 */
export class RawFollower {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The server has answered; `retry_after` is 0 where it does not ask to wait.
     */
    answered(status: number, body: string, retry_after: number): void;
    /**
     * The connection is over, or did not come about.
     */
    closed(): void;
    /**
     * What was read, in numbers, as JSON.
     */
    counts(): string;
    /**
     * What `Last-Event-ID` would say now.
     */
    cursor(): string | undefined;
    /**
     * Times are in milliseconds.
     */
    constructor(run_id: string, after: string | null | undefined, base_delay: number, max_delay: number, attempts: number, seed: bigint);
    /**
     * Reads the next bytes; gives those of the run's stream.
     */
    push(chunk: Uint8Array | number[]): Uint8Array;
    /**
     * What is to be done next, as JSON: `to` is `connect` (with `lastEventId`, if there is one, and `anew`), `read`, `wait`
     * (with `milliseconds`) or `stop` (with `why`).
     */
    step(): string;
    /**
     * The time to wait is over.
     */
    waited(): void;
}

/**
 * A stream being read. JavaScript applies the patch of each push; nothing of the answer stays here.
 */
export class RawReader {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * What the report so far has besides its figures, as JSON. The header says whether that is anything.
     */
    findings(): string;
    /**
     * Ends the stream.
     */
    finish(exchange: Exchange, aborted: boolean): void;
    /**
     * What `Last-Event-ID` should say when reconnecting now.
     */
    lastEventId(): string;
    /**
     * Starts reading; the protocol is a number, any unknown one for what the first event tells, `seed` a number that
     * nobody else knows. Leaves a first patch.
     */
    constructor(protocol: number, settings: string, seed: bigint, exchange: Exchange);
    /**
     * Reads the bytes of the input between two places, or the first of them, if what they say becomes much: the header
     * says up to where.
     */
    push(exchange: Exchange, from: number, to: number): void;
    /**
     * Leaves the figures of the report so far in the header.
     */
    summarise(exchange: Exchange): void;
    /**
     * The violations that were found between two moments, at which there were so many in all, as a JSON array.
     */
    violations(from: number, to: number): string;
}

/**
 * What a JSON text that is still being streamed says so far, as JSON; empty when nothing is certain yet.
 */
export function partialJson(text: string): string;

/**
 * The version of the crate that the module was built from.
 */
export function version(): string;

/**
 * Makes all that is declared here, for one instance of the module. No two calls share anything. It is the only thing that
 * the file exports: the declarations are for their types.
 */
export function bind(): typeof import("./runs.js") & WebAssembly.ModuleImports;
