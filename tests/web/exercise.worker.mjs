// The example's worker, and beside it what the other hosts are asked to do.
import * as glue from "./rust_worker_bg.js";
import { exercise } from "./exercise.mjs";
import worker from "./worker.mjs";

export default {
  async fetch(request) {
    const isExercise = new URL(request.url).pathname === "/exercise";
    return isExercise ? Response.json(await exercise(glue)) : worker.fetch(request);
  },
};
