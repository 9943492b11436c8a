import { readFileSync } from "node:fs";
import { Converter, Decoder } from "agentwire";
const [, , path, from, ...tos] = process.argv;
let bytes = readFileSync(path);
let f = from;
for (const to of tos) {
  const c = new Converter({ from: f, to });
  const out = [c.push(bytes), c.finish()];
  const text = out.map((o) => typeof o === "string" ? o : new TextDecoder().decode(o)).join("");
  console.log("==", f, "→", to, JSON.stringify(c.conversation ?? c.conversion.losses)); console.log(text);
  bytes = new TextEncoder().encode(text); f = to;
}
const d = new Decoder({ protocol: f }); d.push(bytes); const { snapshot, report } = d.finish(); console.log(JSON.stringify(snapshot), report.endReason, report.violations);
