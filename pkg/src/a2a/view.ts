// The parts of a task of A2A, or of a message.

import type { A2aArtifact, A2aMessage, A2aPart, A2aSnapshot, Json } from "../agentwire.js";
import type { Reply } from "../connect/exchange.js";
import type { DataPart, Part, ReasoningPart, TextPart, ToolPart } from "../connect/message.js";
import {
  REFUSAL,
  dataPart,
  displayable,
  filePart,
  ownMetadata,
  questionOf,
  replyTo,
  shownMetadata,
  textPart,
} from "../connect/native_parts.js";
import { type PartContext, memo, toolPart } from "../connect/parts.js";
import { type JsonObject, isObject, stringifyJson } from "../core/json.js";

/**
 * Returns the parts of a task: its artifacts, and the message of its status. While the task works,
 * that message is its progress, a part `data-status`; afterwards it is a part of the answer. If a
 * task ends without an answer, its last message is the answer.
 */
export function partsOf({ task, message }: A2aSnapshot, context: PartContext): readonly Part[] {
  if (task == null) {
    return message == null ? [] : messageParts(message);
  }
  const [artifacts, history] = [task.artifacts ?? [], task.history ?? []];
  const { state } = task.status ?? {};
  const current = task.status?.message ?? undefined;
  const said = agentMessages(history);
  const isThinking = WORKS.has(state) && current !== undefined && isReasoning(current);
  const isCurrent = ({ messageId }: A2aMessage): boolean =>
    current !== undefined && messageId === current.messageId;
  // The history has the message of the status, too.
  const thoughts = said.filter((each) => isReasoning(each) && (isThinking || !isCurrent(each)));
  const all = isThinking && !thoughts.some(isCurrent) ? [...thoughts, current] : thoughts;
  const answer = [...all.flatMap(messageParts), ...artifactsParts(artifacts, context)];
  const last = current?.parts == null ? said.at(-1) : current;
  if (WORKS.has(state)) {
    return last === undefined || isReasoning(last) ? answer : [...answer, statusPart(last, state)];
  }
  if (current?.parts == null) {
    return answer.length === 0 && last !== undefined ? messageParts(last) : answer;
  }
  return [
    ...answer,
    ...(state === "TASK_STATE_INPUT_REQUIRED"
      ? questionParts(current.parts, context)
      : messageParts(current)),
  ];
}

/** Returns the metadata of a task, or of a message. */
export function metadataOf({ task, message }: A2aSnapshot): unknown {
  return shownMetadata(task == null ? message?.metadata : task.metadata);
}

/** The states of a task that continues without a client. */
export const WORKS: ReadonlySet<string | undefined> = new Set([
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
]);

/**
 * Returns the messages of the agent after the last message of the user: those before it belong to
 * earlier answers.
 */
function agentMessages(history: readonly A2aMessage[]): readonly A2aMessage[] {
  let start = history.length;
  while (start > 0 && history[start - 1]!.role !== "ROLE_USER") {
    start--;
  }
  return history.slice(start);
}

function isReasoning({ metadata }: { readonly metadata?: Json }): boolean {
  return memberOf(metadata, "type") === "reasoning";
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined;
}

const statusPart = /* @__PURE__ */ memo(
  (message: A2aMessage, state: string | undefined): DataPart =>
    dataPart(
      "status",
      { state: state ?? null, text: (message.parts ?? []).map(({ text = "" }) => text).join("") },
      "status",
    ),
);

const messageParts = /* @__PURE__ */ memo((message: A2aMessage): readonly Part[] =>
  (message.parts ?? []).flatMap((part) => [...onePart(part, isReasoning(message), undefined)]),
);

/**
 * Returns the parts of the message of a task that waits for the user. Its data with an id are
 * questions, each after its text.
 */
function questionParts(parts: readonly A2aPart[], context: PartContext): readonly Part[] {
  return parts.flatMap((part, at): readonly Part[] => {
    const id = memberOf(part.data, "id");
    if (typeof id === "string") {
      return [
        questionPart(
          part,
          id,
          parts[at - 1]?.text,
          replyTo(context, "approval", id),
          context.tools,
        ),
      ];
    }
    // The question after a text has it.
    const isOfQuestion =
      part.text !== undefined && typeof memberOf(parts[at + 1]?.data, "id") === "string";
    return isOfQuestion ? [] : onePart(part, false, undefined);
  });
}

const questionPart = /* @__PURE__ */ memo(
  (
    part: A2aPart,
    id: string,
    text: string | undefined,
    reply: Reply | undefined,
    tools: ReadonlySet<string>,
  ): ToolPart => {
    const { reason, name, payload, arguments: callArguments, text: own } = part.data as JsonObject;
    const input = callArguments ?? payload;
    const word = [name, reason].find(
      (each): each is string => typeof each === "string" && each !== "",
    );
    return toolPart(
      {
        id,
        name: word ?? "question",
        text: jsonTextOf(input),
        isComplete: true,
        question: questionOf(id, part.data, own, text, payload),
      },
      reply,
      tools,
    );
  },
);

function jsonTextOf(value: Json | undefined): string {
  return typeof value === "string"
    ? value
    : value == null
      ? ""
      : stringifyJson(displayable(value) as Json);
}

/** The parts of an artifact that are one part of the answer: one part, or the deltas of a text. */
interface ArtifactRun {
  readonly first: A2aPart;
  text: string | undefined;
}

/**
 * Returns the runs of an artifact. Texts with the same index are one text; those without an index
 * are, if they are next to each other.
 */
const runsOf = /* @__PURE__ */ memo((artifact: A2aArtifact): readonly ArtifactRun[] => {
  const runs: ArtifactRun[] = [];
  const byIndex = new Map<Json, ArtifactRun>();
  for (const first of artifact.parts ?? []) {
    const index = memberOf(first.metadata, "index");
    const last = runs.at(-1);
    const isAdjacent =
      last?.text !== undefined && memberOf(last.first.metadata, "index") === undefined;
    const known =
      first.text === undefined
        ? undefined
        : index === undefined
          ? isAdjacent
            ? last
            : undefined
          : byIndex.get(index);
    if (known !== undefined) {
      known.text += first.text!;
      continue;
    }
    const run = { first, text: first.text };
    runs.push(run);
    if (index !== undefined && first.text !== undefined) {
      byIndex.set(index, run);
    }
  }
  return runs;
});

/** Returns the parts of the artifacts. The output of a call is in the part of the call. */
function artifactsParts(artifacts: readonly A2aArtifact[], context: PartContext): readonly Part[] {
  const runs = artifacts.flatMap((artifact) =>
    runsOf(artifact).map((run) => ({ ...run, artifact })),
  );
  const last = runs.at(-1);
  const data = runs.flatMap(({ first }): readonly JsonObject[] =>
    isObject(first.data) && typeof first.data["call_id"] === "string" ? [first.data] : [],
  );
  const called = new Set(
    data.filter((each) => each["arguments"] !== undefined).map((each) => each["call_id"]),
  );
  const outputs = new Map(
    data.filter((each) => each["output"] !== undefined).map((each) => [each["call_id"], each]),
  );
  return runs.flatMap(({ first, text, artifact }): readonly Part[] => {
    if (text !== undefined) {
      return [
        textOfRun(
          first,
          text,
          isReasoning(artifact),
          context.isLive && first === last?.first,
          artifact.artifactId,
        ),
      ];
    }
    const id = memberOf(first.data, "call_id");
    if (typeof id !== "string") {
      return onePart(first, false, artifact.artifactId);
    }
    const output = outputs.get(id);
    if (
      memberOf(first.data, "arguments") === undefined &&
      (called.has(id) || output !== first.data)
    ) {
      return called.has(id) ? [] : onePart(first, false, artifact.artifactId);
    }
    // A call without arguments is that of an answer before.
    return [callPart(first, id, output, replyTo(context, "call", id), context.tools)];
  });
}

const textOfRun = /* @__PURE__ */ memo(
  (
    first: A2aPart,
    text: string,
    isThought: boolean,
    isLive: boolean,
    artifactId: string | undefined,
  ): TextPart | ReasoningPart => {
    const providerMetadata = ownMetadata({
      artifactId,
      ...(memberOf(first.metadata, "kind") === "refusal" && REFUSAL["agentwire"]),
    });
    const part = textPart(text, isLive, providerMetadata);
    return isThought ? { ...part, type: "reasoning" } : part;
  },
);

const callPart = /* @__PURE__ */ memo(
  (
    part: A2aPart,
    id: string,
    answer: JsonObject | undefined,
    reply: Reply | undefined,
    tools: ReadonlySet<string>,
  ): ToolPart => {
    const { name, arguments: callArguments } = part.data as JsonObject;
    const output = answer === undefined ? undefined : displayable(answer["output"]);
    return toolPart(
      {
        id,
        name: typeof name === "string" && name !== "" ? name : "tool",
        text: jsonTextOf(callArguments),
        isComplete: true,
        output,
        isServers: true,
      },
      reply,
      tools,
    );
  },
);

/** Returns the part of a message or an artifact; none for a part without content. */
const onePart = /* @__PURE__ */ memo(
  (part: A2aPart, isThought: boolean, artifactId: string | undefined): readonly Part[] => {
    const { text, url, raw, data, mediaType = "application/octet-stream", filename } = part;
    if (text !== undefined) {
      return [textOfRun(part, text, isThought, false, artifactId)];
    }
    if (url !== undefined || raw !== undefined) {
      return [
        filePart({ mediaType, url, base64: raw, filename }, part, ownMetadata({ artifactId })),
      ];
    }
    return Object.keys(part).length === 0
      ? []
      : [dataPart("a2a", data === undefined ? part : data)];
  },
);
