// Parses, validates and converts requests of AG-Kit.

import type { SendMessageInput } from "../agentwire.js";
import { requestTools } from "../convert/request.js";

/** The functions for requests of AG-Kit. */
export const REQUESTS = /* @__PURE__ */ requestTools<SendMessageInput>(
  "parseSendMessageInput",
  "validateSendMessageInput",
);
