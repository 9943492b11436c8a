import { converting } from "./converting.mjs";
import { compare } from "../rounds.mjs";
import { Decoder } from "agentwire";
for (const [from,to] of [["responses","agent-api"],["agent-api","responses"]]) for (const stream of ["text","mixed"]) {
 const {contestants,digest,...rest}=await converting({from,to,stream});
 if (process.argv[2]) { for (const [i,c] of contestants.entries()) { const {answer}=c.pass(); const d=new Decoder({protocol:to}); answer.forEach(b=>d.push(b)); (await import("node:fs")).writeFileSync(`/tmp/rows-${to}-${stream}-${i}.json`, JSON.stringify(d.finish().snapshot,null,1)); (await import("node:fs")).writeFileSync(`/tmp/rows-${to}-${stream}-${i}.sse`, Buffer.concat(answer));}}
 try{ const r=await compare(contestants,{rounds:15,warm:15,patience:5000,digest});
 console.log(from,to,stream,rest,r.digest, r.subject.cpu.median.toFixed(1), (r.subject.cpu.median*1e6/rest.events).toFixed(0)+"ns/ev", r.opponents.map(o=>[o.ratio.median.toFixed(2),o.cpuRatio.median.toFixed(2), (o.cpu.median*1e6/rest.events).toFixed(0)+"ns"]));
 } catch(e){console.log(from,to,stream,e.message)}
}
