// The list of a user's threads, for user interfaces: titles, the archive, search. It is part of the
// user's list in the store, with three entries for each thread: the beginning of its first message,
// the time of its last message, and what the user has changed.

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

/** The entries of a thread. Their names are in stores. */
const ENTRIES = ["begun", "used", "thread"] as const;
type EntryOf = Record<(typeof ENTRIES)[number], string | undefined>;

const keyOf = (entry: keyof EntryOf, threadId: string): string => `${entry} ${threadId}`;

/** Adds a new thread to the list of its user, with the beginning of its first message as title. */
export async function addThread(
  users: UserStore,
  user: string,
  threadId: string,
  firstText: string,
): Promise<void> {
  const title = firstText.trim().replace(/\s+/g, " ").slice(0, TITLE);
  // Half of a character is not part of a title.
  const whole = title.replace(/[\ud800-\udbff]$/, "");
  await users.setTask(user, keyOf("begun", threadId), JSON.stringify({ title: whole }));
}

/** Makes a thread the one that was used last. */
export async function useThread(
  users: UserStore,
  user: string,
  threadId: string,
  at: number,
): Promise<void> {
  await users.setTask(user, keyOf("used", threadId), JSON.stringify({ usedAt: at }));
}

/** Removes a thread from the list of its user. */
export async function removeThread(
  users: UserStore,
  user: string,
  threadId: string,
): Promise<void> {
  for (const entry of ENTRIES) {
    await users.setTask(user, keyOf(entry, threadId), null);
  }
}

/** Changes the description of a thread of the user, which may not be in the list yet. */
export async function changeThread(
  lists: UserLists,
  user: string,
  threadId: string,
  change: Partial<ThreadDescription>,
): Promise<RunThread> {
  const entries = entriesIn((await lists.tasks(user)) ?? []).get(threadId);
  const changed = { ...parsed<ThreadDescription>(entries?.thread), ...change };
  const thread = JSON.stringify(changed);
  await lists.setTask(user, keyOf("thread", threadId), thread);
  const used = entries?.used ?? JSON.stringify({ usedAt: Date.now() });
  return threadOf(threadId, { begun: entries?.begun, used, thread });
}

/**
 * Returns a page of a user's threads, the last used first: those in the archive or the others, whose
 * titles have a text; undefined if the store has no lists.
 */
export async function pageOfThreads(
  lists: UserLists,
  user: string,
  { search = "", archived = false, after = "", limit = 20 },
): Promise<RunThreadPage | undefined> {
  const entries = await lists.tasks(user);
  if (entries === undefined) {
    return undefined;
  }
  const text = search.toLowerCase();
  const found = [...entriesIn(entries)]
    .filter(([, { used }]) => used !== undefined)
    .map(([threadId, one]) => threadOf(threadId, one))
    .filter((one) => one.archived === archived && one.title.toLowerCase().includes(text))
    .sort((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1));
  const rest = after === "" ? found : found.filter((thread) => placeOf(thread) < after);
  const page = rest.slice(0, Math.min(limit, MOST));
  return { threads: page, next: rest.length > page.length ? placeOf(page.at(-1)!) : null };
}

/** Returns the place of a thread in the list, which is in the descending order of these texts. */
function placeOf({ updatedAt, threadId }: RunThread): string {
  return `${updatedAt} ${threadId}`;
}

/** Returns the entries of each thread in the list of a user. */
function entriesIn(list: readonly (readonly [key: string, entry: string])[]): Map<string, EntryOf> {
  const all = new Map<string, EntryOf>();
  for (const [key, text] of list) {
    const [entry, threadId] = key.split(" ") as [keyof EntryOf, string?];
    if (threadId !== undefined && ENTRIES.includes(entry)) {
      const known = all.get(threadId) ?? { begun: undefined, used: undefined, thread: undefined };
      all.set(threadId, { ...known, [entry]: text });
    }
  }
  return all;
}

function threadOf(threadId: string, { begun, used, thread }: EntryOf): RunThread {
  const { usedAt = 0 } = parsed<{ readonly usedAt: number }>(used);
  // A thread of an earlier version has only the time.
  const { title = "", archived = false } = {
    ...parsed<ThreadDescription>(begun),
    ...parsed<ThreadDescription>(thread),
  };
  return { threadId, title, archived, updatedAt: new Date(usedAt).toISOString() };
}

function parsed<T>(entry: string | undefined): Partial<T> {
  return entry === undefined ? {} : (JSON.parse(entry) as Partial<T>);
}
