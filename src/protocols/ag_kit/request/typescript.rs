//! Requests as TypeScript sees them.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &'static str = r#"
/** What a client asks an AG-Kit agent. */
export interface SendMessageInput {
  /** Names the conversation, whose messages the server keeps. */
  conversationId: string;
  /** What is new in it. */
  messages?: AgKitInputMessage[] | null;
  /** What the agent may ask the client to call. */
  tools?: AgKitTool[] | null;
  /** The answer to an interrupt. */
  resume?: AgKitResume | null;
}

/** One message of a request. */
export type AgKitInputMessage =
  | { role: "system" | "user"; content: string }
  | { role: "tool"; content: string; toolCallId: string }
  | { role: "assistant"; id?: string; content?: string | null; toolCalls?: AgKitToolCall[] | null };

/** A tool call of an assistant message. */
export interface AgKitToolCall {
  id: string;
  type?: "function";
  function: { name: string; /** JSON text. */ arguments: string };
}

/** A tool of the client. */
export interface AgKitTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments: as text, which is what the protocol wants, or as the object itself. */
  parameters: Json;
}

/** The answer to an interrupt. */
export interface AgKitResume {
  /** The interrupt's `id`. */
  interruptId: string;
  /**
   * The answer as JSON text, `JSON.stringify(answer)`: what `resuming` writes, and what a request has that was parsed.
   * Text that is no JSON, and any other JSON, are sent as JSON text, too.
   */
  payload: Json;
}
"#;
