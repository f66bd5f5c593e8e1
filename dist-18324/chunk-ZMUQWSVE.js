(function(use,load,meta,require){"use strict";const {nb:p,pb:b}=use("chunk-AFUPYCZE.js");
                                                 function S(c,{WebSocket:s,...r},d){let o={answer:{},headers:{}},i=r.dispatcher.compose(n=>(f,u)=>n(f,y(u,o,r.server))),e=new s(c,{dispatcher:i,headers:r.headers??{}}),t=!1,a="";return e.binaryType="ar\
raybuffer",e.addEventListener("open",()=>{t||d.opened(o.headers)}),e.addEventListener("message",({data:n})=>{t||(typeof n=="string"?d.text(n):d.binary(n))}),e.addEventListener("error",({error:n,message:f})=>{
a=g(n)??f}),e.addEventListener("close",({code:n,reason:f})=>{t||(t=!0,d.closed({code:n,reason:f||a||(o.problem??""),...o.answer}))}),{send(n){!t&&e.readyState===e.OPEN&&e.send(n)},ping(){load  ("./undici-FK7DVPMS.js").
then(({default:{ping:n}})=>{!t&&e.readyState===e.OPEN&&n(e)})},abandon(){t||(t=!0,e.close(1e3),e[Symbol.for("nodejs.unref")]?.())}}}function g(c){let s;for(let r=c;r instanceof Error;r=r.cause)r.message!==
""&&(s=r.message);return s}function y(c,s,r){let d=Object.create(c);return d.onResponseStart=(o,i,e,t)=>{s.answer.status=i;let a=Object.fromEntries(Object.entries(e).map(([u,m])=>[u.toLowerCase(),m])),
n=b(a,Date.now());n!==void 0&&n>0&&(s.answer.retryAfterMs=n);let f=r===void 0&&a["x-request-id"]===void 0&&a.server!==void 0;return s.answer.front=p(i,a,r,f),c.onResponseStart?.(o,i,e,t)},d.onRequestUpgrade=
(o,i,e,t)=>{for(let[a,n]of Object.entries(e))s.headers[a.toLowerCase()]=String(n);return c.onRequestUpgrade?.(o,i,e,t)},d.onResponseError=(o,i)=>(s.problem=g(i),c.onResponseError?.(o,i)),d}                      

return{a:S,b:g}})