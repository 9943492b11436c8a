// Pictures, files and sounds.
import {
  FUNCTION,
  PDF,
  PNG,
  a2a,
  agUi,
  agentApi,
  aiSdk,
  anthropic,
  chat,
  gemini,
  history,
  later,
  responses,
} from "./requests.mjs";
import { has } from "./match.mjs";

const SEE = {
  responses: { type: "input_text", text: "see" },
  others: { type: "text", text: "see" },
  gemini: { text: "see" },
};

/** Requests whose question has a text and another part, by their protocols. */
const BUILD = {
  responses: (part) => responses({ input: [{ role: "user", content: [SEE.responses, part] }] }),
  chat: (part) => chat({ messages: [{ role: "user", content: [SEE.others, part] }] }),
  anthropic: (part) => anthropic({ messages: [{ role: "user", content: [SEE.others, part] }] }),
  gemini: (part) => gemini({ contents: [{ role: "user", parts: [SEE.gemini, part] }] }),
  "ag-ui": (part) => agUi({ messages: [{ id: "u1", role: "user", content: [SEE.others, part] }] }),
  "ai-sdk": (part) => aiSdk([SEE.others, part]),
  "agent-api": (part) => agentApi([SEE.others, part]),
  a2a: (part) => a2a([SEE.gemini, part]),
};
const asked = (parts) =>
  Object.fromEntries(
    Object.entries(parts).map(([protocol, part]) => [protocol, BUILD[protocol](part)]),
  );

/** Patterns of requests that have a part of the user, by the protocols of models. */
const FIND = {
  responses: (part) => ({ input: [{ role: "user", content: [part] }] }),
  chat: (part) => ({ messages: [{ role: "user", content: [part] }] }),
  anthropic: (part) => ({ messages: [{ role: "user", content: [part] }] }),
  gemini: (part) => ({ contents: [{ parts: [part] }] }),
};
const found = (parts) =>
  Object.fromEntries(
    Object.entries(parts).map(([protocol, part]) => [protocol, part && FIND[protocol](part)]),
  );

const DATA = `data:image/png;base64,${PNG}`;
const PDF_DATA = `data:application/pdf;base64,${PDF}`;
const URL = "https://a/b.png";
const PDF_URL = "https://a/b.pdf";
const SHOT = {
  responses: [
    { type: "input_text", text: "shot" },
    { type: "input_image", image_url: DATA },
  ],
  anthropic: [
    { type: "text", text: "shot" },
    { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
  ],
  "ag-ui": {
    content: [
      { type: "text", text: "shot" },
      { type: "image", source: { type: "data", value: PNG, mimeType: "image/png" } },
    ],
  },
};

export default [
  {
    topic: "image by URL",
    sources: asked({
      responses: { type: "input_image", image_url: URL },
      chat: { type: "image_url", image_url: { url: URL } },
      anthropic: { type: "image", source: { type: "url", url: URL } },
      gemini: { fileData: { mimeType: "image/png", fileUri: URL } },
      "ag-ui": { type: "image", source: { type: "url", value: URL, mimeType: "image/png" } },
      "ai-sdk": { type: "file", mediaType: "image/png", url: URL },
      "agent-api": { type: "image", image_url: URL },
      a2a: { url: URL, mediaType: "image/png" },
    }),
    targets: found({
      responses: { type: "input_image", image_url: URL },
      chat: { image_url: { url: URL } },
      anthropic: { type: "image", source: { url: URL } },
      gemini: { fileData: { fileUri: URL } },
    }),
  },
  {
    topic: "media type of an image by URL",
    sources: asked({
      gemini: { fileData: { mimeType: "image/webp", fileUri: "https://a/b" } },
      "ag-ui": {
        type: "image",
        source: { type: "url", value: "https://a/b", mimeType: "image/webp" },
      },
      "ai-sdk": { type: "file", mediaType: "image/webp", url: "https://a/b" },
      a2a: { url: "https://a/b", mediaType: "image/webp" },
    }),
    targets: found({ gemini: { fileData: { fileUri: "https://a/b", mimeType: "image/webp" } } }),
  },
  {
    topic: "image as base64",
    sources: asked({
      responses: { type: "input_image", image_url: DATA },
      chat: { type: "image_url", image_url: { url: DATA } },
      anthropic: { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
      gemini: { inlineData: { mimeType: "image/png", data: PNG } },
      "ag-ui": { type: "image", source: { type: "data", value: PNG, mimeType: "image/png" } },
      "ai-sdk": { type: "file", mediaType: "image/png", url: DATA },
      "agent-api": { type: "image", image_url: DATA },
      a2a: { raw: PNG, mediaType: "image/png" },
    }),
    targets: found({
      responses: { type: "input_image", image_url: DATA },
      chat: { image_url: { url: DATA } },
      anthropic: { type: "image", source: { data: PNG, media_type: "image/png" } },
      gemini: { inlineData: { data: PNG, mimeType: "image/png" } },
    }),
  },
  {
    topic: "image by file id",
    ofProvider: "file_1",
    sources: asked({
      responses: { type: "input_image", file_id: "file_1" },
      anthropic: { type: "image", source: { type: "file", file_id: "file_1" } },
    }),
    targets: found({
      responses: { type: "input_image", file_id: "file_1" },
      chat: null,
      anthropic: { type: "image", source: { file_id: "file_1" } },
      gemini: null,
    }),
  },
  {
    topic: "detail of an image",
    sources: asked({
      responses: { type: "input_image", image_url: URL, detail: "low" },
      chat: { type: "image_url", image_url: { url: URL, detail: "low" } },
    }),
    targets: found({
      responses: { type: "input_image", detail: "low" },
      chat: { image_url: { detail: "low" } },
    }),
  },
  {
    topic: "PDF as base64",
    sources: asked({
      responses: { type: "input_file", filename: "a.pdf", file_data: PDF_DATA },
      chat: { type: "file", file: { filename: "a.pdf", file_data: PDF_DATA } },
      anthropic: {
        type: "document",
        title: "a.pdf",
        source: { type: "base64", media_type: "application/pdf", data: PDF },
      },
      gemini: { inlineData: { mimeType: "application/pdf", data: PDF } },
      "ag-ui": {
        type: "document",
        source: { type: "data", value: PDF, mimeType: "application/pdf" },
      },
      "ai-sdk": { type: "file", mediaType: "application/pdf", filename: "a.pdf", url: PDF_DATA },
      "agent-api": { type: "file", filename: "a.pdf", file_data: PDF },
      a2a: { raw: PDF, mediaType: "application/pdf", filename: "a.pdf" },
    }),
    targets: found({
      responses: { type: "input_file", file_data: { $ends: PDF } },
      chat: { file: { file_data: { $ends: PDF } } },
      anthropic: { type: "document", source: { data: PDF, media_type: "application/pdf" } },
      gemini: { inlineData: { data: PDF, mimeType: "application/pdf" } },
    }),
  },
  {
    topic: "name of a file",
    sources: asked({
      responses: { type: "input_file", filename: "facts.pdf", file_data: PDF_DATA },
      chat: { type: "file", file: { filename: "facts.pdf", file_data: PDF_DATA } },
      anthropic: {
        type: "document",
        title: "facts.pdf",
        source: { type: "base64", media_type: "application/pdf", data: PDF },
      },
      "ai-sdk": {
        type: "file",
        mediaType: "application/pdf",
        filename: "facts.pdf",
        url: PDF_DATA,
      },
      a2a: { raw: PDF, mediaType: "application/pdf", filename: "facts.pdf" },
    }),
    targets: found({
      responses: { filename: "facts.pdf" },
      chat: { file: { filename: "facts.pdf" } },
      anthropic: { type: "document", title: "facts.pdf" },
    }),
  },
  {
    topic: "PDF by URL",
    sources: asked({
      responses: { type: "input_file", file_url: PDF_URL },
      anthropic: { type: "document", source: { type: "url", url: PDF_URL } },
      gemini: { fileData: { mimeType: "application/pdf", fileUri: PDF_URL } },
      "ai-sdk": { type: "file", mediaType: "application/pdf", url: PDF_URL },
    }),
    targets: found({
      responses: { type: "input_file", file_url: PDF_URL },
      chat: null,
      anthropic: { type: "document", source: { url: PDF_URL } },
      gemini: { fileData: { fileUri: PDF_URL } },
    }),
  },
  {
    topic: "PDF by file id",
    ofProvider: "file_1",
    sources: asked({
      responses: { type: "input_file", file_id: "file_1" },
      chat: { type: "file", file: { file_id: "file_1" } },
      anthropic: { type: "document", source: { type: "file", file_id: "file_1" } },
    }),
    targets: found({
      responses: { type: "input_file", file_id: "file_1" },
      chat: { file: { file_id: "file_1" } },
      anthropic: { type: "document", source: { file_id: "file_1" } },
      gemini: null,
    }),
  },
  {
    topic: "message that has only what the target cannot have",
    sources: {
      responses: responses({
        input: [{ role: "user", content: [{ type: "input_file", file_url: PDF_URL }] }],
      }),
      anthropic: anthropic({
        messages: [
          { role: "user", content: [{ type: "document", source: { type: "url", url: PDF_URL } }] },
        ],
      }),
    },
    // A placeholder.
    targets: { chat: { messages: { $only: [{ role: "user" }] } } },
  },
  {
    topic: "text document",
    sources: asked({
      anthropic: {
        type: "document",
        source: { type: "text", media_type: "text/plain", data: "the facts" },
      },
    }),
    targets: {
      responses: has("the facts"),
      chat: has("the facts"),
      anthropic: FIND.anthropic({ type: "document", source: { type: "text", data: "the facts" } }),
      gemini: has("the facts"),
    },
  },
  {
    topic: "audio",
    sources: asked({
      chat: { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      gemini: { inlineData: { mimeType: "audio/wav", data: "AAAA" } },
      "ag-ui": { type: "audio", source: { type: "data", value: "AAAA", mimeType: "audio/wav" } },
      "ai-sdk": { type: "file", mediaType: "audio/wav", url: "data:audio/wav;base64,AAAA" },
    }),
    targets: found({
      chat: { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      anthropic: null,
      gemini: { inlineData: { mimeType: "audio/wav", data: "AAAA" } },
    }),
  },
  {
    topic: "video",
    sources: asked({
      gemini: { inlineData: { mimeType: "video/mp4", data: "AAAA" } },
      "ag-ui": { type: "video", source: { type: "data", value: "AAAA", mimeType: "video/mp4" } },
    }),
    targets: found({
      responses: null,
      chat: null,
      anthropic: null,
      gemini: { inlineData: { mimeType: "video/mp4", data: "AAAA" } },
    }),
  },
  {
    topic: "image in a tool result",
    sources: {
      responses: responses({
        tools: [FUNCTION.responses],
        input: later.responses(history.responses(SHOT.responses)),
      }),
      anthropic: anthropic({
        tools: [FUNCTION.anthropic],
        messages: later.anthropic(history.anthropic(SHOT.anthropic)),
      }),
      "ag-ui": agUi({ messages: later["ag-ui"](history["ag-ui"](SHOT["ag-ui"])) }),
    },
    targets: {
      responses: { input: [{ type: "function_call_output", output: [{ type: "input_image" }] }] },
      chat: null,
      anthropic: {
        messages: [{ content: [{ type: "tool_result", content: [{ type: "image" }] }] }],
      },
      // Beside the response, not as text in it.
      gemini: {
        $all: [
          has(PNG),
          { contents: [{ parts: [{ functionResponse: { response: { $lacks: [PNG] } } }] }] },
        ],
      },
    },
  },
  {
    topic: "image of the assistant",
    sources: {
      "agent-api": {
        session_id: "s",
        input: [
          { role: "user", type: "message", content: [{ type: "text", text: "hi" }] },
          {
            role: "assistant",
            type: "message",
            content: [
              { type: "text", text: "look" },
              { type: "image", image_url: URL },
            ],
          },
          { role: "user", type: "message", content: [{ type: "text", text: "and?" }] },
        ],
      },
    },
    // No API accepts one.
    targets: { responses: null, chat: null, anthropic: null },
  },
];
