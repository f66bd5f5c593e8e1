(function(use,load,meta,require){"use strict";const {Qf:c,Tf:r}=use("chunk-AFUPYCZE.js");
                                                 async function f(n,{id:e,risk:t},a=0){let{destination:o}=await n.access(),i=Math.max(t?.observed_at??0,a)||n.machine.now();for(let d of c(n.machine.variables,o)){let s=r(d,e);if(s==="damaged"||s!==void 0&&
i<s.until)return s}}async function u(n,e){let{destination:t}=await n.access();return c(n.machine.variables,t).some(a=>r(a,e)!==void 0)}async function l(n,e,t){let a=await Promise.all(e.map(async o=>[o.
id,await f(n,o,t)]));return new Map(a.flatMap(([o,i])=>i===void 0?[]:[[o,i]]))}                             

return{a:f,b:u,c:l}})