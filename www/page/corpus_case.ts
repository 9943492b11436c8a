// A recording as a case of tests/data/corpus: a folder in an archive, with the result of this build
// as the expectation.

import { type EndReason, type Json, stringifyJson } from "agentwire";
import { explain } from "agentwire/rules";
import type { Recording } from "./recording.js";
import { type ArchiveFile, tarOf } from "./tar.js";

/** The end reasons in the corpus's names. */
const ENDED: Readonly<Record<EndReason, string>> = {
  completed: "terminal",
  error: "error-frame",
  truncated: "eof",
  aborted: "aborted",
  refused: "refused",
};

/** Returns the archive of a finished recording that has events; null for others. */
export function corpusCaseOf({
  outcome,
  protocol,
  bytes,
  events,
}: Recording): Uint8Array<ArrayBuffer> | null {
  if (
    outcome === null ||
    protocol === undefined ||
    events === 0 ||
    outcome.report.endReason === null
  ) {
    return null;
  }
  const { snapshot, report, toolCalls } = outcome;
  const about = {
    protocol,
    kind: "read",
    note: "recorded in the playground",
    provenance: { origin: "recorded" },
    ended: ENDED[outcome.report.endReason],
  };
  const violations = report.violations.map((violation) => {
    const { rule, severity, event, offset, messageId, index } = violation;
    return {
      rule,
      severity,
      event,
      offset,
      messageId,
      index,
      recovery: explain(violation, protocol).recovery,
    };
  });
  const file = (name: string, value: unknown): ArchiveFile => ({
    name: `recorded/${name}`,
    bytes: new TextEncoder().encode(`${stringifyJson(value as Json)}\n`),
  });
  return tarOf([
    file("case.json", about),
    { name: "recorded/stream.sse", bytes },
    file("snapshot.json", snapshot),
    file("violations.json", violations),
    ...(protocol === "agent-api" || protocol === "ag-kit"
      ? [file("tool_calls.json", toolCalls)]
      : []),
  ]);
}
