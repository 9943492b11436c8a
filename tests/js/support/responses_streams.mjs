// Random streams of OpenAI Responses: every type of event and of item, interleaved, with every end.

import { DISORDERS } from "./disorder.mjs";

const STRINGS = ["a", "", "é\n\u2028", "👨‍👩‍👧", '"\\', " ", "x".repeat(40), "\u0000", "0"];
/** Returns the events of a stream, most of them as a real server writes them. */
export function generated(random) {
  const pick = (list) => list[random(list.length)];
  const str = () => pick(STRINGS);
  const json = (d = 0) =>
    pick([
      null,
      true,
      0,
      1.5,
      -0,
      9007199254740993,
      str(),
      d < 2 ? [json(2)] : [],
      d < 2 ? { k: json(2), [str()]: 1 } : {},
    ]);
  const maybe = (n, o) => (random(n) === 0 ? o : {});
  const events = [];
  const root = () => ({
    id: "resp_1",
    object: "response",
    created_at: 17,
    model: "m",
    status: "in_progress",
    ...maybe(3, { metadata: { a: json() } }),
    ...maybe(4, {
      usage: null,
      error: null,
      instructions: str(),
      temperature: 1,
      tools: [],
      conversation: { id: "c" },
    }),
    ...maybe(6, { zzz: json() }),
  });
  const pieces = () => Array.from({ length: random(4) }, () => str());
  let n = 0;
  // An item as a list of steps.
  function item(index) {
    const id = `i${n++}`;
    const at = { output_index: index, item_id: id };
    const out = [];
    const add = (i) =>
      out.push({
        type: "response.output_item.added",
        output_index: index,
        item: structuredClone(i),
      });
    const done = (i) =>
      random(8) &&
      out.push({
        type: "response.output_item.done",
        output_index: index,
        item: structuredClone(i),
      });
    const prog = (kind, ...words) =>
      words.forEach((w) => random(4) && out.push({ type: `response.${kind}.${w}`, ...at }));
    const kind = pick([
      "message",
      "message",
      "message",
      "reasoning",
      "reasoning",
      "function_call",
      "function_call",
      "custom_tool_call",
      "mcp_call",
      "mcp_list_tools",
      "mcp_approval_request",
      "mcp_approval_response",
      "web_search_call",
      "file_search_call",
      "code_interpreter_call",
      "image_generation_call",
      "computer_call",
      "computer_call_output",
      "function_call_output",
      "custom_tool_call_output",
      "tool_search_call",
      "tool_search_output",
      "shell_call",
      "shell_call_output",
      "local_shell_call",
      "local_shell_call_output",
      "apply_patch_call",
      "apply_patch_call_output",
      "program",
      "program_output",
      "additional_tools",
      "compaction",
      "made_up",
    ]);
    const base = { id, type: kind, status: "in_progress", ...maybe(8, { extra: json() }) };
    const call_id = `call_${random(40)}`;
    const textual = (word, key, value) => {
      for (const delta of pieces()) {
        value[key] = (value[key] ?? "") + delta;
        out.push({
          type: `response.${word}.delta`,
          ...at,
          delta,
          ...maybe(4, { obfuscation: "zz" }),
        });
      }
      if (random(3)) {
        if (random(6) === 0) value[key] = str();
        out.push({
          type: `response.${word}.done`,
          ...at,
          [key]: value[key] ?? "",
          ...maybe(3, { name: "f" }),
        });
      }
    };
    switch (kind) {
      case "message": {
        const m = {
          ...base,
          role: "assistant",
          content: [],
          ...maybe(6, { phase: "final_answer" }),
        };
        add(m);
        for (let p = random(4); p > 0; p--) {
          const content_index = m.content.length;
          const here = { ...at, content_index };
          const type = pick(["output_text", "output_text", "refusal", "made_up_part"]);
          const part =
            type === "output_text"
              ? {
                  type,
                  text: random(6) ? "" : str(),
                  annotations: [],
                  ...maybe(2, { logprobs: [] }),
                }
              : type === "refusal"
                ? { type, refusal: "" }
                : { type, x: json() };
          m.content.push(part);
          out.push({ type: "response.content_part.added", ...here, part: structuredClone(part) });
          if (type === "made_up_part") continue;
          const key = type === "refusal" ? "refusal" : "text";
          for (const delta of pieces()) {
            part[key] += delta;
            const logprobs = random(5)
              ? []
              : [
                  {
                    token: delta,
                    logprob: -0.5,
                    bytes: [1],
                    top_logprobs: random(2) ? [] : [{ token: "b", logprob: -1, bytes: [2] }],
                  },
                ];
            out.push(
              type === "refusal"
                ? { type: "response.refusal.delta", ...here, delta }
                : {
                    type: "response.output_text.delta",
                    ...here,
                    delta,
                    ...(random(3) ? { logprobs } : {}),
                  },
            );
          }
          if (type === "output_text")
            for (let a = 0; a < random(3); a++) {
              const annotation = {
                type: "url_citation",
                url: str(),
                start_index: 0,
                end_index: 1,
                title: "t",
              };
              part.annotations.push(annotation);
              out.push({
                type: "response.output_text.annotation.added",
                ...here,
                annotation_index: random(9) ? part.annotations.length - 1 : 0,
                annotation,
              });
            }
          if (random(3))
            out.push(
              type === "refusal"
                ? { type: "response.refusal.done", ...here, refusal: part.refusal }
                : {
                    type: "response.output_text.done",
                    ...here,
                    text: part.text,
                    ...maybe(2, { logprobs: [] }),
                  },
            );
          if (random(3))
            out.push({ type: "response.content_part.done", ...here, part: structuredClone(part) });
        }
        done({ ...m, status: "completed" });
        return [out, m];
      }
      case "reasoning": {
        const m = {
          ...base,
          summary: [],
          ...maybe(2, { content: [] }),
          ...maybe(3, { encrypted_content: str() }),
        };
        add(m);
        for (let p = random(4); p > 0; p--) {
          if (random(2)) {
            const part = { type: "summary_text", text: "" };
            const here = { ...at, summary_index: m.summary.push(part) - 1 };
            out.push({ type: "response.reasoning_summary_part.added", ...here, part: { ...part } });
            for (const delta of pieces()) {
              part.text += delta;
              out.push({ type: "response.reasoning_summary_text.delta", ...here, delta });
            }
            if (random(2))
              out.push({ type: "response.reasoning_summary_text.done", ...here, text: part.text });
            if (random(2))
              out.push({
                type: "response.reasoning_summary_part.done",
                ...here,
                part: { ...part },
              });
          } else {
            const part = { type: "reasoning_text", text: "" };
            m.content ??= [];
            const here = { ...at, content_index: m.content.push(part) - 1 };
            out.push({ type: "response.content_part.added", ...here, part: { ...part } });
            for (const delta of pieces()) {
              part.text += delta;
              out.push({ type: "response.reasoning_text.delta", ...here, delta });
            }
            if (random(2))
              out.push({ type: "response.reasoning_text.done", ...here, text: part.text });
            if (random(2))
              out.push({ type: "response.content_part.done", ...here, part: { ...part } });
          }
        }
        done({ ...m, status: "completed" });
        return [out, m];
      }
      case "function_call": {
        const m = { ...base, call_id, name: "f", arguments: "" };
        add(m);
        textual("function_call_arguments", "arguments", m);
        done({ ...m, status: "completed" });
        return [out, m];
      }
      case "custom_tool_call": {
        const m = { ...base, call_id, name: "f", input: "" };
        add(m);
        textual("custom_tool_call_input", "input", m);
        done(m);
        return [out, m];
      }
      case "mcp_call": {
        const m = { ...base, server_label: "s", name: "f", arguments: "" };
        add(m);
        prog("mcp_call", "in_progress");
        textual("mcp_call_arguments", "arguments", m);
        prog("mcp_call", pick(["completed", "failed"]));
        done({
          ...m,
          ...(random(2) ? { output: str() } : { error: json() }),
          approval_request_id: null,
        });
        return [out, m];
      }
      case "mcp_list_tools": {
        const m = { ...base, server_label: "s", tools: [] };
        add(m);
        prog(kind, "in_progress", pick(["completed", "failed"]));
        done({ ...m, tools: [json()] });
        return [out, m];
      }
      case "code_interpreter_call": {
        const m = { ...base, code: pick([null, "", "x"]), container_id: "c", outputs: null };
        add(m);
        prog(kind, "in_progress");
        textual("code_interpreter_call_code", "code", m);
        prog(kind, "interpreting", "completed");
        done({ ...m, outputs: [{ type: "logs", logs: str() }] });
        return [out, m];
      }
      case "web_search_call":
      case "file_search_call": {
        const m = {
          ...base,
          ...(random(2) ? { action: { type: "search", query: str() } } : {}),
          ...(kind === "file_search_call" ? { queries: [], results: null } : {}),
        };
        add(m);
        prog(kind, "in_progress", "searching", "completed");
        done({ ...m, status: "completed" });
        return [out, m];
      }
      case "image_generation_call": {
        const m = { ...base, result: null };
        add(m);
        prog(kind, "in_progress", "generating");
        for (let i = 0; i < random(3); i++)
          out.push({
            type: `response.${kind}.partial_image`,
            ...at,
            partial_image_index: i,
            partial_image_b64: "AAAA",
            size: "1x1",
          });
        prog(kind, "completed");
        done({ ...m, result: "AAAA" });
        return [out, m];
      }
      case "shell_call": {
        const m = { ...base, call_id, action: { commands: [], timeout_ms: null } };
        add(m);
        for (let c = 0; c < random(3); c++) {
          m.action.commands.push("");
          const here = { output_index: index, command_index: c };
          out.push({ type: "response.shell_call_command.added", ...here, command: "" });
          for (const delta of pieces()) {
            m.action.commands[c] += delta;
            out.push({
              type: "response.shell_call_command.delta",
              ...here,
              delta,
              ...maybe(3, { obfuscation: "q" }),
            });
          }
          if (random(2))
            out.push({
              type: "response.shell_call_command.done",
              ...here,
              command: m.action.commands[c],
            });
        }
        done(m);
        return [out, m];
      }
      case "shell_call_output": {
        const m = { ...base, call_id, output: [], max_output_length: null };
        add(m);
        for (let c = 0; c < random(3); c++) {
          const here = { ...at, command_index: c };
          const o = { stdout: "", stderr: "", outcome: { type: "exit", exit_code: 0 } };
          m.output.push(o);
          for (const delta of pieces()) {
            const k = pick(["stdout", "stderr"]);
            o[k] += delta;
            out.push({
              type: "response.shell_call_output_content.delta",
              ...here,
              delta: { [k]: delta },
            });
          }
          if (random(2))
            out.push({
              type: "response.shell_call_output_content.done",
              ...here,
              output: [structuredClone(o)],
            });
          else if (o.stdout === "" && o.stderr === "") {
            m.output.pop();
            break;
          }
        }
        done(m);
        return [out, m];
      }
      case "compaction": {
        const m = { ...base, encrypted_content: "e" };
        add(m);
        prog(kind, "compacting");
        done(m);
        return [out, m];
      }
      case "made_up": {
        const m = { ...base, whatever: json() };
        add(m);
        done(m);
        return [out, m];
      }
      default: {
        const m = {
          ...base,
          ...(kind.includes("computer") ||
          kind.includes("function") ||
          kind.includes("custom") ||
          kind.includes("patch") ||
          kind.includes("program") ||
          kind.includes("tool_search")
            ? { call_id }
            : {}),
          ...maybe(2, {
            output: json(),
            action: json(),
            result: str(),
            operation: json(),
            code: str(),
            tools: [json()],
            arguments: kind.startsWith("mcp") ? "{}" : json(),
            name: "n",
            server_label: "s",
            approval_request_id: "q",
            approve: true,
            reason: null,
          }),
        };
        if (kind === "mcp_approval_request")
          Object.assign(m, { name: "n", arguments: "{}", server_label: "s" });
        add(m);
        done(m);
        return [out, m];
      }
    }
  }
  events.push({ type: "response.created", response: { ...root(), output: [] } });
  if (random(3) === 0)
    events.push({ type: "response.queued", response: { ...root(), status: "queued", output: [] } });
  if (random(3)) events.push({ type: "response.in_progress", response: { ...root(), output: [] } });
  const snaps = random(3) === 0;
  const items = Array.from({ length: random(6) }, (_, i) => item(i));
  const serial = random(2) === 0;
  const started = [];
  let next = 0;
  const queues = items.map(([list]) => [...list]);
  while (next < queues.length || started.some((q) => q.length)) {
    const open = started.filter((q) => q.length);
    if (next < queues.length && (open.length === 0 || (!serial && random(4) === 0))) {
      const q = queues[next++];
      events.push(q.shift());
      started.push(q);
      continue;
    }
    events.push(pick(open).shift());
    if (snaps && random(25) === 0) {
      const seen = events
        .filter((e) => e.type === "response.output_item.added")
        .map((e) => {
          const d = events.find(
            (x) => x.type === "response.output_item.done" && x.output_index === e.output_index,
          );
          return structuredClone((d ?? e).item);
        });
      if (random(3)) seen.splice(random(seen.length), random(seen.length));
      if (random(4) === 0) seen.reverse();
      events.push({
        type: pick(["response.in_progress", "response.queued"]),
        response: { ...root(), ...(random(5) ? { output: seen } : {}) },
      });
    }
    if (random(60) === 0)
      events.push(
        pick([
          { type: "keepalive" },
          { type: "response.audio.delta", delta: "AA" },
          { type: "response.audio.done" },
          { type: "response.audio.transcript.delta", delta: "a" },
          { type: "response.audio.transcript.done" },
        ]),
      );
  }
  const finals = items.map(([, m]) => {
    const f = structuredClone(m);
    if (random(2)) f.status = "completed";
    return f;
  });
  const end = random(12);
  const output = random(9) === 0 ? null : finals;
  const un = random(7) === 0 ? {} : { output };
  if (end < 6)
    events.push({
      type: "response.completed",
      response: {
        ...root(),
        status: "completed",
        ...un,
        usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
      },
    });
  else if (end < 8)
    events.push({
      type: "response.failed",
      response: {
        ...root(),
        status: "failed",
        error: { code: "server_error", message: str() },
        ...un,
      },
    });
  else if (end < 10)
    events.push({
      type: "response.incomplete",
      response: {
        ...root(),
        status: pick(["incomplete", "cancelled"]),
        incomplete_details: { reason: "max_output_tokens" },
        ...un,
      },
    });
  else if (end < 11)
    events.push(
      pick([
        { type: "error", code: "c", message: "m", param: null },
        { type: "error", error: { code: "c", message: "m", type: "t" } },
        { error: { message: "m" } },
        { type: "error", error: "text" },
      ]),
    );
  events.forEach((e, i) => (e.sequence_number = i));
  return events;
}

/** Damages events: they are removed, repeated, reordered, or changed. */
export function mutate(events, random, times) {
  const pick = (list) => list[random(list.length)];
  for (; times > 0; times--) {
    if (events.length === 0) return;
    const at = random(events.length);
    const way = random(10);
    switch (way) {
      case 4: {
        const e = events[at];
        const k = pick(
          ["output_index", "content_index", "summary_index", "annotation_index", "command_index"]
            .filter((k) => k in e)
            .concat("sequence_number"),
        );
        e[k] = pick([0, 1, 2, 3, 7]);
        break;
      }
      case 5: {
        const e = events[at];
        if ("item_id" in e) e.item_id = pick(["i0", "i1", "i2", "", "zz"]);
        break;
      }
      case 6: {
        const e = events[at];
        if (e.item) {
          const k = pick(["id", "call_id", "type"]);
          if (k in e.item)
            e.item[k] =
              k === "type"
                ? pick(["message", "function_call", "reasoning", "q"])
                : pick(["i0", "i1", "call_1", ""]);
        } else if (e.response) {
          const o = e.response.output;
          if (Array.isArray(o) && o.length) {
            if (random(2)) o.splice(random(o.length), 1);
            else o.push(o.splice(random(o.length), 1)[0]);
          } else if (random(4) === 0) e.response.id = "other";
        }
        break;
      }
      case 7: {
        const e = events[at];
        if (e.response && random(2)) {
          const other = pick(events.filter((x) => x.item));
          e.response.output = other ? [structuredClone(other.item)] : [];
        }
        break;
      }
      case 8: {
        const e = events[at];
        const b = pick(events);
        if (/delta|done|progress|completed/.test(e.type) && b.type)
          e.type = random(3) ? b.type : "response.whatever";
        break;
      }
      case 9: {
        const e = events[at];
        if (e.item) {
          const other = pick(events.filter((x) => x.item));
          if (other) e.item = structuredClone(other.item);
        } else if (e.part) {
          const other = pick(events.filter((x) => x.part));
          if (other) e.part = structuredClone(other.part);
        }
        break;
      }
      default:
        DISORDERS[way](events, at, random);
    }
  }
}
