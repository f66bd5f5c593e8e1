(function(use,load,meta,require){"use strict";const {uf:y}=use("chunk-AFUPYCZE.js");
                                         var h=["account","positions","working","fills"],U=[...h,"parents","policy","copies"],C=500,E=1e3,v=Number.NEGATIVE_INFINITY;function p(n){return Object.fromEntries(U.map(t=>[t,n(t)]))}var f={parts:p(()=>({
unknown:"not read yet"})),changes:{positions:new Map,working:new Map},gap:void 0,barredUntil:p(()=>v)};function Y(n){return{run:n,time:0,accounts:new Map,snapshots:null}}function F(n){return"value"in n?
n.value:void 0}function l(n){return d(n)?.value}function q(n){return d(n)?.asOf??v}function B(n,t,e){if(t.type==="hello")return t.resumed?_(n):{...n,snapshots:new Set};if(t.type==="snapshot_end"){let{
snapshots:o}=n,c=[...n.accounts].filter(([i])=>o?.has(i)!==!1);return{...n,snapshots:null,accounts:new Map(c)}}if(!("account_id"in t))return n;let r=b(n,t.time),{account_id:s}=t;if(t.type==="account"&&
t.event==="removed")return G(r,s);let a=r.accounts.get(s);if(t.type==="snapshot"){let o=r.snapshots&&new Set([...r.snapshots,s]);return{...g(r,s,W(a??f,t,e)),snapshots:o}}return g(r,s,L(a??f,t,e))}function D(n,t,e,r,{
askedAt:s,exchangeAt:a}){let o=n.accounts.get(t)??f;if(s<=o.barredUntil[e])return e==="fills"?g(n,t,K(o,r,s)):n;let c=a===void 0?n:b(n,a),i={value:j(o,e,r,s),exchangeAt:a??c.time,asOf:s};return g(c,t,
{...o,parts:{...o.parts,[e]:i},gap:e==="fills"?void 0:o.gap,barredUntil:{...o.barredUntil,[e]:s}})}function H(n,t,e="streamed"){let r=o=>e==="all"||h.includes(o),s=e==="all"?"not read since the interr\
uption":"the account stream was lost",a=M(n,o=>{let{parts:c,barredUntil:i}=o;return{...o,parts:O(u=>r(u)?{unknown:s,last:d(c[u])}:c[u]),gap:T(o),barredUntil:p(u=>r(u)?Math.max(i[u],t):i[u])}});return{
...n,accounts:a,snapshots:null}}function O(n){return p(n)}function _(n){let t=M(n,e=>{let{parts:r,gap:s}=e,a=o=>h.includes(o)&&(o!=="fills"||s!==void 0);return{...e,parts:O(o=>a(o)?d(r[o])??r[o]:r[o]),
gap:void 0}});return{...n,snapshots:null,accounts:t}}function J(n,t){let e=[...n.accounts].filter(([r])=>t.includes(r));return e.length===n.accounts.size?n:{...n,accounts:new Map(e)}}function b(n,t){return t>
n.time?{...n,time:t}:n}function Q({parts:n,gap:t}){return"value"in n.fills||t!==void 0}var w=new WeakMap;function X(n){if(n!==void 0){if(!w.has(n)){let{account:t,positions:e,working:r}=n.parts,s=l(t),
a={positions:l(e)??new Map,orders:l(r)??new Map};w.set(n,s&&{account:s,...a})}return w.get(n)}}function d(n){return"value"in n?n:n.last}function K(n,t,e){let{fills:r}=n.parts,{exchangeAt:s}=d(r)??{exchangeAt:0},
a=m(r,S(t.values(),l(r)),s,e),o="value"in r?void 0:n.gap??{after:t.keys().next().value??null};return{...n,parts:{...n.parts,fills:a},gap:o}}function T({parts:n,gap:t}){let e=F(n.fills);return e===void 0?
t:{after:e.keys().next().value??null}}function L(n,t,e){let r=t.time;if(t.type==="fill"){let o=S([t.fill],l(n.parts.fills));return{...n,parts:{...n.parts,fills:m(n.parts.fills,o,r,e)}}}if(t.type==="ac\
count"){let o=t.event==="opened"&&d(n.parts.positions)===void 0,c={value:new Map,exchangeAt:r,asOf:e},i=o?{...n.parts,positions:c,working:c}:n.parts,u={value:t.account,exchangeAt:r,asOf:e};return{...n,
parts:{...i,account:u},barredUntil:{...n.barredUntil,account:e}}}if(t.type==="position"){let{event:o,position:c}=t;return R(n,"positions",c.id,o==="closed"?void 0:c,{exchangeAt:r,at:e})}let{event:s,order:a}=t;
return R(n,"working",a.id,z(s)?a:void 0,{exchangeAt:r,at:e})}function R(n,t,e,r,{exchangeAt:s,at:a}){let o=new Map(n.changes[t]);o.delete(e),o.set(e,{at:a,row:r});let c={...n.barredUntil};for(let[k,{at:I}]of o){
if(o.size<=E)break;o.delete(k),c[t]=Math.max(c[t],I)}let i=n.parts[t],u=l(i),x=u&&P(u,e,r),N=x===void 0?i:m(i,x,s,a);return{...n,parts:{...n.parts,[t]:N},changes:{...n.changes,[t]:o},barredUntil:c}}function m(n,t,e,r){
let s={value:t,exchangeAt:e,asOf:r};return"value"in n?s:{...n,last:s}}function W(n,{account:t,positions:e,orders:r,time:s},a){let o=u=>({value:u,exchangeAt:s,asOf:a}),c={account:o(t),positions:o(A(e)),
working:o(A(r))},i={unknown:"not read since the snapshot",last:d(n.parts.fills)};return{parts:{...n.parts,...c,fills:i},changes:f.changes,gap:T(n),barredUntil:{...n.barredUntil,account:a,positions:a,working:a,
fills:a}}}function j({parts:n,changes:t},e,r,s){if(e==="fills")return S(r.values(),l(n.fills));if(e!=="positions"&&e!=="working")return r;let a=r;for(let[o,{at:c,row:i}]of t[e])c>=s&&(a=P(a,o,i));return a}
function S(n,t=new Map){let e=[...n].filter(({id:r})=>!t.has(r));return e.length===0?t:A([...e,...t.values()].sort((r,s)=>y(s)-y(r)).slice(0,C))}function A(n){return new Map([...n].map(t=>[t.id,t]))}function P(n,t,e){
if(e===void 0&&!n.has(t))return n;let r=new Map(n);return e===void 0?r.delete(t):r.set(t,e),r}function z(n){return n!=="filled"&&n!=="canceled"&&n!=="rejected"&&n!=="expired"}function M(n,t){return new Map(
[...n.accounts].map(([e,r])=>[e,t(r)]))}function g(n,t,e){return{...n,accounts:new Map(n.accounts).set(t,e)}}function G(n,t){let e=new Map(n.accounts);return e.delete(t),{...n,accounts:e}}function Z(n){
let t=Number.NEGATIVE_INFINITY;return()=>(t=Math.max(n(),t+1e-6),t)}                                                                                                          

return{a:f,b:Y,c:F,d:l,e:q,f:B,g:D,h:H,i:_,j:J,k:Q,l:X,m:A,n:Z}})