// The service with a store under test: that in TypeScript, or that in Rust if the variable
// RUNS_PROGRAM has its program.
import { answersOn } from "./answers.mjs";
import { rustAnswersOn } from "./rust_answers.mjs";

const isRust = process.env.RUNS_PROGRAM !== undefined;

/** Opens a service on a store: `answersOn` of `answers.mjs`, or the same in Rust. */
export const openService = isRust ? rustAnswersOn : answersOn;

/** The language of the service. */
export const language = isRust ? "Rust" : "TypeScript";

/** The options of a test of what only createHandler has. */
export const onlyTypeScript = { skip: isRust && "the service in Rust has no such option" };
