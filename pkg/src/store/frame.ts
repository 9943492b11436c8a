// The time of notifications: the next frame in a page, the next task elsewhere.

/** Calls `work` once, before the next frame or in a later task. Returns a function that cancels the call. */
export function onNextFrame(work: () => void): () => void {
  if (typeof requestAnimationFrame === "function") {
    const frame = requestAnimationFrame(work);
    return () => cancelAnimationFrame(frame);
  }
  const task = setTimeout(work);
  return () => clearTimeout(task);
}
