// When what has changed is told: with the next frame of a page, elsewhere with the next task.

/** Calls `work` once, before the next frame is drawn or in a later task. Gives what keeps it from being called. */
export function onNextFrame(work: () => void): () => void {
  if (typeof requestAnimationFrame === "function") {
    const frame = requestAnimationFrame(work);
    return () => cancelAnimationFrame(frame);
  }
  const task = setTimeout(work);
  return () => clearTimeout(task);
}
