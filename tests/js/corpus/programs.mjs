// The random programs of the official builder: see tests/data/builder_programs.
export const PROGRAMS = new URL(
  "../../data/corpus/agent-api/build_random_programs/programs.jsonl.gz",
  import.meta.url,
);
