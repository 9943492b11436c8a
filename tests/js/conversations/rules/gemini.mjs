// What Gemini's API refuses. The words are those of generativelanguage.googleapis.com:
// github.com/google-gemini/gemini-cli/issues/5443
// (numbers of parts), github.com/langgenius/dify-official-plugins/issues/2088 (signatures).
import { CORRUPTED, isSignature, missingSignature } from "./chat_dialects.mjs";
import { refuse } from "./refusal.mjs";

// The members of https://ai.google.dev/api/generate-content and https://ai.google.dev/api/caching, and those
// that `@google/genai` 3.3.0 sends besides them: `continuationToken`, and the `audioTranscription` of a part
// of the model (`partToMldev`).
const REQUEST = names(
  "contents tools toolConfig safetySettings systemInstruction generationConfig cachedContent store serviceTier model continuationToken",
);
const CONFIG = names(
  `stopSequences responseMimeType responseSchema responseJsonSchema _responseJsonSchema responseModalities candidateCount maxOutputTokens
  temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs logprobs enableEnhancedCivicAnswers speechConfig
  thinkingConfig imageConfig mediaResolution`,
);
const PART = names(
  `text thought thoughtSignature inlineData fileData functionCall functionResponse executableCode codeExecutionResult videoMetadata
  mediaResolution partMetadata toolCall toolResponse audioTranscription`,
);
const FUNCTION = names(
  "name description behavior parameters parametersJsonSchema response responseJsonSchema",
);

const FEW = [
  "Please ensure that the number of function response parts is equal to the number of function call parts",
  "of the function call turn.",
].join(" ");

/** Validates a request. `state` is what the model accepts as its own. */
export function geminiRules(body, { state }) {
  mustKnow(body, REQUEST, "");
  mustKnow(body.generationConfig ?? {}, CONFIG, " at 'generation_config'");
  ofTools(body);
  const { contents = [], systemInstruction } = body;
  refuse(
    systemInstruction?.parts.length === 0,
    "* GenerateContentRequest.system_instruction.parts: must not be empty.",
  );
  refuse(contents.length === 0, "* GenerateContentRequest.contents: contents is not specified");
  for (const [at, { role = "user", parts = [] }] of contents.entries()) {
    refuse(!["user", "model", "function"].includes(role), "Please use a valid role: user, model.");
    refuse(
      parts.length === 0,
      `* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.`,
    );
    for (const [place, part] of parts.entries())
      ofPart(part, `contents[${at}].parts[${place}]`, parts);
    ofCalls(parts, at, contents);
    ofResults(parts, at, contents);
  }
  ofSignatures(contents, state);
}

function ofPart(part, path, parts) {
  mustKnow(part, PART, ` at '${path}'`);
  const { text, inlineData: inline, fileData: file } = part;
  refuse(
    text === "" && parts.length === 1,
    "Unable to submit request because it must have a text parameter.",
  );
  refuse(
    inline && !inline.mimeType,
    "Unable to submit request because the mimeType parameter is empty.",
  );
  refuse(
    file && !file.fileUri,
    `* GenerateContentRequest.${path}.file_data.file_uri: must not be empty.`,
  );
}

function ofTools({ tools = [], toolConfig }) {
  const functions = tools.flatMap(({ functionDeclarations: list = [] }) => list);
  for (const [at, declaration] of functions.entries()) {
    const place = `tools[0].function_declarations[${at}]`;
    mustKnow(declaration, FUNCTION, ` at '${place}'`);
    const { name, parameters, parametersJsonSchema } = declaration;
    refuse(
      !/^[a-zA-Z_][\w.:-]{0,63}$/.test(name),
      `GenerateContentRequest.${place}.name: Invalid function name.`,
    );
    refuse(
      parameters && parametersJsonSchema,
      `GenerateContentRequest.${place}: parameters and parameters_json_schema are both set.`,
    );
    // `parameters` is a subset of OpenAPI's schema: https://ai.google.dev/api/caching#Schema.
    const isOther = JSON.stringify(parameters ?? {}).includes("additionalProperties");
    refuse(
      isOther,
      `Invalid JSON payload received. Unknown name "additionalProperties" at '${place}.parameters': Cannot find field.`,
    );
  }
  const { mode, allowedFunctionNames: allowed } = toolConfig?.functionCallingConfig ?? {};
  refuse(
    mode === "ANY" && functions.length === 0,
    "Function calling config is set without function_declarations.",
  );
  const only = "Allowed function names should be set only when function calling mode is ANY.";
  refuse(allowed && !["ANY", "VALIDATED"].includes(mode), only);
  const other = (allowed ?? []).find(
    (name) => !functions.some((declaration) => declaration.name === name),
  );
  refuse(other, `Allowed function name ${other} is not in function_declarations.`);
}

function ofCalls(parts, at, contents) {
  const calls = parts.filter(({ functionCall: call }) => call);
  if (calls.length === 0) return;
  const place =
    "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
  refuse(at === 0, place);
  const next = (contents[at + 1]?.parts ?? []).filter(({ functionResponse: result }) => result);
  refuse(at < contents.length - 1 && next.length !== calls.length, FEW);
}

function ofResults(parts, at, contents) {
  const results = parts.filter(({ functionResponse: result }) => result);
  if (results.length === 0) return;
  const asked = (contents[at - 1]?.parts ?? []).flatMap(({ functionCall: call }) =>
    call ? [call.name] : [],
  );
  refuse(
    asked.length === 0,
    "Please ensure that function response turn comes immediately after a function call turn.",
  );
  refuse(results.length !== asked.length, FEW);
  for (const {
    functionResponse: { name, response },
  } of results) {
    refuse(
      !asked.includes(name),
      `Function response name ${name} does not match any function call of the previous turn.`,
    );
    const isObject = typeof response === "object" && response !== null && !Array.isArray(response);
    refuse(
      !isObject,
      "Invalid value at 'function_response.response' (type.googleapis.com/google.protobuf.Struct).",
    );
  }
}

/** The first call of each step of the current turn has a signature. */
function ofSignatures(contents, state) {
  const isQuestion = ({ role, parts }) =>
    role !== "model" && parts.some(({ functionResponse: result }) => !result);
  const start = contents.findLastIndex(isQuestion);
  for (const [at, { role, parts }] of contents.entries()) {
    const first =
      role === "model" && at > start ? parts.find(({ functionCall: call }) => call) : undefined;
    if (first === undefined) continue;
    const { functionCall: call, thoughtSignature: signature } = first;
    refuse(!signature, missingSignature(call.name, at));
    refuse(!isSignature(signature, state), CORRUPTED);
  }
}

function mustKnow(object, known, place) {
  const unknown = Object.keys(object).find((name) => !known.has(name));
  refuse(
    unknown,
    `Invalid JSON payload received. Unknown name "${unknown}"${place}: Cannot find field.`,
  );
}

function names(text) {
  return new Set(text.split(/\s+/));
}
