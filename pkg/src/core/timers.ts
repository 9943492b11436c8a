// Waiting, with and without a limit.

/** Resolves after so many milliseconds, or early, without an error, when the signal aborts. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done);
    if (signal?.aborted) {
      done();
    }
  });
}

/** Settles as `work` does, or as `late` if `work` takes longer. */
export async function within<T, L>(
  work: T | PromiseLike<T>,
  milliseconds: number,
  late: () => L,
): Promise<T | L> {
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
