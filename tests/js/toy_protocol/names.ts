// The names of the toy that have to do with reading it.

export type { ToyAnswer } from "./types.js";
