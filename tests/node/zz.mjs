import { Decoder, respond, Converter, read } from "agentwire";
const r = respond({}, {protocol:"a2a", ids:"numbered", heartbeat:0, echo:{id:7}}, async (out)=>{ await out.message().text().delta("hi"); });
const t = await r.text(); console.log(t);
const d = new Decoder({protocol:"a2a"}); d.push(new TextEncoder().encode(t)); console.log(JSON.stringify(d.finish()));
