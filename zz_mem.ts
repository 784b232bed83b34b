import { createLocalEmbedder } from "./adapters/embeddings/local_embedder.ts";
import { builtinEncoders } from "./adapters/embeddings/encoders/builtin.ts";
import { systemClock } from "./domain/core/clock.ts";
const kb=(k:string)=>Math.round(Number(new RegExp(k+":\\s+(\\d+)").exec(Deno.readTextFileSync("/proc/self/status"))![1])/1024);
const gc=()=>(globalThis as any).gc?.({type:"major",execution:"sync",flavor:"last-resort"});
const set=builtinEncoders(); if(Deno.args[0]==="swap"){ set.sources.reverse(); }
gc(); const before=kb("VmRSS"); 
const cpu=()=>{const f=Deno.readTextFileSync("/proc/self/stat").split(")")[1].trim().split(" ");return (Number(f[11])+Number(f[12]))/100};
const text="The delivery of your order is delayed because our supplier in Hamburg has not answered our questions about the missing parts since last Tuesday. ".repeat(8);
for (let round=0; round<3; round++){
 const e=createLocalEmbedder(set,{clock:systemClock});
 let c=cpu(), t=performance.now();
 await e.embed([text],{timeoutMs:1e6}); const load=[(cpu()-c).toFixed(2)+" cpu",((performance.now()-t)/1000).toFixed(2)+" s"];
 c=cpu(); t=performance.now(); const N=60; await e.embed(Array(N).fill(text),{timeoutMs:1e6});
 const p=[((cpu()-c)/N).toFixed(4)+" cpu",((performance.now()-t)/N/1000).toFixed(4)+" s"];
 t=performance.now(); c=cpu(); await e.embed(Array(40).fill("when does the parcel arrive at home"),{timeoutMs:1e6,userId:"a"}); const q=[((cpu()-c)/40).toFixed(4),((performance.now()-t)/40).toFixed(1)+" ms"];
 const work=kb("VmRSS");
 e.close(); await new Promise(r=>setTimeout(r,1500)); gc(); await new Promise(r=>setTimeout(r,500));
 console.log(JSON.stringify({before,work,peak:kb("VmHWM"),after:kb("VmRSS"),load,passage:p,question:q}));
}
