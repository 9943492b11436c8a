// The example's worker, and in addition the exercise of the other hosts.
import * as glue from "./rust_worker_bg.js";
import { exercise } from "./exercise.mjs";
import worker from "./worker.mjs";

export default {
  async fetch(request) {
    const isExercise = new URL(request.url).pathname === "/exercise";
    return isExercise ? Response.json(await exercise(glue)) : worker.fetch(request);
  },
};
