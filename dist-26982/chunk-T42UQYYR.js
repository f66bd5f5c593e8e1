(function(use,load,meta,require){"use strict";const {bb:p,db:b}=use("chunk-KBEGXUNB.js");
                                                 function S(c,{WebSocket:s,...n},d){let o={answer:{},headers:{}},i=n.dispatcher.compose(r=>(f,u)=>r(f,y(u,o,n.server))),e=new s(c,{dispatcher:i,headers:n.headers??{}}),t=!1,a="";return e.binaryType="ar\
raybuffer",e.addEventListener("open",()=>{t||d.opened(o.headers)}),e.addEventListener("message",({data:r})=>{t||(typeof r=="string"?d.text(r):d.binary(r))}),e.addEventListener("error",({error:r,message:f})=>{
a=g(r)??f}),e.addEventListener("close",({code:r,reason:f})=>{t||(t=!0,d.closed({code:r,reason:f||a||(o.problem??""),...o.answer}))}),{send(r){!t&&e.readyState===e.OPEN&&e.send(r)},ping(){load  ("./undici-FK7DVPMS.js").
then(({default:{ping:r}})=>{!t&&e.readyState===e.OPEN&&r(e)})},abandon(){t||(t=!0,e.close(1e3),e[Symbol.for("nodejs.unref")]?.())}}}function g(c){let s;for(let n=c;n instanceof Error;n=n.cause)n.message!==
""&&(s=n.message);return s}function y(c,s,n){let d=Object.create(c);return d.onResponseStart=(o,i,e,t)=>{s.answer.status=i;let a=Object.fromEntries(Object.entries(e).map(([u,m])=>[u.toLowerCase(),m])),
r=b(a,Date.now());r!==void 0&&r>0&&(s.answer.retryAfterMs=r);let f=n===void 0&&a["x-request-id"]===void 0&&a.server!==void 0;return s.answer.front=p(i,a,n,f),c.onResponseStart?.(o,i,e,t)},d.onRequestUpgrade=
(o,i,e,t)=>{for(let[a,r]of Object.entries(e))s.headers[a.toLowerCase()]=String(r);return c.onRequestUpgrade?.(o,i,e,t)},d.onResponseError=(o,i)=>(s.problem=g(i),c.onResponseError?.(o,i)),d}                      

return{a:S,b:g}})