// `DefaultChatTransport` and `readUIMessageStream` of the AI SDK, each major, against
// `createHandler`.
import { describe, test } from "node:test";
import * as ai5 from "ai-5";
import * as ai6 from "ai-6";
import * as ai7 from "ai";
import { uiTests } from "../../support/ai_ui.mjs";

describe("ai 5", () => uiTests(test, ai5, 5));
describe("ai 6", () => uiTests(test, ai6, 6));
describe("ai 7", () => uiTests(test, ai7, 7));
