// Storing a chat, and loading it when the page is reloaded.

import type { Json } from "../agentwire.js";
import { knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";
import { parseJson, stringifyJson } from "../core/json.js";
import type { Snapshots, Protocol } from "../core/outcome.js";
import type { Exchange } from "./exchange.js";
import { MESSAGES, type StoredShape, fits, isExchange } from "./fits.js";
import type { Message } from "./message.js";

/**
 * A stored conversation: plain data, for `structuredClone`, IndexedDB and the package's
 * `stringifyJson`.
 */
export interface StoredChat<P extends Protocol = Protocol> {
  /** The version of this format. */
  readonly version: 1;
  readonly protocol: P;
  /** The id of the conversation. */
  readonly id: string;
  /** The messages before the first exchange: the option `messages`. */
  readonly messages?: readonly Message[] | undefined;
  /** The messages and snapshots, in a form that may change with the version. */
  readonly exchanges: readonly StoredExchange<P>[];
}

/** An exchange of a stored conversation. */
export interface StoredExchange<P extends Protocol = Protocol>
  extends Exchange<Snapshots[P]["answer"]> {}

/** A storage for texts: `localStorage`, `sessionStorage` or a similar object. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

/** Where a conversation is stored: in a storage of the page, or by custom functions. */
export type Persist<P extends Protocol = Protocol> = (
  | {
      readonly key: string;
      /** The storage; `localStorage` by default. Outside of pages nothing is stored. */
      readonly storage?: TextStorage | undefined;
      readonly load?: undefined;
      readonly save?: undefined;
    }
  | {
      readonly key?: undefined;
      readonly storage?: undefined;
      /** Loads the conversation. Called once, when the chat is created. */
      load(): StoredChat<P> | Json | undefined | PromiseLike<StoredChat<P> | Json | undefined>;
      /**
       * Stores the conversation, which has no exchanges after `clear`. Called when a run starts and
       * ends, while an answer arrives, and when the page is left. Calls do not overlap: the latest
       * conversation is stored when the call before has ended.
       */
      save(conversation: StoredChat<P>): unknown;
    }
) & {
  /**
   * Called with an error of storing or loading: the storage is full, or contains something else
   * than a conversation in this protocol; the chat is then empty. By default the error is logged.
   * What it throws is logged, too.
   */
  onError?(error: unknown): void;
};

/** A conversation as a chat keeps it. */
export interface Restored<S> {
  readonly id: string;
  readonly history: readonly Message[];
  readonly exchanges: readonly Exchange<S>[];
}

/** Loads and stores one conversation. */
export class Persistence<
  P extends Protocol,
  S extends Snapshots[P]["answer"] = Snapshots[P]["answer"],
> {
  readonly #persist: Persist<P>;
  readonly #protocol: P;
  readonly #snapshot: StoredShape;
  readonly #show: (exchanges: readonly Exchange<S>[]) => unknown;
  /** The conversation to store when the call of `save` in progress has ended. */
  #next: StoredChat<P> | undefined;
  #isSaving = false;
  /** The text under the key that this tab has stored or loaded last. */
  #text: string | null = null;
  /** The time at which a partial answer may be stored again. */
  #idleUntil = 0;

  /**
   * @param snapshot the shape of a stored snapshot
   * @param show shows stored exchanges; throws if a part that only the messages need has another
   * shape
   */
  constructor(
    persist: Persist<P>,
    protocol: P,
    snapshot: StoredShape,
    show: (exchanges: readonly Exchange<S>[]) => unknown,
  ) {
    knownOptions("the option `persist`", persist, ["key", "storage", "load", "save", "onError"]);
    const { key, load, save } = persist;
    must(
      typeof key === "string" || (typeof load === "function" && typeof save === "function"),
      "wrong-option",
      "option `persist` has `key`, or the functions `load` and `save`",
    );
    this.#persist = persist;
    this.#protocol = protocol;
    this.#snapshot = snapshot;
    this.#show = show;
  }

  /**
   * Returns the stored conversation, synchronously if the storage allows it. Never throws or
   * rejects: `onError` receives the error, also that of a value which is not a conversation in this
   * protocol.
   */
  load(): Restored<S> | undefined | Promise<Restored<S> | undefined> {
    const persist = this.#persist;
    try {
      if (persist.load === undefined) {
        this.#text = this.#storage()?.getItem(persist.key) ?? null;
        return this.#text === null ? undefined : this.#checked(parseJson(this.#text));
      }
      const loaded: unknown = persist.load();
      if (typeof (loaded as PromiseLike<unknown> | null | undefined)?.then !== "function") {
        return this.#checked(loaded);
      }
      return Promise.resolve(loaded)
        .then((stored) => this.#checked(stored))
        .catch((error: unknown) => void this.#failed(error));
    } catch (error) {
      return void this.#failed(error);
    }
  }

  /** The key, if other tabs can store under it. */
  get lockKey(): string | undefined {
    const { key, storage } = this.#persist;
    const isShared =
      storage === undefined ||
      (typeof document !== "undefined" && (storage as unknown) === globalThis.localStorage);
    return isShared ? key : undefined;
  }

  /**
   * Keeps the messages that are not stored, because another tab runs the chat, for this tab: while
   * it is reloaded, or shows another page. Nothing is kept where tabs share no storage.
   */
  scheduleSave(conversation: Restored<S>): void {
    const stored = this.lockKey === undefined ? undefined : this.load();
    const known = new Set(
      stored === undefined || stored instanceof Promise ? [] : stored.exchanges.map(({ id }) => id),
    );
    const exchanges = conversation.exchanges.filter(
      ({ id, status }) => status === "queued" && !known.has(id),
    );
    if (this.lockKey === undefined || exchanges.length === 0) {
      return;
    }
    try {
      globalThis.sessionStorage.setItem(
        keptUnder(this.lockKey),
        stringifyJson({ version: 1, protocol: this.#protocol, id: conversation.id, exchanges }),
      );
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Returns the messages that this tab has kept, once. */
  kept(): readonly Exchange<S>[] {
    const { lockKey } = this;
    if (
      lockKey === undefined ||
      typeof document === "undefined" ||
      globalThis.sessionStorage === undefined
    ) {
      return [];
    }
    try {
      const text = globalThis.sessionStorage.getItem(keptUnder(lockKey));
      globalThis.sessionStorage.removeItem(keptUnder(lockKey));
      return (text !== null && this.#checked(parseJson(text))?.exchanges) || [];
    } catch (error) {
      this.#failed(error);
      return [];
    }
  }

  /** Returns the conversation under the key, if another tab has stored it. */
  newer(): Restored<S> | undefined {
    const before = this.#text;
    const stored = this.load();
    return this.#text === before || stored instanceof Promise ? undefined : stored;
  }

  /** Returns the conversation that another tab has stored under the key. */
  parse(text: string): Restored<S> | undefined {
    try {
      this.#text = text;
      return this.#checked(parseJson(text));
    } catch (error) {
      return void this.#failed(error);
    }
  }

  /** Whether an event of the storage is about this conversation. */
  isOwn({
    key,
    storageArea,
  }: {
    readonly key: string | null;
    readonly storageArea: object | null;
  }): boolean {
    const { storage } = this.#persist;
    return (
      this.#persist.key !== undefined &&
      key === this.#persist.key &&
      (storageArea as unknown) === (storage ?? globalThis.localStorage)
    );
  }

  save({ id, history, exchanges }: Restored<S>): void {
    const persist = this.#persist;
    this.#idleUntil = 0;
    const messages = history.length > 0 && { messages: history };
    const conversation = {
      version: 1,
      protocol: this.#protocol,
      id,
      ...messages,
      exchanges: exchanges.map(withoutCause),
    } as StoredChat<P>;
    if (persist.save !== undefined) {
      this.#next = conversation;
      if (!this.#isSaving) {
        void this.#saveNext(persist.save.bind(persist));
      }
      return;
    }
    try {
      const storage = this.#storage();
      this.#text = exchanges.length === 0 ? null : stringifyJson(conversation);
      if (this.#text === null) {
        storage?.removeItem(persist.key);
      } else {
        storage?.setItem(persist.key, this.#text);
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Stores a partial answer: at most once per second, and for at most a twentieth of the time. */
  savePartial(restored: Restored<S>): void {
    const begun = Date.now();
    if (begun >= this.#idleUntil) {
      this.save(restored);
      this.#idleUntil = Date.now() + Math.max(1000, (Date.now() - begun) * 20);
    }
  }

  async #saveNext(save: (conversation: StoredChat<P>) => unknown): Promise<void> {
    this.#isSaving = true;
    for (let next; (next = this.#next) !== undefined; ) {
      this.#next = undefined;
      try {
        await save(next);
      } catch (error) {
        this.#failed(error);
      }
    }
    this.#isSaving = false;
  }

  /** Returns the conversation in a stored value; undefined without one. */
  #checked(stored: unknown): Restored<S> | undefined {
    if (stored == null) {
      return undefined;
    }
    must(fits(stored, CONVERSATION), "wrong-argument", "the stored value is not a conversation");
    const { version, protocol, id, messages, exchanges } = stored as StoredChat<P>;
    must(version === 1, "wrong-argument", "the stored conversation has another version");
    must(
      protocol === this.#protocol,
      "wrong-argument",
      `the stored conversation is one of ${protocol}, not of ${this.#protocol}`,
    );
    for (const [at, exchange] of exchanges.entries()) {
      must(
        isExchange(exchange, this.#snapshot),
        "wrong-argument",
        `exchange ${at + 1} of the stored conversation does not fit the protocol`,
      );
    }
    const read = exchanges.map((exchange) => withoutNulls(exchange) as Exchange<S>);
    must(
      this.#isShowable(read),
      "wrong-argument",
      "the stored conversation does not fit the protocol",
    );
    return { id, history: messages ?? [], exchanges: read };
  }

  #isShowable(exchanges: readonly Exchange<S>[]): boolean {
    try {
      this.#show(exchanges);
      return true;
    } catch {
      return false;
    }
  }

  #storage(): TextStorage | undefined {
    return (
      this.#persist.storage ??
      (typeof document === "undefined" ? undefined : globalThis.localStorage)
    );
  }

  #failed(error: unknown): void {
    const { onError } = this.#persist;
    try {
      if (onError === undefined) {
        console.error(STORAGE_WARNING, error);
      } else {
        onError(error);
      }
    } catch (thrown) {
      console.error(STORAGE_WARNING, error, thrown);
    }
  }
}

const keptUnder = (key: string): string => `agentwire chat ${key}`;

const STORAGE_WARNING = "a conversation was not stored or loaded:";

const CONVERSATION: StoredShape = {
  version: (version) => typeof version === "number",
  protocol: "text",
  id: (id) => typeof id === "string" && id !== "",
  "messages?": MESSAGES,
  exchanges: ["object"],
};

/** Returns an exchange without the thrown value of its error, which is not plain data. */
function withoutCause<S>(exchange: Exchange<S>): Exchange<S> {
  const { error } = exchange;
  if (error?.cause === undefined) {
    return exchange;
  }
  const { cause: _, ...rest } = error;
  return { ...exchange, error: rest };
}

/**
 * Returns an exchange without null in place of an absent property: databases store both as null.
 */
function withoutNulls<E extends object>(exchange: E): E {
  return Object.fromEntries(Object.entries(exchange).filter(([, value]) => value !== null)) as E;
}
