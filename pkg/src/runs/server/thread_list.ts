// The list of a user's threads, for user interfaces: titles, the archive, search. It is part of the
// user's list in the store, with two entries for each thread: its description, and the time of its
// last message.

import type { RunThread, RunThreadPage } from "../client.js";
import type { UserStore } from "./store.js";

/** The maximum number of characters of a title. */
export const TITLE = 200;
/** The maximum number of threads in a page. */
const MOST = 100;

/** The lists of users, in this process or in others. */
export interface UserLists {
  /** Returns the entries of a user's list; undefined if the store has none. */
  tasks(user: string): Promise<readonly (readonly [key: string, entry: string])[] | undefined>;
  setTask(user: string, key: string, entry: string | null): Promise<void>;
}

/** What a user can change of a thread. */
export interface ThreadDescription {
  readonly title: string;
  readonly archived: boolean;
}

const UNTITLED = '{"title":"","archived":false}';

const described = (threadId: string): string => `thread ${threadId}`;
const used = (threadId: string): string => `used ${threadId}`;

/** Adds a new thread to the list of its user, with the beginning of its first message as title. */
export async function addThread(
  users: UserStore,
  user: string,
  threadId: string,
  firstText: string,
): Promise<void> {
  const title = firstText.trim().replace(/\s+/g, " ").slice(0, TITLE);
  await users.setTask?.(user, described(threadId), JSON.stringify({ title, archived: false }));
}

/** Makes a thread the one that was used last. */
export async function useThread(
  users: UserStore,
  user: string,
  threadId: string,
  at: number,
): Promise<void> {
  await users.setTask?.(user, used(threadId), JSON.stringify({ usedAt: at }));
}

/** Removes a thread from the list of its user. */
export async function removeThread(
  users: UserStore,
  user: string,
  threadId: string,
): Promise<void> {
  await users.setTask?.(user, described(threadId), null);
  await users.setTask?.(user, used(threadId), null);
}

/** Changes the description of a thread; returns undefined if the user has no such thread. */
export async function changeThread(
  lists: UserLists,
  user: string,
  threadId: string,
  change: Partial<ThreadDescription>,
): Promise<RunThread | undefined> {
  const known = (await listed(lists, user))?.find((thread) => thread.threadId === threadId);
  if (known === undefined) {
    return undefined;
  }
  const { title, archived } = { ...known, ...change };
  await lists.setTask(user, described(threadId), JSON.stringify({ title, archived }));
  return { ...known, title, archived };
}

/**
 * Returns a page of a user's threads, the last used first: those in the archive or the others, whose titles have a text;
 * undefined if the store has no lists.
 */
export async function pageOfThreads(
  lists: UserLists,
  user: string,
  { search = "", archived = false, after = "", limit = 20 },
): Promise<RunThreadPage | undefined> {
  const all = await listed(lists, user);
  if (all === undefined) {
    return undefined;
  }
  const text = search.toLowerCase();
  const found = all.filter(
    (thread) => thread.archived === archived && thread.title.toLowerCase().includes(text),
  );
  const rest = after === "" ? found : found.filter((thread) => placeOf(thread) < after);
  const page = rest.slice(0, Math.min(limit, MOST));
  return { threads: page, next: rest.length > page.length ? placeOf(page.at(-1)!) : null };
}

/** Returns the place of a thread in the list, which is in the descending order of these texts. */
function placeOf({ updatedAt, threadId }: RunThread): string {
  return `${updatedAt} ${threadId}`;
}

async function listed(lists: UserLists, user: string): Promise<RunThread[] | undefined> {
  const entries = await lists.tasks(user);
  if (entries === undefined) {
    return undefined;
  }
  const all = new Map(entries);
  return entries
    .flatMap(([key, entry]): RunThread[] => {
      const threadId = /^used (.*)$/.exec(key)?.[1];
      if (threadId === undefined) {
        return [];
      }
      const { usedAt } = JSON.parse(entry) as { readonly usedAt: number };
      // A thread of an earlier version has no description.
      const description = JSON.parse(all.get(described(threadId)) ?? UNTITLED) as ThreadDescription;
      return [{ threadId, ...description, updatedAt: new Date(usedAt).toISOString() }];
    })
    .sort((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1));
}
