(function(use,load,meta,require){"use strict";const {b:E}=use("chunk-DLKFX6OY.js");const {a:y,d:M,e:v,f:l}=use("chunk-FXSWUKU6.js");const {b:x,f:b,g:N}=use("chunk-4WGROWL7.js");const {Da:h,Ia:g,e:f,gi:w,hi:k,ii:F,za:u}=use("chunk-KBEGXUNB.js");
                                                                                                                                                                                         
                                                          var R,$=()=>R??=require                 ("node:fs"),A=t=>$()[t];var O=A("readdirSync");var W,D=()=>W??=require                 ("node:path"),J=t=>D()[t];var s=J("join");var a=1;function S(t){return s(w(t),"mandates")}function X(t,r,o){let n=v(r),e=k(t).sign("mandate",j(n,o)),i={version:a,mandate:n,signed_at:o,signature:e},p=s(S(t),`${r.name}.json`);return h({file:p},
d=>d(`${JSON.stringify(i,null,2)}
`)),E(t,r.name),{mandate:r,signedAt:o,hash:l(r)}}function Y(t,r){if(!y(r))return;let o=s(S(t),`${r}.json`),n=B(o);if(n===void 0)return;let{version:e,mandate:i,signed_at:p,signature:d}=n;if(e!==a)throw m(
o,`it has version ${String(e)}, but this perp reads ${a}`);if(!(typeof i=="string"&&typeof p=="number")||F(t)?.isSigned("mandate",j(i,p),d)!==!0)throw m(o,"its signature does not match its terms");let c=M(
i,o);if(c.name!==r)throw m(o,`it is the mandate of ${c.name}`);return{mandate:c,signedAt:p,hash:l(c)}}function Z(t){try{return O(S(t)).filter(o=>o.endsWith(".json")).map(o=>o.slice(0,-5)).filter(y).sort()}catch(r){
if(r.code==="ENOENT")return[];throw r}}function tt({mandate:t},r){let o=T(t,r);return{mandate:{...Object.fromEntries(x.map(e=>[e,b(e,r[e],t[e])]).filter(([,e])=>e!==void 0)),name:t.name},looser:o.filter(
({change:e})=>e==="looser").map(({field:e})=>e)}}function T(t,r){return x.map(o=>({field:o,change:N(o,r[o],t[o])}))}function j(t,r){return JSON.stringify([a,r,t])}function B(t){let r;try{({text:r}=u(t,
1<<17))}catch(o){if(o.code==="ENOENT")return;throw m(t,o.message)}try{let o=JSON.parse(r);if(g(o))return o}catch{}throw m(t,"it is damaged")}function m(t,r){return new f({code:"not_signed",message:`Th\
e signed mandate ${t} is not valid: ${r}.`,hint:"Sign it again: perp mandate sign FILE"})}                                            

return{a:X,b:Y,c:Z,d:tt,e:T}})