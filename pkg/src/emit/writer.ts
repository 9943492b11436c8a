// What a run is written with: the builder of a protocol, or what makes one of another protocol look like it. Types only.

import type { ErrorInfo, Json, MessageType, Role } from "../agentwire.js";
import type { BuilderEvent } from "./event.js";
import type { JsonObject, NewContent, TerminalStatus } from "./options.js";

/** A run. */
export interface RunWriter {
  createMessageBuilder(role?: Role, messageType?: MessageType): MessageWriter;
  setUsage(usage: JsonObject): void;
  incomplete(reason?: string): BuilderEvent;
  /** The events that end it from wherever it is. */
  finishWith(status: TerminalStatus, error?: ErrorInfo): BuilderEvent[];
  free(): void;
}

/** A message of it. */
export interface MessageWriter {
  readonly id: string;
  /** The event that begins it. */
  inProgress(): BuilderEvent;
  createContentBuilder(contentType: string): ContentWriter;
  /** A content that is whole. */
  addContent(content: NewContent): BuilderEvent;
  setMetadata(metadata: JsonObject): void;
  setUsage(usage: JsonObject): void;
  finishWith(status: TerminalStatus): BuilderEvent[];
  free(): void;
}

/** A content of that. */
export interface ContentWriter {
  addTextDelta(text: string | null | undefined): BuilderEvent;
  addRefusalDelta(text: string | null | undefined): BuilderEvent;
  addDataDelta(delta: { readonly [key: string]: Json | undefined }): BuilderEvent;
  complete(): BuilderEvent;
  free(): void;
}
