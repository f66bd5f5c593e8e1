(function(use,load,meta,require){"use strict";const {a:u}=use("chunk-ACAQ3JQR.js");const {Ig:N,Ka:O,P:v,Pa:d,e:b,g:k,h:F,ib:S,ta:P}=use("chunk-AFUPYCZE.js");
                                                                                                                                             var _,j=()=>_??=require                 ("node:fs"),$=o=>j()[o];var E=$("readFileSync");var J,W=()=>J??=require                 ("node:path"),D=o=>W()[o];var A=D("join");function y(o){try{let t=JSON.parse(E(o,"utf8"));return Array.isArray(t)?t.filter(L):[]}catch{return[]}}function L(o){let{position_id:t,symbol:r,text:e,size:n,targets:i,trail:p,unseen:s}=o??{};return[t,
r,e].every(m=>typeof m=="string")&&Number.isFinite(n)&&Array.isArray(i)&&i.every(Number.isFinite)&&(s===void 0||Array.isArray(s)&&s.every(Number.isFinite))&&(p===void 0||Number.isFinite(p.amount)&&p.amount>
0)}function tt(o,t){d({file:o},r=>r(JSON.stringify([...z(o,t.position_id),t])))}function ot(o,t){d({file:o},r=>r(JSON.stringify(z(o,t))))}function z(o,t){return y(o).filter(({position_id:r,unseen:e})=>r!==
t||e===void 0)}function rt(o,t){for(let r of y(o)){let{position_id:e,targets:n,unseen:i,...p}=r;if(i===void 0)continue;let s=t.filter(({target_position_id:c,mode:a})=>c===e&&S(a)==="tp"),m=(c,a)=>s.some(
l=>(l.initial_size??l.size)===c&&N(l)===i[a]);n.every(m)&&V(o,e,{position_id:e,targets:n,...p})}return y(o).filter(({unseen:r})=>r===void 0)}function V(o,t,r){let e=({position_id:n})=>n===t;r===null&&
!y(o).some(e)||d({file:o},n=>{let i=y(o).filter(p=>!e(p));n(JSON.stringify(r===null?i:[...i,r]))})}var U=1e-9;function et(o,t,r){let{size:e,targets:n,breakEven:i,trail:p}=o,s=e*U;if(t.size>e+s)return;
let m=r.filter(({target_position_id:x,mode:f})=>x===t.id&&S(f)==="tp").length,c=x=>{let f=n.slice(0,x).reduce((K,R)=>K+R,0);return m<=n.length-x&&t.size<=e-f+s},a=i&&n.length>0&&c(1),l=p!==void 0&&c(n.
length);return a||l?{breakEven:a,trail:l?p:void 0}:void 0}function nt({position:o},t,r){let{breakEven:e,trail:n,text:i}=r;if(!e&&n===void 0)return null;let{id:p,symbol:s,size:m}=o;return{position_id:p,
symbol:s,text:i,size:m,targets:t.map(c=>c.size),breakEven:e,trail:n}}var h=/^[a-z][a-z0-9-]{0,31}$/;function g(o){return A(P(o),"plans.json")}function w(o){let t=g(o);try{let r=JSON.parse(O(t,1048576).
text);if(typeof r!="object"||r===null||Array.isArray(r))throw new Error("it is not an object");let e=Object.entries(r).filter(([n,i])=>h.test(n)&&typeof i=="string");return Object.fromEntries(e)}catch(r){
if(r.code==="ENOENT")return{};let e=`The saved plans in ${t} can't be read: ${r.message}.`;throw new b({code:"plans",message:e,hint:"Fix or remove that file."})}}function it(o,t,r){if(!h.test(t))throw k(
`${v(t)} can't name a plan.`,"Write up to 32 of a-z, 0-9 and -, such as scalp.");let e=u(r,"PLAN");return d({file:g(o),followsLinks:!0},n=>{let i=w(o);return n(`${JSON.stringify({...i,[t]:e.text},null,
2)}
`),{plan:e,before:Object.hasOwn(i,t)?i[t]:null}})}function pt(o,t){return d({file:g(o),followsLinks:!0},r=>{let{[t]:e,...n}=w(o);return e===void 0?!1:(r(`${JSON.stringify(n,null,2)}
`),!0)})}function st(o,t,r){if(!h.test(t))return u(t,r);let e=w(o);if(Object.hasOwn(e,t))return u(e[t],`plan ${t}`);throw F(`There is no saved plan ${t}.`,`perp plan list shows them; perp plan set ${t}\
 "1/3@1R rest@2R" creates it.`)}                                                                                             

return{a:y,b:tt,c:ot,d:rt,e:V,f:et,g:nt,h:w,i:it,j:pt,k:st}})