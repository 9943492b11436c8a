// The codes of errors. `docs/reference/errors.md` describes each. Types only.

/**
 * Codes of {@link AgentwireError}. They are stable and can be matched on. Later versions may add
 * codes.
 */
export type ErrorCode =
  | CallErrorCode
  | StreamErrorCode
  | RequestErrorCode
  | ProtocolErrorCode
  | BuilderErrorCode;

/** Codes for an invalid call, or a call in a state that does not allow it. */
export type CallErrorCode =
  | "wrong-argument"
  | "missing-argument"
  | "wrong-option"
  | "unknown-protocol"
  | "not-json"
  | "not-initialized"
  | "wasm-unavailable"
  | "wrong-version"
  | "freed"
  | "finished"
  | "consumed"
  | "ended"
  | "event-refused"
  | "not-awaited"
  | "no-output"
  | "value-returned"
  | "too-large"
  | "limit-exceeded";

/** Codes for a stream that cannot be read. */
export type StreamErrorCode =
  | "wrong-source"
  | "wrong-chunk"
  | "body-used"
  | "http-status"
  | "content-type"
  | "other-origin"
  | "redirected"
  | "wrong-address"
  | "connection-lost"
  | "core-trapped";

/** Codes for a request that cannot be handled or sent. */
export type RequestErrorCode =
  | "bad-request"
  | "message-without-id"
  | "parameters-not-json"
  | "answer-missing"
  | "answered-twice"
  | "not-pending"
  | "nothing-pending"
  | "interrupt-expired"
  | "file-unavailable"
  | "agent-failed"
  | "message-not-sendable";

/** Codes for a custom protocol with an error. */
export type ProtocolErrorCode =
  | "protocol-not-converted"
  | "protocol-threw"
  | "protocol-async"
  | "event-not-text"
  | "line-break";

/**
 * Codes for a builder call that would make the stream invalid: the
 * {@link https://agentwire.github.io/agentwire/reference/rules | rule} that it would violate, or
 * the error.
 */
export type BuilderErrorCode =
  | "after-error"
  | "after-finished"
  | "after-terminal"
  | "bad-message"
  | "content-after-end"
  | "content-after-message"
  | "content-before-message"
  | "duplicate-key"
  | "finished-early"
  | "first-event"
  | "id-taken"
  | "index-gap"
  | "index-taken"
  | "legacy-thinking"
  | "malformed-event"
  | "message-after-end"
  | "message-changed"
  | "message-ended-twice"
  | "message-not-ended"
  | "message-not-opened"
  | "message-unknown"
  | "no-such-part"
  | "not-a-number"
  | "not-an-object"
  | "not-started"
  | "null-piece"
  | "owner-mismatch"
  | "part-content"
  | "part-missing"
  | "patch-failed"
  | "reset-in-stream"
  | "response-not-created"
  | "response-not-started"
  | "response-went-back"
  | "run-not-started"
  | "run-started-twice"
  | "set-after-delta"
  | "stale-builder"
  | "started-twice"
  | "status-unknown"
  | "step-not-started"
  | "step-started-twice"
  | "subagent-not-started"
  | "subagent-started-twice"
  | "too-deep"
  | "unknown-content-type"
  | "unknown-role"
  | "unknown-type"
  | "wrong-content-type"
  | "wrong-run";
