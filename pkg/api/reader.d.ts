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
     * after a call that makes a report also how the stream ended, how many words after the ops are its findings, and the
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
 * A stream whose events are read.
 */
export class RawEventReader {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Leaves the same of what the end completes.
     */
    finish(exchange: Exchange): void;
    /**
     * Starts reading, told the same as a reader of answers.
     */
    constructor(protocol: number, settings: string);
    /**
     * Leaves as a text what the first bytes of the input complete, as a JSON array of arrays. All have an offset and a text. An
     * event has also its end, its number, its name and its id, and if something is wrong with it, code, path, offset and what was
     * expected; what was left out has an end of 0 and what was allowed, 0 for JSON lines; a comment has nothing more.
     */
    push(exchange: Exchange, length: number): void;
}

/**
 * A stream being read. JavaScript applies the patch of each push; nothing of the answer stays here.
 */
export class RawReader {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Ends the stream. What its report says is left after the last patch. It is not to be asked for anything after that.
     */
    finish(exchange: Exchange, aborted: boolean): void;
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
     * Starts reading another stream, as `new` does.
     */
    restart(protocol: number, settings: string, seed: bigint, exchange: Exchange): void;
    /**
     * Leaves the figures of the report so far in the header, and by `what`: 0, what the report has besides, in the place of a
     * patch; 1, the same with only the violations that were found between two moments, at which there were so many in all; 2, as
     * a text, what `Last-Event-ID` should say when reconnecting now.
     */
    tell(exchange: Exchange, what: number, from: number, to: number): void;
}

/**
 * Marks a module that reads binary streams.
 */
export function readsBinary(): void;

/**
 * The version of the crate that the module was built from.
 */
export function version(exchange: Exchange): void;

/**
 * Makes everything that is declared here for one instance of the module. Two calls share nothing. The file exports only this
 * function: the declarations are for their types.
 */
export function bind(): typeof import("./reader.js") & object;
