// Storing a conversation, and loading it when the page is reloaded.

import { must } from "../core/errors.js";
import { parseJson, stringifyJson } from "../core/json.js";
import { knownOptions } from "../core/arguments.js";
import type { AnyProtocol } from "../core/outcome.js";
import { type StoredShape, fits } from "./fits.js";
import type { StoredTurn } from "./state.js";

/** A conversation as plain data, for `structuredClone`, IndexedDB and the package's `stringifyJson`. */
export interface StoredConversation<P extends AnyProtocol, M> {
  /** The id of the conversation. */
  readonly id: string;
  readonly turns: readonly (StoredTurn<P, M> & {
    /** The number of leading messages that this thread shares with that of the turn before; they are stored once. */
    readonly repeated?: number;
  })[];
}

/** A storage for texts: `localStorage`, `sessionStorage` or a similar object. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

/** Where a conversation is stored: in a storage of the page, or by custom functions. */
export type Persist<P extends AnyProtocol, M> = (
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
      /** Loads the conversation. Called once, when the conversation is created. */
      load(): StoredConversation<P, M> | null | undefined | PromiseLike<StoredConversation<P, M> | null | undefined>;
      /**
       * Stores the conversation. Called when a turn starts and when it ends, and without turns by `clear`. Calls do not
       * overlap.
       */
      save(conversation: StoredConversation<P, M>): unknown;
    }
) & {
  /**
   * Called with an error of storing or loading: the storage is full, or contains something else than a conversation with
   * this agent; the conversation is then empty. By default the error is logged. What it throws is logged, too.
   */
  onError?(error: unknown): void;
};

/** Loads and stores one conversation. */
export class Persistence<P extends AnyProtocol, M> {
  readonly #persist: Persist<P, M>;
  #saving: Promise<unknown> = Promise.resolve();
  /** The JSON of messages, which is created once per message. */
  readonly #texts = new WeakMap<object, string>();

  constructor(persist: Persist<P, M>) {
    knownOptions("the option `persist`", persist, ["key", "storage", "load", "save", "onError"]);
    const { key, load, save } = persist;
    must(typeof key === "string" || (typeof load === "function" && typeof save === "function"), "wrong-option", "option `persist` has `key`, or the functions `load` and `save`");
    this.#persist = persist;
  }

  /**
   * Returns the stored conversation with its turns as `restore` returns them, synchronously if the storage allows it. Never
   * throws or rejects: `onError` receives the error, also that of a value which is not a conversation with such turns.
   */
  load<T>(fitsAgent: (turn: unknown) => boolean, restore: RestoreTurn<P, M, T>): Restored<T> | undefined | Promise<Restored<T> | undefined> {
    const persist = this.#persist;
    const unpack = (stored: unknown): Restored<T> | undefined => (stored == null ? undefined : unpacked(stored, fitsAgent, restore));
    try {
      if (persist.load === undefined) {
        const text = this.#storage()?.getItem(persist.key);
        return unpack(text == null ? undefined : parseJson(text));
      }
      const loaded: unknown = persist.load();
      if (typeof (loaded as PromiseLike<unknown> | null | undefined)?.then !== "function") {
        return unpack(loaded);
      }
      return Promise.resolve(loaded).then(unpack).catch((error: unknown) => void this.#failed(error));
    } catch (error) {
      return void this.#failed(error);
    }
  }

  save(id: string, turns: readonly StoredTurn<P, M>[]): void {
    const persist = this.#persist;
    try {
      const conversation = { id, turns: this.#packed(turns) };
      if (persist.save !== undefined) {
        this.#saving = this.#saving.then(() => persist.save(conversation)).catch((error: unknown) => this.#failed(error));
      } else if (turns.length === 0) {
        this.#storage()?.removeItem(persist.key);
      } else {
        this.#storage()?.setItem(persist.key, stringifyJson(conversation));
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  #storage(): TextStorage | undefined {
    return this.#persist.storage ?? (typeof document === "undefined" ? undefined : globalThis.localStorage);
  }

  #failed(error: unknown): void {
    const { onError } = this.#persist;
    try {
      onError === undefined ? console.error(FAILED, error) : onError(error);
    } catch (thrown) {
      console.error(FAILED, error, thrown);
    }
  }

  /**
   * Returns the turns without the messages that the turn before contains. Otherwise the size would grow quadratically
   * with the turns.
   */
  #packed(turns: readonly StoredTurn<P, M>[]): StoredConversation<P, M>["turns"] {
    return turns.map(({ message, answers, snapshot, status, cut }, at) => {
      const [own, before] = [messagesOf(snapshot), messagesOf(turns[at - 1]?.snapshot)];
      const differs = own.findIndex((message, at) => before[at] === undefined || this.#text(message) !== this.#text(before[at]));
      const repeated = differs < 0 ? own.length : differs;
      const turn = { message, answers, snapshot, status, ...(cut && { cut }) };
      return repeated === 0 ? turn : { ...turn, snapshot: { ...(snapshot as object), messages: own.slice(repeated) } as unknown as typeof snapshot, repeated };
    });
  }

  #text(message: object): string {
    let text = this.#texts.get(message);
    if (text === undefined) {
      text = stringifyJson(message);
      this.#texts.set(message, text);
    }
    return text;
  }
}

const FAILED = "a conversation was not stored or loaded:";

/** A conversation whose turns contain all messages, as the store keeps them. */
interface Restored<T> {
  readonly id: string;
  readonly turns: readonly T[];
}

type RestoreTurn<P extends AnyProtocol, M, T> = (turn: StoredTurn<P, M>, at: number) => T;

/** A stored conversation, without its turns. */
const CONVERSATION: StoredShape = { id: (id) => typeof id === "string" && id !== "", turns: ["object"] };

/** Returns the conversation in a storage. Throws if the value is not one, or if a turn does not fit the agent. */
function unpacked<P extends AnyProtocol, M, T>(stored: unknown, fitsAgent: (turn: unknown) => boolean, restore: RestoreTurn<P, M, T>): Restored<T> {
  must(fits(stored, CONVERSATION), "wrong-argument", "the stored value is not a conversation");
  const { id, turns } = stored as StoredConversation<P, M>;
  let before: readonly object[] = [];
  const unpack = ({ repeated = 0, ...turn }: StoredConversation<P, M>["turns"][number], at: number): T => {
    must(Number.isInteger(repeated) && repeated >= 0 && repeated <= before.length, "wrong-argument", `turn ${at + 1} of the stored conversation repeats messages that it does not have`);
    const snapshot = repeated === 0 ? turn.snapshot : { ...(turn.snapshot as object), messages: [...before.slice(0, repeated), ...messagesOf(turn.snapshot)] };
    before = messagesOf(snapshot);
    const whole = { ...turn, snapshot } as StoredTurn<P, M>;
    must(fitsAgent(whole), "wrong-argument", `turn ${at + 1} of the stored conversation does not fit the agent`);
    return restore(whole, at);
  };
  return { id, turns: turns.map(unpack) };
}

/** Returns the messages of a thread (AG-UI); an empty list in other protocols. */
function messagesOf(snapshot: unknown): readonly object[] {
  const { messages } = Object(snapshot) as { readonly messages?: unknown };
  return Array.isArray(messages) ? (messages as readonly object[]) : [];
}
