// The events of OpenAI responses, as the official client yields them.

/** Returns at most this number of events of a stream; then the connection is closed. */
export async function taken(stream, most = Infinity) {
  const events = [];
  for await (const event of stream) {
    events.push(event);
    if (events.length >= most) break;
  }
  return events;
}

/** Returns the sequence numbers of events. */
export const numbers = (events) => events.map(({ sequence_number }) => sequence_number);
