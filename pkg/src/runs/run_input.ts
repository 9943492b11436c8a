// Validates the body of `POST /runs` without the core: its declared shape, and the rules between
// its members. The service validates it again, and also checks numbers in other notations and the
// limits of sizes.

import type { Json, RunInput, RunInputPart } from "../agentwire.js";
import { parseJson, stringifyJson } from "../core/json.js";
import { UUID } from "../core/random.js";
import { RUN_INPUT } from "../generated/runs/input.js";
import { RequestError, type RequestProblem } from "../http/request.js";
import { type Fault, type ReportFault, type ObjectShape, checkShape } from "./shape.js";

const NO_UUID: Fault = ["uuid_parsing", "Input should be a valid UUID"];
const NO_IMAGE: Fault = ["mime_type", "Input should be the type of an image"];
const NO_ADDRESS: Fault = ["url_parsing", "Input should be the address of an uploaded image"];

/** The maximum number of problems that are listed. The others are counted. */
const MAX_PROBLEMS = 100;

/** Throws a `RequestError` with the problems for which the service would reject this body. */
export function checkRunInput(body: string): void {
  const problems: RequestProblem[] = [];
  let omitted = 0;
  const note: ReportFault = (path, [code, expected], actual) =>
    void (problems.length < MAX_PROBLEMS
      ? problems.push({ path, code, expected, actual })
      : omitted++);
  const input = parseJson(body);
  checkShape(input, RUN_INPUT, "body", note);
  if (problems.length === 0) {
    checkRules(input as unknown as RunInput, note);
  }
  if (omitted > 0) {
    problems.push({
      path: "body",
      code: "problems_omitted",
      expected: `${omitted} more problems are not listed`,
      actual: null,
    });
  }
  if (problems.length > 0) {
    throw errorOf(problems);
  }
}

function checkRules(
  { threadId, runId, messages, forwardedProps, resume }: RunInput,
  note: ReportFault,
): void {
  if (!UUID.test(threadId)) {
    note("body.threadId", NO_UUID, threadId);
  }
  const length = [...runId].length;
  if (length === 0) {
    note("body.runId", ["string_too_short", "Input should have at least 1 character"], runId);
  } else if (length > 128) {
    note("body.runId", ["string_too_long", "Input should have at most 128 characters"], runId);
  } else if (/\p{Cc}/u.test(runId)) {
    note(
      "body.runId",
      ["string_pattern_mismatch", "Input should have no control characters"],
      runId,
    );
  }
  if (messages.length > 200) {
    note("body.messages", ["too_long", "There should be at most 200 messages"], messages.length);
  }
  const count = (role: string): number =>
    messages.filter((message) => message.role === role).length;
  const continues = (Array.isArray(resume) && resume.length > 0) || count("tool") > 0;
  if (count("user") > 1 || (count("user") === 0 && !continues)) {
    const expected =
      "There should be one message of the user, or none beside a tool's result or `resume`";
    note("body.messages", ["one_user_message", expected], count("user"));
  }
  messages.forEach((message, number) => {
    if (message.role === "user" && typeof message.content !== "string") {
      message.content.forEach((part, at) =>
        checkPart(part, `body.messages.${number}.content.${at}`, note),
      );
    }
  });
  const declared = RUN_INPUT.members.find(({ name }) => name === "forwardedProps")!
    .shape as ObjectShape;
  for (const [name, value] of Object.entries(forwardedProps)) {
    if (!declared.members.some((member) => member.name === name)) {
      note(
        `body.forwardedProps.${name}`,
        ["extra_forbidden", "Extra inputs are not permitted"],
        value as Json,
      );
    }
  }
}

function checkPart(part: RunInputPart, path: string, note: ReportFault): void {
  if (part.type === "binary") {
    const { mimeType, url, data } = part;
    checkImage(mimeType, `${path}.mimeType`, note);
    if (data != null) {
      const actual = data.length > 50 ? `${data.slice(0, 25)}...${data.slice(-24)}` : data;
      note(
        `${path}.data`,
        ["data_forbidden", "Data should be uploaded, and its address be given"],
        actual,
      );
    }
    checkAddress(url ?? null, `${path}.url`, note);
  } else if (part.type === "image") {
    checkImage(part.source.mimeType, `${path}.source.mimeType`, note);
    checkAddress(part.source.value, `${path}.source.value`, note);
  }
}

function checkImage(type: string | null | undefined, path: string, note: ReportFault): void {
  if (!(type == null || /^image\/./s.test(type))) {
    note(path, NO_IMAGE, type);
  }
}

function checkAddress(url: string | null, path: string, note: ReportFault): void {
  if (!/^(https?:\/\/|\/(?!\/))/.test(url ?? "")) {
    note(path, NO_ADDRESS, url);
  }
}

/** Returns the error that `serializeRunInput` throws for these problems. */
function errorOf(problems: readonly RequestProblem[]): RequestError {
  const [{ path, expected }] = problems as [RequestProblem];
  const isOfMessages = problems.every((problem) => /^body\.messages(\.|$)/.test(problem.path));
  const message = `${path}: ${expected}`;
  const body = stringifyJson({
    type: "about:blank",
    title: "Unprocessable Content",
    status: 422,
    detail: message,
    code: isOfMessages ? "AGENT_RUN_MESSAGES_INVALID" : "AGENT_RUN_INPUT_INVALID",
    problems: problems.map(({ actual: got, ...problem }) => ({ ...problem, got })),
  });
  return new RequestError({
    status: 422,
    contentType: "application/problem+json",
    body,
    message,
    problems,
  });
}
