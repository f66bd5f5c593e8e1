(function(use,load,meta,require){"use strict";const {F:l,g:n}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                           var w,A=()=>w??=require                 ("node:events"),v=t=>A()[t];var a=v("once");var E,y=()=>E??=require                 ("node:worker_threads"),c=t=>y()[t];var d=c("MessageChannel");var u=c("receiveMessageOnPort");var x=c("Worker");var g=1e4,f=500;async function I(t){let r=await j(),e=o=>{let p=r(o,` ${t}`);if(p==="broke off")throw h("the expression needs more memory than there is, or recurses too deeply.");let{stdout:i,stderr:s,
exitCode:m}=p;if(m!==0)throw n(`--jq failed: ${L(s)}`,"perp help values shows examples.");return i===""?"":`${T(i)}
`};return e(""),e}async function j(){let{threadFile:t}=await load  ("./jq-thread-ENJDOLJI.js"),{port1:r,port2:e}=new d,o=new Int32Array(new SharedArrayBuffer(4)),p={perpJq:e,done:o},i=new x(t,{workerData:p,
transferList:[e]});await Promise.race([a(r,"message"),a(i,"error").then(([m])=>Promise.reject(m))]),i.unref(),r.unref();let s=!1;return(m,M)=>{if(!s){if(Atomics.store(o,0,0),r.postMessage([m,M]),k(o))
return u(r).message;s=!0,i.terminate()}throw h(`the expression was not done after ${g/1e3}s.`)}}function k(t){if(Atomics.wait(t,0,0,f)!=="timed-out")return!0;let r=["SIGINT","SIGTERM"],e=r.map(o=>[o,process.
rawListeners(o)]);for(let o of r)process.removeAllListeners(o);try{return Atomics.wait(t,0,0,g-f)!=="timed-out"}finally{for(let[o,p]of e)for(let i of p)process.on(o,i)}}function h(t){return n(`--jq fa\
iled: ${t}`,"Filter less at a time, or use the jq program on the JSON.")}function L(t){return t.trim().replace(/^jq: error(?: \(at [^)]*\))?: /,"")||"jq reported no reason."}function T(t){return t.split(
/([\t\n])/).map((r,e)=>e%2===1?r:l(r)).join("")}                      

return{jqFilter:I}})