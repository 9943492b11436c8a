// Building one content of a message.

import type { Content, Json, RawContentBuilder } from "../agentwire.js";
import { checked } from "../arguments.js";
import { parseJson } from "../json.js";
import { type BuilderEvent, eventOf } from "./event.js";
import type { Handle } from "./handle.js";
import { nextPiece } from "./next_piece.js";
import { type JsonObject, type NewAudio, type NewFile, jsonOf } from "./options.js";

/**
 * Builds one content. Made by `MessageBuilder.createContentBuilder`.
 *
 * `set…` and `updateData` send the whole value so far, which replaces; `add…` sends a further piece, which is appended;
 * `complete` sends the whole value. After the first piece, `set…` is refused. A method of another type of content is
 * refused, too.
 */
export class ContentBuilder {
  readonly #handle: Handle<RawContentBuilder>;

  /** @internal */
  constructor(handle: Handle<RawContentBuilder>) {
    this.#handle = handle;
  }

  /** A further piece of a text; null counts as an empty one, which is sent. */
  addTextDelta(text: string | null | undefined): BuilderEvent {
    return eventOf(nextPiece(this.#handle, text ?? "", "text"));
  }

  /** The same as {@link addTextDelta}. */
  addDelta(text: string | null | undefined): BuilderEvent {
    return this.addTextDelta(text);
  }

  /** A further piece of a refusal; null counts as an empty one, which is sent. */
  addRefusalDelta(text: string | null | undefined): BuilderEvent {
    return eventOf(nextPiece(this.#handle, text ?? "", "refusal"));
  }

  /** A piece of data: texts and lists grow, numbers add up, objects merge, everything else is replaced. */
  addDataDelta(delta: JsonObject): BuilderEvent {
    return eventOf(this.#handle.call("addDataDelta", jsonOf(delta)));
  }

  /** The text so far. */
  setText(text: string): BuilderEvent {
    return eventOf(this.#handle.call("set", "text", text));
  }

  /** The refusal so far. */
  setRefusal(refusal: string): BuilderEvent {
    return eventOf(this.#handle.call("set", "refusal", refusal));
  }

  /** A URL or data URL of an image. */
  setImageUrl(url: string): BuilderEvent {
    return eventOf(this.#handle.call("set", "image", url));
  }

  /** A URL or data URL of a video. */
  setVideoUrl(url: string): BuilderEvent {
    return eventOf(this.#handle.call("set", "video", url));
  }

  /** Audio. */
  setAudio({ data, format }: NewAudio): BuilderEvent {
    return eventOf(this.#handle.call("set", "audio", data, format));
  }

  /** A file. */
  setFile({ file_url, file_id, filename, file_data }: NewFile): BuilderEvent {
    return eventOf(this.#handle.call("set", "file", file_url, file_id, filename, file_data));
  }

  /** The data so far. */
  setData(data: JsonObject): BuilderEvent {
    return eventOf(this.#handle.call("set", "data", jsonOf(data)));
  }

  /** Sets one key of the data, and sends the data so far. */
  updateData(key: string, value: Json): BuilderEvent {
    return eventOf(this.#handle.call("updateData", key, jsonOf(value)));
  }

  /** The last event of the content: the whole value. Once only. */
  complete(): BuilderEvent {
    return eventOf(this.#handle.call("complete"));
  }

  /** The content as it stands. */
  getContentData(): Content {
    return parseJson(this.#handle.call("getContentData")) as unknown as Content;
  }

  /** Gives the memory back; the content stays part of the message. */
  free(): void {
    this.#handle.free();
  }

  /** For `using`. */
  [Symbol.dispose](): void {
    this.#handle.free();
  }
}

checked("ContentBuilder", ContentBuilder, {
  addTextDelta: { text: "string?" },
  addDelta: { text: "string?" },
  addRefusalDelta: { text: "string?" },
  addDataDelta: { delta: "json?" },
  setText: { text: "string" },
  setRefusal: { refusal: "string" },
  setImageUrl: { url: "string" },
  setVideoUrl: { url: "string" },
  setAudio: { audio: { data: "string", format: "string?" } },
  setFile: { file: { file_url: "string?", file_id: "string?", filename: "string?", file_data: "string?" } },
  setData: { data: "json?" },
  updateData: { key: "string", value: "json?" },
});
