// Measures the chats of docs/help/compare-chat.md: `node tests/js/node/docs/measure_chats.mjs`
// prints the rows of its table.
import { fileURLToPath } from "node:url";
import { samplesOf } from "../support/programs.mjs";

/** The rows with numbers: the name of each, and how a sample is measured. */
const ROWS = {
  "lines that are not blank": (code) =>
    code.split("\n").filter((line) => line.trim() !== "").length,
  "names imported from libraries": (code) =>
    [...code.matchAll(/^import \{([^}]*)\} from "(?!react")[^"]*";$/gm)].flatMap(([, names]) =>
      names.split(",").filter((name) => name.trim() !== ""),
    ).length,
  "hooks for state of the component": (code) =>
    [...code.matchAll(/\b(?:useState|useRef|useEffect|useReducer)(?:<[^>]*(?:<[^>]*>)?[^>]*>)?\(/g)]
      .length,
};

/** Returns the rows of the table. */
export async function measuredRows() {
  const chats = await samplesOf("docs/help/compare-chat.md");
  return Object.entries(ROWS).map(
    ([name, measure]) => `| ${name} | ${chats.map(({ code }) => measure(code)).join(" | ")} |`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log((await measuredRows()).join("\n"));
}
