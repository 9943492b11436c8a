// What a row says about its event, read from the frame itself: the page shows what came, not what was made of it.

/** The colours that rows and the wire have. */
export type Kind = "response" | "message" | "content" | "tool" | "pause" | "comment" | "error" | "other" | "end";

/** One event in a few words. */
export interface Label {
  readonly kind: Kind;
  /** What it is about: in the Agent API the event's `object`. */
  readonly object: string;
  /** Its type, status and the like. */
  readonly detail: string;
  /** The beginning of what it carries. */
  readonly preview: string;
  /** `sequence_number` as it came; null where there is none, undefined where the protocol has none. */
  readonly sequence: number | null | undefined;
  /** It goes on with a text that began before. */
  readonly isDelta?: boolean;
}

const PREVIEW = 160;

/** Labels a frame that has data. */
export function labelOf(frame: string): Label {
  const data = dataOf(frame);
  if (data.trim() === "[DONE]") {
    return { kind: "response", object: "[DONE]", detail: "", preview: "", sequence: undefined };
  }
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    return { kind: "error", object: "unreadable", detail: "", preview: shorten(data), sequence: null };
  }
  if (!isObject(event)) {
    return { kind: "other", object: "no object", detail: "", preview: shorten(data), sequence: null };
  }
  return typeof event.type === "string" && !("object" in event) ? ofAgKit(event, data) : ofAgentApi(event, data);
}

function ofAgentApi(event: JsonObject, data: string): Label {
  const sequence = typeof event.sequence_number === "number" ? event.sequence_number : null;
  const label = (kind: Kind, object: string, detail: readonly unknown[], preview: unknown): Label => ({
    kind,
    object,
    detail: detail.filter((word) => typeof word === "string" && word !== "").join(" · "),
    preview: typeof preview === "string" ? shorten(preview) : "",
    sequence,
  });
  const failure = isObject(event.error) ? `${event.error.code}: ${event.error.message}` : undefined;
  switch (event.object) {
    case "response":
      return label(failure ? "error" : "response", "response", [event.status], failure);
    case "message":
      return label("message", "message", [event.type, event.role, event.status], failure ?? event.id);
    case "content": {
      const kind = event.type === "data" ? "tool" : "content";
      const piece = event.delta === true ? "delta" : event.status;
      const place = typeof event.index === "number" ? `${event.type}[${event.index}]` : event.type;
      return { ...label(kind, "content", [place, piece], carried(event)), isDelta: event.delta === true };
    }
    default:
      return typeof event.error === "string"
        ? label("error", "error", [], event.error)
        : label("other", String(event.object ?? "no object"), [event.type, event.status], data);
  }
}

/** Events without `object` whose `type` says everything. */
function ofAgKit(event: JsonObject, data: string): Label {
  const type = String(event.type);
  const label = (kind: Kind, object: string, detail: readonly unknown[], preview: unknown, isDelta = false): Label => ({
    kind,
    object,
    detail: detail.filter((word) => typeof word === "string" && word !== "").join(" · "),
    preview: typeof preview === "string" ? shorten(preview) : preview === undefined ? "" : shorten(JSON.stringify(preview)),
    sequence: undefined,
    isDelta,
  });
  switch (type) {
    case "text":
      return label("content", "text", [], event.content, true);
    case "tool-call-start":
      return label("tool", "tool-call", ["start", event.toolCallName], event.toolCallId);
    case "tool-call-args":
      return label("tool", "tool-call", ["args"], event.delta, true);
    case "tool-call-end":
      return label("tool", "tool-call", ["end"], event.toolCallId);
    case "tool-result":
      return label("tool", "tool-result", [], event.result);
    case "interrupt":
      return label("pause", "interrupt", [event.reason], event.payload);
    case "error":
      return label("error", "error", [], event.error);
    default:
      // AG-UI's events, which some servers send on the same path, are the only ones in upper case.
      return label("other", /^[A-Z_]+$/.test(type) ? "AG-UI" : "unknown", [type], data);
  }
}

/** The data of a frame: its data lines without their names, joined. */
export function dataOf(frame: string): string {
  const lines = frame.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  const data = lines.filter((line) => /^data(:|$)/.test(line));
  return data.map((line) => line.replace(/^data(: ?)?/, "")).join("\n");
}

/** The text of a frame's comments. */
export function commentOf(frame: string): string {
  const lines = frame.split(/\r\n|\r|\n/).filter((line) => line.startsWith(":"));
  return lines.map((line) => line.slice(1).trim()).join(" ");
}

function carried(content: JsonObject): unknown {
  const { data } = content;
  if (isObject(data)) {
    const { arguments: args, output } = data;
    return [output, args].find((text) => typeof text === "string" && text !== "") ?? JSON.stringify(data);
  }
  return content.text ?? content.refusal ?? content.image_url ?? content.video_url ?? content.file_url ?? data;
}

function shorten(text: string): string {
  return text.length > PREVIEW ? `${text.slice(0, PREVIEW)}…` : text;
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
