// Random streams of AG-UI: every type of event, interleaved, in subagents, with every end.

import { DISORDERS } from "./disorder.mjs";

const STRINGS = [
  "a",
  "b",
  "",
  "é\n\u2028",
  "👨‍👩‍👧",
  '"\\',
  " ",
  "x".repeat(40),
  "\u0000",
  "0",
  "{",
  "1}",
];
const POINTERS = [
  "",
  "/a",
  "/b",
  "/a/0",
  "/a/1",
  "/a/-",
  "/a/9",
  "/b/k",
  "/b/k/0",
  "/c~1d",
  "/~0",
  "/",
  "/b/",
  "/a/b/c",
  "/a/01",
  "/length",
  "/a/length",
];

/**
 * Returns the events of a stream. They are valid, except for one in `errors`; all are valid if
 * `errors` is 0.
 */
export function generated(random, errors = 12) {
  const pick = (list) => list[random(list.length)];
  const str = () => pick(STRINGS);
  const maybe = (sides, members) => (random(sides) === 0 ? members : {});
  const json = (depth = 0) =>
    pick([
      null,
      true,
      0,
      1.5,
      9007199254740991,
      str(),
      depth < 2 ? [json(depth + 1)] : [],
      depth < 2 ? { k: json(depth + 1), [str()]: 1 } : {},
    ]);
  const object = () => pick([{}, { a: [1, 2], b: { k: ["x"] } }, { [str()]: json(), a: json() }]);
  const some = (most, of) => Array.from({ length: random(most) }, of);
  const operation = () => {
    const [path, from, value] = [pick(POINTERS), pick(POINTERS), json()];
    const op = pick(["add", "add", "replace", "remove", "move", "copy", "test"]);
    return {
      op,
      path,
      ...(["move", "copy"].includes(op) ? { from } : {}),
      ...(["add", "replace", "test"].includes(op) ? { value } : {}),
    };
  };
  const part = () => {
    const source = pick([
      { type: "data", value: "AA==", mimeType: "image/png" },
      { type: "url", value: str() },
      { type: "file", value: "f", provider: "p" },
    ]);
    return pick([
      { type: "text", text: str() },
      { type: pick(["image", "audio", "video", "document"]), source },
      {
        type: "binary",
        mimeType: pick(["image/png", "text/plain"]),
        ...pick([{ data: "AA==" }, { url: "u" }, { id: "i" }]),
        ...maybe(2, { filename: "n" }),
      },
    ]);
  };
  const content = () => (random(3) ? str() : some(3, part));
  const call = () => ({
    id: id("c"),
    type: "function",
    function: { name: pick(["f", "g"]), arguments: str() },
    ...maybe(6, { encryptedValue: "e" }),
    ...maybe(6, { metadata: object() }),
  });
  const message = () => {
    const role = pick([
      "developer",
      "system",
      "user",
      "assistant",
      "assistant",
      "tool",
      "activity",
      "reasoning",
    ]);
    const common = {
      id: id("m"),
      role,
      ...maybe(5, { metadata: object() }),
      ...(isLegal() ? {} : maybe(3, { subagentRunId: pick(["s0", "s1"]) })),
    };
    switch (role) {
      case "user":
        return { ...common, content: content(), ...maybe(5, { name: str() }) };
      case "assistant":
        return {
          ...common,
          ...maybe(2, { content: str() }),
          ...maybe(2, { toolCalls: some(3, call) }),
        };
      case "tool":
        return {
          ...common,
          toolCallId: id("c"),
          content: content(),
          ...maybe(5, { error: str() }),
        };
      case "activity":
        return { ...common, activityType: pick(["T", "U"]), content: object() };
      default:
        return { ...common, content: str() };
    }
  };
  /** Messages, mostly with unique ids. */
  const thread = (most) => {
    const messages = some(most, message);
    return isLegal()
      ? [...new Map(messages.map((message) => [message.id, message])).values()]
      : messages;
  };

  const open = { m: new Set(), c: new Set(), r: new Set(), p: new Set(), steps: new Set() };
  const lanes = new Map();
  const owners = new Map();
  const events = [];
  let chunked = "";
  let running = false;
  let spare = 0;
  const id = (kind) =>
    random(12) ? kind + random(4) : pick(["", "x", "constructor", "__proto__", "m0", "c0"]);
  const known = (kind) => (open[kind].size > 0 ? pick([...open[kind]]) : id(kind));
  const unknown = (kind) => {
    const name = id(kind);
    return open[kind].has(name) && isLegal() ? `${kind}${4 + spare++}` : name;
  };
  const lane = () => {
    const alive = [...lanes].filter(([, isOpen]) => isOpen).map(([name]) => name);
    return random(4) === 0 && alive.length ? { subagentRunId: pick(alive) } : {};
  };
  const start = () => {
    running = true;
    Object.values(open).forEach((names) => names.clear());
    lanes.clear();
    return {
      type: "RUN_STARTED",
      threadId: "t",
      runId: `r${random(3)}`,
      ...maybe(4, { protocolVersion: "1.0", parentRunId: "p" }),
      ...maybe(5, {
        input: {
          threadId: "t",
          runId: "r",
          messages: thread(4),
          ...maybe(2, { state: json(), tools: [], context: [] }),
        },
      }),
    };
  };
  const usage = () =>
    maybe(4, { usage: [{ inputTokens: random(9), ...maybe(2, { model: "m", outputTokens: 1 }) }] });
  const finish = () => {
    running = false;
    return {
      type: "RUN_FINISHED",
      threadId: "t",
      runId: "r",
      ...usage(),
      ...maybe(4, { result: json() ?? 1 }),
      ...maybe(2, {
        outcome: pick([
          { type: "success" },
          { type: "success", pendingToolCallIds: some(3, () => id("c")) },
          { type: "cancelled" },
          {
            type: "interrupt",
            interrupts: [
              {
                id: id("i"),
                reason: str(),
                ...maybe(2, {
                  message: str(),
                  toolCallId: "c0",
                  expiresAt: "2027-01-01T00:00:00Z",
                  responseSchema: object(),
                  metadata: object(),
                }),
              },
            ],
          },
        ]),
      }),
    };
  };
  const closing = () => {
    const all = [
      ["m", "TEXT_MESSAGE_END", "messageId"],
      ["c", "TOOL_CALL_END", "toolCallId"],
      ["r", "REASONING_MESSAGE_END", "messageId"],
      ["p", "REASONING_END", "messageId"],
    ];
    for (const [kind, type, name] of all) {
      for (const one of open[kind]) events.push({ type, [name]: one });
      open[kind].clear();
    }
    for (const one of open.steps) events.push({ type: "STEP_FINISHED", stepName: one });
    open.steps.clear();
    for (const [subagentRunId, isOpen] of lanes)
      if (isOpen) events.push({ type: "SUBAGENT_FINISHED", subagentRunId });
    lanes.clear();
  };
  const opened = (kind, name) => {
    open[kind].add(name);
    return name;
  };
  const closed = (kind, name) => {
    open[kind].delete(name);
    return name;
  };
  const isLegal = () => errors === 0 || random(errors) > 0;
  /** A chunk: the next of the one before, or the first of another. */
  const chunk = (kind, name, first) => {
    const last = events.at(-1);
    const goesOn =
      /CHUNK$/.test(last?.type) && last?.subagentRunId === undefined && chunked.startsWith(kind);
    if ((goesOn || !isLegal()) && random(4))
      return { ...maybe(3, { [name]: chunked }), ...maybe(9, first) };
    chunked = isLegal() ? `${kind}${4 + spare++}` : id(kind);
    return { [name]: chunked, ...first };
  };
  /**
   * The subagent of an event with an id: that of the first event of the id, which the others may
   * omit.
   */
  const laneOf = (event) => {
    const name = event.messageId ?? event.toolCallId ?? event.entityId;
    if (name === undefined || !/^(TEXT|REASONING)_.*(START|CONTENT|END)$/.test(event.type))
      return /^(STATE|RAW|CUSTOM)/.test(event.type) ? lane() : {};
    const key = `${event.type.slice(0, 4)} ${name}`;
    if (!owners.has(key)) owners.set(key, /START$/.test(event.type) ? lane() : {});
    return random(2) ? owners.get(key) : {};
  };

  /** The kind of object that has to be open for an event. */
  const NEEDS = {
    TEXT_MESSAGE_CONTENT: "m",
    TEXT_MESSAGE_END: "m",
    TOOL_CALL_ARGS: "c",
    TOOL_CALL_END: "c",
    REASONING_END: "p",
    REASONING_MESSAGE_CONTENT: "r",
    REASONING_MESSAGE_END: "r",
  };

  function body() {
    switch (random(44)) {
      case 0:
      case 1:
        return {
          type: "TEXT_MESSAGE_START",
          messageId: opened("m", unknown("m")),
          ...maybe(2, { role: pick(["assistant", "user", "system", "developer"]) }),
          ...maybe(5, { name: str() }),
        };
      case 2:
      case 3:
      case 4:
      case 5:
      case 6:
        return { type: "TEXT_MESSAGE_CONTENT", messageId: known("m"), delta: str() };
      case 7:
        return { type: "TEXT_MESSAGE_END", messageId: closed("m", known("m")) };
      case 8:
      case 9:
        return {
          type: "TEXT_MESSAGE_CHUNK",
          ...chunk("m", "messageId", maybe(3, { role: "assistant" })),
          ...maybe(1, { delta: str() }),
        };
      case 10:
      case 11:
        return {
          type: "TOOL_CALL_START",
          toolCallId: opened("c", unknown("c")),
          toolCallName: pick(["f", "f", "g"]),
          ...maybe(2, { parentMessageId: id("m") }),
        };
      case 12:
      case 13:
      case 14:
        return { type: "TOOL_CALL_ARGS", toolCallId: known("c"), delta: str() };
      case 15:
        return { type: "TOOL_CALL_END", toolCallId: closed("c", known("c")) };
      case 16:
        return {
          type: "TOOL_CALL_CHUNK",
          ...chunk("c", "toolCallId", {
            toolCallName: "f",
            ...maybe(3, { parentMessageId: "m0" }),
          }),
          ...maybe(1, { delta: str() }),
        };
      case 17:
      case 18:
        return {
          type: "TOOL_CALL_RESULT",
          messageId: id("t"),
          toolCallId: id("c"),
          content: content(),
          ...maybe(2, { role: "tool" }),
        };
      case 19:
        return { type: "STATE_SNAPSHOT", snapshot: random(3) ? object() : json() };
      case 20:
      case 21:
      case 22:
      case 23:
        return { type: "STATE_DELTA", delta: some(5, operation) };
      case 24:
      case 25:
        return {
          type: "MESSAGES_SNAPSHOT",
          messages: thread(5),
          ...maybe(6, {
            metadata: {
              "@ag-ui/client": pick([
                null,
                {},
                1,
                { authoritativeActivityTypes: pick([null, [], ["T"], ["T", 1], "T"]) },
              ]),
            },
          }),
        };
      case 26:
      case 27:
        return {
          type: "ACTIVITY_SNAPSHOT",
          messageId: id("a"),
          activityType: pick(["T", "U"]),
          content: object(),
          ...maybe(3, { replace: random(2) === 0 }),
        };
      case 28:
      case 29:
        return {
          type: "ACTIVITY_DELTA",
          messageId: id("a"),
          activityType: pick(["T", "U"]),
          patch: some(4, operation),
        };
      case 30:
        return { type: "REASONING_START", messageId: opened("p", unknown("p")) };
      case 31:
        return { type: "REASONING_END", messageId: closed("p", known("p")) };
      case 32:
        return {
          type: "REASONING_MESSAGE_START",
          messageId: opened("r", unknown("r")),
          role: "reasoning",
        };
      case 33:
      case 34:
        return { type: "REASONING_MESSAGE_CONTENT", messageId: known("r"), delta: str() };
      case 35:
        return { type: "REASONING_MESSAGE_END", messageId: closed("r", known("r")) };
      case 36:
        return {
          type: "REASONING_MESSAGE_CHUNK",
          ...chunk("r", "messageId", {}),
          ...maybe(1, { delta: str() }),
        };
      case 37: {
        const isCall = random(2) === 0;
        return {
          type: "REASONING_ENCRYPTED_VALUE",
          subtype: isCall ? "tool-call" : "message",
          entityId: id(isCall ? "c" : "m"),
          encryptedValue: str(),
        };
      }
      case 38:
        return { type: "STEP_STARTED", stepName: opened("steps", unknown("steps")) };
      case 39:
        return open.steps.size > 0
          ? { type: "STEP_FINISHED", stepName: closed("steps", known("steps")) }
          : { type: "RAW", event: json(), ...maybe(2, { source: "s" }) };
      case 40: {
        const subagentRunId = random(4) ? `s${lanes.size}` : pick(["s0", "s1"]);
        if (lanes.has(subagentRunId) && isLegal())
          return { type: "CUSTOM", name: str(), value: json() };
        lanes.set(subagentRunId, true);
        return {
          type: "SUBAGENT_STARTED",
          subagentRunId,
          name: str(),
          ...maybe(4, { parentToolCallId: "c0", parentMessageId: "m0", description: str() }),
        };
      }
      case 41: {
        const alive = [...lanes].find(([, isOpen]) => isOpen)?.[0];
        if (alive === undefined || random(2)) return { type: "CUSTOM", name: str(), value: json() };
        lanes.set(alive, false);
        return pick([
          { type: "SUBAGENT_ERROR", subagentRunId: alive, message: str() },
          {
            type: "SUBAGENT_FINISHED",
            subagentRunId: alive,
            ...maybe(2, { result: 1, outcome: { type: "suspended", interruptIds: ["i0"] } }),
          },
        ]);
      }
      case 42: {
        if (random(2)) return { type: "LATER", x: json() };
        const thinking = [
          { type: "THINKING_START", ...maybe(2, { title: pick([null, str()]) }) },
          { type: "THINKING_TEXT_MESSAGE_START" },
          { type: "THINKING_TEXT_MESSAGE_CONTENT", delta: str() },
          { type: "THINKING_TEXT_MESSAGE_END" },
          { type: "THINKING_END" },
        ];
        if (!isLegal()) return pick(thinking);
        events.push(...thinking.slice(0, -1));
        return thinking.at(-1);
      }
      default:
        if (random(3)) return { type: "RAW", event: json() };
        if (random(4) === 0) {
          running = false;
          return { type: "RUN_ERROR", message: str(), ...maybe(2, { code: "c" }), ...usage() };
        }
        closing();
        return finish();
    }
  }

  if (errors === 0 || random(errors * 2)) events.push(start());
  for (let left = 1 + random(40); left > 0; left--) {
    if (!running && isLegal()) {
      if (random(3) === 0) break;
      events.push(start());
      continue;
    }
    const before = Object.fromEntries(
      Object.entries(open).map(([kind, names]) => [kind, names.size]),
    );
    const event = body();
    if (before[NEEDS[event.type]] === 0 && isLegal()) continue;
    if (/MESSAGES_SNAPSHOT/.test(event.type)) for (const key of owners.keys()) owners.set(key, {});
    const tagged = isLegal() ? laneOf(event) : lane();
    events.push({
      ...event,
      ...tagged,
      ...maybe(12, { metadata: object() }),
      ...maybe(12, { timestamp: 1700000000000 + left }),
      ...maybe(20, { rawEvent: json() ?? {} }),
      ...maybe(40, { later: 1 }),
    });
  }
  if (running && random(8)) {
    closing();
    events.push(random(5) ? finish() : { type: "RUN_ERROR", message: "m" });
  }
  return events;
}

/** Damages events: they are removed, repeated, reordered, or changed. */
export function mutate(events, random, times) {
  const pick = (list) => list[random(list.length)];
  const value = () =>
    pick([
      null,
      "",
      "m0",
      "c0",
      0,
      -1,
      1.5,
      1e300,
      true,
      false,
      [],
      {},
      [null],
      "\ud83d",
      "x".repeat(300),
      { type: "x" },
    ]);
  for (; times > 0 && events.length > 0; times--) {
    const at = random(events.length);
    const way = random(9);
    switch (way) {
      case 4:
        if (random(4) === 0) events.length = at;
        break;
      case 5:
        events[at] = { ...events[at], type: pick(events).type };
        break;
      case 6: {
        const name = pick(Object.keys(events[at])) ?? "type";
        const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        const { [name]: kept, ...others } = events[at];
        events[at] = { ...others, [snake]: kept };
        break;
      }
      case 7:
      case 8: {
        // Removes or changes a member at some depth.
        let [place, depth] = [(events[at] = structuredClone(events[at])), 0];
        for (;;) {
          const names = Object.keys(place);
          if (names.length === 0) break;
          const name = pick(names);
          if (typeof place[name] === "object" && place[name] !== null && depth++ < 6 && random(5)) {
            place = place[name];
            continue;
          }
          if (random(3) === 0) {
            if (Array.isArray(place)) {
              place.splice(name, 1);
            } else {
              delete place[name];
            }
          } else if (random(4) === 0)
            place[Array.isArray(place) ? place.length : "another"] = value();
          else
            place[name] = random(4)
              ? value()
              : pick(["m0", "m1", "c0", "s0", "assistant", "user", "tool", "activity"]);
          break;
        }
        break;
      }
      default:
        DISORDERS[way](events, at, random);
    }
  }
}
