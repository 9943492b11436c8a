// The events of a stream as the compiler sees them.
import {
  EventDecoder,
  events,
  type MalformedEvent,
  type OtherName,
  type StreamEntry,
} from "agentwire";
import type { Event as AgKitEvent } from "agentwire/ag-kit";
import type { Content, Event as AgentApiEvent } from "agentwire/agent-api";
import type { NewContent } from "agentwire/server";

export async function agKit(response: Promise<Response>, signal: AbortSignal): Promise<string> {
  let text = "";
  for await (const entry of events(response, {
    protocol: "ag-kit",
    signal,
    limits: { eventBytes: 1 },
  })) {
    if (entry.kind === "malformed") {
      const wrong: MalformedEvent = entry;
      text += `${wrong.number} ${wrong.fault.code} ${wrong.fault.path} ${wrong.data}`;
    } else if (entry.kind === "comment") {
      text += entry.text;
      // @ts-expect-error a comment is not an event
      void entry.event;
    } else {
      text += `${entry.number} ${entry.offset} ${entry.end} ${entry.name} ${entry.id} ${said(entry.event)}`;
    }
  }
  // @ts-expect-error no such protocol
  events(response, { protocol: "telegraph" });
  return text;
}

function said(event: AgKitEvent): string {
  switch (event.type) {
    case "text":
      return event.content;
    case "tool-call-start":
      return event.toolCallName;
    case "tool-call-args":
      return event.delta;
    case "tool-call-end":
      return event.toolCallId;
    case "tool-result":
      return event.result;
    case "interrupt":
      // @ts-expect-error servers leave it out
      void (event.reason satisfies string);
      return event.reason ?? event.id;
    case "error":
    case null:
    case undefined:
      return JSON.stringify(event.error);
    case "[DONE]":
      return "";
    default:
      return `${event.type satisfies string} ${String(event["anything"])}`;
  }
}

export function agentApi(bytes: Uint8Array): void {
  using decoder = new EventDecoder({ protocol: "agent-api" });
  const entries: StreamEntry<"agent-api">[] = [...decoder.push(bytes), ...decoder.finish()];
  for (const entry of entries) {
    const event: AgentApiEvent | undefined = entry.kind === "event" ? entry.event : undefined;
    if (event?.object === "response") {
      void (event.output?.[0]?.content?.[0]?.index satisfies number | string | null | undefined);
    } else if (event?.object === "content" && event.type === "text") {
      void (event.text satisfies string | null | undefined);
    }
  }
}

/** Every type of content that is read can be written. */
export function writable(type: Exclude<Content["type"], OtherName>): NewContent["type"] {
  return type;
}
