// Prints a run in the terminal: the answer as it grows, and the verdict.
import { toolCalls } from "agentwire";
import { explain } from "agentwire/rules";

const styled = process.stdout.isTTY && !process.env.NO_COLOR;
const style = (code) => (text) => (styled ? `\u001b[${code}m${text}\u001b[0m` : text);
export const [bold, dim, red, green] = ["1", "2", "31", "32"].map(style);

const INDENT = 12;
const WIDTH = Math.max(48, Math.min(process.stdout.columns ?? 96, 96)) - INDENT - 2;

/** Prints a run while it arrives; resolves to its outcome and its duration. */
export async function printRun(run) {
  const began = performance.now();
  const page = new Page();
  const printed = new Set();
  for await (const { snapshot, changes, toolCalls } of run) {
    for (const { message, content, from } of changes.flatMap((change) =>
      changedContents(snapshot, change),
    )) {
      // One update may contain the result of a tool and the agent's next text.
      printCalls(page, printed, snapshot, toolCalls, snapshot.output.indexOf(message));
      if (content.type === "text") {
        page.write(
          message.type === "message" ? message.role : message.type,
          (content.text ?? "").slice(from),
        );
      } else if (content.type === "image") {
        page.line("image", short(content.image_url));
      }
    }
    printCalls(page, printed, snapshot, toolCalls, snapshot.output.length);
  }
  page.end();
  const outcome = await run.finished();
  return { outcome, milliseconds: performance.now() - began };
}

/** Returns the contents that a change creates or extends, with the start of their new part. */
function changedContents(snapshot, { kind, path: [list, at, , place, member], from = 0 }) {
  const message = list === "output" ? snapshot.output[at] : undefined;
  if (kind === "add" && message !== undefined) {
    const contents = place === undefined ? message.content : [message.content[place]];
    return contents.map((content) => ({ message, content, from }));
  }
  return kind === "append" && member === "text"
    ? [{ message, content: message.content[place], from }]
    : [];
}

/** Prints the verdict of a run. */
export function printVerdict({ snapshot, report }, milliseconds) {
  const found = report.violations;
  const facts = [
    `${report.events} events`,
    `${report.bytes} bytes`,
    `${Math.round(milliseconds)} ms`,
    `ended ${report.endReason}`,
    snapshot.status,
  ];
  const verdict = found.length === 0 ? green("no violations") : red(`${found.length} violations`);
  console.log(`  ${dim(facts.join(" · "))} · ${verdict}`);
  for (const violation of found) {
    const { severity, rule, event, actual } = violation;
    console.log(
      `  ${red(severity)} ${rule} at event ${event}: expected ${explain(violation).expected}, got ${actual}`,
    );
  }
}

/**
 * Prints the arguments and the result of each tool once, if a message before that position has
 * them.
 */
function printCalls(page, printed, snapshot, calls, place) {
  const isBefore = (id) => snapshot.output.findIndex((message) => message.id === id) < place;
  const views = toolCalls(snapshot);
  for (const call of calls) {
    const view = views.find(({ id }) => id === call.callId);
    const [callKey, resultKey] = [`asked ${call.callId}`, `answered ${call.callId}`];
    if (call.state !== "streaming" && isBefore(call.messageId) && !printed.has(callKey)) {
      printed.add(callKey);
      page.line("tool", `${call.name}(${view?.argumentsText})`);
    }
    if (call.state === "answered" && isBefore(call.outputMessageId) && !printed.has(resultKey)) {
      printed.add(resultKey);
      page.line("", `→ ${view?.result?.text}`);
    }
  }
}

/** Paragraphs with a title on their left, written in pieces. */
class Page {
  #title = "";
  #column = 0;

  /** Continues the paragraph of that title, or starts it. */
  write(title, text) {
    if (title !== this.#title) {
      this.#begin(title);
    }
    for (const piece of text.match(/\n|[^\s]+|[^\S\n]+/g) ?? []) {
      // Punctuation stays with the word before it.
      const fits = this.#column + widthOf(piece) <= WIDTH || /^\p{P}/u.test(piece);
      if (piece === "\n" || !fits) {
        process.stdout.write(`\n${" ".repeat(INDENT + 2)}`);
        this.#column = 0;
      }
      if (piece !== "\n" && (this.#column > 0 || piece.trim() !== "")) {
        process.stdout.write(piece);
        this.#column += widthOf(piece);
      }
    }
  }

  /** Writes a paragraph of one line, truncated to the width. */
  line(title, text) {
    this.#begin(title);
    process.stdout.write(text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text);
    this.#title = "";
  }

  /** Ends the page. */
  end() {
    process.stdout.write("\n\n");
  }

  #begin(title) {
    process.stdout.write(`\n  ${dim(title.padEnd(INDENT))}`);
    this.#title = title;
    this.#column = 0;
  }
}

/**
 * Returns the approximate number of columns in a terminal: Chinese characters and emoji take two.
 */
function widthOf(text) {
  return [...text].reduce(
    (width, character) => width + (character.codePointAt(0) > 0x2e80 ? 2 : 1),
    0,
  );
}

function short(address) {
  return address.length > 40 ? `${address.slice(0, 40)}… (${address.length} characters)` : address;
}
