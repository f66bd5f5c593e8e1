(function(use,load,meta,require){"use strict";const {a:l,d:O,e:I,f:y}=use("chunk-FF6IVT3K.js");const {b:x,f:E,g:A}=use("chunk-RDG56SNA.js");const {a:N,b:M,c:v}=use("chunk-R2ZJ2XCT.js");const {Ca:g,Ja:k,Ka:b,Pa:w,Ya:F,e:f,ua:h}=use("chunk-AFUPYCZE.js");
                                                                                                                                                                                        
                                                                         var _,D=()=>_??=require                 ("node:fs"),S=e=>D()[e];var j=S("existsSync");var T=S("readFileSync");var V=S("rmSync");var G,B=()=>G??=require                 ("node:path"),C=e=>B()[e];var s=C("join");var d=1;function u(e){return s(N(e),"mandates")}function ct(e,t,o){let n=I(t),r=M(e).sign("mandate",R(n,o)),i={version:d,mandate:n,signed_at:o,signature:r},p=s(u(e),`${t.name}.json`);return w({file:p},
c=>c(`${JSON.stringify(i,null,2)}
`)),Y(e,t.name),{mandate:t,signedAt:o,hash:y(t)}}function mt(e,t){if(!l(t))return;let o=s(u(e),`${t}.json`),n=P(o);if(n===void 0)return;let{version:r,mandate:i,signed_at:p,signature:c}=n;if(r!==d)throw m(
o,`it has version ${String(r)}, but this perp reads ${d}`);if(!(typeof i=="string"&&typeof p=="number")||v(e)?.isSigned("mandate",R(i,p),c)!==!0)throw m(o,"its signature does not match its terms");let a=O(
i,o);if(a.name!==t)throw m(o,`it is the mandate of ${a.name}`);return{mandate:a,signedAt:p,hash:y(a)}}function at(e){return k(u(e)).filter(o=>o.endsWith(".json")).map(o=>o.slice(0,-5)).filter(l).sort()}
function dt({mandate:e},t){let o=J(e,t);return{mandate:{...Object.fromEntries(x.map(r=>[r,E(r,t[r],e[r])]).filter(([,r])=>r!==void 0)),name:e.name},looser:o.filter(({change:r})=>r==="looser").map(({field:r})=>r)}}
function J(e,t){return x.map(o=>({field:o,change:A(o,t[o],e[o])}))}function R(e,t){return JSON.stringify([d,t,e])}function P(e){let t;try{({text:t}=b(e,1<<17))}catch(n){if(n.code==="ENOENT")return;throw m(
e,n.message)}let o=F(t);if(o===null)throw m(e,"it is damaged");return o}function m(e,t){return new f({code:"not_signed",message:`The signed mandate ${e} is not valid: ${t}.`,hint:"Sign it again: perp \
mandate sign FILE"})}var z=1e4,U=1e3,$=class{#t;#e;#o=new Map;constructor(t,o=()=>performance.now()){this.#t=W(t),this.#e=o}timeOf(t,o,n){let r=this.#e(),i=this.#r(t,r)??this.#n(t,r),p=Math.max(o,i.at+
Math.max(0,r-i.uptime)),c=p>=n&&i.kept<n;return i.at=p,i.uptime=r,(c||p-i.kept>=z)&&this.#i(t,i),p}#r(t,o){let n=this.#o.get(t);return n===void 0||o-n.lookedAt<U?n:(n.lookedAt=o,Number.isFinite(n.kept)&&
!j(s(this.#t,t))?void 0:n)}#n(t,o){let n=H(s(this.#t,t)),r={at:n,uptime:o,kept:n,lookedAt:o};return this.#o.set(t,r),r}#i(t,o){o.kept=o.at;try{g(s(this.#t,t),`${o.at}
`,"quick")}catch{}}};function Y(e,t){V(s(W(e),q(t)),{force:!0})}function q(e){return`mandate-${e}`}function W(e){return s(h(e),"gate","times")}function H(e){try{let t=Number(T(e,"utf8"));return Number.
isFinite(t)?t:Number.NEGATIVE_INFINITY}catch{return Number.NEGATIVE_INFINITY}}                                                                    

return{a:ct,b:mt,c:at,d:dt,e:J,f:$,g:Y,h:q}})