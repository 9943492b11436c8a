// Collects the errors that would end a process.

/**
 * Does `work`, waits until everything that it set off has happened, and resolves to the rejections
 * and exceptions that were not handled in the meantime.
 */
export async function unhandledIn(work) {
  const found = [];
  const note = (reason) => found.push(reason);
  // The test runner has listeners, too, which would fail the test with another message.
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
