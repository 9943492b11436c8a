import { WORKLOADS } from "/work/wt/emission/benches/js/emission.mjs";
import { emission } from "/work/wt/emission/benches/js/emission.mjs";
const e = await emission({ rounds: 15, warm: 10, patience: 2500 });
for (const s of e.streams) console.log(s.title, s.subject.cpu.median.toFixed(1), s.opponents[0].cpu.median.toFixed(1), "cpu ratio", s.opponents[0].cpuRatio.median.toFixed(2), "wall", s.opponents[0].ratio.median.toFixed(2));
