// A recording as a program that reads it, or as a command that sends its request again.

import type { Protocol } from "agentwire";
import { isSecret } from "./permalink.js";
import type { Recording } from "./recording.js";
import type { RequestSource } from "./source.js";

/** Returns the request of a recording, if it came from one. */
export function requestOf({ origin: { source } }: Recording): RequestSource | null {
  return source?.kind === "request" ? source : null;
}

/**
 * Returns the command that sends a request again. Credentials are replaced by variables of the
 * shell.
 */
export function curlOf({ url, method, headers, body }: RequestSource): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = [
    `curl -N ${quoted(url)}${method === "GET" ? "" : ` -X ${method}`}`,
    ...headers.map(
      ([name, value]) =>
        `-H ${isSecret(name) ? `"${name}: $${variableOf(name)}"` : quoted(`${name}: ${value}`)}`,
    ),
    ...(method === "GET" || body === "" ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return `${lines.join(" \\\n  ")}\n`;
}

/**
 * Returns a module that reads the recording: from its request, or from the file that the playground
 * downloads.
 */
export function typescriptOf(recording: Recording): string {
  const protocol = JSON.stringify(recording.protocol);
  const request = requestOf(recording);
  const input =
    request === null
      ? 'createReadStream("stream.sse")'
      : `fetch(${JSON.stringify(request.url)}, ${optionsOf(request)})`;
  return `${request === null ? 'import { createReadStream } from "node:fs";\n' : ""}import { read, stringifyJson } from "agentwire";

const run = read(${input}, { protocol: ${protocol} });
for await (const { snapshot } of run) {
  console.log(stringifyJson(snapshot));
}
const { report } = await run.finished();
console.log(report.endReason, report.violations);
`;
}

function optionsOf({ method, headers, body }: RequestSource): string {
  const lines = headers.map(
    ([name, value]) =>
      `    ${JSON.stringify(name)}: ${isSecret(name) ? `process.env.${variableOf(name)}!` : JSON.stringify(value)},`,
  );
  const rest = method === "GET" || body === "" ? "" : `  body: ${JSON.stringify(body)},\n`;
  return `{\n  method: ${JSON.stringify(method)},\n  headers: {\n${lines.join("\n")}\n  },\n${rest}}`;
}

/** The module of each protocol in Rust, and its reader. */
const RUST: Readonly<Record<Protocol, readonly [module: string, name: string]>> = {
  "agent-api": ["agent_api", "AgentApi"],
  agentscope: ["agentscope", "AgentScope"],
  "ag-kit": ["ag_kit", "AgKit"],
  "ag-ui": ["ag_ui", "AgUi"],
  responses: ["responses", "Responses"],
  a2a: ["a2a", "A2a"],
  "ai-sdk": ["ai_sdk", "AiSdk"],
  chat: ["chat", "Chat"],
  anthropic: ["anthropic", "Anthropic"],
  gemini: ["gemini", "Gemini"],
  interactions: ["interactions", "Interactions"],
};

/** Returns a program in Rust that reads the recording from a file. */
export function rustOf(recording: Recording): string {
  const [module, name] = RUST[recording.protocol ?? "agent-api"];
  const request = requestOf(recording);
  return `${request === null ? "" : rustComment(curlOf(request))}use agentwire::{Reader, ${module}::${name}};

fn main() -> Result<(), std::io::Error> {
    let mut reader = Reader::new(${name}::default());
    reader.push(&std::fs::read("stream.sse")?);
    let outcome = reader.finish();
    println!("{:#?}", outcome.snapshot);
    for violation in &outcome.report.violations {
        println!("event {}: {}", violation.at.event, violation.rule.id);
    }
    Ok(())
}
`;
}

function rustComment(command: string): string {
  return `${`${command.trimEnd()} > stream.sse`
    .split("\n")
    .map((line) => `// ${line}`)
    .join("\n")}\n`;
}

function variableOf(header: string): string {
  return header.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
}
