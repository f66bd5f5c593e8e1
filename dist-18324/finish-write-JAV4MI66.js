(function(use,load,meta,require){"use strict";const {b:p,c:e}=use("chunk-QOBZWUIP.js");use("chunk-VA6MFGRR.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                   async function y({client:o,intents:t,arrivalMs:r},i,{signal:n,timeoutMs:m,note:s}){let c=await p(o,i,{before:t.beforeOf(i.intent),signal:n,timeoutMs:m,arrivalMs:r,maxWaitMs:m}),{answer:d,seen:f}=e(c,i.
idempotencyKey);return s(u(i,f)),d}function a({cause:o,refusal:t}){return t!==void 0&&o===t}function u(o,t){if(t===void 0)return"The write got no answer and was not done, so perp sent it again. It is \
done now.";let r=o.idempotencyKey===void 0?"it is done":"it arrived";return a(o)?`The write was refused (${o.refusal?.message}), but ${r}: ${t}. The request was probably delivered twice.`:`The write g\
ot no answer, but ${r}: ${t}.`}                                        

return{finishWrite:y,isRefused:a}})