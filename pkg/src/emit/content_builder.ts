// The builder of one content of a message.

import type { Content, Json, RawContentBuilder } from "../agentwire.js";
import { checked } from "../core/arguments.js";
import { type JsonObject, jsonOf, parseJson } from "../core/json.js";
import { type BuilderEvent, eventOf } from "./event.js";
import { type Handle, nextPiece } from "../core/handle.js";
import type { NewAudio, NewFile } from "../convert/builder_options.js";

/**
 * Builds the events of one content. Returned by `MessageBuilder.createContentBuilder`.
 *
 * `set…` and `updateData` send the complete value so far and replace the previous one; `add…` appends a delta;
 * `complete` sends the complete value. `set…` after the first delta is rejected, and so is a method for a different
 * content type.
 */
export class ContentBuilder {
  readonly #handle: Handle<RawContentBuilder>;

  /** @internal */
  constructor(handle: Handle<RawContentBuilder>) {
    this.#handle = handle;
  }

  /** Appends a text delta. `null` is sent as an empty delta. */
  addTextDelta(text: string | null | undefined): BuilderEvent {
    return eventOf(nextPiece(this.#handle, text ?? "", "text"));
  }

  /** Alias of {@link addTextDelta}. */
  addDelta(text: string | null | undefined): BuilderEvent {
    return this.addTextDelta(text);
  }

  /** Appends a refusal delta. `null` is sent as an empty delta. */
  addRefusalDelta(text: string | null | undefined): BuilderEvent {
    return eventOf(nextPiece(this.#handle, text ?? "", "refusal"));
  }

  /**
   * Appends a data delta: strings and arrays are concatenated, numbers are added, objects are merged, other values are
   * replaced.
   */
  addDataDelta(delta: JsonObject): BuilderEvent {
    return eventOf(this.#handle.call("addDataDelta", jsonOf(delta)));
  }

  /** Sets the text. */
  setText(text: string): BuilderEvent {
    return eventOf(this.#handle.call("set", "text", text));
  }

  /** Sets the refusal. */
  setRefusal(refusal: string): BuilderEvent {
    return eventOf(this.#handle.call("set", "refusal", refusal));
  }

  /** Sets the URL or data URL of an image. */
  setImageUrl(url: string): BuilderEvent {
    return eventOf(this.#handle.call("set", "image", url));
  }

  /** Sets the URL or data URL of a video. */
  setVideoUrl(url: string): BuilderEvent {
    return eventOf(this.#handle.call("set", "video", url));
  }

  /** Sets the audio data and its format. */
  setAudio({ data, format }: NewAudio): BuilderEvent {
    return eventOf(this.#handle.call("set", "audio", data, format));
  }

  /** Sets the file. */
  setFile({ file_url, file_id, filename, file_data }: NewFile): BuilderEvent {
    return eventOf(this.#handle.call("set", "file", file_url, file_id, filename, file_data));
  }

  /** Sets the data object. */
  setData(data: JsonObject): BuilderEvent {
    return eventOf(this.#handle.call("set", "data", jsonOf(data)));
  }

  /** Sets one property of the data and sends the complete data. */
  updateData(key: string, value: Json): BuilderEvent {
    return eventOf(this.#handle.call("updateData", key, jsonOf(value)));
  }

  /** Returns the last event of the content, which holds the complete value. Can be called once. */
  complete(): BuilderEvent {
    return eventOf(this.#handle.call("complete"));
  }

  /** Returns the content in its current state. */
  getContentData(): Content {
    return parseJson(this.#handle.call("getContentData")) as unknown as Content;
  }

  /** Releases the WebAssembly memory. The content remains part of the message. */
  free(): void {
    this.#handle.free();
  }

  /** Calls {@link free}, for `using`. */
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
