// Answers that are not streams.

/** Returns the data of the last event of a stream. */
export async function lastEvent(stream: Response): Promise<string> {
  const text = `\n${await stream.text()}`;
  const at = text.lastIndexOf("\ndata: ");
  if (at < 0) {
    throw new Error("the run was stopped before its answer had an event");
  }
  return text.slice(at + "\ndata: ".length).split("\n", 1)[0]!;
}

/** Returns an HTTP response with a JSON object in place of a stream. */
export function inPlaceOf(stream: Response, body: string, status = stream.status): Response {
  const headers = new Headers(stream.headers);
  headers.set("content-type", "application/json");
  return new Response(body, { status, headers });
}
