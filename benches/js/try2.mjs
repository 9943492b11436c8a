const { responses } = await import("./responses.mjs");
for (const row of process.argv.slice(2)) { try { const r = await responses(row, {rounds:5,warm:5,patience:20000});
 console.log(row, r.streams, r.bytes, r.digest.slice(0,100), r.subject.cpu.median.toFixed(1), r.opponents.map(o=>[o.ratio.median.toFixed(1),o.cpuRatio.median.toFixed(1),o.cpu.median.toFixed(1)])); } catch(e) {console.log(row, e.message.slice(0,3000))} }
