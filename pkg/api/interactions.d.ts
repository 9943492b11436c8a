/// <reference lib="esnext.disposable" />
/* tslint:disable */
/* eslint-disable */

/**
 * The input chunk and the output patch of a push.
 */
export class Exchange {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Returns the address of the header, which does not change. The header has the address and
     * length of the ops; the address and length of the text, in bytes of ASCII or with [`WIDE`] in
     * units of UTF-16; the address of the long texts, the total number of violations, whether the
     * answer can still change (0) or not (1), the number of the protocol, and the number of input
     * bytes that were read. After a call that makes a report it also has the reason of the end,
     * the number of words after the ops that are findings, and the numbers of events, comments and
     * bytes, low half first. The last word is the version of the contract ([`CONTRACT`]).
     */
    header(): number;
    /**
     * Returns the address at which JavaScript writes the next chunk. It does not change.
     */
    input(): number;
    /**
     * Reserves memory for chunks of up to `length` bytes.
     */
    constructor(length: number);
}

/**
 * Reads the events of a stream.
 */
export class RawEventReader {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Writes the events that the end of the stream completes, in the same form.
     */
    finish(exchange: Exchange): void;
    /**
     * Starts reading. The arguments are those of a reader of answers.
     */
    constructor(protocol: number, settings: string);
    /**
     * Writes as a text the events that the first bytes of the input complete: a JSON array of
     * arrays, each with an offset and a text. An event also has its end, number, name and id, and
     * for an error the code, path, offset and expected value; an omitted event has an end of 0 and
     * the limit; a comment has no further elements.
     */
    push(exchange: Exchange, length: number): void;
}

/**
 * Reads a stream. JavaScript applies the patch of each push; the answer is not stored here.
 */
export class RawReader {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Ends the stream. Writes the report after the last patch. No other method may be called after
     * this one.
     */
    finish(exchange: Exchange, aborted: boolean): void;
    /**
     * Starts reading. `protocol` is the number of a protocol; an unknown number detects the
     * protocol from the first event. `seed` is a secret random number. Writes a first patch, or
     * the reason why the options are not taken.
     */
    constructor(protocol: number, settings: string, seed: bigint, exchange: Exchange);
    /**
     * Reads the bytes of the input between two positions. It stops early if the patch becomes
     * large: the header contains the number of bytes that were read.
     */
    push(exchange: Exchange, from: number, to: number): void;
    /**
     * Starts reading another stream, as `new` does.
     */
    restart(protocol: number, settings: string, seed: bigint, exchange: Exchange): void;
    /**
     * Writes the numbers of the report so far to the header, and by `what`: 0, the other parts of
     * the report, instead of a patch; 1, the same with only the violations between two totals; 2,
     * as a text, the value of `Last-Event-ID` for a reconnection.
     */
    writeReport(exchange: Exchange, what: number, from: number, to: number): void;
}

/**
 * The version of the crate that the module was built from.
 */
export function version(exchange: Exchange): void;

/**
 * Makes everything that is declared here for one instance of the module. Two calls share nothing. The file exports only this
 * function: the declarations are for their types.
 */
export function bind(): typeof import("./interactions.js") & object;
