(function(use,load,meta,require){"use strict";const {Ua:c,Ub:a,dc:p,sc:h}=use("chunk-AFUPYCZE.js");
                                                                 function I(e,n,t){let{status:r,body:i}=t;if(r>=400)return m(n,i);if(r>=300)return;let s=c(i)?i.data:void 0;return w(e,s)??b(n,s)??y(e,n,s)??l(n,r,s)}function l(e,n,t){let{made:r,confirms:i}=h(e.operationId)??
{};if(!c(t))return;let s=r===void 0?void 0:$(r,e,n,t);return s!==void 0?`${s}: it belongs to another request`:i?.(t)===!1?"the answer does not confirm that it was done":void 0}function m({clientOrderId:e},n){
let{client_order_id:t}=a(n);if(!(e===void 0||typeof t!="string"||t===e))return`the refusal is about ${u(t)}, not ${u(e)}: it belongs to another request`}function w(e,n){let t=e.success.properties?.data?.
type;return t==="array"?Array.isArray(n)&&n.every(c)?void 0:"the answer is not a list":t==="object"&&!c(n)?"the answer is not a resource":void 0}function y(e,{path:n},t){let r=p(e).at(-1);if(r===void 0||
!c(t))return;let{properties:i={}}=e.success.properties?.data??{},s=Object.hasOwn(i,r)?r:"id";if(!Object.hasOwn(i,s)||s==="id"&&e.responses[201]!==void 0)return;let o=n[r],d=t[s];if(!(d===o&&typeof d==
"string")&&!(r==="order_id"&&typeof d=="string"&&t.client_order_id===o))return`the answer is about ${u(d)}, not ${u(o)}: it belongs to another request`}function b({target:e},n){let t=e.indexOf("?");if(!Array.
isArray(n)||t<0)return;let r=new URLSearchParams(e.slice(t));for(let i of["account_id","client_order_id"]){let s=r.get(i),o=s===null?void 0:n.find(d=>g(d[i],s));if(o!==void 0)return`a ${i} in the list\
 is ${u(o[i])}, not ${u(s)}`}}function g(e,n){return typeof e=="string"&&e!==n}function $(e,n,t,r){if(typeof r.id!="string"||r.id==="")return`the answer's id is ${u(r.id)}`;let i=n.body===void 0?{}:JSON.
parse(n.body);for(let[d,f]of Object.entries(e.repeats?.(i)??{}))if(f!==void 0&&r[d]!==f)return`the answer's ${d} is ${u(r[d])}, not ${u(f)}`;let[s="",o]=e.otherWord?.(i)??[];return o!==void 0&&r[s]===
o?`the answer's ${s} is ${u(o)}`:t===201?O(e,i,r):void 0}function O({sizes:e=[],reduces:n},t,r){let i=t.size,s=typeof r.filled_size=="number"?r.filled_size:0,o=e.map(f=>r[f]).filter(f=>typeof f=="numb\
er");if(!(typeof i!="number"||o.length===0||[...o,o.at(-1)+s].some(f=>M(f,i))||n?.(t)===!0&&Math.max(...o)<i))return`the answer's size is ${u(o[0])}, not ${u(i)}`}function M(e,n){return Math.abs(e-n)<=
1e-9*Math.abs(n)}function u(e,n=80){let t=JSON.stringify(e)??"absent";return t.length>n?`${t.slice(0,n)}...`:t}                             

return{a:I,b:l,c:u}})