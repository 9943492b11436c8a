// Waiting, with and without a limit.

/** Resolves after so many milliseconds. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Settles as `work` does, or as `late` if `work` takes longer. */
export async function within<T, L>(work: T | PromiseLike<T>, milliseconds: number, late: () => L): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds))).then(late);
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** Lets the process end before the timer, in Node. */
export function unref(timer: unknown): void {
  (timer as { unref?: () => void } | undefined)?.unref?.();
}
