// The chat that `connect` returns, whose functions do not depend on `this`.

import { must } from "../core/errors.js";
import type { Snapshots, Protocol } from "../core/outcome.js";
import type { Chat } from "./chat.js";
import type { Dialect } from "./dialect.js";
import { LiveChat } from "./live_chat.js";
import { type AllOptions, type ChangeableOptions, checkOptions } from "./options.js";

/** Returns the chat of `connect`. */
export function createChat<P extends Protocol, O extends object>(
  dialect: Dialect<P, O>,
  url: string | URL,
  options: O,
): Chat<Snapshots[P]["answer"], ChangeableOptions<O>> {
  checkOptions(dialect, options);
  must(
    typeof url === "string" || url instanceof URL,
    "wrong-argument",
    "connect(): `url` is a string or a URL",
  );
  const live = new LiveChat(
    dialect as unknown as Dialect<P, AllOptions<P>>,
    url,
    options as AllOptions<P>,
  );
  return {
    subscribe: (listener) => live.published.subscribe(listener),
    getSnapshot: () => live.published.value,
    getServerSnapshot: () => live.first,
    send: (input, sendOptions) => live.send(input, sendOptions),
    answer: (id, value) => live.reply("answer", id, value, undefined),
    approve: (id, value = null) => live.reply("approve", id, value, true),
    decline: (id, value = null) => live.reply("decline", id, value, false),
    stop: () => live.stop(),
    retry: () => live.retry(),
    regenerate: (messageId) => live.regenerate(messageId),
    edit: (messageId, input) => live.edit(messageId, input),
    clear: () => live.clear(),
    set: (changes) => live.set(changes as Partial<AllOptions<P>>),
    finished: () => live.finished(),
    async [Symbol.asyncDispose]() {
      live.dispose();
    },
  };
}
