// What a process would die of.

/**
 * Does `work`, waits until everything that it set off has happened, and resolves to the rejections and exceptions that
 * nobody handled meanwhile.
 */
export async function unhandledIn(work) {
  const found = [];
  const note = (reason) => found.push(reason);
  // The test runner listens, too, and would fail the test in its own words.
  const events = ["unhandledRejection", "uncaughtException"];
  const others = events.map((event) => process.listeners(event));
  events.forEach((event) => process.removeAllListeners(event).on(event, note));
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 20));
  } finally {
    events.forEach((event, at) => {
      process.off(event, note);
      others[at].forEach((listener) => process.on(event, listener));
    });
  }
  return found;
}
