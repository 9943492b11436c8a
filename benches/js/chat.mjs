// The cost of the messages of a chat: `node benches/js/chat.mjs`, after a build. A thread of 1,000
// messages (AG-UI), or 500 exchanges (Responses), and an answer of 10,000 deltas, whose messages
// are computed for each delta; a page computes them once per frame. Ratios are those to reading
// alone.
import { AG_UI_DIALECT } from "../../pkg/build/ag_ui/connect.js";
import { RESPONSES_DIALECT } from "../../pkg/build/responses/connect.js";
import { Decoder as AgUiDecoder } from "agentwire/ag-ui";
import { Decoder as ResponsesDecoder } from "agentwire/responses";

const DELTAS = 10_000;
const ROUNDS = 5;
const encoder = new TextEncoder();
const frame = (event) => encoder.encode(`data: ${JSON.stringify(event)}\n\n`);

function agUi() {
  const messages = Array.from({ length: 1_000 }, (_, at) => ({
    id: `m${at}`,
    role: at % 2 ? "assistant" : "user",
    content: `message ${at}`,
  }));
  messages.push({ id: "q", role: "user", content: "Q" });
  const deltas = Array.from({ length: DELTAS }, () => ({
    type: "TEXT_MESSAGE_CONTENT",
    messageId: "a",
    delta: "word ",
  }));
  const events = [
    { type: "RUN_STARTED", threadId: "t", runId: "r" },
    { type: "TEXT_MESSAGE_START", messageId: "a", role: "assistant" },
    ...deltas,
  ];
  return {
    dialect: AG_UI_DIALECT,
    decoder: () => new AgUiDecoder({ messages, state: {} }),
    events,
    before: [],
  };
}

function responses() {
  const before = Array.from({ length: 500 }, (_, at) => ({
    id: `e${at}`,
    user: { id: `q${at}`, parts: [{ type: "text", text: "Q" }] },
    status: "done",
    replies: [],
    snapshot: {
      id: `r${at}`,
      status: "completed",
      output: [
        {
          type: "message",
          id: `m${at}`,
          content: [{ type: "output_text", text: "A", annotations: [] }],
        },
      ],
    },
  }));
  const place = { item_id: "m", output_index: 0, content_index: 0 };
  const events = [
    {
      type: "response.created",
      response: { id: "r", object: "response", status: "in_progress", output: [] },
    },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { id: "m", type: "message", role: "assistant", status: "in_progress", content: [] },
    },
    {
      type: "response.content_part.added",
      ...place,
      part: { type: "output_text", text: "", annotations: [] },
    },
    ...Array.from({ length: DELTAS }, () => ({
      type: "response.output_text.delta",
      ...place,
      delta: "word ",
    })),
  ];
  return { dialect: RESPONSES_DIALECT, decoder: () => new ResponsesDecoder(), events, before };
}

/** Returns the microseconds of an update: of reading, and of the messages. */
function measured({ dialect, decoder, events, before }) {
  const view = dialect.view(new Set(), []);
  const live = {
    id: "live",
    user: { id: "q", parts: [{ type: "text", text: "Q" }] },
    status: "streaming",
    replies: [],
  };
  const reader = decoder();
  const frames = events.map(frame);
  let [reading, showing, shown] = [0, 0, undefined];
  for (const bytes of frames) {
    const begun = performance.now();
    reader.push(bytes);
    const { snapshot } = reader;
    const read = performance.now();
    const messages = snapshot && view([...before, { ...live, snapshot }]);
    reading += read - begun;
    showing += performance.now() - read;
    if (shown?.[0] !== undefined && shown[0] !== messages[0])
      throw new Error("an unchanged message is another object");
    shown = messages;
  }
  reader.free?.();
  return [reading, showing].map((time) => (time * 1000) / frames.length);
}

for (const [name, made] of Object.entries({
  "AG-UI, 1,002 messages": agUi(),
  "Responses, 501 exchanges": responses(),
})) {
  const rounds = Array.from({ length: ROUNDS }, () => measured(made)).sort(
    (one, other) => one[1] - other[1],
  );
  const [reading, showing] = rounds[Math.floor(ROUNDS / 2)];
  console.log(
    `${name}: messages ${showing.toFixed(1)} µs per delta, reading ${reading.toFixed(1)} µs: ${(showing / reading).toFixed(2)}x`,
  );
}
