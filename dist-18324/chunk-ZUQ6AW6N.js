(function(use,load,meta,require){"use strict";const {d:n}=use("chunk-QV5JACLC.js");const {a:e}=use("chunk-XXKGL3XC.js");
                                                                                var a=/^https?:\/\/(127\.0\.0\.1|localhost\.?|\[::1\])(:\d{1,5})?$/i,l="retry-after, x-market-source, x-request-id, x-sim-endings, x-sim-run",c=600,s=class{#t;#r;constructor(t,r){this.#t=t==="any"?{size:1,
has:()=>!0}:new Set(t),this.#r=r}refusal(t){if(t===void 0||a.test(t)||this.#t.has(t))return null;let r=this.#r===void 0?"":`, and origins named by ${this.#r},`,i=[{field:"Origin",issue:"is not allowed"}];
return new e("forbidden",`Only pages from this machine${r} may connect.`,{details:i})}admit({headers:t,method:r,url:i=""},o){let{origin:p}=t;return this.#t.size===0||!(i==="/openapi.json"||/^\/v1(?:[/?]|$)/.
test(i))||(o.setHeader("vary","origin"),p===void 0||!this.#t.has(p))||(o.setHeader("access-control-allow-origin",p),o.setHeader("access-control-expose-headers",l),r!=="OPTIONS"||t["access-control-requ\
est-method"]===void 0)?!1:(o.writeHead(204,{"access-control-allow-methods":"GET, POST, PUT, PATCH, DELETE","access-control-allow-headers":"authorization, content-type, idempotency-key","access-control\
-max-age":String(c),...t["access-control-request-private-network"]==="true"&&{"access-control-allow-private-network":"true"},"x-request-id":n()}),o.end(),!0)}};function f(m){if(!/^https?:\/\/[^/?#\s@]+\/?$/i.
test(m))return null;try{let{origin:t}=new URL(m);return t==="null"?null:t}catch{return null}}                      

return{a:s,b:f}})