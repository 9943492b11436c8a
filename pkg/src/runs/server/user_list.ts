// The list of a user: the A2A tasks, and the running answers of chats.

import { hashOf } from "./signing.js";

/** The entry of an A2A task. */
export interface ListedTask {
  readonly contextId: string;
  readonly state: string;
  /** The time of its last change, in milliseconds since 1970. */
  readonly at: number;
}

/** The entry of a running answer of a chat. */
export interface ListedAnswer {
  /** The name of the chat: a hash. */
  readonly chat: string;
  /** The time of its request, in milliseconds since 1970. */
  readonly at: number;
}

/** An entry with the name of its thread. */
export type Listed<T> = T & { readonly thread: string };

/**
 * Returns the name of the list with a task. Without a user, the tasks of a context have a list, and
 * the id of the context is its credential.
 */
export async function listOfTask(user: string, contextId: string): Promise<string> {
  return user || hashOf(JSON.stringify(["tasks", contextId]));
}

/**
 * Returns the name of the list with the answers of a chat. Without a user, each chat has a list.
 */
export function listOfChat(user: string, chat: string): string {
  return user || chat;
}

type Entries = readonly (readonly [thread: string, entry: string])[];

/** Returns the tasks in a list, the last changed first. */
export function tasksIn(entries: Entries): Listed<ListedTask>[] {
  return parsed<ListedTask>(entries, ({ contextId }) => contextId !== undefined);
}

/** Returns the answers of a chat in a list, the latest first. */
export function answersIn(entries: Entries, chat: string): Listed<ListedAnswer>[] {
  return parsed<ListedAnswer>(entries, (entry) => entry.chat === chat);
}

function parsed<T extends ListedTask | ListedAnswer>(
  entries: Entries,
  isOne: (entry: Partial<ListedTask & ListedAnswer>) => boolean,
): Listed<T>[] {
  const all = entries.map(
    ([thread, entry]): Listed<T> => ({ thread, ...(JSON.parse(entry) as T) }),
  );
  return all.filter(isOne).sort(byChange);
}

/** Compares entries of a list: the last changed first. */
export function byChange(
  one: Listed<Pick<ListedTask, "at">>,
  other: Listed<Pick<ListedTask, "at">>,
): number {
  return other.at - one.at || (one.thread < other.thread ? -1 : 1);
}
