// `DefaultChatTransport` and `readUIMessageStream` of the AI SDK, both majors, against `createHandler`.
import { describe, test } from "node:test";
import * as ai6 from "ai-6";
import * as ai7 from "ai";
import { uiTests } from "../../support/ai_ui.mjs";

describe("ai 6", () => uiTests(test, ai6, 6));
describe("ai 7", () => uiTests(test, ai7, 7));
