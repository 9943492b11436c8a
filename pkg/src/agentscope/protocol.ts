// AgentScope as a readable protocol, and its tool calls.

import type { AgentScopeReply, AgentScopeToolResultBlock } from "../agentwire.js";
import { TABLES } from "../generated/agentscope/tables.js";
import { type Readable, streamOfData } from "../read/patch.js";
import type { RawToolCall } from "../read/tool_call_view.js";

/** The tables and the sample stream of AgentScope. */
export const AGENTSCOPE: Readable = { tables: TABLES, more: {}, sample };

function sample(): string {
  const of = (type: string, members: string): string =>
    `{"type":"${type}","reply_id":"r",${members}}`;
  const call = `"tool_call_id":"c"`;
  return streamOfData([
    of("REPLY_START", `"session_id":"s","name":"n"`),
    of("TEXT_BLOCK_START", `"block_id":"b"`),
    ...Array<string>(24).fill(of("TEXT_BLOCK_DELTA", `"block_id":"b","delta":"é a"`)),
    of("TEXT_BLOCK_END", `"block_id":"b"`),
    of("TOOL_CALL_START", `${call},"tool_call_name":"n"`),
    of("TOOL_CALL_DELTA", `${call},"delta":"{}"`),
    of("TOOL_CALL_END", call),
    of("REPLY_END", `"session_id":"s"`),
  ]);
}

/** Returns the text of a result; undefined while the tool runs. */
export function resultText({ state, output }: AgentScopeToolResultBlock): string | undefined {
  const text = output.map((block) => (block.type === "text" ? block.text : "")).join("");
  return state === "running" && text === "" ? undefined : text;
}

/**
 * Returns the tool calls, and the questions about them, in the order of their appearance. Undefined
 * if the value is not a reply.
 */
export function callsOf(reply: AgentScopeReply): RawToolCall[] | undefined {
  if (!("content" in reply && "session_id" in reply && Array.isArray(reply.content))) {
    return undefined;
  }
  const { content, status } = reply;
  const results = new Map(
    content.flatMap((block) => (block.type === "tool_result" ? [[block.id, block] as const] : [])),
  );
  return content.flatMap((block): RawToolCall[] => {
    if (block.type !== "tool_call") {
      return [];
    }
    const { id, name, input, state, finished_at } = block;
    const found = results.get(id);
    const result = found && resultText(found);
    const isAnswered = found !== undefined && found.state !== "running";
    const call: RawToolCall = {
      id,
      name,
      kind: "call",
      state: isAnswered
        ? "answered"
        : finished_at === undefined && state === "pending"
          ? "streaming"
          : "called",
      argumentsText: input,
      holder: block,
      result,
      pending: status === "waiting" && state === "submitted",
    };
    return state === "asking"
      ? [
          call,
          {
            id,
            name,
            kind: "approval",
            state: "called",
            argumentsText: input,
            result: undefined,
            pending: status === "waiting",
          },
        ]
      : [call];
  });
}
