// The events of AgentScope's sessions: the answers of clients, and how the service repeats them.

import type { Json } from "../../agentwire.js";
import { isObject, stringifyJson } from "../../core/json.js";
import { type ItemMembers, membersOf } from "./turns.js";

const encoder = new TextEncoder();

/** Whether an input has the answers to a reply, in place of messages. */
export function isAnswer(input: Json | undefined): input is Json {
  return [input].flat().some((value) => isObject(value) && value.reply_id !== undefined);
}

/** Returns the ids of the calls that an input answers. */
export function answeredIn(input: Json): unknown[] {
  return eventsIn(input).flatMap(({ confirm_results, execution_results }) => [
    ...itemsIn(confirm_results).map(({ tool_call }) => Object(tool_call).id),
    ...itemsIn(execution_results).map(({ id }) => id),
  ]);
}

/** Returns an event as a frame. */
export function frameOf(event: object): string {
  return `data: ${stringifyJson(event as Json)}\n\n`;
}

/** Returns the members that every event of the service has. */
export function stamp(): { readonly id: string; readonly created_at: string } {
  return { id: crypto.randomUUID(), created_at: new Date().toISOString() };
}

/** Returns the events of an input. */
function eventsIn(input: Json): readonly ItemMembers[] {
  return [input].flat().filter((value): value is ItemMembers => isObject(value));
}

/** Returns the frames of an input, which the service repeats. */
export function startOf(input: Json): string {
  return eventsIn(input).map(frameOf).join("");
}

/**
 * Whether the frames of an answer without an agent are those of {@link startOf}: the agent waits for
 * more answers. Others end a reply.
 */
export function isStart([frames = ""]: readonly string[]): boolean {
  const [first = ""] = frames.split("\n\n");
  return membersOf(first.slice("data: ".length)).type !== "REPLY_END";
}

/** Returns the id of the reply that an input answers. */
export function replyIn(input: Json): Json {
  return eventsIn(input).find(({ reply_id }) => reply_id !== undefined)!.reply_id!;
}

/** Returns the frames of the results of an input, which the service repeats as those of its agent. */
export function resultsOf(input: Json): string {
  return eventsIn(input)
    .flatMap(({ reply_id, execution_results: results }) =>
      itemsIn(results).flatMap(({ id, output, state = "success" }) => {
        const of = (type: string, more: object): string =>
          frameOf({ ...stamp(), type, reply_id, tool_call_id: id, ...more });
        const texts = itemsIn(output).flatMap(({ text }) =>
          text === undefined ? [] : [of("TOOL_RESULT_TEXT_DELTA", { delta: text })],
        );
        return [...texts, of("TOOL_RESULT_END", { state })];
      }),
    )
    .join("");
}

/** Returns the objects of a list. */
function itemsIn(list: Json | undefined): readonly ItemMembers[] {
  return Array.isArray(list) ? list.filter((one): one is ItemMembers => isObject(one)) : [];
}

/** Returns a stream with a text after the first frame, which is the first of its chunk. */
export function afterFirst(text: string): TransformStream<Uint8Array, Uint8Array> {
  let isFirst = true;
  return new TransformStream({
    transform(chunk, out) {
      const [, first = "", rest = ""] = isFirst
        ? /^(.*?\n\n)(.*)$/s.exec(new TextDecoder().decode(chunk))!
        : [];
      out.enqueue(isFirst ? encoder.encode(first + text + rest) : chunk);
      isFirst = false;
    },
  });
}
