(function(use,load,meta,require){"use strict";const {Se:w}=use("chunk-KBEGXUNB.js");
                                         var m=["account","positions","working","fills"],I=[...m,"parents","policy","copies"],U=500,C=1e3,d={unknown:"not read yet"},l=Number.NEGATIVE_INFINITY,y={parts:{account:d,positions:d,working:d,parents:d,
fills:d,policy:d,copies:d},changes:{positions:new Map,working:new Map},gap:void 0,barredUntil:{account:l,positions:l,working:l,parents:l,fills:l,policy:l,copies:l}};function V(n){return{run:n,time:0,accounts:new Map,
snapshots:null}}function E(n){return"value"in n?n.value:void 0}function p(n){return f(n)?.value}function Y(n){return f(n)?.asOf??l}function j(n,t,e){if(t.type==="hello")return t.resumed?F(n):{...n,snapshots:new Set};
if(t.type==="snapshot_end"){let{snapshots:r}=n,c=[...n.accounts].filter(([i])=>r?.has(i)!==!1);return{...n,snapshots:null,accounts:new Map(c)}}if(!("account_id"in t))return n;let o=b(n,t.time),{account_id:s}=t;
if(t.type==="account"&&t.event==="removed")return B(o,s);let a=o.accounts.get(s);if(t.type==="snapshot"){let r=o.snapshots&&new Set([...o.snapshots,s]);return{...g(o,s,L(a??y,t,e)),snapshots:r}}return g(
o,s,_(a??y,t,e))}function q(n,t,e,o,{askedAt:s,exchangeAt:a}){let r=n.accounts.get(t)??y;if(s<=r.barredUntil[e])return e==="fills"?g(n,t,K(r,o,s)):n;let c=a===void 0?n:b(n,a),i={value:W(r,e,o,s),exchangeAt:a??
c.time,asOf:s};return g(c,t,{...r,parts:{...r.parts,[e]:i},gap:e==="fills"?void 0:r.gap,barredUntil:{...r.barredUntil,[e]:s}})}function D(n,t,e="streamed"){let o=e==="all"?I:m,s=e==="all"?"not read si\
nce the interruption":"the account stream was lost",a=T(n,r=>{let c={...r.parts},i={...r.barredUntil};for(let u of o)c[u]={unknown:s,last:f(c[u])},i[u]=Math.max(i[u],t);return{...r,parts:c,gap:O(r),barredUntil:i}});
return{...n,accounts:a,snapshots:null}}function F(n){let t=T(n,e=>{let o={...e.parts};for(let s of m)(s!=="fills"||e.gap!==void 0)&&(o[s]=f(o[s])??o[s]);return{...e,parts:o,gap:void 0}});return{...n,snapshots:null,
accounts:t}}function H(n,t){let e=[...n.accounts].filter(([o])=>t.includes(o));return e.length===n.accounts.size?n:{...n,accounts:new Map(e)}}function b(n,t){return t>n.time?{...n,time:t}:n}function J({
parts:n,gap:t}){return"value"in n.fills||t!==void 0}var A=new WeakMap;function Q(n){if(n!==void 0){if(!A.has(n)){let{account:t,positions:e,working:o}=n.parts,s=p(t),a={positions:p(e)??new Map,orders:p(
o)??new Map};A.set(n,s&&{account:s,...a})}return A.get(n)}}function f(n){return"value"in n?n:n.last}function K(n,t,e){let{fills:o}=n.parts,{exchangeAt:s}=f(o)??{exchangeAt:0},a=S(o,x(t.values(),p(o)),
s,e),r="value"in o?void 0:n.gap??{after:t.keys().next().value??null};return{...n,parts:{...n.parts,fills:a},gap:r}}function O({parts:n,gap:t}){let e=E(n.fills);return e===void 0?t:{after:e.keys().next().
value??null}}function _(n,t,e){let o=t.time;if(t.type==="fill"){let r=x([t.fill],p(n.parts.fills));return{...n,parts:{...n.parts,fills:S(n.parts.fills,r,o,e)}}}if(t.type==="account"){let r=t.event==="\
opened"&&f(n.parts.positions)===void 0,c={value:new Map,exchangeAt:o,asOf:e},i=r?{...n.parts,positions:c,working:c}:n.parts,u={value:t.account,exchangeAt:o,asOf:e};return{...n,parts:{...i,account:u},barredUntil:{
...n.barredUntil,account:e}}}if(t.type==="position"){let{event:r,position:c}=t;return R(n,"positions",c.id,r==="closed"?void 0:c,{exchangeAt:o,at:e})}let{event:s,order:a}=t;return R(n,"working",a.id,z(
s)?a:void 0,{exchangeAt:o,at:e})}function R(n,t,e,o,{exchangeAt:s,at:a}){let r=new Map(n.changes[t]);r.delete(e),r.set(e,{at:a,row:o});let c={...n.barredUntil};for(let[N,{at:k}]of r){if(r.size<=C)break;
r.delete(N),c[t]=Math.max(c[t],k)}let i=n.parts[t],u=p(i),v=u&&M(u,e,o),P=v===void 0?i:S(i,v,s,a);return{...n,parts:{...n.parts,[t]:P},changes:{...n.changes,[t]:r},barredUntil:c}}function S(n,t,e,o){let s={
value:t,exchangeAt:e,asOf:o};return"value"in n?s:{...n,last:s}}function L(n,{account:t,positions:e,orders:o,time:s},a){let r=u=>({value:u,exchangeAt:s,asOf:a}),c={account:r(t),positions:r(h(e)),working:r(
h(o))},i={unknown:"not read since the snapshot",last:f(n.parts.fills)};return{parts:{...n.parts,...c,fills:i},changes:y.changes,gap:O(n),barredUntil:{...n.barredUntil,account:a,positions:a,working:a,fills:a}}}
function W({parts:n,changes:t},e,o,s){if(e==="fills")return x(o.values(),p(n.fills));if(e!=="positions"&&e!=="working")return o;let a=o;for(let[r,{at:c,row:i}]of t[e])c>=s&&(a=M(a,r,i));return a}function x(n,t=new Map){
let e=[...n].filter(({id:o})=>!t.has(o));return e.length===0?t:h([...e,...t.values()].sort((o,s)=>w(s)-w(o)).slice(0,U))}function h(n){return new Map([...n].map(t=>[t.id,t]))}function M(n,t,e){if(e===
void 0&&!n.has(t))return n;let o=new Map(n);return e===void 0?o.delete(t):o.set(t,e),o}function z(n){return n!=="filled"&&n!=="canceled"&&n!=="rejected"&&n!=="expired"}function T(n,t){return new Map([
...n.accounts].map(([e,o])=>[e,t(o)]))}function g(n,t,e){return{...n,accounts:new Map(n.accounts).set(t,e)}}function B(n,t){let e=new Map(n.accounts);return e.delete(t),{...n,accounts:e}}function X(n){
let t=Number.NEGATIVE_INFINITY;return()=>(t=Math.max(n(),t+1e-6),t)}                                                                                                          

return{a:y,b:V,c:E,d:p,e:Y,f:j,g:q,h:D,i:F,j:H,k:J,l:Q,m:h,n:X}})