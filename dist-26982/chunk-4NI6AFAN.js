(function(use,load,meta,require){"use strict";const {Hj:a,Ij:f}=use("chunk-KBEGXUNB.js");
                                                 function y(t,e={}){return async(n,{signal:d,timeoutMs:i=e.timeoutMs})=>{let{intent:o,idempotencyKey:r}=n;if(r!==void 0&&t.keepsKeys)throw n;let l=e.beforeOf?.(o),m=await a(t,n,{before:l,signal:d,timeoutMs:i,
maxWaitMs:i}),{answer:c,seen:s}=f(m,r),p=s===void 0?"it was sent again":`it had arrived: ${s}`;return e.note?.(`${o.operationId} got no answer; ${p}.`),c}}               

return{a:y}})