// The Python program that judges requests. The variable PYTHON is an interpreter with the packages
// of requirements.txt.
import { execFile } from "node:child_process";

/** Resolves to the list of errors of each of the requests, `{ protocol, request }`. */
export function judgeByTypes(requests) {
  return new Promise((resolve, reject) => {
    const program = execFile(
      process.env.PYTHON,
      ["judge.py"],
      { cwd: import.meta.dirname, maxBuffer: 256 << 20 },
      (error, output, printed) => {
        if (error) return reject(new Error(printed || String(error)));
        resolve(
          output
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line)),
        );
      },
    );
    program.stdin.end(
      requests
        .map(({ protocol, request }) => `${JSON.stringify({ protocol, request })}\n`)
        .join(""),
    );
  });
}
